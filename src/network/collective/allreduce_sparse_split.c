/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Split allgather: each part goes straight to its owner, who merges; then the merged parts go to all. With k = d N
 * non-zeros of b = value + index bytes,
 *     T = (P - 1) alpha + (P - 1) / P k b beta + ceil(log2 P) alpha + (P - 1) / P S beta
 * where S is the bytes of the sum, sparse (never more than dense) or dense.
 */
#include <stdio.h>

#include "network/collective/sparse.h"

static unsigned allreduce_sparse_split_variants(const struct party *party)
{
	return shifts_apply(party) ? 2 : 0;
}

static void allreduce_sparse_split_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(party);
	const double share = sparse_share(party, 1.0 / party->size, 1);
	sparse_select(party, sparse_searches(party), schedule);
	schedule_phase(schedule, "split");
	shifts_tell(party, share, share, schedule);
	schedule_phase(schedule, "allgather");
	lines_gather_all(&all, variant == 0 ? sparse_share(party, 1, party->size) : 1, schedule);
}

static void allreduce_sparse_split_describe(
	const struct party *party, unsigned variant, char *text, size_t size)
{
	(void)party;
	snprintf(text, size, "%s sum", variant == 0 ? "sparse" : "dense");
}

const struct collective collective_allreduce_sparse_split = {
	.name = "allreduce-sparse-split",
	.summary = "parts to their owners, then the sums to all",
	.source = "Renggli et al., SparCML, SC (2019): SSAR and DSAR split allgather",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_split_variants,
	.tell = allreduce_sparse_split_tell,
	.describe = allreduce_sparse_split_describe,
};
