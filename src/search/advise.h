/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice compares families of plans, and says why some have no plan that runs. */
#ifndef SEARCH_ADVISE_H
#define SEARCH_ADVISE_H

#include "search/options.h"
#include "search/pools.h"
#include "search/search_state.h"

struct family {
	struct paradl_estimate best;
	bool feasible, tried, misfit; /* misfit: `best` runs but lacks memory */
	struct paradl_infeasible failed;
};

struct search {
	struct paradl_oracle *oracle;
	const struct paradl_request *request;
	double batch;
	enum paradl_ranked plans;
	bool settings; /* whether settings of engines are searched, not only improved */
	struct paradl_arena *arena;
	struct family *families; /* an array of FAMILIES entries */
	struct paradl_estimate *all;
	size_t all_count, unexplained; /* entries; families without a plan, of which it is not said why */
	struct option_space options;
	size_t budget; /* plans still to look at that only explain why a family has none; 0: no limit */
	struct paradl_error error; /* error that stopped the search */
};

/*
 * Keeps the closest plan of each family whose plans all lack memory. Applies to training where option_space.chooses
 * is false (networks of images, ideal mode): there tasks are plans, and most need not be evaluated since by their
 * bounds alone they need more than another. False with an error.
 */
bool misfits_keep(struct search *search, const struct search_state *state, struct paradl_error *error);
/* Keeps the plan that came closest of each family without one, where a search evaluates all: in inference. */
void nearest_keep(struct search *search, const struct search_state *state);
/*
 * Finds the closest plan of each family that has none: first among plans within the network's limits, then among some
 * beyond them.
 */
bool families_explain(struct search *search, const bool *families, struct paradl_error *error);
/*
 * Adds the families that were tried and have no plan to the ranking, those with fewest axes first, but where none has
 * a plan, the one that came closest before them; false when out of memory.
 */
bool failures_list(const struct search *search, struct paradl_ranking *ranking, struct paradl_error *error);

#endif
