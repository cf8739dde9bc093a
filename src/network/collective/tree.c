/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/tree.h"

void lines_tree_reduce(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned distance = 1; distance < lines->count; distance *= 2) {
		lines_step(lines, 1, 0, schedule);
		for (unsigned from = distance; from < lines->count; from += 2 * distance)
			lines_flow(lines, from, from - distance, share, schedule);
		schedule_reduce(schedule, share);
	}
}

void lines_tree_broadcast(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned distance = tree_span(lines->count) / 2; distance > 0; distance /= 2) {
		lines_step(lines, 1, 0, schedule);
		for (unsigned to = distance; to < lines->count; to += 2 * distance)
			lines_flow(lines, to - distance, to, share, schedule);
	}
}

void lines_tree_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_tree_reduce(lines, share, schedule);
	lines_tree_broadcast(lines, share, schedule);
}
