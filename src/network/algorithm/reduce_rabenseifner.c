/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reduce-scatter by halving, near partners first, then a binomial gather to rank 0 in the opposite order, far ones
 * first. For powers of two:
 *     T = 2 log2 P alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma
 * Other P take one step of the whole vector more.
 */
#include "network/algorithm/halving.h"

static unsigned reduce_rabenseifner_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void reduce_rabenseifner_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, false, false);
	(void)variant;
	halving_reduce_scatter(&halving, schedule);
	schedule_phase(schedule, "gather");
	for (unsigned mask = halving.fold.kept / 2; mask > 0; mask /= 2) {
		schedule_step(schedule, 1, 0);
		for (unsigned place = mask; place < 2 * mask; ++place)
			schedule_flow(schedule, halving_rank(&halving, place),
				halving_rank(&halving, place - mask),
				halving_residue(&halving, place, 2 * mask));
	}
}

const struct collective collective_reduce_rabenseifner = {
	.name = "reduce-rabenseifner",
	.summary = "reduce-scatter by halving, then binomial gather",
	.source = "Rabenseifner, ICCS (2004)",
	.operation = REDUCE,
	.variants = reduce_rabenseifner_variants,
	.emit = reduce_rabenseifner_emit,
};
