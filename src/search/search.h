/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/arena.h"
#include "paradl/oracle.h"

enum { FAMILIES = 1 << PARADL_AXIS_COUNT }; /* number of sets of axes */

/* Space of plans to visit. */
struct space {
	unsigned devices;
	const bool *families;           /* which sets of axes are wanted, FAMILIES entries */
	unsigned dimensions;            /* dimensions of the network that spatial pieces may cut */
	double most[PARADL_AXIS_COUNT]; /* largest degree of each axis; 0: no limit */
};

/*
 * Visits every plan of a space in the canonical order of axes: each ordered factorization of the devices over the
 * axes, and of the spatial degree over the dimensions. `visit` returns false to stop; then so does the enumeration.
 */
bool enumerate(const struct space *space, bool (*visit)(const struct paradl_plan *plan, void *context),
	void *context);

/* Reads which families are wanted: "data,data+spatial"; NULL: all of them. */
bool families_parse(const char *text, bool families[FAMILIES], struct paradl_error *error);

#endif
