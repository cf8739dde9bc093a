/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = P / 2 alpha + (P - 1) / P bytes beta, P even: neighbours exchange their own part, then turn by turn with the left
 * and the right one the two parts that came last.
 * (P / 2 steps of two parts, as it is often given, is a part more.) The steps of a kind are told together.
 */
#include "network/collective.h"

static unsigned allgather_neighbour_variants(const struct party *party)
{
	return party->size > 1 && party->size % 2 == 0;
}

/* Pairs (first, first + 1), (first + 2, first + 3) ... around the ring. */
static void exchanges(const struct party *party, unsigned first, double share, struct schedule *schedule)
{
	for (unsigned i = 0; i < party->size; i += 2) {
		const unsigned a = i + first, b = (a + 1) % party->size;
		schedule_flow(schedule, a, b, share);
		schedule_flow(schedule, b, a, share);
	}
}

static void allgather_neighbour_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	const double part = 1.0 / party->size;
	const unsigned more = party->size / 2 - 1, left = more / 2, right = more - left;
	(void)variant;
	schedule_phase(schedule, "own parts");
	schedule_step(schedule, 1, 0);
	exchanges(party, 0, part, schedule);
	if (more == 0)
		return;
	schedule_phase(schedule, "pairs of parts");
	schedule_step(schedule, right, 0);
	exchanges(party, 1, 2 * part, schedule);
	if (more < 2)
		return;
	schedule_step(schedule, left, 0);
	exchanges(party, 0, 2 * part, schedule);
}

const struct collective collective_allgather_neighbour = {
	.name = "allgather-neighbour",
	.summary = "neighbours exchange, turn by turn left and right; even numbers",
	.source = "Chen et al., HPC Asia (2005)",
	.operation = ALLGATHER,
	.variants = allgather_neighbour_variants,
	.tell = allgather_neighbour_tell,
};
