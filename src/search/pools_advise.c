/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file ranks plans whose prompts some devices read for the others beside those that read their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/pools.h"

/* The best plan of each family, with its readers. */
struct pooled {
	const char *prefill;
	struct paradl_plan plan;
	double value;
};

struct advice {
	struct paradl_oracle *oracle;
	const struct paradl_request *request;
	struct paradl_ranking *ranking;
	struct pooled *families; /* FAMILIES of them */
	double least;            /* best value so far */
};

static double value_of(const struct paradl_ranking *ranking, const struct paradl_estimate *estimate)
{
	return ranking->batch > 0 ? paradl_goal_value(estimate, ranking->goal)
				  : paradl_search_value(estimate, ranking->goal);
}

static void families_keep(struct advice *advice, const struct paradl_ranking *ranking, const char *prefill)
{
	for (size_t i = 0; i < ranking->count; ++i) {
		const struct paradl_estimate *estimate = &ranking->results[i];
		struct pooled *family = &advice->families[plan_axes(&estimate->plan)];
		const double value = value_of(advice->ranking, estimate);
		if (!estimate->fits || value >= family->value)
			continue;
		*family = (struct pooled){prefill, estimate->plan, value};
		advice->least = fmin(advice->least, value);
	}
}

/* Takes advice for the devices that a reading leaves. */
static bool reading_try(struct advice *advice, const struct reading *reading, struct paradl_error *error)
{
	struct paradl_ranking ranking;
	struct paradl_error why = {0};
	const bool bounds = !(advice->ranking->batch > 0); /* else larger batches count than the plan's own */
	if (!reading->runs || reading_is_late(advice->oracle, &advice->request->promise, reading) ||
		(bounds && reading->value_bound >= advice->least))
		return true;
	struct paradl_arena *const scratch = paradl_arena_create();
	if (!scratch)
		return out_of_memory(error);
	struct paradl_oracle *const oracle = reading_oracle(advice->oracle, reading->text, scratch, &why);
	const bool ranked = oracle && paradl_advise(oracle, advice->request, scratch, &ranking, &why);
	if (ranked) {
		advice->ranking->evaluated += ranking.evaluated;
		families_keep(advice, &ranking, reading->text);
	}
	paradl_arena_free(scratch);
	if (ranked || why.status == PARADL_USAGE || why.status == PARADL_INFEASIBLE)
		return true;
	if (error)
		*error = why;
	return false;
}

/* Inserts an estimate among the results, which have room for it. */
static void result_insert(struct paradl_ranking *ranking, struct paradl_estimate *results,
	const struct paradl_estimate *estimate)
{
	size_t place = ranking->count++;
	const double value = value_of(ranking, estimate);
	for (; place > 0 && value_of(ranking, &results[place - 1]) > value; --place)
		results[place] = results[place - 1];
	results[place] = *estimate;
}

static bool results_join(struct advice *advice, struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_ranking *const ranking = advice->ranking;
	struct paradl_estimate *const results =
		arena_alloc(arena, ranking->count + FAMILIES, sizeof *results);
	if (!results)
		return out_of_memory(error);
	if (ranking->count)
		memcpy(results, ranking->results, ranking->count * sizeof *results);
	ranking->results = results;
	for (unsigned i = 0; i < FAMILIES; ++i) {
		const struct pooled *family = &advice->families[i];
		struct paradl_estimate estimate;
		if (!family->prefill)
			continue;
		struct paradl_oracle *const oracle =
			reading_oracle(advice->oracle, family->prefill, arena, error);
		if (!oracle || !paradl_estimate(oracle, &family->plan, &estimate, error))
			return false;
		promise_binds(&advice->request->promise, &estimate);
		result_insert(ranking, results, &estimate);
	}
	ranking->margin = 0;
	ranking->tie = false;
	if (ranking->count > 1 && value_of(ranking, results) > 0) {
		ranking->margin = value_of(ranking, &results[1]) / value_of(ranking, results);
		ranking->tie =
			ranking->goal != PARADL_MEMORY && ranking->margin < 1 + paradl_tie_share(results);
	}
	return true;
}

bool paradl_advise_pools(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_ranking *ranking, struct paradl_error *error)
{
	struct readings readings = {.arena = arena};
	struct advice advice = {.oracle = oracle, .request = request, .ranking = ranking, .least = HUGE_VAL};
	advice.families = arena_alloc(arena, FAMILIES, sizeof *advice.families);
	if (!advice.families)
		return out_of_memory(error);
	if (!readings_possible(oracle, error) || !paradl_advise(oracle, request, arena, ranking, error))
		return false;
	if (!readings_usual(oracle, request->devices, &readings, error) ||
		!readings_price(oracle, ranking->goal, &readings, error))
		return false;
	for (unsigned i = 0; i < FAMILIES; ++i)
		advice.families[i].value = HUGE_VAL;
	for (size_t i = 0; i < readings.count; ++i)
		if (!reading_try(&advice, &readings.items[i], error))
			return false;
	return results_join(&advice, arena, error);
}
