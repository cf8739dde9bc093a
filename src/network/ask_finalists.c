/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best few algorithms of a choice are followed message by message (fluid.h). Ranks take steps one after another,
 * all at once, only where they are alike. Where the routes of a step are not alike, ranks that are done early go on: an
 * algorithm may be faster than the sum of its steps, or slower, when messages of several steps meet on a link.
 *
 * Protocols of short messages do not wait for the receiver, as messages that are followed do, so networks that have
 * such protocols are left at the sum of their steps. Simulators know sharing as TCP does it, by round trips, which
 * synchronous rules stand for; a machine's links are shared equally.
 *
 * Crossovers are the sizes from which on another algorithm is the best.
 */
#include <float.h>
#include <math.h>

#include "network/ask.h"
#include "network/record/fluid.h"

/*
 * Limits on what is followed. Larger groups, and algorithms that are farther behind, are left at the sum of their
 * steps; others may use up the effort.
 */
enum { FOLLOWED_RANKS = 1024, FOLLOWED_MESSAGES = 1 << 15 };
static const double followed_looks = 2e8; /* half a second, for all that is followed at one size */
static const double within = 1.6;
static const double like = 1e-6; /* relative difference that rounding makes where all ranks kept in step */

bool candidate_follow(struct asking *asking, const struct candidate *candidate, double bytes, double *time_s)
{
	const struct group *group = &asking->group;
	const struct run_of run = {
		group, &asking->comm, collectives[candidate->algorithm], candidate->variant, bytes};
	const struct sharing sharing = {.by_route = asking->network->network->rules->synchronous};
	struct effort effort = {FOLLOWED_MESSAGES, followed_looks - asking->looks};
	const double copies = group->concurrent ? group->concurrent : (double)group->devices / group->size;
	if (candidate->protocol.name || asking->network->network->rules->protocol_count > 0 ||
		copies * group->size > FOLLOWED_RANKS ||
		asking->request->operation == PARADL_POINT_TO_POINT || asking->request->steps)
		return false;
	struct paradl_arena *arena = paradl_arena_create();
	const bool followed =
		arena && fluid_time(arena, asking->network->network, &run, &sharing, &effort, time_s, NULL);
	paradl_arena_free(arena);
	asking->looks = followed_looks - fmax(effort.looks, 0);
	return followed;
}

/* Returns the choice with the least time among those not looked at; asking->choice_count: none is near the best. */
static size_t next_of(const struct asking *asking, size_t size, double best_s)
{
	size_t next = asking->choice_count;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		const struct timing *timing = &asking->timings[k];
		if (!timing->looked && timing->time_s[size] <= within * best_s &&
			(next == asking->choice_count ||
				timing->time_s[size] < asking->timings[next].time_s[size]))
			next = k;
	}
	return next;
}

void finalists_follow(struct asking *asking, size_t size)
{
	const double bytes = asking->request->bytes[size];
	double best_s = DBL_MAX, time_s = 0;
	asking->looks = 0;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		asking->timings[k].looked = false;
		best_s = fmin(best_s, asking->timings[k].time_s[size]);
	}
	for (size_t k; (k = next_of(asking, size, best_s)) < asking->choice_count;) {
		struct timing *timing = &asking->timings[k];
		timing->looked = true;
		if (!candidate_follow(asking, timing->best, bytes, &time_s))
			continue;
		time_s = library_s(&asking->library, time_s);
		if (fabs(time_s - timing->time_s[size]) <= like * time_s)
			continue;
		timing->least_s[size] = fmin(timing->least_s[size], time_s);
		timing->most_s[size] = fmax(timing->most_s[size], time_s);
		timing->time_s[size] = time_s;
		asking->followed = true;
	}
}

enum { CROSSOVERS_MAX = 64, HALVINGS = 40 };

static void crossover_add(struct crossovers *list, double bytes, size_t from, size_t to)
{
	if (from != to && list->count < CROSSOVERS_MAX)
		list->items[list->count++] = (struct paradl_crossover){bytes, from, to};
}

static void crossovers_of_envelope(const struct asking *asking, struct crossovers *list)
{
	const struct envelope *envelope = &asking->choice.envelope;
	const double *bytes = asking->request->bytes;
	for (unsigned i = 0; i + 1 < envelope->count; ++i) {
		const struct segment *here = &envelope->segments[i];
		const unsigned from = asking->choice.candidates[here[0].algorithm].algorithm;
		const unsigned to = asking->choice.candidates[here[1].algorithm].algorithm;
		if (here->upto_bytes > bytes[0] && here->upto_bytes < bytes[asking->request->count - 1])
			crossover_add(list, here->upto_bytes, asking->place[from], asking->place[to]);
	}
}

/* Finds a crossover between two sizes with different winners by halving, since protocols may change in between. */
static void crossover_search(struct asking *asking, size_t size, struct crossovers *list)
{
	const size_t from = asking->rows[size].choice, to = asking->rows[size + 1].choice;
	double low = asking->rows[size].bytes, high = asking->rows[size + 1].bytes;
	for (unsigned i = 0; i < HALVINGS && high - low > 1; ++i) {
		const double middle = floor((low + high) / 2);
		double from_s = DBL_MAX, to_s = DBL_MAX;
		for (unsigned k = 0; k < asking->choice.count; ++k) {
			struct candidate *candidate = &asking->choice.candidates[k];
			const size_t choice = asking->place[candidate->algorithm];
			if (choice != from && choice != to)
				continue;
			compile(asking->network->compiler, &asking->group, &asking->comm,
				collectives[candidate->algorithm], candidate->variant, middle,
				&candidate->compiled);
			double *least = choice == from ? &from_s : &to_s;
			*least = fmin(*least, hull_s(&candidate->compiled.upper, middle));
		}
		*(to_s < from_s ? &high : &low) = middle;
	}
	crossover_add(list, high, from, to);
}

/*
 * Finds a crossover between two sizes with different winners where straight lines through their times there cross.
 */
static void crossover_straight(struct asking *asking, size_t size, struct crossovers *list)
{
	const struct paradl_collective_row *row = &asking->rows[size];
	const double *from_s = asking->choices[row[0].choice].time_s + size;
	const double *to_s = asking->choices[row[1].choice].time_s + size;
	const double before_s = to_s[0] - from_s[0], after_s = from_s[1] - to_s[1];
	const double share = before_s + after_s > 0 ? before_s / (before_s + after_s) : 1;
	crossover_add(
		list, row[0].bytes + share * (row[1].bytes - row[0].bytes), row[0].choice, row[1].choice);
}

bool crossovers_find(struct asking *asking)
{
	struct crossovers *list = &asking->crossovers;
	list->items = arena_alloc(asking->arena, CROSSOVERS_MAX, sizeof *list->items);
	if (!list->items)
		return false;
	if (!asking->by_size && !asking->followed) {
		crossovers_of_envelope(asking, list);
		return true;
	}
	for (size_t i = 0; i + 1 < asking->request->count; ++i)
		if (asking->rows[i].choice != asking->rows[i + 1].choice) {
			if (asking->followed)
				crossover_straight(asking, i, list);
			else
				crossover_search(asking, i, list);
		}
	return true;
}
