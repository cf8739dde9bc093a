/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search answers more than its results: a map of degrees, and the plan that came closest. */
#ifndef SEARCH_ANSWER_H
#define SEARCH_ANSWER_H

#include "search/search_state.h"

/* Makes the groups of the request's map, with a cell for each; called before search_state_run. */
bool map_groups(struct search_state *state, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error);
/* Fills the cells, after search_state_run, and hands them to `search`. */
bool map_fill(struct search_state *state, struct paradl_map_cell *cells, struct paradl_search *search,
	struct paradl_error *error);
/* Fills in the plan that came closest, where no plan was found. */
void closest_fill(struct search_state *state, struct paradl_infeasible *closest);

#endif
