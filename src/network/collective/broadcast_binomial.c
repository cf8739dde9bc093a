/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/tree.h"

static unsigned broadcast_binomial_variants(const struct party *party)
{
	return party->size > 1;
}

static void broadcast_binomial_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(party);
	(void)variant;
	schedule_phase(schedule, "broadcast");
	lines_tree_broadcast(&all, 1, schedule);
}

const struct collective collective_broadcast_binomial = {
	.name = "broadcast-binomial",
	.summary = "from rank 0 down a binomial tree",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = BROADCAST,
	.variants = broadcast_binomial_variants,
	.tell = broadcast_binomial_tell,
};
