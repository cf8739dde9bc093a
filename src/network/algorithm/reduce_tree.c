/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned reduce_tree_variants(const struct communicator *comm)
{
	return comm->size > 1 ? ROOTED_CHUNKS : 0;
}

static void reduce_tree_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_tree(comm, variant, true, schedule);
}

const struct collective collective_reduce_tree = {
	.name = "reduce-tree",
	.summary = "chunks up a binary tree",
	.source = "Pjesivac-Grbovic et al., Cluster Comput. 10 (2007)",
	.operation = REDUCE,
	.variants = reduce_tree_variants,
	.emit = reduce_tree_emit,
	.describe = rooted_chunks_describe,
};
