/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multi-leader allreduce. Blocks of neighbouring ranks (a node, or a few nodes) reduce and scatter among themselves.
 * `count` leaders of each block collect the parts. Leaders at the same place of all blocks run an allreduce among
 * themselves. The first two steps are then undone by a scatter and an allgather:
 *     T = 2 T_ring-reduce-scatter(block, bytes) + 2 T_gather(bytes / count) + T_allreduce(P / block, bytes / count)
 * count = block is the scheme of most libraries; count = 1 with a ring is a single leader fed by a ring.
 */
#include <stdio.h>

#include "network/algorithm/lines.h"

struct leaders {
	unsigned block, count; /* ranks of a block, leaders of a block */
};

enum { NODES_MOST = 8 };

static unsigned divisors(unsigned number)
{
	unsigned count = 0;
	for (unsigned i = 1; i <= number; ++i)
		count += number % i == 0;
	return count;
}

/*
 * Returns the number of variants, 0 unless there are several nodes of several ranks: a node as the block with each
 * divisor of per_node as the number of leaders; then blocks of 2, 4, 8 whole nodes, all ranks of which lead.
 */
static unsigned leaders_variants(const struct communicator *comm)
{
	if (comm->nodes < 2 || comm->per_node < 2)
		return 0;
	unsigned count = divisors(comm->per_node);
	for (unsigned nodes = 2; nodes <= NODES_MOST; nodes *= 2)
		count += comm->nodes % nodes == 0 && comm->nodes > nodes;
	return count;
}

/* Returns block and leaders of a variant. */
static struct leaders leaders_of(const struct communicator *comm, unsigned variant)
{
	for (unsigned count = 1; count <= comm->per_node; ++count)
		if (comm->per_node % count == 0 && variant-- == 0)
			return (struct leaders){comm->per_node, count};
	for (unsigned nodes = 2; nodes < NODES_MOST; nodes *= 2)
		if (comm->nodes % nodes == 0 && comm->nodes > nodes && variant-- == 0)
			return (struct leaders){nodes * comm->per_node, nodes * comm->per_node};
	return (struct leaders){NODES_MOST * comm->per_node, NODES_MOST * comm->per_node};
}

/* Writes a variant as "leaders=4", or "leaders=16 nodes=2" where a block is several nodes. */
static void leaders_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	const struct leaders leaders = leaders_of(comm, variant);
	if (leaders.block == comm->per_node)
		snprintf(text, size, "leaders=%u", leaders.count);
	else
		snprintf(text, size, "leaders=%u nodes=%u", leaders.count, leaders.block / comm->per_node);
}

/*
 * Emits a step in which leaders gather the parts of the ranks after them in their block or, with `back`, scatter them.
 */
static void gather_step(
	const struct communicator *comm, const struct leaders *leaders, bool back, struct schedule *schedule)
{
	const struct lines lines = lines_near(comm, leaders->block);
	const unsigned each = leaders->block / leaders->count;
	if (each < 2)
		return;
	schedule_step(schedule, 1, 0);
	for (unsigned i = 0; i < leaders->block; ++i) {
		const unsigned leader = i - i % each;
		lines_flow(&lines, back ? leader : i, back ? i : leader, 1.0 / leaders->block, schedule);
	}
}

/* An allreduce of `share` within each line. */
typedef void lines_allreduce(const struct lines *lines, double share, struct schedule *schedule);

static void near_first(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, false, schedule);
}

static void far_first(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, true, schedule);
}

/* Emits the whole allreduce; `allreduce` is the one among leaders at the same place of all blocks. */
static void leaders_emit(const struct communicator *comm, const struct leaders *leaders,
	lines_allreduce *allreduce, struct schedule *schedule)
{
	const struct lines near = lines_near(comm, leaders->block);
	const struct lines across = lines_across(comm, leaders->block, leaders->count);
	schedule_phase(schedule, "reduce-scatter in blocks");
	schedule_turn(schedule, false);
	lines_ring_reduce_scatter(&near, 1, schedule);
	gather_step(comm, leaders, false, schedule);
	schedule_phase(schedule, "allreduce across blocks");
	allreduce(&across, 1.0 / leaders->count, schedule);
	schedule_phase(schedule, "allgather in blocks");
	schedule_turn(schedule, true);
	gather_step(comm, leaders, true, schedule);
	lines_ring_allgather(&near, 1, schedule);
}

/* ---- allreduce-leaders-ring --------------------------------------------------------------------------- */

/* Rings in the nodes and, for each leader, a ring through all nodes ("lr_lr" when all lead). */

static void allreduce_leaders_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, lines_ring_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_ring = {
	.name = "allreduce-leaders-ring",
	.summary = "rings in the nodes, and between the same places of all nodes",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.emit = allreduce_leaders_ring_emit,
	.describe = leaders_describe,
};

/* ---- allreduce-leaders-doubling ----------------------------------------------------------------------- */

/* Rings in the nodes and, for each leader, recursive doubling between the nodes ("lr_rdb" when all lead). */

static void allreduce_leaders_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, lines_doubling_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_doubling = {
	.name = "allreduce-leaders-doubling",
	.summary = "rings in the nodes, recursive doubling between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.emit = allreduce_leaders_doubling_emit,
	.describe = leaders_describe,
};

/* ---- allreduce-leaders-rabenseifner ------------------------------------------------------------------- */

/* Rings in the nodes and, for each leader, halving and doubling between the nodes ("lr_rab" when all lead). */

