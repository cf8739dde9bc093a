/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/tasks.h"

#include "plan/strategy.h"

struct walk {
	const struct space *space;
	bool (*visit)(const struct paradl_plan *plan, void *context);
	void *context;
	unsigned some, all;             /* axes in some and in all wanted families */
	double room[PARADL_AXIS_COUNT]; /* product of the largest degrees from this axis on; 0: no limit */
	struct paradl_plan plan;
};

static bool wanted(const struct walk *walk)
{
	return walk->space->families[plan_axes(&walk->plan)];
}

/* Returns whether this axis can take this degree at all, under the wanted families and the largest degrees. */
static bool allowed(const struct walk *walk, unsigned axis, unsigned degree)
{
	const double most = walk->space->most[axis];
	const unsigned bit = 1u << axis;
	return degree > 1 ? walk->some & bit && (most <= 0 || degree <= most) : !(walk->all & bit);
}

/* Visits the shapes of the spatial degree over dimensions, larger pieces first: 4, 2x2; in volumes 8, 4x2, 2x2x2. */
static bool spatial_shapes(struct walk *walk)
{
	const unsigned degree = walk->plan.degree[PARADL_SPATIAL], dimensions = walk->space->dimensions;
	for (unsigned c = 1; (double)c * c * c <= degree && (c == 1 || dimensions > 2); ++c) {
		if (degree % c)
			continue;
		for (unsigned b = c, rest = degree / c; (double)b * b <= rest && (b == 1 || dimensions > 1);
			++b) {
			if (rest % b)
				continue;
			walk->plan.spatial[0] = rest / b;
			walk->plan.spatial[1] = b;
			walk->plan.spatial[2] = c;
			if (!walk->visit(&walk->plan, walk->context))
				return false;
		}
	}
	return true;
}

static bool axis_degrees(struct walk *walk, unsigned axis, unsigned rest);

static bool axis_degree(struct walk *walk, unsigned axis, unsigned degree, unsigned rest)
{
	if (!allowed(walk, axis, degree))
		return true;
	walk->plan.degree[axis] = degree;
	return axis_degrees(walk, axis + 1, rest);
}

static bool axis_degrees(struct walk *walk, unsigned axis, unsigned rest)
{
	if (walk->room[axis] > 0 && rest > walk->room[axis])
		return true;
	if (axis == PARADL_AXIS_COUNT - 1) {
		walk->plan.degree[axis] = rest;
		return !allowed(walk, axis, rest) || !wanted(walk) || spatial_shapes(walk);
	}
	if (!(walk->some & 1u << axis))
		return axis_degree(walk, axis, 1, rest);
	for (unsigned low = 1; (double)low * low <= rest; ++low) {
		const unsigned high = rest / low;
		if (rest % low)
			continue;
		if (!axis_degree(walk, axis, low, high) ||
			(high != low && !axis_degree(walk, axis, high, low)))
			return false;
	}
	return true;
}

bool enumerate(const struct space *space, bool (*visit)(const struct paradl_plan *plan, void *context),
	void *context)
{
	struct walk walk = {.space = space, .visit = visit, .context = context, .all = ~0u};
	double room = 1;
	for (unsigned family = 0; family < FAMILIES; ++family)
		if (space->families[family]) {
			walk.some |= family;
			walk.all &= family;
		}
	for (unsigned axis = PARADL_AXIS_COUNT; axis-- > 0;) {
		const double most = (walk.some & 1u << axis) ? space->most[axis] : 1;
		room = most > 0 ? room * most : 0; /* once unlimited, the axes before it are unlimited, too */
		walk.room[axis] = room;
		walk.plan.order[axis] = (unsigned char)axis;
	}
	return axis_degrees(&walk, 0, space->devices);
}
