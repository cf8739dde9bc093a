/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message from each member to the next of its group, all groups at once: T = alpha + bytes beta (Tp2p of ParaDL),
 * where beta follows from the bandwidth that the neighbours' messages leave. Transfers between stages and halos are
 * such messages.
 */
#include "network/algorithm/collective.h"

static unsigned point_to_point_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void point_to_point_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank + 1 < comm->size; ++rank)
		schedule_flow(schedule, rank, rank + 1, 1);
}

const struct collective collective_point_to_point = {
	.name = "point-to-point",
	.summary = "one message from each member to the next",
	.source = "Hockney (1994)",
	.operation = POINT_TO_POINT,
	.variants = point_to_point_variants,
	.emit = point_to_point_emit,
};
