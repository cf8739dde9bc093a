/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/tree.h"

/* Returns how many of the members distance, 3 distance, 5 distance .. there are among `count`. */
static unsigned tree_pairs(unsigned count, unsigned distance)
{
	return (count - distance - 1) / (2 * distance) + 1;
}

void lines_tree_reduce(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned distance = 1; distance < lines->count; distance *= 2) {
		lines_step(lines, 1, 0, schedule);
		lines_flows(lines, distance, 0, share, tree_pairs(lines->count, distance), 2 * distance,
			schedule);
		schedule_reduce(schedule, share);
	}
}

void lines_tree_broadcast(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned distance = tree_span(lines->count) / 2; distance > 0; distance /= 2) {
		lines_step(lines, 1, 0, schedule);
		lines_flows(lines, 0, distance, share, tree_pairs(lines->count, distance), 2 * distance,
			schedule);
	}
}

void lines_tree_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_tree_reduce(lines, share, schedule);
	lines_tree_broadcast(lines, share, schedule);
}
