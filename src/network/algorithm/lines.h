/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal lines of ranks: line (i, j) is the ranks  i * inner_stride + j * outer_stride + m * stride  for m < count.
 * Every step is emitted for all lines at once: the rings inside all nodes, or the k rings between nodes.
 */
#ifndef NETWORK_ALGORITHM_LINES_H
#define NETWORK_ALGORITHM_LINES_H

#include "network/algorithm/collective.h"

struct lines {
	unsigned count, stride;                            /* members of one line */
	unsigned inner, inner_stride, outer, outer_stride; /* numbers and strides of lines */
	double times;      /* repetitions of every step: the segments of a pipeline */
	unsigned channels; /* messages side by side that carry one of a ring: lanes of links in a node */
};

/* Returns one line of all ranks. */
static inline struct lines lines_all(const struct communicator *comm)
{
	return (struct lines){comm->size, 1, 1, 0, 1, 0, 1, 1};
}

/* Returns the lines of `size` neighbouring ranks each; with size per_node, each is the members of a node. */
static inline struct lines lines_near(const struct communicator *comm, unsigned size)
{
	return (struct lines){
		size, 1, 1, 0, comm->size / size, size, 1, comm->channels > 1 ? comm->channels : 1};
}

/*
 * Returns the lines across blocks of `size` neighbouring ranks: one through each of `leaders` evenly spaced places of
 * a block.
 */
static inline struct lines lines_across(const struct communicator *comm, unsigned size, unsigned leaders)
{
	return (struct lines){comm->size / size, size, leaders, size / leaders, 1, 0, 1, 1};
}

/*
 * Returns all lines along dimension d of a grid with these extents, innermost first, whose product is the group's
 * size.
 */
static inline struct lines lines_along(const struct communicator *comm, const unsigned *extents, unsigned d)
{
	unsigned stride = 1;
	for (unsigned i = 0; i < d; ++i)
		stride *= extents[i];
	const unsigned block = stride * extents[d];
	return (struct lines){extents[d], stride, stride, 1, block ? comm->size / block : 0, block, 1, 1};
}

/* Begins a step of all lines that is done `repeat` times; `ring` as in schedule_step. */
static inline void lines_step(
	const struct lines *lines, double repeat, unsigned ring, struct schedule *schedule)
{
	schedule_step(schedule, repeat * lines->times, ring);
}

/* Emits a message from one member to another, in all lines. */
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

/* Emits `count` messages in all lines: from members `from`, from + step .. to members `to`, to + step .. */
void lines_flows(const struct lines *lines, unsigned from, unsigned to, double share, unsigned count,
	unsigned step, struct schedule *schedule);

/* ---- rings: count - 1 steps of share / count; `share` is what each line reduces or gathers ------------------- */

/* Emits the messages of `share` from each member to the next, in the current step. */
void lines_ring_flows(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_reduce_scatter(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_allgather(const struct lines *lines, double share, struct schedule *schedule);
/* Emits an allreduce of `share`, which every member of each line has, around the line. */
void lines_ring_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
