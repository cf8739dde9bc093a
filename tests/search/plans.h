/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plan of a device count, the slow way: five nested loops over degrees and three over spatial pieces. */
#ifndef TESTS_SEARCH_PLANS_H
#define TESTS_SEARCH_PLANS_H

#include "oracle/setup.h"

#include "search/search.h"

struct plans {
	struct paradl_plan *items;
	size_t count, room;
};

static inline void plans_add(struct plans *plans, const struct paradl_plan *plan)
{
	if (plans->count == plans->room) {
		plans->room = plans->room ? 2 * plans->room : 1024;
		plans->items = realloc(plans->items, plans->room * sizeof *plans->items);
		assert_non_null(plans->items);
	}
	plans->items[plans->count++] = *plan;
}

/* Pieces of one size are the same plan whichever dimension they are along: the larger count comes first. */
static inline void plans_add_spatial(struct plans *plans, struct paradl_plan *plan, unsigned dimensions)
{
	const unsigned degree = plan->degree[PARADL_SPATIAL];
	for (unsigned a = 1; a <= degree; ++a)
		for (unsigned b = 1; b <= (dimensions > 1 ? a : 1) && a * b <= degree; ++b)
			for (unsigned c = 1; c <= (dimensions > 2 ? b : 1) && a * b * c <= degree; ++c)
				if (a * b * c == degree) {
					plan->spatial[0] = a;
					plan->spatial[1] = b;
					plan->spatial[2] = c;
					plans_add(plans, plan);
				}
}

static inline void plans_list(struct plans *plans, unsigned devices, unsigned dimensions)
{
	struct paradl_plan plan = {
		.order = {PARADL_DATA, PARADL_PIPELINE, PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL}};
	unsigned *const degree = plan.degree;
	for (degree[0] = 1; degree[0] <= devices; ++degree[0])
		for (degree[1] = 1; degree[0] * degree[1] <= devices; ++degree[1])
			for (degree[2] = 1; degree[0] * degree[1] * degree[2] <= devices; ++degree[2]) {
				const unsigned rest = devices / (degree[0] * degree[1] * degree[2]);
				if (rest * degree[0] * degree[1] * degree[2] != devices)
					continue;
				for (degree[3] = 1; degree[3] <= rest; ++degree[3]) {
					degree[4] = rest / degree[3];
					if (degree[3] * degree[4] == rest)
						plans_add_spatial(plans, &plan, dimensions);
				}
			}
}

static inline unsigned plans_family(const struct paradl_plan *plan)
{
	unsigned family = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		family |= plan->degree[axis] > 1 ? 1u << axis : 0;
	return family;
}

static inline void plans_free(struct plans *plans)
{
	free(plans->items);
	*plans = (struct plans){NULL, 0, 0};
}

#endif
