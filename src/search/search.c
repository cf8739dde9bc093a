/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of all plans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/framework.h"
#include "oracle/oracle.h"
#include "search/options.h"
#include "search/search.h"

struct seeker {
	struct paradl_oracle *oracle;
	const struct paradl_search_request *request;
	struct paradl_search *search;
	struct paradl_estimate *results;
	struct option_space options;
	double batch;
};

const char *paradl_vary_name(enum paradl_vary vary)
{
	static const char *const names[PARADL_VARY_COUNT] = {"order", "micro", "schedule", "recompute",
		"zero", "shard", "sequence", "experts", "context", "overlap", "offload", "batch"};
	return names[vary];
}

const char *paradl_cut_text(enum paradl_cut cut)
{
	static const char *const texts[PARADL_CUT_COUNT] = {
		"cannot run", "cannot fit in memory", "cannot be faster than the best"};
	return texts[cut];
}

double paradl_search_value(const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	const double value = paradl_goal_value(estimate, goal);
	return goal == PARADL_TIME || goal == PARADL_THROUGHPUT ? value / estimate->plan.batch : value;
}

static bool plan_visit(const struct paradl_plan *candidate, void *context)
{
	struct seeker *seeker = context;
	struct paradl_search *search = seeker->search;
	struct paradl_plan plan = *candidate;
	struct paradl_estimate estimate;
	const enum paradl_goal goal = seeker->request->goal;
	const size_t keep = seeker->request->keep ? seeker->request->keep : 1;
	plan.batch = seeker->batch;
	if (!options_choose(&seeker->options, &plan, &estimate, NULL) || !estimate.fits)
		return true;
	size_t place = search->count;
	while (place > 0 &&
		paradl_search_value(&estimate, goal) < paradl_search_value(&seeker->results[place - 1], goal))
		--place;
	if (place == keep)
		return true;
	if (search->count < keep)
		++search->count;
	for (size_t i = search->count - 1; i > place; --i)
		seeker->results[i] = seeker->results[i - 1];
	seeker->results[place] = estimate;
	return true;
}

bool paradl_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	const size_t keep = request->keep ? request->keep : 1;
	struct seeker seeker = {.oracle = oracle, .request = request, .search = search};
	const struct paradl_request advice = {
		.goal = request->goal, .strategies = request->strategies, .options = request->options};
	bool families[FAMILIES];
	*search = (struct paradl_search){0};
	if (!families_parse(request->strategies, families, error) ||
		!option_space_begin(&seeker.options, oracle, &advice, error))
		return false;
	seeker.results = arena_alloc(arena, keep, sizeof *seeker.results);
	if (!seeker.results)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < request->device_count; ++i) {
		struct space space = {.devices = request->devices[i],
			.families = families,
			.dimensions = paradl_oracle_dimensions(oracle)};
		oracle_most(oracle, space.most);
		seeker.batch = request->batch > 0
				       ? request->batch
				       : (request->per_device > 0 ? request->per_device
								  : paradl_oracle_batch_per_device(oracle)) *
						 request->devices[i];
		enumerate(&space, plan_visit, &seeker);
	}
	search->results = seeker.results;
	search->evaluated = search->plans = (double)seeker.options.evaluated;
	search->equal = search->count > 0;
	if (search->count > 0)
		search->lower_bound = paradl_search_value(&search->results[0], request->goal);
	if (search->count > 1)
		search->margin =
			paradl_search_value(&search->results[1], request->goal) / search->lower_bound;
	return true;
}
