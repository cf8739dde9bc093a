/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce in nodes and between them, where parts are small. k of a node's g members lead, each for a team of g / k
 * members. The allgather half gathers parts at the leaders, runs k allgathers of 1 / k each between the n nodes, then
 * a ring of the leaders in each node, and each leader broadcasts to its team. With k = g it takes
 *     T = (n - 1) (alpha_e + bytes / P phi beta_e) + (g - 1) (alpha_i + bytes / g beta_i)     phi: flows per port
 * The reduce-scatter half is the same backwards.
 */
#include <stdio.h>

#include "network/algorithm/line_exchange.h"
#include "network/algorithm/tree.h"

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
