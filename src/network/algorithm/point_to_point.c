/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages between neighbours, which no algorithm divides. */
#include "network/algorithm/collective.h"

/* ---- point-to-point ----------------------------------------------------------------------------------- */

/*
 * One message from each member to the next of its group, all groups at once: T = alpha + bytes beta (Tp2p of ParaDL),
 * where beta follows from the bandwidth that the neighbours' messages leave. Transfers between stages and halos are
 * such messages.
 */

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
	.variants = single_variant,
	.emit = point_to_point_emit,
};

/* ---- point-to-point-halo ------------------------------------------------------------------------------ */

/*
 * One message from each member to both its neighbours, all at once; the first and the last member have one neighbour.
 * On full-duplex links:
 *     T = alpha + 2 bytes beta where a member's messages leave by one port, alpha + bytes beta by two
 */

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
	.variants = single_variant,
	.emit = point_to_point_halo_emit,
};
