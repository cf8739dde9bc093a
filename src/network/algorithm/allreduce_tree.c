/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A binomial reduction to rank 0 and a binomial broadcast from there, the whole vector in every step. Without
 * contention:
 *     T = ceil(log2 P) (2 (alpha + bytes beta) + bytes gamma)
 */
#include "network/algorithm/tree.h"

static unsigned allreduce_tree_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

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
	.variants = allreduce_tree_variants,
	.emit = allreduce_tree_emit,
};
