/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Split allgather: each part goes straight to its owner, who merges; then the merged parts go to all. With k = d N
 * non-zeros of b = value + index bytes,
 *     T = (P - 1) alpha + (P - 1) / P k b beta + ceil(log2 P) alpha + (P - 1) / P S beta
 * where S is the bytes of the sum, sparse (never more than dense) or dense.
 */
#include <stdio.h>

#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_split_variants(const struct communicator *comm)
{
	return shifts_apply(comm) ? 2 : 0;
}

static void allreduce_sparse_split_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const double share = sparse_share(comm, 1.0 / comm->size, 1);
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "split");
	shifts_emit(comm, share, share, schedule);
	schedule_phase(schedule, "allgather");
	lines_gather_all(&all, variant == 0 ? sparse_share(comm, 1, comm->size) : 1, schedule);
}

static void allreduce_sparse_split_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s sum", variant == 0 ? "sparse" : "dense");
}

const struct collective collective_allreduce_sparse_split = {
	.name = "allreduce-sparse-split",
	.summary = "parts to their owners, then the sums to all",
	.source = "Renggli et al., SparCML, SC (2019): SSAR and DSAR split allgather",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_split_variants,
	.emit = allreduce_sparse_split_emit,
	.describe = allreduce_sparse_split_describe,
};
