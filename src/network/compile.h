/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiling a schedule on a network: every flow of a step is routed, for all groups that run it at the same time;
 * contention is what comes out. With load_l the bytes on link l over its capacity, and alpha_f the start-up of flow f:
 *     T_step = max over links of (load_l + max alpha_f of the flows on it)              upper: flows start together
 *     T_step = max over links of (load_l + min alpha_f), max over flows of (alpha_f + alone_f)  lower: a link never idles
 * and T is the sum over the steps. Both are exact when the flows of a step have the same start-up.
 */
#ifndef NETWORK_COMPILE_H
#define NETWORK_COMPILE_H

#include "network/collective.h"
#include "network/hull.h"
#include "network/network.h"

struct compiled {
	struct hull upper, lower;
	double steps;     /* of the schedule */
	double used_watt; /* idle power of the links touched, as the studies of the collectives count it */
	double joule_per_byte; /* of the vector, moving it over the links */
	double vector_copies;  /* bytes crossing all links / vector: traffic */
	unsigned hottest;      /* the link with the most bytes; UINT_MAX: none */
	double hottest_s_per_byte;
};

/* Scratch for one network; one thread at a time. NULL when out of memory. */
struct compiler;
struct compiler *compiler_create(struct paradl_arena *arena, const struct network *network);
/*
 * From now on only times are right: where the network repeats itself, only as many copies of a group are routed as make
 * one period, and steps that come again are looked up; but for compile_whole. False when out of memory.
 */
bool compiler_times_only(struct paradl_arena *arena, struct compiler *compiler);

/*
 * One algorithm for one group. `bytes` chooses the protocol of each message; networks without protocols do not look at
 * it. False when the algorithm does not apply to the party (variants() is 0 or fewer).
 */
bool compile(struct compiler *compiler, const struct group *group, const struct party *party,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled);

/* The same with watts, joules and the hottest link, whatever the compiler is for. */
bool compile_whole(struct compiler *compiler, const struct group *group, const struct party *party,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled);

#endif
