/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce on the Kautz graph K(d, 2), P = d (d + 1), which keeps all d ports of a rank busy. In the reduce-scatter a
 * rank sends each neighbour the d parts of that neighbour's neighbours, then each neighbour its own part, added to
 * what came for it. The allgather floods parts the same way. The arcs are one-way, so both halves go along them.
 *     T = 4 alpha + 2 (d + 1) / P bytes beta = 4 alpha + 2 bytes beta / d
 */
#include "network/algorithm/collective.h"

static unsigned allreduce_kautz_variants(const struct communicator *comm)
{
	return comm->kautz > 0;
}

/*
 * Emits a step of `share` along every arc. Rank s1 d + t is the word s1 s2, s2 = s1 + t + 1 (mod d + 1); its arcs go
 * to the words s2 x, ranks s2 d .. s2 d + d - 1.
 */
static void arcs_step(const struct communicator *comm, double share, struct schedule *schedule)
{
	const unsigned d = comm->kautz;
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < comm->size; ++rank)
		for (unsigned i = 0; i < d; ++i)
			schedule_flow(schedule, rank, (rank / d + rank % d + 1) % (d + 1) * d + i, share);
}

static void allreduce_kautz_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double part = 1.0 / comm->size, d = comm->kautz;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	arcs_step(comm, d * part, schedule);
	schedule_reduce(schedule, d * d * part);
	arcs_step(comm, part, schedule);
	schedule_reduce(schedule, d * part);
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather");
	arcs_step(comm, part, schedule);
	arcs_step(comm, d * part, schedule);
}

const struct collective collective_allreduce_kautz = {
	.name = "allreduce-kautz",
	.summary = "two-step floods along all arcs of a Kautz graph",
	.source = "our reading of multi-port collectives on Kautz graphs",
	.operation = ALLREDUCE,
	.variants = allreduce_kautz_variants,
	.emit = allreduce_kautz_emit,
};
