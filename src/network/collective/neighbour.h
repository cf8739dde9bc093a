/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_NEIGHBOUR_H
#define NETWORK_COLLECTIVE_NEIGHBOUR_H

#include "network/collective.h"

static inline unsigned neighbour_variants(const struct party *party)
{
	return party->size > 1 && party->size % 2 == 0;
}

/* Pairs (first, first + 1), (first + 2, first + 3) ... around the ring exchange so many parts. */
static inline void neighbour_step(const struct party *party, double repeat, unsigned first, double parts,
	bool reduce, struct schedule *schedule)
{
	const double share = parts / party->size;
	if (!(repeat > 0))
		return;
	schedule_step(schedule, repeat, 0);
	for (unsigned i = 0, runs = schedule->reorders; runs && i < 2; ++i) {
		schedule_flows(schedule, first + i, first + 1 - i, share, (party->size - first) / 2, 2);
		if (first == 1)
			schedule_flow(schedule, i ? 0 : party->size - 1, i ? party->size - 1 : 0, share);
	}
	for (unsigned i = 0; i < party->size && !schedule->reorders; i += 2) {
		const unsigned a = i + first, b = (a + 1) % party->size;
		schedule_flow(schedule, a, b, share);
		schedule_flow(schedule, b, a, share);
	}
	if (reduce)
		schedule_reduce(schedule, share);
}

/* Up to so many ranks steps are told turn by turn, of more those of a kind together. */
enum { NEIGHBOUR_TURNS_MAX = 128 };

/* Exchanges of two parts with one side and the other in turn, the right one first or, backwards, last. */
static inline void neighbour_turns(const struct party *party, bool backwards, struct schedule *schedule)
{
	const unsigned count = party->size / 2 - 1, left = count / 2;
	schedule_phase(schedule, "pairs of parts");
	if (party->size > NEIGHBOUR_TURNS_MAX) {
		neighbour_step(party, count - left, 1, 2, backwards, schedule);
		neighbour_step(party, left, 0, 2, backwards, schedule);
		return;
	}
	for (unsigned turn = 0; turn < count; ++turn)
		neighbour_step(party, 1, (backwards ? count - turn : turn + 1) % 2, 2, backwards, schedule);
}

/*
 * An allgather: neighbours exchange their own part, then turn by turn with the right and the left one the two parts that came
 * last. A reduce-scatter is the same backwards.
 */
static inline void neighbour_tell(const struct party *party, bool reduce, struct schedule *schedule)
{
	if (reduce)
		neighbour_turns(party, true, schedule);
	schedule_phase(schedule, "own parts");
	neighbour_step(party, 1, 0, 1, reduce, schedule);
	if (!reduce)
		neighbour_turns(party, false, schedule);
}

#endif
