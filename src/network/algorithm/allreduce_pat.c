/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/pat.h"

static unsigned allreduce_pat_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

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
	.variants = allreduce_pat_variants,
	.emit = allreduce_pat_emit,
};
