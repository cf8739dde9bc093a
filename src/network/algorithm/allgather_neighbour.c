/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = P / 2 alpha + (P - 1) / P bytes beta, P even. The often given P / 2 steps of two parts each would send one part
 * more.
 */
#include "network/algorithm/neighbour.h"

static void allgather_neighbour_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	neighbour_emit(comm, false, schedule);
}

const struct collective collective_allgather_neighbour = {
	.name = "allgather-neighbour",
	.summary = "neighbours exchange, turn by turn left and right; even numbers",
	.source = "Chen et al., HPC Asia (2005)",
	.operation = ALLGATHER,
	.variants = neighbour_variants,
	.emit = allgather_neighbour_emit,
};
