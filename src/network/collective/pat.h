/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_PAT_H
#define NETWORK_COLLECTIVE_PAT_H

#include "network/collective/exchange.h"

/*
 * Parallel aggregated trees, every rank the root of one and all alike, with buffers for all parts: like Bruck's but far
 * members first, while parts are few. At distance D go the parts that arrived from multiples of 2 D and have P - D to go:
 *     ceil(log2 P) steps, (P - 1) / P of the vector in all        `up`: reduce-scatter, the same backwards
 */
static inline void pat_tell(const struct party *party, bool up, struct schedule *schedule)
{
	const struct lines all = lines_all(party);
	const unsigned p = party->size, top = fold_of(p - 1).kept;
	schedule_phase(schedule, up ? "reduce-scatter" : "allgather");
	for (unsigned level = 1; level <= top; level *= 2) {
		const unsigned distance = up ? level : top / level;
		const unsigned parts = ((p - 1) / distance + 1) / 2;
		const double share = (double)parts / p;
		lines_shift(&all, up ? p - distance : distance, share, schedule);
		if (up)
			schedule_reduce(schedule, share);
	}
}

#endif
