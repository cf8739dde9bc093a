/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_ALGORITHM_PAT_H
#define NETWORK_ALGORITHM_PAT_H

#include "network/algorithm/line_exchange.h"

/*
 * Emits parallel aggregated trees (PAT): every rank is the root of one, all trees are alike, and buffers hold all
 * parts. They are like Bruck's algorithm, but the farthest members come first, while parts are few. At distance D a
 * rank passes on the parts that have come from a multiple of 2 D behind it, 0 included, and from less than P - D:
 *     ceil(log2 P) steps, (P - 1) / P of the share in all
 * They are an allgather; with `up` a reduce-scatter, the same backwards.
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
