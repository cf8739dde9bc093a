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
	struct pooled *families;            /* FAMILIES of them */
	double least;                       /* best value so far */
	struct paradl_infeasible *failures; /* of families without a plan, the plan that came closest */
	size_t failure_count;
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

/* Keeps the plans of a ranking that came closest, of families of which no other plan came closer. */
static void failures_keep(
	struct advice *advice, const struct paradl_ranking *ranking, const struct reading *reading)
{
	for (size_t i = 0; i < ranking->infeasible_count; ++i) {
		const struct paradl_infeasible *const failed = &ranking->infeasible[i];
		size_t at = 0;
		while (at < advice->failure_count && strcmp(advice->failures[at].family, failed->family) != 0)
			++at;
		if (at == FAMILIES ||
			(at < advice->failure_count && advice->failures[at].distance <= failed->distance))
			continue;
		advice->failure_count += at == advice->failure_count;
		advice->failures[at] = *failed;
		if (reading)
			reading_note(reading, &advice->failures[at]);
	}
}

/* Returns whether no plan with a reading keeps what is promised, or comes closer to it than one that is known. */
static bool reading_is_late(const struct advice *advice, const struct reading *reading)
{
	const double distance = reading_distance(advice->oracle, &advice->request->promise, reading);
	bool late = advice->ranking->count > 0 || advice->least < HUGE_VAL;
	for (size_t i = 0; i < advice->failure_count; ++i)
		late = late || advice->failures[i].distance <= distance;
	return distance > 0 && late;
}

/* Takes advice for the devices that a reading leaves. */
static bool reading_try(struct advice *advice, const struct reading *reading, struct paradl_error *error)
{
	struct paradl_ranking ranking;
	struct paradl_error why = {0};
	const bool runs = advice->ranking->count > 0 || advice->least < HUGE_VAL;
	const bool bounds = !(advice->ranking->batch > 0); /* else larger batches count than the plan's own */
	if (!reading->runs || reading_is_late(advice, reading) ||
		(bounds && reading->value_bound >= advice->least))
		return true;
	struct paradl_arena *const scratch = paradl_arena_create();
	if (!scratch)
		return out_of_memory(error);
	struct paradl_oracle *const oracle =
		oracle_with_readers(advice->oracle, reading->text, scratch, &why);
	const bool ranked =
		oracle && readers_advise(oracle, advice->request,
				  runs ? PARADL_RANKED_RUNNING : PARADL_RANKED_ALL, scratch, &ranking, &why);
	if (ranked) {
		advice->ranking->evaluated += ranking.evaluated;
		families_keep(advice, &ranking, reading->text);
		failures_keep(advice, &ranking, reading);
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

/* Gives the families that no plan of the ranking is of, where there is none, the one that came closest first. */
static void failures_give(struct advice *advice)
{
	struct paradl_ranking *const ranking = advice->ranking;
	struct paradl_infeasible *const failures = advice->failures;
	size_t count = 0, closest = 0;
	for (size_t i = 0; i < advice->failure_count; ++i) {
		bool runs = false;
		for (size_t k = 0; k < ranking->count && !runs; ++k) {
			char family[sizeof failures->family];
			paradl_plan_family(&ranking->results[k].plan, family, sizeof family);
			runs = strcmp(family, failures[i].family) == 0;
		}
		if (runs)
			continue;
		failures[count] = failures[i];
		closest = failures[count].distance < failures[closest].distance ? count : closest;
		++count;
	}
	if (!ranking->count && closest > 0) {
		const struct paradl_infeasible first = failures[closest];
		memmove(failures + 1, failures, closest * sizeof *failures);
		failures[0] = first;
	}
	ranking->infeasible = failures;
	ranking->infeasible_count = count;
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
			oracle_with_readers(advice->oracle, family->prefill, arena, error);
		if (!oracle || !paradl_estimate(oracle, &family->plan, &estimate, error))
			return false;
		promise_binds(&advice->request->promise, &estimate);
		result_insert(ranking, results, &estimate);
	}
	failures_give(advice);
	ranking->margin = 0;
	ranking->tie = false;
	if (ranking->count > 1 && value_of(ranking, results) > 0) {
		ranking->margin = value_of(ranking, &results[1]) / value_of(ranking, results);
		ranking->tie =
			ranking->goal != PARADL_MEMORY && ranking->margin < 1 + paradl_tie_share(results);
	}
	return true;
}

bool pools_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_ranking *ranking, struct paradl_error *error)
{
	struct readings readings = {.arena = arena};
	struct advice advice = {.oracle = oracle, .request = request, .ranking = ranking, .least = HUGE_VAL};
	advice.families = arena_alloc(arena, FAMILIES, sizeof *advice.families);
	advice.failures = arena_alloc(arena, FAMILIES, sizeof *advice.failures);
	if (!advice.families || !advice.failures)
		return out_of_memory(error);
	if (!readers_advise(oracle, request, PARADL_RANKED_ALL, arena, ranking, error))
		return false;
	if (!readings_usual(oracle, request->devices, &readings, error) ||
		!readings_price(oracle, ranking->goal, &readings, error))
		return false;
	for (unsigned i = 0; i < FAMILIES; ++i)
		advice.families[i].value = HUGE_VAL;
	failures_keep(&advice, ranking, NULL);
	for (unsigned late = 0; late < 2;
		++late) /* those that break a promise only count where none keeps it */
		for (size_t i = 0; i < readings.count; ++i) {
			const struct reading *const reading = &readings.items[i];
			const double distance =
				reading->runs ? reading_distance(oracle, &request->promise, reading) : 0;
			if ((distance > 0) == (late > 0) && !reading_try(&advice, reading, error))
				return false;
		}
	return results_join(&advice, arena, error);
}
