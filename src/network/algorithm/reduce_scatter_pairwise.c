/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In step s every member sends the member s further on its part: T is that of the ring, but each part goes straight
 * home.
 */
#include "network/algorithm/line_exchange.h"

static unsigned reduce_scatter_pairwise_variants(const struct communicator *comm)
{
	return shifts_apply(comm);
}

static void reduce_scatter_pairwise_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	shifts_emit(comm, share, share, schedule);
}

const struct collective collective_reduce_scatter_pairwise = {
	.name = "reduce-scatter-pairwise",
	.summary = "each part straight to its member, one partner at a time",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_pairwise_variants,
	.emit = reduce_scatter_pairwise_emit,
};