static unsigned allreduce_leaders_rabenseifner_variants(const struct communicator *comm)
{
	return 2 * leaders_variants(comm);
}

static bool is_far(const struct communicator *comm, unsigned *variant)
{
	const unsigned each = leaders_variants(comm);
	const bool far = *variant >= each && each > 0;
	*variant -= far ? each : 0;
	return far;
}

static void allreduce_leaders_rabenseifner_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const bool far = is_far(comm, &variant);
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, far ? far_first : near_first, schedule);
}

static void allreduce_leaders_rabenseifner_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	const bool far = is_far(comm, &variant);
	char leaders[32];
	leaders_describe(comm, variant, leaders, sizeof leaders);
	snprintf(text, size, "%s%s", leaders, far ? " order=far" : "");
}

const struct collective collective_allreduce_leaders_rabenseifner = {
	.name = "allreduce-leaders-rabenseifner",
	.summary = "rings in the nodes, Rabenseifner's between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = allreduce_leaders_rabenseifner_variants,
	.emit = allreduce_leaders_rabenseifner_emit,
	.describe = allreduce_leaders_rabenseifner_describe,
};

/* ---- allreduce-leader --------------------------------------------------------------------------------- */

/*
 * Allreduce with one leader per node: a binomial reduction in the nodes, an allreduce among the leaders, a binomial
 * broadcast in the nodes.
 *     T = 2 ceil(log2 g) (alpha_in + bytes beta_in) + T_allreduce(n, bytes)
 * One device of a node uses the network, so the ports of the others are idle. Leaders in a ring are "binominal_lr" of
 * Nguyen et al. (2021), leaders in a tree "smp_binominal".
 */

static const struct between {
	const char *name;
	lines_allreduce *allreduce;
} between_leaders[] = {
	{"ring", lines_ring_allreduce},
	{"tree", lines_tree_allreduce},
	{"doubling", lines_doubling_allreduce},
	{"rabenseifner", near_first},
};

static unsigned allreduce_leader_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1 ? sizeof between_leaders / sizeof *between_leaders : 0;
}

static void allreduce_leader_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines leaders = lines_across(comm, comm->per_node, 1);
	schedule_phase(schedule, "reduce in the nodes");
	lines_tree_reduce(&nodes, 1, schedule);
	schedule_phase(schedule, "allreduce among the leaders");
	between_leaders[variant].allreduce(&leaders, 1, schedule);
	schedule_phase(schedule, "broadcast in the nodes");
	lines_tree_broadcast(&nodes, 1, schedule);
}

static void allreduce_leader_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "leaders-by=%s", between_leaders[variant].name);
}

const struct collective collective_allreduce_leader = {
	.name = "allreduce-leader",
	.summary = "binomial trees in the nodes, one leader of each in an allreduce",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = allreduce_leader_variants,
	.emit = allreduce_leader_emit,
	.describe = allreduce_leader_describe,
};

/* ---- allreduce-pipelined ------------------------------------------------------------------------------ */

/*
 * Multi-leader allreduce in S segments: while one segment is between the nodes, others are inside them. T_in and T_out
 * are the times of the whole vector inside and between nodes, with start-ups paid for every segment:
 *     T = T_in / S + T_out / S + (S - 1) / S max(T_in, T_out)
 * This holds where inside and between use different links.
 */

enum { SEGMENTS = 3 };
static const unsigned segments[SEGMENTS] = {4, 16, 64};

static const struct between between_segments[] = {
	{"ring", lines_ring_allreduce}, {"pat", lines_pat_allreduce},
	{"rabenseifner", near_first}, /* last: it has no halves where nodes fold */
};

static unsigned allreduce_pipelined_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1
		       ? SEGMENTS * sizeof between_segments / sizeof *between_segments
		       : 0;
}

static void inside(const struct communicator *comm, double share, double times, struct schedule *schedule)
{
	struct lines nodes = lines_near(comm, comm->per_node);
	nodes.times = times;
	schedule_turn(schedule, false);
	lines_ring_reduce_scatter(&nodes, share, schedule);
	schedule_turn(schedule, true);
	lines_ring_allgather(&nodes, share, schedule);
}

static void outside(
	const struct communicator *comm, unsigned variant, double times, struct schedule *schedule)
{
	struct lines across = lines_across(comm, comm->per_node, comm->per_node);
	across.times = times;
	between_segments[variant / SEGMENTS].allreduce(
		&across, 1.0 / comm->per_node / segments[variant % SEGMENTS], schedule);
}

static void allreduce_pipelined_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned count = segments[variant % SEGMENTS];
	schedule_phase(schedule, "first segment in the nodes, last between them");
	inside(comm, 1.0 / count, 1, schedule);
	outside(comm, variant, 1, schedule);
	schedule_phase(schedule, "other segments, in the nodes and between them at once");
	schedule_fork(schedule);
	inside(comm, 1.0 / count, count - 1, schedule);
	schedule_branch(schedule);
	outside(comm, variant, count - 1, schedule);
	schedule_join(schedule);
}

static void allreduce_pipelined_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "segments=%u between=%s", segments[variant % SEGMENTS],
		between_segments[variant / SEGMENTS].name);
}

const struct collective collective_allreduce_pipelined = {
	.name = "allreduce-pipelined",
	.summary = "multi-leader in segments, inside and between nodes at once",
	.source = "our reading: segments of a two-stage pipeline",
	.operation = ALLREDUCE,
	.variants = allreduce_pipelined_variants,
	.emit = allreduce_pipelined_emit,
	.describe = allreduce_pipelined_describe,
};
