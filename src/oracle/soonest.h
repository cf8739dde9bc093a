/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which device does something next: a tree whose inner nodes say who comes first below them, so that a change costs a path. */
#ifndef ORACLE_SOONEST_H
#define ORACLE_SOONEST_H

#include "oracle/schedule.h"

struct soonest {
	const struct schedule_choice *choices; /* of devices */
	unsigned count;                        /* of them */
	unsigned *
		first; /* the caller's; of node i, 1 to count - 1, whose parts are 2 i and 2 i + 1; count + d is device d */
};

/* Returns the device that comes first in a part of the tree: of those that are soonest the one before the others. */
static inline unsigned soonest_below(const struct soonest *soonest, unsigned node)
{
	return node < soonest->count ? soonest->first[node] : node - soonest->count;
}

static inline unsigned soonest_of_parts(const struct soonest *soonest, unsigned node)
{
	const unsigned a = soonest_below(soonest, 2 * node), b = soonest_below(soonest, 2 * node + 1);
	const double a_s = soonest->choices[a].at_s, b_s = soonest->choices[b].at_s;
	return b_s < a_s || (b < a && !(a_s < b_s)) ? b : a;
}

static inline void soonest_begin(const struct soonest *soonest)
{
	for (unsigned node = soonest->count - 1; node; --node)
		soonest->first[node] = soonest_of_parts(soonest, node);
}

/* After the choice of a device has changed: goes up to where that makes no difference. */
static inline void soonest_update(const struct soonest *soonest, unsigned device)
{
	for (unsigned node = (soonest->count + device) / 2; node; node /= 2) {
		const unsigned before = soonest->first[node], now = soonest_of_parts(soonest, node);
		if (before != device && now != device)
			return;
		soonest->first[node] = now;
	}
}

#endif
