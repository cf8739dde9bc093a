/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search answers more than its results: a map of degrees, and the plan that came closest. */
#ifndef SEARCH_ANSWER_H
#define SEARCH_ANSWER_H

#include "search/campaign.h"

/* Makes the groups of the request's map, with a cell for each; called before campaign_run. */
bool map_groups(struct campaign *campaign, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error);
/* Fills the cells, after campaign_run, and hands them to `search`. */
bool map_fill(struct campaign *campaign, struct paradl_map_cell *cells, struct paradl_search *search,
	struct paradl_error *error);
/* Fills in the plan that came closest, where no plan was found. */
void closest_fill(struct campaign *campaign, struct paradl_infeasible *closest);

#endif
