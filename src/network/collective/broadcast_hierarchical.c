/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/rooted.h"

static unsigned broadcast_hierarchical_variants(const struct party *party)
{
	return rooted_hierarchy_variants(party);
}

static void broadcast_hierarchical_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	rooted_hierarchy(party, variant, false, schedule);
}

const struct collective collective_broadcast_hierarchical = {
	.name = "broadcast-hierarchical",
	.summary = "between nodes, then in them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = BROADCAST,
	.variants = broadcast_hierarchical_variants,
	.tell = broadcast_hierarchical_tell,
	.describe = rooted_hierarchy_describe,
};
