/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce of only the sum's own k = d N largest items, so that the sum never fills up. Parts go to their owners, who
 * keep the items that belong to the global top k. If these lie unevenly, they are distributed anew (balance). Then
 * they go to all. Counted in words (a pair of value and index is two):
 *     T <= (2 P + log2 P) alpha + 6 k (P - 1) / P beta        without the balance step: P + log2 P, 4 k
 * Thresholds are carried over from step to step, so the selection is one pass. The exchange of sizes is left out.
 */
#include <stdio.h>

#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_oktopk_variants(const struct communicator *comm)
{
	return shifts_apply(comm) ? 2 : 0;
}

static void allreduce_sparse_oktopk_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const double share = sparse_share(comm, 1.0 / comm->size, 1);
	sparse_select(comm, 1, schedule);
	schedule_phase(schedule, "split");
	shifts_emit(comm, share, share, schedule);
	if (variant == 1) {
		schedule_phase(schedule, "balance");
		shifts_emit(comm, share, 0, schedule);
	}
	schedule_phase(schedule, "allgather");
	lines_gather_all(&all, sparse_share(comm, 1, 1), schedule);
}

static void allreduce_sparse_oktopk_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s", variant == 0 ? "even" : "dealt out again");
}

const struct collective collective_allreduce_sparse_oktopk = {
	.name = "allreduce-sparse-oktopk",
	.summary = "only the sum's own largest items (another sum than the others')",
	.source = "Li and Hoefler, Ok-Topk, PPoPP (2022); our reading",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_oktopk_variants,
	.emit = allreduce_sparse_oktopk_emit,
	.describe = allreduce_sparse_oktopk_describe,
};
