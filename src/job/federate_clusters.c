/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who works together, and the slowest of those who are drawn. */
#include <math.h>
#include <string.h>

#include "job/federated/federated.h"

/*
 * Clients that are alike make clusters; what is left of a group is joined with the first of the next. At most two kinds for
 * each group: one that is begun, one of its own.
 */
size_t clusters_make(
	const struct federated_work *work, unsigned size, struct cluster *clusters, double *total)
{
	size_t kinds = 0;
	struct cluster begun = {.count = 1};
	unsigned filled = 0;
	*total = 0;
	for (size_t group = 0; group < work->count; group++) {
		double left = work->devices[group].group->count;
		if (filled > 0) {
			const double joins = fmin(left, size - filled);
			begun.members[group] = (unsigned)joins;
			filled += (unsigned)joins;
			left -= joins;
		}
		if (filled == size) {
			clusters[kinds++] = begun;
			memset(&begun, 0, sizeof begun);
			begun.count = 1;
			filled = 0;
		}
		const double whole = floor(left / size);
		if (whole > 0) {
			clusters[kinds] = (struct cluster){.count = whole};
			clusters[kinds++].members[group] = size;
			left -= whole * size;
		}
		if (left > 0) {
			begun.members[group] = (unsigned)left;
			filled = (unsigned)left;
		}
	}
	for (size_t i = 0; i < kinds; i++)
		*total += clusters[i].count;
	return kinds;
}

/* ln of n over k; n may be less than k: then nothing can be chosen. */
static double log_choose(double n, double k)
{
	return n < k ? -HUGE_VAL : lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* P(all that are drawn end by t) = C(clusters that do, drawn) / C(total, drawn). */
double clusters_mean_end(const struct cluster *clusters, size_t count, double total, double drawn)
{
	double mean_s = 0, before = 0, last_s = -1;
	for (;;) {
		double next_s = HUGE_VAL, by_then = 0;
		for (size_t i = 0; i < count; i++)
			if (clusters[i].end_s > last_s)
				next_s = fmin(next_s, clusters[i].end_s);
		if (!(next_s < HUGE_VAL))
			return mean_s;
		for (size_t i = 0; i < count; i++)
			by_then += clusters[i].end_s <= next_s ? clusters[i].count : 0;
		const double chance = exp(log_choose(by_then, drawn) - log_choose(total, drawn));
		mean_s += next_s * (chance - before);
		before = chance;
		last_s = next_s;
	}
}
