/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bruck's algorithm and parallel aggregated trees: ceil(log2 P) steps for any number of ranks P. */
#include "network/algorithm/lines.h"

/* ---- allgather-bruck ---------------------------------------------------------------------------------- */

/*
 * T = ceil(log2 P) alpha + (P - 1) / P bytes beta for any P. Step k brings min(2^k, P - 2^k) parts from the member 2^k
 * further on. At the end each member rotates its vector into order, which reads and writes it once.
 */

static void allgather_bruck_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const unsigned p = comm->size, last = fold_of(p - 1).kept;
	(void)variant;
	schedule_phase(schedule, "allgather");
	for (unsigned distance = 1; distance <= last; distance *= 2) {
		const unsigned parts = p - distance < distance ? p - distance : distance;
		lines_shift(&all, p - distance, (double)parts / p, schedule);
		if (distance == last)
			schedule_memory(schedule, 2);
	}
}

const struct collective collective_allgather_bruck = {
	.name = "allgather-bruck",
	.summary = "doubling for any number of members, from distance 1, 2, 4 ...",
	.source = "Bruck et al., IEEE Trans. Parallel Distrib. Syst. 8 (1997)",
	.operation = ALLGATHER,
	.variants = single_variant,
	.emit = allgather_bruck_emit,
};

/* ---- allreduce-pat ------------------------------------------------------------------------------------ */

static void allreduce_pat_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	lines_pat(&all, 1, true, schedule);
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather");
	lines_pat(&all, 1, false, schedule);
}

const struct collective collective_allreduce_pat = {
	.name = "allreduce-pat",
	.summary = "parallel aggregated trees, to the owners of parts and back",
	.source = "Jeaugey, arXiv:2506.20252 (2025), both ways; our reading, buffers for all parts",
	.operation = ALLREDUCE,
	.variants = single_variant,
	.emit = allreduce_pat_emit,
};
