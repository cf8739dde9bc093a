/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/rooted.h"

static unsigned reduce_hierarchical_variants(const struct party *party)
{
	return rooted_hierarchy_variants(party);
}

static void reduce_hierarchical_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	rooted_hierarchy(party, variant, true, schedule);
}

const struct collective collective_reduce_hierarchical = {
	.name = "reduce-hierarchical",
	.summary = "in nodes, then between them",
	.source = "Kielmann et al., MagPIe, PPoPP (1999); a part by each member: our reading",
	.operation = REDUCE,
	.variants = reduce_hierarchical_variants,
	.tell = reduce_hierarchical_tell,
	.describe = rooted_hierarchy_describe,
};
