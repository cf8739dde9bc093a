/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/pat.h"

static unsigned reduce_scatter_pat_variants(const struct party *party)
{
	return party->size > 1;
}

static void reduce_scatter_pat_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	pat_tell(party, true, schedule);
}

const struct collective collective_reduce_scatter_pat = {
	.name = "reduce-scatter-pat",
	.summary = "parallel aggregated trees: near members first, while parts are many",
	.source = "Jeaugey, arXiv:2506.20252 (2025); our reading, buffers for all parts",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_pat_variants,
	.tell = reduce_scatter_pat_tell,
};
