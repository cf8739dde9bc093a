/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between nodes first, where the parts are still small, then in nodes. k of a node's g members lead, each for a team of
 * g / k:    gather to the leaders, k allgathers between n nodes of 1 / k each, a ring of the leaders in a node, and each
 * leader tells its team. k = g:
 *     T = (n - 1) (alpha_e + bytes / P phi beta_e) + (g - 1) (alpha_i + bytes / g beta_i)     phi: flows per port
 */
#include <stdio.h>

#include "network/collective/exchange.h"
#include "network/collective/tree.h"

static unsigned divisors(unsigned number)
{
	unsigned count = 0;
	for (unsigned i = 1; i <= number; ++i)
		count += number % i == 0;
	return count;
}

/* Variants: most leaders first, each with a ring and, for powers of two, with doubling between nodes. */
static unsigned leaders_of(const struct party *party, unsigned variant, bool *doubling)
{
	const unsigned ways = is_power_of_two(party->nodes) ? 2 : 1;
	unsigned index = variant / ways, leaders = party->per_node;
	*doubling = variant % ways == 1;
	while (index > 0)
		index -= party->per_node % --leaders == 0;
	return leaders;
}

static unsigned allgather_hierarchical_variants(const struct party *party)
{
	if (party->nodes < 2 || party->per_node < 2)
		return 0;
	return divisors(party->per_node) * (is_power_of_two(party->nodes) ? 2 : 1);
}

static void to_leaders(const struct party *party, unsigned team, struct schedule *schedule)
{
	const struct lines teams = lines_near(party, team);
	schedule_phase(schedule, "gather in teams");
	schedule_step(schedule, 1, 0);
	for (unsigned member = 1; member < team; ++member)
		lines_flow(&teams, member, 0, 1.0 / party->size, schedule);
}

static void between_nodes(
	const struct party *party, unsigned leaders, bool doubling, struct schedule *schedule)
{
	const struct lines rails = lines_across(party, party->per_node, leaders);
	schedule_phase(schedule, "between nodes");
	if (doubling)
		lines_double(&rails, 1.0 / leaders, true, schedule);
	else
		lines_ring_allgather(&rails, 1.0 / leaders, schedule);
}

static void allgather_hierarchical_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	bool doubling = false;
	const unsigned leaders = leaders_of(party, variant, &doubling), team = party->per_node / leaders;
	struct lines ring = lines_near(party, party->per_node);
	const struct lines teams = lines_near(party, team);
	ring.count = leaders;
	ring.stride = team;
	if (team > 1)
		to_leaders(party, team, schedule);
	between_nodes(party, leaders, doubling, schedule);
	schedule_phase(schedule, "in nodes");
	lines_ring_allgather(&ring, 1, schedule);
	lines_tree_broadcast(&teams, 1, schedule);
}

static void allgather_hierarchical_describe(
	const struct party *party, unsigned variant, char *text, size_t size)
{
	bool doubling = false;
	const unsigned leaders = leaders_of(party, variant, &doubling);
	snprintf(text, size, "leaders=%u, %s", leaders, doubling ? "doubling" : "ring");
}

const struct collective collective_allgather_hierarchical = {
	.name = "allgather-hierarchical",
	.summary = "between nodes by several leaders each, then in nodes",
	.source = "Traff, EuroPVM/MPI (2006); several leaders: Kandalla et al., CAC (2009)",
	.operation = ALLGATHER,
	.variants = allgather_hierarchical_variants,
	.tell = allgather_hierarchical_tell,
	.describe = allgather_hierarchical_describe,
};
