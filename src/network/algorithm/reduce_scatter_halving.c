/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = log2 P alpha + Phi bytes beta + (P - 1) / P bytes gamma for powers of two, where Phi is the sum of 2^-k times
 * the contention of step k, (P - 1) / P without contention. For another P one rank of each folded pair (halving.h)
 * gives the other its vector before and gets its part after.
 */
#include <stdio.h>

#include "network/algorithm/halving.h"

static unsigned reduce_scatter_halving_variants(const struct communicator *comm)
{
	return comm->size > 3 ? 2 : comm->size > 1;
}

static void reduce_scatter_halving_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, variant == 0, true);
	halving_reduce_scatter(&halving, schedule);
	if (halving.fold.folded == 0)
		return;
	schedule_phase(schedule, "unfold");
	schedule_step(schedule, 1, 0);
	for (unsigned pair = 0; pair < halving.fold.folded; ++pair)
		schedule_flow(schedule, halving_rank(&halving, pair), halving_other(&halving, pair),
			1.0 / comm->size);
}

static void reduce_scatter_halving_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s partners first", variant == 0 ? "far" : "near");
}

const struct collective collective_reduce_scatter_halving = {
	.name = "reduce-scatter-halving",
	.summary = "pairs exchange halves of what they have left",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_halving_variants,
	.emit = reduce_scatter_halving_emit,
	.describe = reduce_scatter_halving_describe,
};
