/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives inside nodes and between them. */
#include <stdio.h>

#include "network/algorithm/lines.h"

/* ---- allreduce-hierarchical --------------------------------------------------------------------------- */

/*
 * Allreduce in nodes and between them, where parts are small. k of a node's g members lead, each for a team of g / k
 * members. The allgather half gathers parts at the leaders, runs k allgathers of 1 / k each between the n nodes, then
 * a ring of the leaders in each node, and each leader broadcasts to its team. With k = g it takes
 *     T = (n - 1) (alpha_e + bytes / P phi beta_e) + (g - 1) (alpha_i + bytes / g beta_i)     phi: flows per port
 * The reduce-scatter half is the same backwards.
 */

static unsigned divisors(unsigned number)
{
	unsigned count = 0;
	for (unsigned i = 1; i <= number; ++i)
		count += number % i == 0;
	return count;
}

/*
 * Returns the leaders of a node in a variant, and sets *doubling if the nodes exchange by doubling. Variants with the
 * most leaders come first; each has a ring between nodes and, for powers of two, doubling.
 */
static unsigned leaders_of(const struct communicator *comm, unsigned variant, bool *doubling)
{
	const unsigned ways = is_power_of_two(comm->nodes) ? 2 : 1;
	unsigned index = variant / ways, leaders = comm->per_node;
	*doubling = variant % ways == 1;
	while (index > 0)
		index -= comm->per_node % --leaders == 0;
	return leaders;
}

static unsigned allreduce_hierarchical_variants(const struct communicator *comm)
{
	if (comm->nodes < 2 || comm->per_node < 2)
		return 0;
	return divisors(comm->per_node) * (is_power_of_two(comm->nodes) ? 2 : 1);
}

struct hierarchy {
	struct lines teams; /* a leader and those it leads, in all nodes */
	struct lines ring;  /* leaders of a node */
	struct lines rails; /* leaders of one place in all nodes */
	bool doubling;      /* doubling between nodes, else a ring */
	double part;        /* share of the vector that one leader has */
};

static struct hierarchy hierarchy_of(const struct communicator *comm, unsigned variant)
{
	struct hierarchy hierarchy;
	const unsigned leaders = leaders_of(comm, variant, &hierarchy.doubling);
	hierarchy.teams = lines_near(comm, comm->per_node / leaders);
	hierarchy.ring = lines_near(comm, comm->per_node);
	hierarchy.ring.count = leaders;
	hierarchy.ring.stride = comm->per_node / leaders;
	hierarchy.rails = lines_across(comm, comm->per_node, leaders);
	hierarchy.part = 1.0 / leaders;
	return hierarchy;
}

/* Emits the step in which leaders gather the parts of their teams or, with `out`, scatter them. */
static void team_step(
	const struct communicator *comm, const struct lines *teams, bool out, struct schedule *schedule)
{
	if (teams->count < 2)
		return;
	schedule_phase(schedule, out ? "scatter in teams" : "gather in teams");
	schedule_step(schedule, 1, 0);
	for (unsigned member = 1; member < teams->count; ++member)
		lines_flow(teams, out ? 0 : member, out ? member : 0, 1.0 / comm->size, schedule);
}

static void reduce_down(
	const struct communicator *comm, const struct hierarchy *hierarchy, struct schedule *schedule)
{
	schedule_phase(schedule, "in nodes");
	lines_tree_reduce(&hierarchy->teams, 1, schedule);
	lines_ring_reduce_scatter(&hierarchy->ring, 1, schedule);
	schedule_phase(schedule, "between nodes");
	if (hierarchy->doubling)
		lines_halve(&hierarchy->rails, hierarchy->part, true, schedule);
	else
		lines_ring_reduce_scatter(&hierarchy->rails, hierarchy->part, schedule);
	team_step(comm, &hierarchy->teams, true, schedule);
}

static void gather_up(
	const struct communicator *comm, const struct hierarchy *hierarchy, struct schedule *schedule)
{
	team_step(comm, &hierarchy->teams, false, schedule);
	schedule_phase(schedule, "between nodes");
	if (hierarchy->doubling)
		lines_double(&hierarchy->rails, hierarchy->part, true, schedule);
	else
		lines_ring_allgather(&hierarchy->rails, hierarchy->part, schedule);
	schedule_phase(schedule, "in nodes");
	lines_ring_allgather(&hierarchy->ring, 1, schedule);
	lines_tree_broadcast(&hierarchy->teams, 1, schedule);
}

static void allreduce_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct hierarchy hierarchy = hierarchy_of(comm, variant);
	reduce_down(comm, &hierarchy, schedule);
	schedule_turn(schedule, true);
	gather_up(comm, &hierarchy, schedule);
}

static void allreduce_hierarchical_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	bool doubling = false;
	const unsigned leaders = leaders_of(comm, variant, &doubling);
	snprintf(text, size, "leaders=%u, %s", leaders, doubling ? "doubling" : "ring");
}

const struct collective collective_allreduce_hierarchical = {
	.name = "allreduce-hierarchical",
	.summary = "in nodes, between nodes by several leaders each, and back",
	.source = "Traff, EuroPVM/MPI (2006), both ways; several leaders: Kandalla et al., CAC (2009)",
	.operation = ALLREDUCE,
	.variants = allreduce_hierarchical_variants,
	.emit = allreduce_hierarchical_emit,
	.describe = allreduce_hierarchical_describe,
};

/* ---- broadcast-hierarchical and reduce-hierarchical --------------------------------------------------- */

enum { LEADER_BINOMIAL, LEADER_PARTS, EVERY_MEMBER, HIERARCHY_VARIANTS };

/* Returns the number of ways to go inside nodes and between them; 0 unless there are several nodes of several ranks. */
static unsigned rooted_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1 ? HIERARCHY_VARIANTS : 0;
}

static void rooted_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	static const char *const names[] = {
		"leader, binomial", "leader, parts around a ring", "a part by each member"};
	(void)comm;
	snprintf(text, size, "%s", names[variant]);
}

/* Emits the steps between the first members of the nodes, for the whole vector. */
static void between_leaders(
	const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
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

/* Emits one of those ways: a broadcast from rank 0 or, with `up`, the reduction that runs it backwards. */
static void rooted_emit(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	if (variant == EVERY_MEMBER && up)
		every_member_up(comm, schedule);
	else if (variant == EVERY_MEMBER)
		every_member_down(comm, schedule);
	else if (up) {
		schedule_phase(schedule, "in nodes");
		lines_tree_reduce(&nodes, 1, schedule);
		between_leaders(comm, variant, true, schedule);
	} else {
		between_leaders(comm, variant, false, schedule);
		schedule_phase(schedule, "in nodes");
		lines_tree_broadcast(&nodes, 1, schedule);
	}
}

static void broadcast_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_emit(comm, variant, false, schedule);
}

const struct collective collective_broadcast_hierarchical = {
	.name = "broadcast-hierarchical",
	.summary = "between nodes, then in them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = BROADCAST,
	.variants = rooted_variants,
	.emit = broadcast_hierarchical_emit,
	.describe = rooted_describe,
};

static void reduce_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_emit(comm, variant, true, schedule);
}

const struct collective collective_reduce_hierarchical = {
	.name = "reduce-hierarchical",
	.summary = "in nodes, then between them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = REDUCE,
	.variants = rooted_variants,
	.emit = reduce_hierarchical_emit,
	.describe = rooted_describe,
};
