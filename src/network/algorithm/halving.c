/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/halving.h"

#include <math.h>

struct halving halving_of(const struct communicator *comm, bool far, bool odd)
{
	return (struct halving){fold_of(comm->size), comm->size, odd, far};
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

/*
 * Returns the parts, as a share of the vector, of the aligned block of `count` places that has this one; a power of
 * two.
 */
static double range(const struct halving *halving, unsigned place, unsigned count)
{
	const unsigned first = place - place % count, folded = halving->fold.folded;
	unsigned pairs = folded > first ? folded - first : 0;
	pairs = pairs < count ? pairs : count;
	return (double)(count + pairs) / halving->size;
}

/*
 * Emits the exchange between places that differ in the bit `mask`: with `reduce` a place sends the parts that its
 * partner is to have of the sum, else the parts that it has gathered.
 */
static void level_emit(const struct halving *halving, unsigned mask, bool reduce, struct schedule *schedule)
{
	double most = 0;
	schedule_step(schedule, 1, 0);
	if (halving->fold.folded == 0) {
		const struct lines all = {halving->size, 1, 1, 0, 1, 0, 1, 1};
		most = halving->far ? range(halving, 0, mask) : halving_residue(halving, 0, 2 * mask);
		lines_exchange_flows(&all, mask, most, schedule);
	}
	for (unsigned place = 0; halving->fold.folded > 0 && place < halving->fold.kept; ++place) {
		const unsigned partner = place ^ mask, whose = reduce ? partner : place;
		const double share = halving->far ? range(halving, whose, mask)
						  : halving_residue(halving, whose, 2 * mask);
		schedule_flow(schedule, halving_rank(halving, place), halving_rank(halving, partner), share);
		most = fmax(most, share);
	}
	if (reduce)
		schedule_reduce(schedule, most);
}

/* Emits one step between the ranks of folded pairs: to the one that stays or, with `back`, from it. */
static void pairs_emit(const struct halving *halving, bool back, double share, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	if (fold->folded == 0)
		return;
	schedule_phase(schedule, back ? "unfold" : "fold");
	schedule_step(schedule, 1, 0);
	for (unsigned pair = 0; pair < fold->folded; ++pair) {
		const unsigned stays = halving_rank(halving, pair), leaves = halving_other(halving, pair);
		schedule_flow(schedule, back ? stays : leaves, back ? leaves : stays, share);
	}
}

void halving_reduce_scatter(const struct halving *halving, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	pairs_emit(halving, false, 1, schedule);
	if (fold->folded > 0)
		schedule_reduce(schedule, 1);
	schedule_phase(schedule, "halving");
	for (unsigned level = 1; level < fold->kept; level *= 2)
		level_emit(halving, halving->far ? fold->kept / 2 / level : level, true, schedule);
}

void halving_allgather(const struct halving *halving, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	pairs_emit(halving, false, 1.0 / halving->size, schedule);
	schedule_phase(schedule, "allgather");
	for (unsigned level = fold->kept / 2; level > 0; level /= 2)
		level_emit(halving, halving->far ? fold->kept / 2 / level : level, false, schedule);
	pairs_emit(halving, true, 1, schedule);
}
