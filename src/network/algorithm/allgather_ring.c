/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = (P - 1) (alpha + bytes / P beta), by Thakur, Rabenseifner and Gropp (2005). */
#include "network/algorithm/ring.h"

static unsigned allgather_ring_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allgather_ring_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "allgather");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_step(comm, 1.0 / comm->size, schedule);
}

const struct collective collective_allgather_ring = {
	.name = "allgather-ring",
	.summary = "every part once around a ring",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLGATHER,
	.variants = allgather_ring_variants,
	.emit = allgather_ring_emit,
};
