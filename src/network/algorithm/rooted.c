/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipeline of c chunks over d stages takes d + c - 1 steps: the first chunk passes stage by stage, then all stages
 * work at once, so that each link carries the vector once.
 *     chain     (P - 2 + c) (alpha + bytes / c beta)
 *     tree      (floor(log2 P) + c - 1) (alpha + 2 bytes / c beta), to both children at once; P >= 3
 */
#include "network/algorithm/rooted.h"

#include <stdio.h>

#include "network/algorithm/line_exchange.h"
#include "network/algorithm/tree.h"

/* ---- pipelines -------------------------------------------------------------------------------------------- */

static double chunks_of(unsigned variant)
{
	return (double)(1U << 2 * variant);
}

void rooted_chunks_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "chunks=%.0f", chunks_of(variant));
}

/*
 * Returns the rank at a place of one of several chains. Like rings (ring.h), the chains walk each node from different
 * devices on, to leave it by different ports; but all begin at rank 0.
 */
static unsigned chain_member(
	const struct communicator *comm, unsigned channel, unsigned channels, unsigned place)
{
	const unsigned g = comm->per_node;
	const unsigned turn = comm->nodes > 1 ? channel * g / channels : 0;
	unsigned local = place % g;
	if (place < g) {
		if (place == 0)
			return 0;
		if (local <= g - turn && turn > 0) /* places of the first node before its turn passes 0 */
			--local;
	}
	return place / g * g + (local + turn) % g;
}

static void chain_hop(
	const struct communicator *comm, unsigned place, double share, bool up, struct schedule *schedule)
{
	const unsigned channels = comm->channels > 1 ? comm->channels : 1;
	for (unsigned c = 0; c < channels; ++c) {
		const unsigned near = chain_member(comm, c, channels, place);
		const unsigned far = chain_member(comm, c, channels, place + 1);
		schedule_flow(schedule, up ? far : near, up ? near : far, share / channels);
	}
}

