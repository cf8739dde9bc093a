/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/pat.h"

static unsigned allgather_pat_variants(const struct party *party)
{
	return party->size > 1;
}

static void allgather_pat_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	pat_tell(party, false, schedule);
}

const struct collective collective_allgather_pat = {
	.name = "allgather-pat",
	.summary = "parallel aggregated trees: far members first, while parts are few",
	.source = "Jeaugey, arXiv:2506.20252 (2025); our reading, buffers for all parts",
	.operation = ALLGATHER,
	.variants = allgather_pat_variants,
	.tell = allgather_pat_tell,
};
