/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned broadcast_tree_variants(const struct communicator *comm)
{
	return comm->size > 1 ? ROOTED_CHUNKS : 0;
}

static void broadcast_tree_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_tree(comm, variant, false, schedule);
}

const struct collective collective_broadcast_tree = {
	.name = "broadcast-tree",
	.summary = "chunks down a binary tree",
	.source = "Pjesivac-Grbovic et al., Cluster Comput. 10 (2007)",
	.operation = BROADCAST,
	.variants = broadcast_tree_variants,
	.emit = broadcast_tree_emit,
	.describe = rooted_chunks_describe,
};
