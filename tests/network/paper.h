/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks on paper for tests of collectives: every link alike, full duplex, start-ups paid in every step. */
#ifndef TESTS_NETWORK_PAPER_H
#define TESTS_NETWORK_PAPER_H

#include "test.h"

#include "base/arena.h"
#include "network/cost/compile.h"

/* Links of 12.5 GB/s and 500 ns: those of the simulations in tests/data/simgrid/. */
#define PAPER_BYTES_PER_S 12.5e9
#define PAPER_LATENCY_S   500e-9

struct paper {
	struct paradl_arena *arena;
	struct network *network;
	struct compiler *compiler;
	struct machine_network rules;
	struct group group;
	struct communicator comm;
};

static inline struct machine_network paper_rules(double bytes_per_s, double latency_s)
{
	struct machine_network rules = {.synchronous = true, .usable = 1, .rails.ports = 1};
	for (unsigned i = 0; i < LINK_KINDS; ++i)
		rules.links[i] = (struct link_class){.bytes_per_s = bytes_per_s,
			.sustained_bytes_per_s = bytes_per_s,
			.latency_s = latency_s};
	return rules;
}

/* The first `ranks` devices (0: all) of a topology as one group. */
static inline void paper_open(
	struct paper *paper, const char *topology, const struct machine_network *rules, unsigned ranks)
{
	struct paradl_error error = {0};
	*paper = (struct paper){.arena = paradl_arena_create(), .rules = *rules};
	assert_non_null(paper->arena);
	paper->network = network_on_paper(paper->arena, topology, &paper->rules, &error);
	if (!paper->network)
		fail_msg("%s: %s", topology, error.message);
	paper->compiler = compiler_create(paper->arena, paper->network);
	assert_non_null(paper->compiler);
	const unsigned size = ranks ? ranks : paper->network->devices;
	paper->group = (struct group){
		.size = size, .nodes = size, .devices = size, .runs = {{1, size}}, .run_count = 1};
	paper->comm = communicator_of(paper->network, &paper->group);
}

static inline void paper_close(struct paper *paper)
{
	paradl_arena_free(paper->arena);
}

static inline struct compiled paper_compile(
	struct paper *paper, const struct collective *collective, unsigned variant, double bytes)
{
	struct compiled compiled;
	if (!compile(paper->compiler, &paper->group, &paper->comm, collective, variant, bytes, &compiled))
		fail_msg("%s does not apply to %u ranks", collective->name, paper->comm.size);
	return compiled;
}

/* The upper bound, of steps that start together. */
static inline double paper_s(
	struct paper *paper, const struct collective *collective, unsigned variant, double bytes)
{
	const struct compiled compiled = paper_compile(paper, collective, variant, bytes);
	return hull_s(&compiled.upper, bytes);
}

#endif
