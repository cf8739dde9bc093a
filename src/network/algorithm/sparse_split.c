/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse allreduces in two parts: the parts of all vectors go to their owners, and their sums to all. */
#include <stdio.h>

#include "network/algorithm/sparse.h"

/* ---- allreduce-sparse-split --------------------------------------------------------------------------- */

/*
 * Split allgather: each part goes straight to its owner, who merges; then the merged parts go to all. With k = d N
 * non-zeros of b = value + index bytes,
 *     T = (P - 1) alpha + (P - 1) / P k b beta + ceil(log2 P) alpha + (P - 1) / P S beta
 * where S is the bytes of the sum, sparse (never more than dense) or dense.
 */

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

/* ---- allreduce-sparse-small --------------------------------------------------------------------------- */

/*
 * The split allgather (allreduce-sparse-split), but with all parts at once. With k = d N non-zeros of b = value +
 * index bytes, and S bytes of their sum,
 *     T = alpha + (P - 1) / P k b beta + ceil(log2 P) alpha + (P - 1) / P S beta
 */

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
	.variants = single_variant,
	.emit = allreduce_sparse_small_emit,
};

/* ---- allreduce-sparse-big ----------------------------------------------------------------------------- */

/*
 * Allreduce for sums that fill up: every pair at once exchanges the sparse parts, and later the dense sums of the
 * parts. With k = d N non-zeros of b = value + index bytes:
 *     T = 2 alpha + (P - 1) / P (k b + N value) beta
 */

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
	.variants = single_variant,
	.emit = allreduce_sparse_big_emit,
};

/* ---- allreduce-sparse-oktopk -------------------------------------------------------------------------- */

/*
 * Allreduce of only the sum's own k = d N largest items, so that the sum never fills up. Parts go to their owners, who
 * keep the items that belong to the global top k. If these lie unevenly, they are distributed anew (balance). Then
 * they go to all. Counted in words (a pair of value and index is two):
 *     T <= (2 P + log2 P) alpha + 6 k (P - 1) / P beta        without the balance step: P + log2 P, 4 k
 * Thresholds are carried over from step to step, so the selection is one pass. The exchange of sizes is left out.
 */

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
