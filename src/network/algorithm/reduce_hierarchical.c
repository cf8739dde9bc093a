/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned reduce_hierarchical_variants(const struct communicator *comm)
{
	return rooted_hierarchy_variants(comm);
}

static void reduce_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_hierarchy(comm, variant, true, schedule);
}

const struct collective collective_reduce_hierarchical = {
	.name = "reduce-hierarchical",
	.summary = "in nodes, then between them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = REDUCE,
	.variants = reduce_hierarchical_variants,
	.emit = reduce_hierarchical_emit,
	.describe = rooted_hierarchy_describe,
};
