/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a collective whose ranks do not wait for one another between steps. A rank goes on when its own
 * messages are done, so it may be ahead of others. A message starts when both its ranks have come to it, waits for
 * its start-up, and then flows at its max-min fair share of the links that it crosses, at most as fast as its
 * protocol allows. Flow-level simulators do the same. Steps that come again are not followed once all devices are in
 * time: those that are left take as long. This is slow compared with compile(): it is for the best few of a choice,
 * not for searches.
 */
#ifndef NETWORK_RECORD_FLUID_H
#define NETWORK_RECORD_FLUID_H

#include "network/record/export.h"

enum { FLUID_MESSAGES_MAX = 1 << 18 };

/*
 * Effort that may be spent: messages of all steps, and looks at a flow or a link for its rate, of which those taken
 * are subtracted.
 */
struct effort {
	unsigned messages;
	double looks;
};

/*
 * How flows share a link: equally, or in inverse proportion to their round trips, as TCP's do:
 *     weight = 1 / (latency of the route + sum over its links of weight_bytes / rate)
 * SimGrid's CM02 model has weight_bytes = 0, its SMPI model 8775 (network/weight-S).
 */
struct sharing {
	bool by_route;
	double weight_bytes;
};

/*
 * Computes the time in *seconds. False when that takes too much effort, when the schedule is no sequence of steps,
 * or when out of memory.
 */
bool fluid_time(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	const struct sharing *sharing, struct effort *effort, double *seconds, struct paradl_error *error);

#endif
