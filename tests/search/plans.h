/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plan of a device count, the slow way: every degree of every axis, every size of spatial pieces. */
#ifndef TESTS_SEARCH_PLANS_H
#define TESTS_SEARCH_PLANS_H

#include "oracle/setup.h"

#include "search/tasks.h"

enum {
	ALL_AXES = (1 << PARADL_AXIS_COUNT) - 1,
	/* Those that networks of images can be cut along. */
	IMAGE_AXES = 1 << PARADL_DATA | 1 << PARADL_PIPELINE | 1 << PARADL_FILTER | 1 << PARADL_CHANNEL |
		     1 << PARADL_SPATIAL
};

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

/* Every degree of each axis in turn, of what the axes before it leave. */
static inline void plans_add_axis(struct plans *plans, struct paradl_plan *plan, unsigned axis, unsigned rest,
	unsigned dimensions, unsigned axes)
{
	if (axis == PARADL_AXIS_COUNT) {
		if (rest == 1)
			plans_add_spatial(plans, plan, dimensions);
		return;
	}
	const unsigned most = axes & 1u << axis ? rest : 1;
	for (plan->degree[axis] = 1; plan->degree[axis] <= most; ++plan->degree[axis])
		if (rest % plan->degree[axis] == 0)
			plans_add_axis(plans, plan, axis + 1, rest / plan->degree[axis], dimensions, axes);
}

/* Those that cut along no axis besides `axes`, a bit each. */
static inline void plans_list(struct plans *plans, unsigned devices, unsigned dimensions, unsigned axes)
{
	struct paradl_plan plan = {.batch = 0};
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		plan.order[axis] = (unsigned char)axis;
	plans_add_axis(plans, &plan, 0, devices, dimensions, axes);
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
