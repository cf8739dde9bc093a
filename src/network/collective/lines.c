/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/lines.h"

void lines_ring_flows(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned c = 0; c < lines->channels; ++c)
		for (unsigned from = 0; from < lines->count; ++from)
			lines_flow(lines, from, from + 1 < lines->count ? from + 1 : 0,
				share / lines->channels, schedule);
}

static void ring_step(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_step(lines, lines->count - 1.0, lines->count, schedule);
	lines_ring_flows(lines, share, schedule);
}

void lines_ring_reduce_scatter(const struct lines *lines, double share, struct schedule *schedule)
{
	if (lines->count < 2)
		return;
	ring_step(lines, share / lines->count, schedule);
	schedule_reduce(schedule, share / lines->count);
}

void lines_ring_allgather(const struct lines *lines, double share, struct schedule *schedule)
{
	if (lines->count > 1)
		ring_step(lines, share / lines->count, schedule);
}

void lines_ring_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	if (lines->count < 2)
		return;
	schedule_turn(schedule, false);
	lines_ring_reduce_scatter(lines, share, schedule);
	schedule_turn(schedule, true);
	if (schedule_again(schedule, 1, (lines->count - 1.0) * lines->times))
		schedule_reduce(schedule, 0);
	else
		lines_ring_allgather(lines, share, schedule);
}
