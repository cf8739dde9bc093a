/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All ranks send to rank 0 at once, which broadcasts the sum along a binomial tree:
 *     T = alpha + (P - 1) bytes (beta + gamma) + ceil(log2 P) (alpha + bytes beta)
 * It is the default of some libraries and of SimGrid's MPI, not one to choose.
 */
#include "network/algorithm/tree.h"

static unsigned allreduce_linear_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

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
	.variants = allreduce_linear_variants,
	.emit = allreduce_linear_emit,
};
