/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P bytes beta. */
#include "network/algorithm/line_exchange.h"
#include "network/algorithm/ring.h"

static unsigned broadcast_scatter_ring_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void broadcast_scatter_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "scatter");
	lines_scatter(&all, 1, schedule);
	schedule_phase(schedule, "allgather");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_step(comm, 1.0 / comm->size, schedule);
}

const struct collective collective_broadcast_scatter_ring = {
	.name = "broadcast-scatter-ring",
	.summary = "binomial scatter, then allgather around a ring (van de Geijn)",
	.source = "Barnett et al., InterCom, SHPCC (1994)",
	.operation = BROADCAST,
	.variants = broadcast_scatter_ring_variants,
	.emit = broadcast_scatter_ring_emit,
};
