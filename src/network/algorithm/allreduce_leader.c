/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce with one leader per node: a binomial reduction in the nodes, an allreduce among the leaders, a binomial
 * broadcast in the nodes.
 *     T = 2 ceil(log2 g) (alpha_in + bytes beta_in) + T_allreduce(n, bytes)
 * One device of a node uses the network, so the ports of the others are idle. Leaders in a ring are "binominal_lr" of
 * Nguyen et al. (2021), leaders in a tree "smp_binominal".
 */
#include <stdio.h>

#include "network/algorithm/fold.h"
#include "network/algorithm/leaders.h"
#include "network/algorithm/tree.h"

static void rabenseifner(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, false, schedule);
}

static const struct between {
	const char *name;
	lines_allreduce *allreduce;
} between[] = {
	{"ring", lines_ring_allreduce},
	{"tree", lines_tree_allreduce},
	{"doubling", lines_doubling_allreduce},
	{"rabenseifner", rabenseifner},
};

static unsigned allreduce_leader_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1 ? sizeof between / sizeof *between : 0;
}

static void allreduce_leader_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines leaders = lines_across(comm, comm->per_node, 1);
	schedule_phase(schedule, "reduce in the nodes");
	lines_tree_reduce(&nodes, 1, schedule);
	schedule_phase(schedule, "allreduce among the leaders");
	between[variant].allreduce(&leaders, 1, schedule);
	schedule_phase(schedule, "broadcast in the nodes");
	lines_tree_broadcast(&nodes, 1, schedule);
}

static void allreduce_leader_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "leaders-by=%s", between[variant].name);
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
