/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/tree.h"

static unsigned reduce_binomial_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void reduce_binomial_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce");
	lines_tree_reduce(&all, 1, schedule);
}

const struct collective collective_reduce_binomial = {
	.name = "reduce-binomial",
	.summary = "to rank 0 up a binomial tree",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE,
	.variants = reduce_binomial_variants,
	.emit = reduce_binomial_emit,
};
