/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/tree.h"

static unsigned broadcast_binomial_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void broadcast_binomial_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "broadcast");
	lines_tree_broadcast(&all, 1, schedule);
}

const struct collective collective_broadcast_binomial = {
	.name = "broadcast-binomial",
	.summary = "from rank 0 down a binomial tree",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = BROADCAST,
	.variants = broadcast_binomial_variants,
	.emit = broadcast_binomial_emit,
};
