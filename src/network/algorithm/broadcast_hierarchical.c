/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/rooted.h"

static unsigned broadcast_hierarchical_variants(const struct communicator *comm)
{
	return rooted_hierarchy_variants(comm);
}

static void broadcast_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	rooted_hierarchy(comm, variant, false, schedule);
}

const struct collective collective_broadcast_hierarchical = {
	.name = "broadcast-hierarchical",
	.summary = "between nodes, then in them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = BROADCAST,
	.variants = broadcast_hierarchical_variants,
	.emit = broadcast_hierarchical_emit,
	.describe = rooted_hierarchy_describe,
};
