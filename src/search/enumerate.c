/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/search.h"

struct walk {
	unsigned families, dimensions;
	bool (*visit)(const struct paradl_plan *plan, void *context);
	void *context;
	struct paradl_plan plan;
};

static bool wanted(const struct walk *walk)
{
	unsigned axes = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		axes |= walk->plan.degree[axis] > 1 ? 1u << axis : 0;
	return walk->families & 1u << axes;
}

/* The spatial degree over dimensions, larger pieces first: 4, 2x2, 8 -> 8, 4x2, 2x2x2. */
static bool spatial_shapes(struct walk *walk)
{
	const unsigned degree = walk->plan.degree[PARADL_SPATIAL];
	for (unsigned c = 1; (double)c * c * c <= degree && (c == 1 || walk->dimensions > 2); ++c) {
		if (degree % c)
			continue;
		for (unsigned b = c, rest = degree / c;
			(double)b * b <= rest && (b == 1 || walk->dimensions > 1); ++b) {
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

static bool axis_degrees(struct walk *walk, unsigned axis, unsigned rest)
{
	if (axis == PARADL_AXIS_COUNT - 1) {
		walk->plan.degree[axis] = rest;
		return !wanted(walk) || spatial_shapes(walk);
	}
	for (unsigned low = 1; (double)low * low <= rest; ++low) {
		if (rest % low)
			continue;
		walk->plan.degree[axis] = low;
		if (!axis_degrees(walk, axis + 1, rest / low))
			return false;
		if (low != rest / low) {
			walk->plan.degree[axis] = rest / low;
			if (!axis_degrees(walk, axis + 1, low))
				return false;
		}
	}
	return true;
}

bool enumerate(unsigned devices, unsigned families, unsigned dimensions,
	bool (*visit)(const struct paradl_plan *plan, void *context), void *context)
{
	struct walk walk = {
		.families = families, .dimensions = dimensions, .visit = visit, .context = context};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i)
		walk.plan.order[i] = (unsigned char)i;
	return axis_degrees(&walk, 0, devices);
}
