/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machines that published allreduce timings were simulated on (SimGrid 3.19), link by link as in their platform
 * files: public repository TruongThaoNguyen/allreduce_simulate, commit 45057ad, folders platforms/ and ipccc/platforms/.
 * All links are half duplex, flows bring 5 % of their bytes back as acknowledgements, payload gets 97 % of a link, and
 * start-ups and rates of single flows depend on the message size as SimGrid's defaults say.
 */
#ifndef TESTS_NETWORK_PLATFORMS_H
#define TESTS_NETWORK_PLATFORMS_H

#include "network/cost/compile.h"

enum platform_id {
	TSUBAME3,
	NVCLUSTER_2,
	NVCLUSTER_4,
	NVCLUSTER_8,
	NVCLUSTER_16,
	DRAGONFLY_4_64,
	ABCI,
	DGX1,
	DGX2,
	PLATFORM_COUNT
};
extern const char *const platform_names[PLATFORM_COUNT];

struct platform {
	enum platform_id id;
	unsigned nodes, per_node, plx; /* per node */
	unsigned first_plx, first_switch;
	struct machine_network rules;
	struct network network;
	unsigned *placement; /* GPU of each rank; NULL: in order */
	struct compiler *compiler;
	struct graph *graph;
	struct paradl_arena *arena;
};

/* Fails the test when something is wrong. `reduce_s_per_byte`: of the combining, where the study's times include it. */
struct platform *platform_create(struct paradl_arena *arena, enum platform_id id, double reduce_s_per_byte);

/* Ranks 0 .. ranks - 1 run the algorithm, `per_group` of them counting as a node. */
struct communicator platform_party(const struct platform *platform, unsigned ranks, unsigned per_group);
struct group platform_group(const struct platform *platform, unsigned ranks);

/* An algorithm by name, its variant by what describe() says of it ("": the first). */
const struct collective *algorithm_find(
	const struct communicator *comm, const char *name, const char *variant, unsigned *index);
/* In this order of ranks, in groups of `per_group`. Fails the test when the algorithm does not apply. */
struct compiled platform_compile(const struct platform *platform, const struct communicator *comm,
	const char *name, const char *variant, double bytes);

#endif
