/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce for sums that fill up: every pair at once exchanges the sparse parts, and later the dense sums of the
 * parts. With k = d N non-zeros of b = value + index bytes:
 *     T = 2 alpha + (P - 1) / P (k b + N value) beta
 */
#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_big_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allreduce_sparse_big_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double share = sparse_share(comm, 1.0 / comm->size, 1);
	(void)variant;
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "split");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, share);
	schedule_reduce(schedule, (comm->size - 1) * share);
	schedule_phase(schedule, "allgather");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, 1.0 / comm->size);
}

const struct collective collective_allreduce_sparse_big = {
	.name = "allreduce-sparse-big",
	.summary = "sparse parts to their owners at once, dense sums to all at once",
	.source = "dynamic sparse allreduce, as simulated by Nguyen, Wahib and Takano, IPCCC (2019)",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_big_variants,
	.emit = allreduce_sparse_big_emit,
};
