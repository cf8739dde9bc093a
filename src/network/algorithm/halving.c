/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive halving and doubling in which each of the P ranks has a part of its own, for any P. */
#include <math.h>
#include <stdio.h>

#include "network/algorithm/lines.h"

/*
 * A reduce-scatter by recursive halving in which each of the P ranks has a part of its own. A place is one of the P'
 * members that remain after folding (lines.h); it ends with its own part, and the place of a folded pair with two.
 */
struct halving {
	struct fold fold;
	unsigned size; /* P */
	bool odd;      /* the odd rank of a folded pair stays, else the even one */
	bool far;      /* halving begins with partners at distance P' / 2, else at distance 1 */
};

/* Returns the halving of all ranks of the group. */
static struct halving halving_of(const struct communicator *comm, bool far, bool odd)
{
	return (struct halving){fold_of(comm->size), comm->size, odd, far};
}

/* Returns the rank at a place. */
static unsigned halving_rank(const struct halving *halving, unsigned place)
{
	const unsigned pairs = halving->fold.folded;
	return place < pairs ? 2 * place + halving->odd : place + pairs;
}

/* Returns the rank of a folded pair that does not stay. */
static unsigned halving_other(const struct halving *halving, unsigned pair)
{
	return 2 * pair + !halving->odd;
}

/*
 * Returns the parts, as a share of the vector, of the places that equal `place` in all bits below `period` (a power of
 * two).
 */
static double halving_residue(const struct halving *halving, unsigned place, unsigned period)
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

/* Emits the reduce-scatter; the places of folded pairs end with the parts of both ranks. */
static void halving_reduce_scatter(const struct halving *halving, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	pairs_emit(halving, false, 1, schedule);
	if (fold->folded > 0)
		schedule_reduce(schedule, 1);
	schedule_phase(schedule, "halving");
	for (unsigned level = 1; level < fold->kept; level *= 2)
		level_emit(halving, halving->far ? fold->kept / 2 / level : level, true, schedule);
}

/* Emits an allgather: the same backwards; both ranks of a folded pair get the whole vector. */
static void halving_allgather(const struct halving *halving, struct schedule *schedule)
{
	const struct fold *fold = &halving->fold;
	pairs_emit(halving, false, 1.0 / halving->size, schedule);
	schedule_phase(schedule, "allgather");
	for (unsigned level = fold->kept / 2; level > 0; level /= 2)
		level_emit(halving, halving->far ? fold->kept / 2 / level : level, false, schedule);
	pairs_emit(halving, true, 1, schedule);
}

/* Returns the orders of the partners: far ones first, or near ones first. */
static unsigned order_variants(const struct communicator *comm)
{
	return comm->size > 3 ? 2 : comm->size > 1;
}

/* ---- reduce-scatter-halving --------------------------------------------------------------------------- */

/*
 * T = log2 P alpha + Phi bytes beta + (P - 1) / P bytes gamma for powers of two, where Phi is the sum of 2^-k times
 * the contention of step k, (P - 1) / P without contention. For another P one rank of each folded pair gives
 * the other its vector before and gets its part after.
 */

static void reduce_scatter_halving_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, variant == 0, true);
	halving_reduce_scatter(&halving, schedule);
	if (halving.fold.folded == 0)
		return;
	schedule_phase(schedule, "unfold");
	schedule_step(schedule, 1, 0);
	for (unsigned pair = 0; pair < halving.fold.folded; ++pair)
		schedule_flow(schedule, halving_rank(&halving, pair), halving_other(&halving, pair),
			1.0 / comm->size);
}

static void reduce_scatter_halving_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s partners first", variant == 0 ? "far" : "near");
}

const struct collective collective_reduce_scatter_halving = {
	.name = "reduce-scatter-halving",
	.summary = "pairs exchange halves of what they have left",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE_SCATTER,
	.variants = order_variants,
	.emit = reduce_scatter_halving_emit,
	.describe = reduce_scatter_halving_describe,
};

/* ---- allgather-doubling ------------------------------------------------------------------------------- */

/*
 * T = log2 P alpha + (P - 1) / P bytes beta for powers of two. Libraries begin with the nearest partner and send the
 * most to the farthest; the other order sends the most to the nearest. For another P one rank of each folded pair
 * hands its part to the other before, and gets everything after.
 */

static void allgather_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, variant == 0, true);
	halving_allgather(&halving, schedule);
}

static void allgather_doubling_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "order=%s", variant == 0 ? "near" : "far");
}

const struct collective collective_allgather_doubling = {
	.name = "allgather-doubling",
	.summary = "pairs exchange all they have",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLGATHER,
	.variants = order_variants,
	.emit = allgather_doubling_emit,
	.describe = allgather_doubling_describe,
};

/* ---- reduce-rabenseifner ------------------------------------------------------------------------------ */

/*
 * A reduce-scatter by halving, near partners first, then a binomial gather to rank 0 in the opposite order, far ones
 * first. For powers of two:
 *     T = 2 log2 P alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma
 * Other P take one step of the whole vector more.
 */

static void reduce_rabenseifner_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct halving halving = halving_of(comm, false, false);
	(void)variant;
	halving_reduce_scatter(&halving, schedule);
	schedule_phase(schedule, "gather");
	for (unsigned mask = halving.fold.kept / 2; mask > 0; mask /= 2) {
		schedule_step(schedule, 1, 0);
		for (unsigned place = mask; place < 2 * mask; ++place)
			schedule_flow(schedule, halving_rank(&halving, place),
				halving_rank(&halving, place - mask),
				halving_residue(&halving, place, 2 * mask));
	}
}

const struct collective collective_reduce_rabenseifner = {
	.name = "reduce-rabenseifner",
	.summary = "reduce-scatter by halving, then binomial gather",
	.source = "Rabenseifner, ICCS (2004)",
	.operation = REDUCE,
	.variants = single_variant,
	.emit = reduce_rabenseifner_emit,
};
