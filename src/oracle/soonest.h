/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which device does something next: a tree whose inner nodes say who comes first below them, so that a change costs a path. */
#ifndef ORACLE_SOONEST_H
#define ORACLE_SOONEST_H

#include "oracle/schedule.h"

struct soonest {
	const struct schedule_choice *choices; /* of devices */
	unsigned count;                        /* of them */
	unsigned *
		first; /* the caller's, of 2 count nodes: node i has the parts 2 i and 2 i + 1, count + d is device d */
};

/* Returns the one of two devices that is sooner, or the one before the other. */
static inline unsigned sooner_of(const struct soonest *soonest, unsigned a, unsigned b)
{
	const double a_s = soonest->choices[a].at_s, b_s = soonest->choices[b].at_s;
	const unsigned before = a < b ? a : b, sooner = b_s < a_s ? b : a;
	return a_s < b_s || b_s < a_s ? sooner : before;
}

static inline void soonest_begin(const struct soonest *soonest)
{
	for (unsigned i = 0; i < soonest->count; ++i)
		soonest->first[soonest->count + i] = i;
	for (unsigned node = soonest->count - 1; node; --node) {
		const unsigned *const parts = soonest->first + 2 * (size_t)node;
		soonest->first[node] = sooner_of(soonest, parts[0], parts[1]);
	}
}

/* After the choice of a device has changed. */
static inline void soonest_update(const struct soonest *soonest, unsigned device)
{
	unsigned first = device;
	for (unsigned node = soonest->count + device; node > 1; node /= 2) {
		first = sooner_of(soonest, first, soonest->first[node ^ 1]);
		soonest->first[node / 2] = first;
	}
}

#endif
