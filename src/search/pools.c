/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file searches all plans together with those whose prompts some devices read for the others: for each reading
 * (readings.c), all plans of the devices that it leaves (search.c). Readings go by their bounds. One is left out, and
 * all plans with it, where it cannot keep the promise whoever answers, where its bound is above the worst plan that is
 * kept, or where others see the same of an earlier one.
 */
#include "search/pools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/search_state.h"

struct pools {
	struct paradl_oracle *oracle;
	const struct paradl_search_request *request;
	struct paradl_arena *arena;
	struct paradl_search *search;
	struct readings readings;
	struct found_plan *kept; /* best plans, best first; place: 1 + index of the reading, 0: none */
	size_t kept_count, most;
	struct front front; /* places as above */
	double *plans;      /* plans of the devices that readers leave, by their number; 0: not counted yet */
	double least_cut;
};

/* Returns whether two plans have the same degrees, and both have readers or none. */
static bool is_alike(const struct found_plan *a, const struct found_plan *b)
{
	return (a->place > 0) == (b->place > 0) &&
	       memcmp(a->plan.degree, b->plan.degree, sizeof a->plan.degree) == 0;
}

static bool is_before(const struct found_plan *a, const struct found_plan *b)
{
	return found_plan_compare(a, b) < 0;
}

/* Keeps a plan if it is among the best, each of which has other degrees. */
static void keep(struct pools *pools, const struct found_plan *found)
{
	size_t at = 0;
	while (at < pools->kept_count && !is_alike(&pools->kept[at], found))
		++at;
	if (at < pools->kept_count && !is_before(found, &pools->kept[at]))
		return;
	if (at == pools->kept_count) {
		if (at == pools->most && !is_before(found, &pools->kept[at - 1]))
			return;
		at = at == pools->most ? at - 1 : pools->kept_count++;
	}
	for (; at > 0 && is_before(found, &pools->kept[at - 1]); --at)
		pools->kept[at] = pools->kept[at - 1];
	pools->kept[at] = *found;
}

static bool found_add(
	struct pools *pools, const struct paradl_search *search, size_t place, struct paradl_error *error)
{
	const struct search_problem problem = {.request = pools->request};
	for (size_t i = 0; i < search->count; ++i) {
		const struct paradl_estimate *estimate = &search->results[i];
		keep(pools, &(struct found_plan){.place = place,
				    .value = paradl_search_value(estimate, pools->request->goal),
				    .work_s = work_s_of(estimate, pools->request->goal),
				    .plan = estimate->plan});
	}
	for (size_t i = 0; i < search->front_count; ++i) {
		struct found_plan found = {.place = place, .plan = search->front[i].plan};
		traded_fill(&problem, &search->front[i], found.traded);
		if (!front_add(&pools->front, &found, error))
			return false;
	}
	return true;
}

/* Keeps the plan that came closest, where none of a reading runs, if that comes closer than others. */
static void closest_keep(
	struct pools *pools, const struct reading *reading, const struct paradl_search *search)
{
	struct paradl_infeasible *const closest = &pools->search->closest;
	if (search->count || !*search->closest.strategy || search->closest.distance >= closest->distance)
		return;
	*closest = search->closest;
	reading_note(reading, closest);
}

static void counts_add(struct pools *pools, const struct paradl_search *search)
{
	struct paradl_search *const all = pools->search;
	all->plans += search->plans;
	all->evaluated += search->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		all->cut[cut] += search->cut[cut];
}

/* Counts the plans on as many devices, for an oracle that has readers; false with an error. */
static bool plans_count(
	struct pools *pools, struct paradl_oracle *oracle, unsigned devices, struct paradl_error *error)
{
	struct paradl_search_request request = *pools->request;
	struct search_state state;
	request.devices = &devices;
	request.device_count = 1;
	const bool opened = search_state_open(&state, oracle, &request, 0, error);
	struct choices *const choices = opened ? arena_alloc(state.arena, 1, sizeof *choices) : NULL;
	for (size_t i = 0; choices && i < state.tasks.count; ++i) {
		choices_fill(oracle, &state.problem.variation, &state.tasks.items[i].plan, choices);
		pools->plans[devices] += choices->plans;
	}
	search_state_close(&state);
	return choices != NULL || (opened && out_of_memory(error));
}

