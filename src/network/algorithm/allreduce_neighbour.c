/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = P alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma, P even. Where a rank has two ports, the steps use
 * them in turn.
 */
#include "network/algorithm/neighbour.h"

static void allreduce_neighbour_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	neighbour_emit(comm, true, schedule);
	schedule_turn(schedule, true);
	neighbour_emit(comm, false, schedule);
}

const struct collective collective_allreduce_neighbour = {
	.name = "allreduce-neighbour",
	.summary = "neighbours exchange sums, turn by turn left and right; even numbers",
	.source = "Chen et al., HPC Asia (2005), backwards and forwards",
	.operation = ALLREDUCE,
	.variants = neighbour_variants,
	.emit = allreduce_neighbour_emit,
};
