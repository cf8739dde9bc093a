/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings and binomial trees, which run along equal lines of ranks or around the whole group. */
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

/*
 * Emits the flows of one channel of ring_step as runs over all nodes: from device to device, and on to the next node.
 */
static void ring_runs(const struct communicator *comm, unsigned turn, double share, struct schedule *schedule)
{
	const unsigned g = comm->per_node, last = comm->size - g, leaves = (g - 1 + turn) % g;
	for (unsigned i = 0; i + 1 < g; ++i)
		schedule_flows(schedule, (i + turn) % g, (i + 1 + turn) % g, share, comm->size / g, g);
	schedule_flows(schedule, leaves, g + turn % g, share, comm->size / g - 1, g);
	schedule_flow(schedule, last + leaves, turn % g, share);
}

/* Returns the rank at a place of a channel that enters each node `turn` ranks after its first. */
static unsigned ring_rank(const struct communicator *comm, unsigned turn, unsigned place)
{
	const struct node_ranks node = node_ranks(comm, node_of(comm, place));
	return node.first + (place - node.first + turn) % node.count;
}

unsigned mesh_orders(const struct communicator *comm)
{
	const unsigned others = comm->size - 1;
	return !comm->meshed || comm->channels < 2 ? 1 : comm->channels < others ? comm->channels : others;
}

/* Emits a step of rings in all orders: from each rank to so many others, in equal shares. */
static void mesh_flows(unsigned ranks, unsigned orders, double share, struct schedule *schedule)
{
	for (unsigned rank = 0; rank < ranks; ++rank)
		for (unsigned k = 1; k <= orders; ++k)
			schedule_flow(schedule, rank, (rank + k) % ranks, share / orders);
}

void ring_flows(const struct communicator *comm, double share, struct schedule *schedule)
{
	const unsigned orders = mesh_orders(comm);
	const unsigned channels = comm->nodes > 1 && comm->channels > 1 ? comm->channels : 1;
	if (orders > 1) {
		mesh_flows(comm->size, orders, share, schedule);
		return;
	}
	for (unsigned c = 0; c < channels; ++c) {
		const unsigned turn = channels > 1 ? channel_turn(comm, c) : 0;
		if (schedule->reorders && !comm->rest) {
			ring_runs(comm, turn, share / channels, schedule);
			continue;
		}
		for (unsigned place = 0; place < comm->size; ++place)
			schedule_flow(schedule, ring_rank(comm, turn, place),
				ring_rank(comm, turn, place + 1 < comm->size ? place + 1 : 0),
				share / channels);
	}
}

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
