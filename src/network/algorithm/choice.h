/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every algorithm and variant of one operation, compiled for one group, and the fastest of them. */
#ifndef NETWORK_ALGORITHM_CHOICE_H
#define NETWORK_ALGORITHM_CHOICE_H

#include "network/cost/compile.h"
#include "network/cost/hull.h"

struct candidate {
	unsigned algorithm, variant; /* `algorithm` is an index in `collectives` */
	struct library_protocol protocol;
	struct compiled compiled; /* only its times are valid, unless `whole` */
	bool whole;
};

struct choice {
	struct candidate *candidates; /* ordered by algorithm, then by variant */
	unsigned count;
	struct envelope envelope; /* of the upper times; its algorithms are indices in `candidates` */
};

/*
 * Collects the algorithms of the operation that apply to the communicator and that `wanted` (by index; NULL: all) names, by
 * each protocol of the library of `machine`; machine NULL: in the network's own steps. False when out of memory.
 */
bool choice_create(struct paradl_arena *arena, const struct communicator *comm, enum operation operation,
	const bool *wanted, const struct paradl_machine *machine, struct choice *choice);
/* Compiles all candidates and their envelope. `bytes` chooses protocols, as in compile.h. */
void choice_compile(struct choice *choice, struct compiler *compiler, const struct group *group,
	const struct communicator *comm, double bytes);

/* Fills in watts, joules and the hottest link of a candidate. */
void candidate_complete(struct candidate *candidate, struct compiler *compiler, const struct group *group,
	const struct communicator *comm, double bytes);

/*
 * Returns the fastest candidate at a size that is not of algorithm `but` (UINT_MAX: of any algorithm). UINT_MAX:
 * there is none.
 */
unsigned choice_best(const struct choice *choice, double bytes, unsigned but);

#endif