/* Returns whether no plan with a reading keeps what is promised, or comes closer to it than one that is known. */
static bool reading_is_late(const struct pools *pools, const struct reading *reading)
{
	const double distance = reading_distance(pools->oracle, &pools->request->promise, reading);
	return distance > 0 && (pools->kept_count > 0 || distance >= pools->search->closest.distance);
}

/* Returns why a reading is left out; PARADL_CUT_COUNT: it is not. */
static enum paradl_cut reading_cut(struct pools *pools, size_t index)
{
	const struct paradl_search_request *request = pools->request;
	const struct reading *reading = &pools->readings.items[index];
	if (!reading->runs)
		return PARADL_CUT_DEGREES;
	if (request->exhaustive)
		return PARADL_CUT_COUNT;
	if (reading_is_late(pools, reading))
		return PARADL_CUT_BOUND;
	/* Those with the same bound follow one another. */
	for (size_t i = index; i-- > 0 && pools->readings.items[i].value_bound >= reading->value_bound;)
		if (reading_equals(&pools->readings.items[i], reading))
			return PARADL_CUT_BOUND;
	if (request->pareto || pools->kept_count < pools->most)
		return PARADL_CUT_COUNT;
	const double worst = pools->kept[pools->kept_count - 1].value;
	if (!(reading->value_bound * (1 + request->gap) > worst))
		return PARADL_CUT_COUNT;
	pools->least_cut = fmin(pools->least_cut, reading->value_bound);
	return PARADL_CUT_BOUND;
}

/* Searches the plans that leave their prompts to a reading; `all` devices read or answer. */
static bool reading_search(struct pools *pools, size_t index, unsigned all, struct paradl_error *error)
{
	const struct reading *reading = &pools->readings.items[index];
	struct paradl_search_request request = *pools->request;
	struct paradl_search search;
	const enum paradl_cut cut = reading_cut(pools, index);
	double *const plans = &pools->plans[all - reading->devices];
	if (*plans > 0 && cut != PARADL_CUT_COUNT) {
		pools->search->cut[cut] += *plans;
		pools->search->plans += *plans;
		return true;
	}
	struct paradl_arena *const scratch = paradl_arena_create();
	if (!scratch)
		return out_of_memory(error);
	request.devices = &all;
	request.device_count = 1;
	request.unexplained = pools->kept_count > 0;
	request.progress = NULL;
	struct paradl_oracle *const oracle =
		oracle_with_readers(pools->oracle, reading->runs ? reading->text : NULL, scratch, error);
	bool done = oracle != NULL;
	if (done && cut < PARADL_CUT_COUNT) {
		done = plans_count(pools, oracle, all - reading->devices, error);
		pools->search->cut[cut] += *plans;
		pools->search->plans += *plans;
	} else if (done) {
		done = paradl_search(oracle, &request, scratch, &search, error) &&
		       found_add(pools, &search, index + 1, error);
		if (done) {
			counts_add(pools, &search);
			closest_keep(pools, reading, &search);
			pools->least_cut =
				fmin(pools->least_cut, search.count ? search.lower_bound : HUGE_VAL);
			*plans = search.plans;
		}
	}
	paradl_arena_free(scratch);
	return done;
}

