/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/halving.h"

#include <math.h>

struct halving halving_of(const struct party *party, bool far, bool odd)
{
	return (struct halving){fold_of(party->size), party->size, odd, far};
}

unsigned halving_rank(const struct halving *halving, unsigned place)
{
	const unsigned pairs = halving->fold.folded;
	return place < pairs ? 2 * place + halving->odd : place + pairs;
}

unsigned halving_other(const struct halving *halving, unsigned pair)
{
	return 2 * pair + !halving->odd;
}

double halving_residue(const struct halving *halving, unsigned place, unsigned period)
{
	const unsigned least = place % period, folded = halving->fold.folded;
	const unsigned pairs = folded > least ? (folded - 1 - least) / period + 1 : 0;
	const unsigned parts = halving->fold.kept / period + pairs;
	return (double)parts / halving->size;
}

/* Parts of the `count` places around this one, count a power of two. */
static double range(const struct halving *halving, unsigned place, unsigned count)
{
	const unsigned first = place - place % count, folded = halving->fold.folded;
	unsigned pairs = folded > first ? folded - first : 0;
	pairs = pairs < count ? pairs : count;
	return (double)(count + pairs) / halving->size;
}

/* Exchanges with the places that differ in one bit. */
static void level_tell(const struct halving *halving, unsigned mask, struct schedule *schedule)
{
	double most = 0;
	schedule_step(schedule, 1, 0);
	for (unsigned place = 0; place < halving->fold.kept; ++place) {
		const unsigned partner = place ^ mask;
		const double share = halving->far ? range(halving, partner, mask)
						  : halving_residue(halving, partner, 2 * mask);
		schedule_flow(schedule, halving_rank(halving, place), halving_rank(halving, partner), share);
		most = fmax(most, share);
	}
	schedule_reduce(schedule, most);
}

void halving_reduce_scatter(const struct halving *halving, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	if (fold->folded > 0) {
		schedule_phase(schedule, "fold");
		schedule_step(schedule, 1, 0);
		for (unsigned pair = 0; pair < fold->folded; ++pair)
			schedule_flow(schedule, halving_other(halving, pair), halving_rank(halving, pair), 1);
		schedule_reduce(schedule, 1);
	}
	schedule_phase(schedule, "halving");
	for (unsigned level = 1; level < fold->kept; level *= 2)
		level_tell(halving, halving->far ? fold->kept / 2 / level : level, schedule);
}
