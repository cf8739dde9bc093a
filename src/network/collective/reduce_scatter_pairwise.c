/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In step s every member sends the member s further on its part: T is that of the ring, but each part goes straight
 * home.
 */
#include "network/collective/exchange.h"

static unsigned reduce_scatter_pairwise_variants(const struct party *party)
{
	return shifts_apply(party);
}

static void reduce_scatter_pairwise_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const double share = 1.0 / party->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	shifts_tell(party, share, share, schedule);
}

const struct collective collective_reduce_scatter_pairwise = {
	.name = "reduce-scatter-pairwise",
	.summary = "each part straight to its member, one partner at a time",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_pairwise_variants,
	.tell = reduce_scatter_pairwise_tell,
};