/* Estimates plans that were found; NULL with an error. */
static const struct paradl_estimate *estimates_of(
	struct pools *pools, const struct found_plan *found, size_t count, struct paradl_error *error)
{
	struct paradl_estimate *estimates = arena_alloc(pools->arena, count + 1, sizeof *estimates);
	if (!estimates)
		return out_of_memory_null(error);
	for (size_t i = 0; i < count; ++i) {
		struct paradl_oracle *oracle = pools->oracle;
		if (found[i].place > 0)
			oracle = oracle_with_readers(pools->oracle,
				pools->readings.items[found[i].place - 1].text, pools->arena, error);
		if (!oracle || !paradl_estimate(oracle, &found[i].plan, &estimates[i], error))
			return NULL;
		promise_binds(&pools->request->promise, &estimates[i]);
	}
	return estimates;
}

static bool results_give(struct pools *pools, struct paradl_error *error)
{
	struct paradl_search *const search = pools->search;
	search->count = pools->kept_count;
	search->results = estimates_of(pools, pools->kept, pools->kept_count, error);
	if (!search->results)
		return false;
	if (search->count)
		results_compare(pools->request->goal, pools->least_cut, search);
	if (!pools->front.count)
		return true;
	qsort(pools->front.items, pools->front.count, sizeof *pools->front.items, compare_traded);
	search->front_count = pools->front.count;
	search->front = estimates_of(pools, pools->front.items, pools->front.count, error);
	return search->front != NULL;
}

/* Searches all readings on a part of `devices`. */
static bool parts_search(struct pools *pools, unsigned devices, struct paradl_error *error)
{
	const struct paradl_search_request *request = pools->request;
	const size_t first = pools->readings.count;
	struct readings part = {.arena = pools->arena};
	if (!readings_all(pools->oracle, request, devices, &part, error) ||
		!readings_price(pools->oracle, request->goal, &part, error))
		return false;
	struct reading *const all =
		list_moved(pools->arena, pools->readings.items, first, first + part.count + 1, sizeof *all);
	if (!all)
		return out_of_memory(error);
	memcpy(all + first, part.items, part.count * sizeof *all);
	pools->readings.items = all;
	pools->readings.count = first + part.count;
	size_t done = 0;
	for (unsigned late = 0; late < 2;
		++late) /* those that break a promise only count where none keeps it */
		for (size_t i = first; i < pools->readings.count; ++i) {
			const struct reading *reading = &pools->readings.items[i];
			const bool breaks = reading->runs && !request->exhaustive &&
					    reading_distance(pools->oracle, &request->promise, reading) > 0;
			if (breaks != (late > 0))
				continue;
			if (request->progress)
				request->progress(
					request->progress_context, (double)done++, (double)part.count);
			if (!reading_search(pools, i, devices, error))
				return false;
		}
	return true;
}

bool pools_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	struct paradl_search without;
	const size_t most = request->keep ? request->keep : 1;
	struct pools pools = {.oracle = oracle,
		.request = request,
		.arena = arena,
		.search = search,
		.most = most,
		.front = {.goals = request->pareto, .arena = arena},
		.least_cut = HUGE_VAL};
	if (request->map)
		return error_set(error, PARADL_USAGE, "a map shows plans of one kind of devices");
	pools.kept = arena_alloc(arena, most, sizeof *pools.kept);
	if (!pools.kept)
		return out_of_memory(error);
	if (!readers_search(oracle, request, arena, &without, error))
		return false;
	*search = (struct paradl_search){.closest = without.closest, .varied = without.varied};
	if (!*without.closest.strategy)
		search->closest.distance = HUGE_VAL;
	counts_add(&pools, &without);
	if (without.count)
		pools.least_cut = without.lower_bound;
	if (!found_add(&pools, &without, 0, error))
		return false;
	for (size_t i = 0; i < request->device_count; ++i) {
		pools.plans = arena_alloc(arena, request->devices[i] + 1, sizeof *pools.plans);
		if (!pools.plans)
			return out_of_memory(error);
		if (!parts_search(&pools, request->devices[i], error))
			return false;
	}
	return results_give(&pools, error);
}
