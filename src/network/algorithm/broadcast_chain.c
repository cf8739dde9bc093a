/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned broadcast_chain_variants(const struct communicator *comm)
{
	return comm->size > 1 ? ROOTED_CHUNKS : 0;
}

static void broadcast_chain_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_chain(comm, variant, false, schedule);
}

const struct collective collective_broadcast_chain = {
	.name = "broadcast-chain",
	.summary = "chunks along a chain of all members",
	.source = "Watts and van de Geijn, Parallel Process. Lett. 5 (1995)",
	.operation = BROADCAST,
	.variants = broadcast_chain_variants,
	.emit = broadcast_chain_emit,
	.describe = rooted_chunks_describe,
};
