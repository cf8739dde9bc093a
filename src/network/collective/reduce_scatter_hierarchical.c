/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In nodes first, then the parts of each member between nodes, a ring each:
 *     T = (g - 1) (alpha_i + bytes / g beta_i) + (n - 1) (alpha_e + bytes / P phi beta_e)     phi: flows per port
 */
#include "network/collective/lines.h"

static unsigned reduce_scatter_hierarchical_variants(const struct party *party)
{
	return party->nodes > 1 && party->per_node > 1;
}

static void reduce_scatter_hierarchical_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct lines nodes = lines_near(party, party->per_node);
	const struct lines rails = lines_across(party, party->per_node, party->per_node);
	(void)variant;
	schedule_phase(schedule, "in nodes");
	lines_ring_reduce_scatter(&nodes, 1, schedule);
	schedule_phase(schedule, "between nodes");
	lines_ring_reduce_scatter(&rails, 1.0 / party->per_node, schedule);
}

const struct collective collective_reduce_scatter_hierarchical = {
	.name = "reduce-scatter-hierarchical",
	.summary = "a ring in each node, then a ring of each member's part between nodes",
	.source = "the first half of Cho et al., MLSys (2019)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_hierarchical_variants,
	.tell = reduce_scatter_hierarchical_tell,
};
