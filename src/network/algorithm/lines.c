/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/lines.h"

/* Emits the messages of three nested loops as runs; the longest of the loops becomes the run. */
static void runs_emit(struct schedule *schedule, unsigned from, unsigned to, double share,
	const unsigned count[3], const unsigned stride[3])
{
	unsigned run = 0;
	for (unsigned i = 1; i < 3; ++i)
		run = count[i] > count[run] ? i : run;
	const unsigned a = run == 0, b = run == 2 ? 1 : 2;
	for (unsigned i = 0; i < count[a]; ++i)
		for (unsigned j = 0; j < count[b]; ++j) {
			const unsigned first = i * stride[a] + j * stride[b];
			schedule_flows(schedule, from + first, to + first, share, count[run], stride[run]);
		}
}

void lines_flows(const struct lines *lines, unsigned from, unsigned to, double share, unsigned count,
	unsigned step, struct schedule *schedule)
{
	const unsigned counts[] = {count, lines->inner, lines->outer};
	const unsigned strides[] = {step * lines->stride, lines->inner_stride, lines->outer_stride};
	if (schedule->reorders || (lines->inner == 1 && lines->outer == 1))
		runs_emit(schedule, from * lines->stride, to * lines->stride, share, counts, strides);
	else
		for (unsigned i = 0; i < count; ++i)
			lines_flow(lines, from + i * step, to + i * step, share, schedule);
}

void lines_ring_flows(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned c = 0; c < lines->channels; ++c) {
		lines_flows(lines, 0, 1, share / lines->channels, lines->count - 1, 1, schedule);
		lines_flow(lines, lines->count - 1, 0, share / lines->channels, schedule);
	}
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
