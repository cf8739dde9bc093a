/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings in the nodes and, for each leader, halving and doubling between them ("lr_rab" when all lead).
 */
#include "network/collective/fold.h"
#include "network/collective/leaders.h"

static void rabenseifner(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_rabenseifner_allreduce(lines, share, false, schedule);
}

static void allreduce_leaders_rabenseifner_tell(
	const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(party, variant);
	leaders_tell(party, &leaders, rabenseifner, schedule);
}

const struct collective collective_allreduce_leaders_rabenseifner = {
	.name = "allreduce-leaders-rabenseifner",
	.summary = "rings in the nodes, Rabenseifner's between them",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.tell = allreduce_leaders_rabenseifner_tell,
	.describe = leaders_describe,
};
