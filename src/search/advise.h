/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Families of plans that advice is about, and why some have no plan that runs. */
#ifndef SEARCH_ADVISE_H
#define SEARCH_ADVISE_H

#include "search/campaign.h"
#include "search/options.h"

struct family {
	struct paradl_estimate best;
	bool feasible, tried, misfit; /* misfit: `best` runs but lacks memory */
	double closeness;             /* of `failed`; smaller is closer to running */
	struct paradl_infeasible failed;
};

struct search {
	struct paradl_oracle *oracle;
	const struct paradl_request *request;
	double batch;
	struct paradl_arena *arena;
	struct family *families; /* FAMILIES of them */
	struct choices *choices; /* scratch of simplify() */
	struct paradl_estimate *all;
	size_t all_count;
	struct option_space options;
	size_t budget; /* of plans that only serve to say why a family has none; 0 = not limited */
	struct paradl_error error; /* what stopped the search */
};

/*
 * Keeps the closest plan of each family whose plans all lack memory: of networks of images, whose tasks are plans, and
 * of which most need not be evaluated since they need more than another by their bounds alone.
 */
bool misfits_keep(struct search *search, const struct campaign *campaign, struct paradl_error *error);
/* First the plans within the network's limits; then, for families of which no plan is, some beyond them. */
bool families_explain(struct search *search, const bool *families, struct paradl_error *error);
/* Lists the families that were tried and have no plan, those with fewest axes first. */
bool failures_list(const struct search *search, struct paradl_ranking *ranking, struct paradl_error *error);

#endif
