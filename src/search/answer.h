/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search answers besides its results. */
#ifndef SEARCH_ANSWER_H
#define SEARCH_ANSWER_H

#include "search/campaign.h"

/* Groups for the request's map, a cell for each; before campaign_run. */
bool map_groups(struct campaign *campaign, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error);
/* What the cells are, after it. */
bool map_fill(struct campaign *campaign, struct paradl_map_cell *cells, struct paradl_search *search,
	struct paradl_error *error);
/* What came closest, where nothing was found. */
void closest_fill(struct campaign *campaign, struct paradl_infeasible *closest);

#endif
