/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings in the nodes and, for each leader, recursive doubling between the nodes ("lr_rdb" when all lead). */
#include "network/collective/fold.h"
#include "network/collective/leaders.h"

static void allreduce_leaders_doubling_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(party, variant);
	leaders_tell(party, &leaders, lines_doubling_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_doubling = {
	.name = "allreduce-leaders-doubling",
	.summary = "rings in the nodes, recursive doubling between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.tell = allreduce_leaders_doubling_tell,
	.describe = leaders_describe,
};
