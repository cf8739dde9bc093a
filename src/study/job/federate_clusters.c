/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups clients into clusters, and finds the mean end of the slowest cluster that is drawn. */
#include <math.h>
#include <string.h>

#include "study/job/federated.h"

/*
 * Makes clusters of clients that are alike; clients that are left over from a group join the first of the next group.
 * There are at most two kinds for each group: one that an earlier group began, one of its own.
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

/*
 * Returns P(all `drawn` are among `some` of `total`) = C(some, drawn) / C(total, drawn). The drawn and the others are
 * exchangeable, so the product has one factor for each of the fewer; it is taken as 0 below 1e-30, long before they
 * are many.
 */
static double chance_of_all(double some, double drawn, double total)
{
	static const double nothing = 1e-30;
	const double others = total - some, fewer = fmin(drawn, others), more = fmax(drawn, others);
	double chance = 1;
	double i = 0;
	while (i < fewer && chance > nothing) {
		chance *= fmax(0, total - more - i) / (total - i);
		i++;
	}
	return chance > nothing ? chance : 0;
}

/* Returns the mean of the last end: the sum over ends t of t times the growth of P(all that are drawn end by t). */
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
		const double chance = chance_of_all(by_then, drawn, total);
		mean_s += next_s * (chance - before);
		before = chance;
		last_s = next_s;
	}
}
