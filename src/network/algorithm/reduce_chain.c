/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned reduce_chain_variants(const struct communicator *comm)
{
	return comm->size > 1 ? ROOTED_CHUNKS : 0;
}

static void reduce_chain_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_chain(comm, variant, true, schedule);
}

const struct collective collective_reduce_chain = {
	.name = "reduce-chain",
	.summary = "chunks along a chain to rank 0, combined on the way",
	.source = "Watts and van de Geijn, Parallel Process. Lett. 5 (1995)",
	.operation = REDUCE,
	.variants = reduce_chain_variants,
	.emit = reduce_chain_emit,
	.describe = rooted_chunks_describe,
};
