/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = 2 log2 P alpha + 2 (P - 1) / P bytes beta; P a power of two. */
#include "network/algorithm/line_exchange.h"

static unsigned broadcast_scatter_doubling_variants(const struct communicator *comm)
{
	return comm->size > 1 && is_power_of_two(comm->size);
}

static void broadcast_scatter_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "scatter");
	lines_scatter(&all, 1, schedule);
	schedule_phase(schedule, "allgather");
	lines_double(&all, 1, true, schedule);
}

const struct collective collective_broadcast_scatter_doubling = {
	.name = "broadcast-scatter-doubling",
	.summary = "binomial scatter, then allgather by doubling; powers of two",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = BROADCAST,
	.variants = broadcast_scatter_doubling_variants,
	.emit = broadcast_scatter_doubling_emit,
};
