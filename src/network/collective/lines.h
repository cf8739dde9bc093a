/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal lines of ranks: line (i, j) is the ranks  i * inner_stride + j * outer_stride + m * stride  for m < count. What is
 * told of a line is told of all lines in the same steps: the rings inside all nodes, or the k rings between nodes.
 */
#ifndef NETWORK_COLLECTIVE_LINES_H
#define NETWORK_COLLECTIVE_LINES_H

#include "network/collective.h"

struct lines {
	unsigned count, stride; /* members of one line */
	unsigned inner, inner_stride, outer, outer_stride;
	double times;      /* every step is done so often: the segments of a pipeline */
	unsigned channels; /* a ring's messages are so many side by side: lanes of links inside a node */
};

/* One line of all ranks. */
static inline struct lines lines_all(const struct party *party)
{
	return (struct lines){party->size, 1, 1, 0, 1, 0, 1, 1};
}

/* `size` neighbouring ranks each: per_node of them are the nodes' members. */
static inline struct lines lines_near(const struct party *party, unsigned size)
{
	return (struct lines){
		size, 1, 1, 0, party->size / size, size, 1, party->channels > 1 ? party->channels : 1};
}

/* Through blocks of `size` neighbouring ranks: `leaders` evenly chosen ranks of a block, each with those of its place. */
static inline struct lines lines_across(const struct party *party, unsigned size, unsigned leaders)
{
	return (struct lines){party->size / size, size, leaders, size / leaders, 1, 0, 1, 1};
}

/* Along dimension d of the extents, innermost first, whose product is the party's size: all lines of that direction. */
static inline struct lines lines_along(const struct party *party, const unsigned *extents, unsigned d)
{
	unsigned stride = 1;
	for (unsigned i = 0; i < d; ++i)
		stride *= extents[i];
	const unsigned block = stride * extents[d];
	return (struct lines){extents[d], stride, stride, 1, block ? party->size / block : 0, block, 1, 1};
}

/* Begins a step of all lines; `ring` as in schedule_step. */
static inline void lines_step(
	const struct lines *lines, double repeat, unsigned ring, struct schedule *schedule)
{
	schedule_step(schedule, repeat * lines->times, ring);
}

/* From one member to another, in all lines. */
static inline void lines_flow(
	const struct lines *lines, unsigned from, unsigned to, double share, struct schedule *schedule)
{
	from *= lines->stride;
	to *= lines->stride;
	if (lines->inner == 1)
		schedule_flows(schedule, from, to, share, lines->outer, lines->outer_stride);
	for (unsigned j = 0; lines->inner > 1 && j < lines->outer; ++j)
		schedule_flows(schedule, from + j * lines->outer_stride, to + j * lines->outer_stride, share,
			lines->inner, lines->inner_stride);
}

/* From `count` members, each `step` after the one before, to as many others, in all lines. */
void lines_flows(const struct lines *lines, unsigned from, unsigned to, double share, unsigned count,
	unsigned step, struct schedule *schedule);

/* ---- rings: count - 1 steps of share / count; `share` is what each line reduces or gathers ------------------- */

/* Of the current step: each member to the next. */
void lines_ring_flows(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_reduce_scatter(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_allgather(const struct lines *lines, double share, struct schedule *schedule);
/* All members of each line have `share`, and get the sum of it. */
void lines_ring_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
