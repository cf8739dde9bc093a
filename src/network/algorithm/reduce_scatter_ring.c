/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = (P - 1) (alpha + bytes / P beta) + (P - 1) / P bytes gamma, by Patarasuk and Yuan (2009). */
#include "network/algorithm/ring.h"

static unsigned reduce_scatter_ring_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void reduce_scatter_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_step(comm, share, schedule);
	schedule_reduce(schedule, share);
}

const struct collective collective_reduce_scatter_ring = {
	.name = "reduce-scatter-ring",
	.summary = "every part once around a ring, combined on the way",
	.source = "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_ring_variants,
	.emit = reduce_scatter_ring_emit,
};
