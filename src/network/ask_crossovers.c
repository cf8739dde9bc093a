/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>

#include "network/ask.h"

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