void rooted_chain(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
{
	const unsigned hops = comm->size - 1;
	const double chunks = chunks_of(variant), share = 1 / chunks;
	schedule_phase(schedule, "first chunk");
	for (unsigned i = 0; i < hops; ++i) {
		schedule_step(schedule, 1, 0);
		chain_hop(comm, up ? hops - 1 - i : i, share, up, schedule);
		if (up)
			schedule_reduce(schedule, share);
	}
	if (chunks < 2)
		return;
	schedule_phase(schedule, "other chunks");
	schedule_step(schedule, chunks - 1, 1);
	for (unsigned i = 0; i < hops; ++i)
		chain_hop(comm, i, share, up, schedule);
	if (up)
		schedule_reduce(schedule, share);
}

enum { ALL_LEVELS = 64 };

struct edges {
	struct schedule *schedule;
	double share;
	bool up;
};

/*
 * Emits the messages of one level below `root`, or those of ALL_LEVELS. A subtree is `count` consecutive ranks: its
 * root first, then the left half of the rest, then the right one.
 */
static void tree_edges(const struct edges *edges, unsigned root, unsigned count, unsigned level)
{
	const unsigned size[2] = {count / 2, count - 1 - count / 2},
		       child[2] = {root + 1, root + 1 + size[0]};
	for (unsigned side = 0; side < 2; ++side) {
		if (size[side] > 0 && (level == 0 || level == ALL_LEVELS))
			schedule_flow(edges->schedule, edges->up ? child[side] : root,
				edges->up ? root : child[side], edges->share);
		if (size[side] > 1 && level > 0)
			tree_edges(edges, child[side], size[side], level == ALL_LEVELS ? level : level - 1);
	}
}

/* Emits a step of one level or ALL_LEVELS; a parent sends to both its children, or gets from them, at once. */
static void tree_step(const struct edges *edges, unsigned size, unsigned level, double repeat)
{
	const unsigned largest = level == ALL_LEVELS ? size : size >> level;
	schedule_step(edges->schedule, repeat, 0);
	tree_edges(edges, 0, size, level);
	if (edges->up)
		schedule_reduce(edges->schedule, (largest > 2 ? 2 : 1) * edges->share);
}

void rooted_tree(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
{
	const double chunks = chunks_of(variant);
	const struct edges edges = {schedule, 1 / chunks, up};
	unsigned depth = 0;
	while (comm->size >> (depth + 1))
		++depth;
	schedule_phase(schedule, "first chunk");
	for (unsigned level = 0; level < depth; ++level)
		tree_step(&edges, comm->size, up ? depth - 1 - level : level, 1);
	if (chunks < 2)
		return;
	schedule_phase(schedule, "other chunks");
	tree_step(&edges, comm->size, ALL_LEVELS, chunks - 1);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------- */

enum { LEADER_BINOMIAL, LEADER_PARTS, EVERY_MEMBER, HIERARCHY_VARIANTS };

unsigned rooted_hierarchy_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1 ? HIERARCHY_VARIANTS : 0;
}

void rooted_hierarchy_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	static const char *const names[] = {
		"leader, binomial", "leader, parts around a ring", "a part by each member"};
	(void)comm;
	snprintf(text, size, "%s", names[variant]);
}

/* Emits the steps between the first members of the nodes, for the whole vector. */
static void leaders(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
{
	const struct lines first = lines_across(comm, comm->per_node, 1);
	schedule_phase(schedule, "between leaders");
	if (variant == LEADER_BINOMIAL && up)
		lines_tree_reduce(&first, 1, schedule);
	else if (variant == LEADER_BINOMIAL)
		lines_tree_broadcast(&first, 1, schedule);
	else if (up) {
		lines_ring_reduce_scatter(&first, 1, schedule);
		lines_gather(&first, 1, schedule);
	} else {
		lines_scatter(&first, 1, schedule);
		lines_ring_allgather(&first, 1, schedule);
	}
}

static struct lines lines_first(const struct communicator *comm)
{
	struct lines lines = lines_near(comm, comm->per_node);
	lines.outer = 1;
	return lines;
}

/*
 * Emits a broadcast: the root's node scatters the vector, each member sends its part to its place in all nodes, nodes
 * gather.
 */
static void every_member_down(const struct communicator *comm, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines rails = lines_across(comm, comm->per_node, comm->per_node);
	const struct lines root_node = lines_first(comm);
	schedule_phase(schedule, "scatter in the first node");
	lines_scatter(&root_node, 1, schedule);
	schedule_phase(schedule, "between nodes");
	lines_tree_broadcast(&rails, 1.0 / comm->per_node, schedule);
	schedule_phase(schedule, "allgather in nodes");
	lines_ring_allgather(&nodes, 1, schedule);
}

static void every_member_up(const struct communicator *comm, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines rails = lines_across(comm, comm->per_node, comm->per_node);
	const struct lines root_node = lines_first(comm);
	schedule_phase(schedule, "reduce-scatter in nodes");
	lines_ring_reduce_scatter(&nodes, 1, schedule);
	schedule_phase(schedule, "between nodes");
	lines_tree_reduce(&rails, 1.0 / comm->per_node, schedule);
	schedule_phase(schedule, "gather in the first node");
	lines_gather(&root_node, 1, schedule);
}

void rooted_hierarchy(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	if (variant == EVERY_MEMBER && up)
		every_member_up(comm, schedule);
	else if (variant == EVERY_MEMBER)
		every_member_down(comm, schedule);
	else if (up) {
		schedule_phase(schedule, "in nodes");
		lines_tree_reduce(&nodes, 1, schedule);
		leaders(comm, variant, true, schedule);
	} else {
		leaders(comm, variant, false, schedule);
		schedule_phase(schedule, "in nodes");
		lines_tree_broadcast(&nodes, 1, schedule);
	}
}
