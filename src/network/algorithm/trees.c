/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees and chains with root 0: binomial trees, which take the vector whole, and pipelines of chunks. */
#include <stdio.h>

#include "network/algorithm/lines.h"

/* ---- allreduce-linear --------------------------------------------------------------------------------- */

/*
 * All ranks send to rank 0 at once, which broadcasts the sum along a binomial tree:
 *     T = alpha + (P - 1) bytes (beta + gamma) + ceil(log2 P) (alpha + bytes beta)
 * It is the default of some libraries and of SimGrid's MPI, not one to choose.
 */

static void allreduce_linear_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce");
	schedule_step(schedule, 1, 0);
	schedule_run_flows(schedule, 1, 0, 1, comm->size - 1, 1, 0);
	schedule_reduce(schedule, comm->size - 1.0);
	schedule_phase(schedule, "broadcast");
	lines_tree_broadcast(&all, 1, schedule);
}

const struct collective collective_allreduce_linear = {
	.name = "allreduce-linear",
	.summary = "all to rank 0 at once, then a binomial broadcast",
	.source = "the default of Open MPI's basic component and of SimGrid's MPI",
	.operation = ALLREDUCE,
	.variants = single_variant,
	.emit = allreduce_linear_emit,
};

/* ---- allreduce-tree ----------------------------------------------------------------------------------- */

/*
 * A binomial reduction to rank 0 and a binomial broadcast from there, the whole vector in every step. Without
 * contention:
 *     T = ceil(log2 P) (2 (alpha + bytes beta) + bytes gamma)
 */

static void allreduce_tree_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce");
	lines_tree_reduce(&all, 1, schedule);
	schedule_phase(schedule, "broadcast");
	lines_tree_broadcast(&all, 1, schedule);
}

const struct collective collective_allreduce_tree = {
	.name = "allreduce-tree",
	.summary = "binomial reduce to one member and broadcast from it",
	.source = "Thakur, Rabenseifner and Gropp (2005)",
	.operation = ALLREDUCE,
	.variants = single_variant,
	.emit = allreduce_tree_emit,
};

/* ---- broadcast-binomial ------------------------------------------------------------------------------- */

static void broadcast_binomial_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "broadcast");
	lines_tree_broadcast(&all, 1, schedule);
}

const struct collective collective_broadcast_binomial = {
	.name = "broadcast-binomial",
	.summary = "from rank 0 down a binomial tree",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = BROADCAST,
	.variants = single_variant,
	.emit = broadcast_binomial_emit,
};

/* ---- reduce-binomial ---------------------------------------------------------------------------------- */

static void reduce_binomial_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce");
	lines_tree_reduce(&all, 1, schedule);
}

const struct collective collective_reduce_binomial = {
	.name = "reduce-binomial",
	.summary = "to rank 0 up a binomial tree",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE,
	.variants = single_variant,
	.emit = reduce_binomial_emit,
};

/* ---- pipelines of chunks ------------------------------------------------------------------------------ */

/*
 * A pipeline of c chunks over d stages takes d + c - 1 steps: the first chunk passes stage by stage, then all stages
 * work at once, so that each link carries the vector once.
 *     chain     (P - 2 + c) (alpha + bytes / c beta)
 *     tree      (floor(log2 P) + c - 1) (alpha + 2 bytes / c beta), to both children at once; P >= 3
 * With `up` a broadcast from rank 0 is a reduction to it, which runs the flows backwards and combines what arrives.
 */

/* Variant v of a pipeline splits the vector into 4^v chunks. */
enum { CHUNKS = 6 };

static unsigned chunks_variants(const struct communicator *comm)
{
	return comm->size > 1 ? CHUNKS : 0;
}

static double chunks_of(unsigned variant)
{
	return (double)(1U << 2 * variant);
}

static void chunks_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "chunks=%.0f", chunks_of(variant));
}

/*
 * Returns the rank at a place of one of several chains. Like rings (lines.h), the chains walk each node from different
 * devices on, to leave it by different ports; but all begin at rank 0.
 */
static unsigned chain_member(const struct communicator *comm, unsigned channel, unsigned place)
{
	const struct node_ranks node = node_ranks(comm, node_of(comm, place));
	const unsigned g = node.count > 0 ? node.count : 1;
	const unsigned turn = comm->nodes > 1 && comm->channels > 1 ? channel_turn(comm, channel) : 0;
	unsigned local = place - node.first;
	if (place < g) {
		if (place == 0)
			return 0;
		if (local <= g - turn && turn > 0) /* places of the first node before its turn passes 0 */
			--local;
	}
	return node.first + (local + turn) % g;
}

static void chain_hop(
	const struct communicator *comm, unsigned place, double share, bool up, struct schedule *schedule)
{
	const unsigned orders = mesh_orders(comm);
	const unsigned channels = comm->channels > 1 ? comm->channels : 1;
	for (unsigned k = 1; orders > 1 && k <= orders;
		++k) { /* chains in all orders; none leads back to rank 0 */
		const unsigned far = (place + k) % comm->size;
		if (far)
			schedule_flow(schedule, up ? far : place, up ? place : far, share / orders);
	}
	if (orders > 1)
		return;
	for (unsigned c = 0; c < channels; ++c) {
		const unsigned near = chain_member(comm, c, place);
		const unsigned far = chain_member(comm, c, place + 1);
		schedule_flow(schedule, up ? far : near, up ? near : far, share / channels);
	}
}

/* Emits a pipeline along a chain of all ranks. */
static void chain_emit(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
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

static void broadcast_chain_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	chain_emit(comm, variant, false, schedule);
}

const struct collective collective_broadcast_chain = {
	.name = "broadcast-chain",
	.summary = "chunks along a chain of all members",
	.source = "Watts and van de Geijn, Parallel Process. Lett. 5 (1995)",
	.operation = BROADCAST,
	.variants = chunks_variants,
	.emit = broadcast_chain_emit,
	.describe = chunks_describe,
};

static void reduce_chain_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	chain_emit(comm, variant, true, schedule);
}

const struct collective collective_reduce_chain = {
	.name = "reduce-chain",
	.summary = "chunks along a chain to rank 0, combined on the way",
	.source = "Watts and van de Geijn, Parallel Process. Lett. 5 (1995)",
	.operation = REDUCE,
	.variants = chunks_variants,
	.emit = reduce_chain_emit,
	.describe = chunks_describe,
};

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

/* Emits a pipeline down, or up, a binary tree of all ranks. */
static void tree_emit(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
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

static void broadcast_tree_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	tree_emit(comm, variant, false, schedule);
}

const struct collective collective_broadcast_tree = {
	.name = "broadcast-tree",
	.summary = "chunks down a binary tree",
	.source = "Pjesivac-Grbovic et al., Cluster Comput. 10 (2007)",
	.operation = BROADCAST,
	.variants = chunks_variants,
	.emit = broadcast_tree_emit,
	.describe = chunks_describe,
};

static void reduce_tree_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	tree_emit(comm, variant, true, schedule);
}

const struct collective collective_reduce_tree = {
	.name = "reduce-tree",
	.summary = "chunks up a binary tree",
	.source = "Pjesivac-Grbovic et al., Cluster Comput. 10 (2007)",
	.operation = REDUCE,
	.variants = chunks_variants,
	.emit = reduce_tree_emit,
	.describe = chunks_describe,
};
