/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/arena.h"

enum { FAMILIES = 1 << PARADL_AXIS_COUNT }; /* sets of axes */

/*
 * Every plan of `devices` devices in the canonical order of axes: each ordered factorization of the count over the
 * axes, and of the spatial degree over up to `dimensions` dimensions. `visit` returns false to stop; so does the
 * enumeration. Families (axis sets, a bit each) that are not wanted are not visited.
 */
bool enumerate(unsigned devices, unsigned families, unsigned dimensions,
	bool (*visit)(const struct paradl_plan *plan, void *context), void *context);

/* "data,data+spatial" -> a bit for each family; NULL: all. */
bool families_parse(const char *text, unsigned *families, struct paradl_error *error);

/* What a plan is ranked by; smaller is better. */
double goal_value(const struct paradl_estimate *estimate, enum paradl_goal goal);

#endif
