/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/arena.h"

enum { FAMILIES = 1 << PARADL_AXIS_COUNT }; /* sets of axes */

/* Which plans to visit. */
struct space {
	unsigned devices;
	const bool *families;           /* FAMILIES: which axis sets are wanted */
	unsigned dimensions;            /* of the network that spatial pieces may cut */
	double most[PARADL_AXIS_COUNT]; /* degrees above are not visited; 0: any */
};

/*
 * Every plan of a space in the canonical order of axes: each ordered factorization of the devices over the axes, and
 * of the spatial degree over the dimensions. `visit` returns false to stop; so does the enumeration.
 */
bool enumerate(const struct space *space, bool (*visit)(const struct paradl_plan *plan, void *context),
	void *context);

/* "data,data+spatial" -> which families; NULL: all. */
bool families_parse(const char *text, bool families[FAMILIES], struct paradl_error *error);

#endif
