/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is an exact min-max partition of a chain (chains-on-chains partitioning). A bound is feasible when filling each
 * part up to it, greedily, needs no more than `parts` parts. A bound that is not feasible stays so until the smallest
 * sum that would have let a part take one cost more; raising it from one such sum to the next ends at the least
 * feasible bound, soon where costs are alike. Parts are non-empty. Among the partitions under the least bound, the one
 * whose largest sum of a second cost, memory, is least is found in the same way: both sums only grow as a part does.
 */
#include <math.h>

#include "oracle/evaluation.h"

/* Bound that no part's sum may be above, and the least sum above the bound that was met. */
struct limit {
	const double *prefix; /* NULL: there is no bound */
	double bound, next;
};

static inline bool fits(const struct limit *limit, unsigned first, unsigned end)
{
	return !limit->prefix || limit->prefix[end] - limit->prefix[first] <= limit->bound;
}

/* Notes a sum that would have let a part take one cost more. */
static inline void meet(struct limit *limit, unsigned first, unsigned end)
{
	if (!fits(limit, first, end) && limit->prefix[end] - limit->prefix[first] < limit->next)
		limit->next = limit->prefix[end] - limit->prefix[first];
}

/* Fills the parts greedily under bounds that no cost is above; returns whether that was enough. */
static bool fill(unsigned count, unsigned parts, struct limit *work, struct limit *memory, unsigned *ends)
{
	unsigned first = 0;
	work->next = work->prefix[count];
	memory->next = memory->prefix ? memory->prefix[count] : 0;
	for (unsigned part = 0; part < parts; ++part) {
		const unsigned last = count - (parts - 1 - part); /* leaves one for each later part */
		unsigned low = first + 1, high = last;
		while (low < high) { /* the most that fits under the bounds, at least one */
			const unsigned middle = low + (high - low + 1) / 2;
			if (fits(work, first, middle) && fits(memory, first, middle))
				low = middle;
			else
				high = middle - 1;
		}
		if (low < last) {
			meet(work, first, low + 1);
			meet(memory, first, low + 1);
		}
		ends[part] = first = low;
	}
	return first == count;
}

/* Raises a bound from the least that any partition could have to one that is enough. */
static void raise(unsigned count, unsigned parts, struct limit *raised, struct limit *work,
	struct limit *memory, unsigned *ends)
{
	raised->bound = raised->prefix[count] / parts;
	for (unsigned i = 0; i < count; ++i)
		raised->bound = fmax(raised->bound, raised->prefix[i + 1] - raised->prefix[i]);
	while (!fill(count, parts, work, memory, ends) && raised->next > raised->bound)
		raised->bound = raised->next;
}

void partition(const double *prefix, const double *memory, unsigned count, unsigned parts, unsigned *ends)
{
	struct limit work = {.prefix = prefix}, none = {.prefix = NULL}, held = {.prefix = memory};
	raise(count, parts, &work, &work, &none, ends);
	if (memory)
		raise(count, parts, &held, &work, &held, ends);
}
