/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message from each member to both its neighbours, all at once; the first and the last member have one neighbour.
 * On full-duplex links:
 *     T = alpha + 2 bytes beta where a member's messages leave by one port, alpha + bytes beta by two
 */
#include "network/algorithm/collective.h"

static unsigned point_to_point_halo_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void point_to_point_halo_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "halo");
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank + 1 < comm->size; ++rank) {
		schedule_flow(schedule, rank, rank + 1, 1);
		schedule_flow(schedule, rank + 1, rank, 1);
	}
}

const struct collective collective_point_to_point_halo = {
	.name = "point-to-point-halo",
	.summary = "one message from each member to both its neighbours",
	.source = "Dryden et al., IPDPS (2019)",
	.operation = POINT_TO_POINT,
	.variants = point_to_point_halo_variants,
	.emit = point_to_point_halo_emit,
};
