/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A schedule is compiled on a network: every flow of a step is routed, for all groups that run it at the same time.
 * Contention follows from the routes. With load_l the bytes on link l over its capacity, and alpha_f the start-up of
 * flow f:
 *     upper: flows start together     T_step = max over links of (load_l + max alpha_f of the flows on it)
 *     lower: a link never idles       T_step = max over links of (load_l + min alpha_f of the flows on it),
 *                                              and over flows of (alpha_f + alone_f)
 * where alone_f is the time of flow f alone. T is the sum over the steps. Both are exact when the flows of a step
 * have the same start-up.
 */
#ifndef NETWORK_COST_COMPILE_H
#define NETWORK_COST_COMPILE_H

#include "network/algorithm/collective.h"
#include "network/cost/hull.h"
#include "network/machine_network.h"

struct compiled {
	struct hull upper, lower;
	double steps;     /* number of steps of the schedule */
	double used_watt; /* idle power of the links that are used, as the studies of the collectives count it */
	double joule_per_byte; /* energy to move one byte of the vector over the links */
	double vector_copies;  /* traffic: bytes that cross all links / vector */
	unsigned hottest;      /* the link that needs the most time for its bytes; UINT_MAX: none */
	double hottest_s_per_byte;
};

/* Creates the scratch for one network, for one thread at a time. NULL when out of memory. */
struct compiler;
struct compiler *compiler_create(struct paradl_arena *arena, const struct network *network);
/*
 * Makes the compiler faster; from now on only times are right, except those of compile_whole, which is not affected.
 * Where the network repeats itself, only the copies of a group that make one period are routed, and steps that come
 * again are looked up. False when out of memory.
 */
bool compiler_times_only(struct paradl_arena *arena, struct compiler *compiler);

/*
 * Compiles one algorithm for one group. `bytes` chooses the protocol of each message; networks without protocols
 * ignore it. False when the algorithm has no such variant for the comm, as when it does not apply (variants() is
 * 0).
 */
bool compile(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled);

/* Compiles the same with watts, joules and the hottest link, also after compiler_times_only. */
bool compile_whole(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled);
/* Finds watts, joules and links as compile_whole does, but no times: all rounds of an exchange may be at once. */
bool compile_links(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled);

/* ---- start-ups of a pipelined ring, which libraries pay once per trip around it ----------------------- */

/* Start-ups of one copy's flows in a step. */
struct trip {
	double sum_s, most_s, least_s, flows;
};

static inline void trip_add(struct trip *trip, double start_s)
{
	trip->sum_s += start_s;
	trip->most_s = start_s > trip->most_s ? start_s : trip->most_s;
	trip->least_s = start_s < trip->least_s || !(trip->flows > 0) ? start_s : trip->least_s;
	trip->flows += 1;
}

/*
 * Returns the start-ups of one trip in the slowest copy, in seconds: those of its `ring` hops except the longest
 * one, which no piece needs to take. Where a copy has several rings (one in each node) they are alike, so their mean
 * stands for each.
 */
static inline double trips_s(const struct trip *trips, unsigned copies, double ring)
{
	double slowest_s = 0;
	for (unsigned s = 0; s < copies; ++s) {
		const struct trip *trip = &trips[s];
		if (!(trip->flows > 0))
			continue;
		const double mean_s = trip->sum_s / trip->flows * ring - trip->most_s;
		const double least_s = trip->least_s * (ring - 1);
		const double here_s = mean_s > least_s ? mean_s : least_s;
		slowest_s = here_s > slowest_s ? here_s : slowest_s;
	}
	return slowest_s;
}

#endif
