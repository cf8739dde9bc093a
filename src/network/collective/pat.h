/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_PAT_H
#define NETWORK_COLLECTIVE_PAT_H

#include "network/collective/exchange.h"

/*
 * Parallel aggregated trees, every rank the root of one and all alike, with buffers for all parts: like Bruck's but far
 * members first, while parts are few. At distance D go the parts that arrived from multiples of 2 D and have P - D to go:
 *     ceil(log2 P) steps, (P - 1) / P of the share in all        `up`: reduce-scatter, the same backwards
 */
static inline void lines_pat(const struct lines *lines, double share, bool up, struct schedule *schedule)
{
	const unsigned p = lines->count, top = p > 1 ? fold_of(p - 1).kept : 0;
	for (unsigned level = 1; level <= top; level *= 2) {
		const unsigned distance = up ? level : top / level;
		const unsigned parts = ((p - 1) / distance + 1) / 2;
		lines_shift(lines, up ? p - distance : distance, share * parts / p, schedule);
		if (up)
			schedule_reduce(schedule, share * parts / p);
	}
}

static inline void lines_pat_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	schedule_turn(schedule, false);
	lines_pat(lines, share, true, schedule);
	schedule_turn(schedule, true);
	lines_pat(lines, share, false, schedule);
}

#endif
