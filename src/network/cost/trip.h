/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-ups of a pipelined ring, which libraries pay once per trip around it instead of in every step. */
#ifndef NETWORK_COST_TRIP_H
#define NETWORK_COST_TRIP_H

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
