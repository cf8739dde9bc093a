/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursive doubling: ranks at distance 1, 2, 4 .. exchange the whole vector. Without contention, for P a power of
 * two:
 *     T = log2 P (alpha + bytes (beta + gamma))
 * Other P take two steps more of the whole vector (fold.h).
 */
#include "network/algorithm/fold.h"

static unsigned allreduce_doubling_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allreduce_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "exchange");
	lines_doubling_allreduce(&all, 1, schedule);
}

const struct collective collective_allreduce_doubling = {
	.name = "allreduce-doubling",
	.summary = "recursive doubling: the whole vector at distances 1, 2, 4 ..",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLREDUCE,
	.variants = allreduce_doubling_variants,
	.emit = allreduce_doubling_emit,
};
