/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings in the nodes and, for each leader, a ring through all nodes ("lr_lr" when all lead). */
#include "network/collective/leaders.h"

static void allreduce_leaders_ring_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(party, variant);
	leaders_tell(party, &leaders, lines_ring_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_ring = {
	.name = "allreduce-leaders-ring",
	.summary = "rings in the nodes, and between the same places of all nodes",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.tell = allreduce_leaders_ring_tell,
	.describe = leaders_describe,
};
