/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ring allreduce: a reduce-scatter and an allgather, 2 (P - 1) steps of 1/P of the vector. With `channels` rings side
 * by side, each carries its share of the vector and starts at another device of the node, so that it leaves by another
 * port:
 *     T = 2 (P - 1) (alpha + bytes / P beta) + (P - 1) / P bytes gamma        Patarasuk and Yuan (2009)
 */
#include "network/algorithm/ring.h"

static unsigned allreduce_ring_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allreduce_ring_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double steps = comm->size - 1.0, share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, steps, comm->size);
	ring_step(comm, share, schedule);
	schedule_reduce(schedule, share);
	schedule_phase(schedule, "allgather");
	if (schedule_again(schedule, 1, steps)) {
		schedule_reduce(schedule, 0);
		return;
	}
	schedule_step(schedule, steps, comm->size);
	ring_step(comm, share, schedule);
}

const struct collective collective_allreduce_ring = {
	.name = "allreduce-ring",
	.summary = "reduce-scatter and allgather around a ring, bytes / P per step",
	.source = "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
	.operation = ALLREDUCE,
	.variants = allreduce_ring_variants,
	.emit = allreduce_ring_emit,
};
