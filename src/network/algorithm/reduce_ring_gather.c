/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = (P - 1 + ceil(log2 P)) alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma for any P. */
#include "network/algorithm/line_exchange.h"
#include "network/algorithm/ring.h"

static unsigned reduce_ring_gather_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void reduce_ring_gather_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_step(comm, 1.0 / comm->size, schedule);
	schedule_reduce(schedule, 1.0 / comm->size);
	schedule_phase(schedule, "gather");
	lines_gather(&all, 1, schedule);
}

const struct collective collective_reduce_ring_gather = {
	.name = "reduce-ring-gather",
	.summary = "reduce-scatter around a ring, then binomial gather",
	.source = "Barnett et al., InterCom, SHPCC (1994)",
	.operation = REDUCE,
	.variants = reduce_ring_gather_variants,
	.emit = reduce_ring_gather_emit,
};
