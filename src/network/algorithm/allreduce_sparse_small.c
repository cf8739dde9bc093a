/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The split allgather (allreduce_sparse_split.c), but with all parts at once. With k = d N non-zeros of b = value +
 * index bytes, and S bytes of their sum,
 *     T = alpha + (P - 1) / P k b beta + ceil(log2 P) alpha + (P - 1) / P S beta
 */
#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_small_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allreduce_sparse_small_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const double share = sparse_share(comm, 1.0 / comm->size, 1);
	(void)variant;
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "split");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, share);
	schedule_reduce(schedule, (comm->size - 1) * share);
	schedule_phase(schedule, "allgather");
	lines_gather_all(&all, sparse_share(comm, 1, comm->size), schedule);
}

const struct collective collective_allreduce_sparse_small = {
	.name = "allreduce-sparse-small",
	.summary = "sparse parts to their owners at once, sparse sums to all by doubling",
	.source = "dynamic sparse allreduce, as simulated by Nguyen, Wahib and Takano, IPCCC (2019)",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_small_variants,
	.emit = allreduce_sparse_small_emit,
};
