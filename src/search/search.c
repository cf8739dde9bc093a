/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the best of all plans. The space is divided into tasks (tasks.c), which are searched in rounds
 * (search_rounds.c) of branch and bound (branch.c); the plans that were found become results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "oracle/inference.h"
#include "search/branch.h"
#include "search/options.h"
#include "search/pools.h"
#include "search/search_state.h"

const char *paradl_cut_text(enum paradl_cut cut)
{
	static const char *const texts[PARADL_CUT_COUNT] = {
		"cannot run", "need more memory than there is", "cannot be better"};
	return texts[cut];
}

static const struct paradl_estimate *estimates_of(struct paradl_oracle *oracle,
	const struct paradl_promise *promise, const struct found_plan *findings, size_t count,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_estimate *estimates = arena_alloc(arena, count + 1, sizeof *estimates);
	if (!estimates)
		return out_of_memory_null(error);
	for (size_t i = 0; i < count; ++i) {
		if (!paradl_estimate(oracle, &findings[i].plan, &estimates[i], error))
			return NULL;
		promise_binds(promise, &estimates[i]);
	}
	return estimates;
}

/*
 * Returns the number of results that are as good as the best: times are only known up to a share, and so is what they
 * cost.
 */
static size_t equal_count(enum paradl_goal goal, const struct paradl_search *search)
{
	const double known = goal == PARADL_MEMORY ? 0 : paradl_tie_share(&search->results[0]);
	const double most = paradl_search_value(&search->results[0], goal) * (1 + known);
	size_t equal = 1;
	while (equal < search->count && paradl_search_value(&search->results[equal], goal) <= most)
		++equal;
	return equal;
}

void results_compare(enum paradl_goal goal, double least_cut, struct paradl_search *search)
{
	const double best = paradl_search_value(&search->results[0], goal);
	search->lower_bound = least_cut < best ? least_cut : best;
	search->gap = search->lower_bound > 0 ? best / search->lower_bound - 1 : 0;
	search->equal = equal_count(goal, search);
	search->margin =
		search->count > 1 && best > 0 ? paradl_search_value(&search->results[1], goal) / best : 0;
}

static bool results_fill(struct search_state *state, struct paradl_arena *arena, struct paradl_search *search,
	struct paradl_error *error)
{
	struct incumbents *incumbents = &state->incumbents;
	const enum paradl_goal goal = state->problem.request->goal;
	size_t count = 0;
	for (unsigned i = 0; i < incumbents->cell_count; ++i)
		if (incumbents->cells[i].value < HUGE_VAL)
			incumbents->cells[count++] = incumbents->cells[i];
	qsort(incumbents->cells, count, sizeof *incumbents->cells, found_plan_compare);
	search->count = count < incumbents->keep ? count : incumbents->keep;
	const double least = settings_spare(state, incumbents->cells, search->count);
	search->results = estimates_of(state->oracle, &state->problem.request->promise, incumbents->cells,
		search->count, arena, error);
	if (!search->results)
		return false;
	if (search->count)
		results_compare(goal, fmin(state->least_cut, least), search);
	return true;
}

int compare_traded(const void *a, const void *b)
{
	const struct found_plan *x = a, *y = b;
	for (unsigned goal = 0; goal < GOALS; ++goal)
		if (x->traded[goal] < y->traded[goal] || x->traded[goal] > y->traded[goal])
			return x->traded[goal] < y->traded[goal] ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static bool front_fill(struct search_state *state, struct paradl_arena *arena, struct paradl_search *search,
	struct paradl_error *error)
{
	struct front *front = &state->incumbents.front;
	if (!front->count)
		return true;
	qsort(front->items, front->count, sizeof *front->items, compare_traded);
	search->front_count = front->count;
	search->front = estimates_of(
		state->oracle, &state->problem.request->promise, front->items, front->count, arena, error);
	return search->front != NULL;
}

static bool answer_fill(struct search_state *state, struct paradl_map_cell *cells, struct paradl_arena *arena,
	struct paradl_search *search, struct paradl_error *error)
{
	search->evaluated = state->evaluated;
	search->varied = (state->problem.variation.vary & ~settings_all) |
			 settings_tried(&state->problem, state->oracle);
	memcpy(search->cut, state->cut, sizeof search->cut);
	search->plans = state->evaluated;
	for (unsigned cut = 0; cut < PARADL_CUT_COUNT; ++cut)
		search->plans += state->cut[cut];
	if (cells && !map_fill(state, cells, search, error))
		return false;
	if (!front_fill(state, arena, search, error) || !results_fill(state, arena, search, error))
		return false;
	if (!search->count && !state->problem.request->unexplained)
		closest_fill(state, &search->closest);
	return true;
}

/* Returns whether the request has no constraint except memory: no deadline, budget or promise. */
static bool constraints_none(const struct paradl_search_request *request)
{
	return !(request->deadline_s > 0) && !(request->budget > 0) &&
	       !paradl_promise_made(&request->promise);
}

static bool search_state_answer(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	unsigned halvings, struct paradl_arena *arena, struct paradl_search *search,
	struct paradl_error *error)
{
	struct search_state state;
	struct paradl_map_cell *cells = NULL;
	*search = (struct paradl_search){0};
	bool found = search_state_open(&state, oracle, request, halvings, error);
	state.incumbents.keep = request->keep ? request->keep : 1;
	found = found && (!request->map || map_groups(&state, arena, &cells, error)) &&
		search_state_run(&state, error) && answer_fill(&state, cells, arena, search, error);
	search_state_close(&state);
	return found;
}

/*
 * Returns whether half the batch is worth a try: GPUs of the fastest plan share samples, so fewer at once may take
 * less time each.
 */
static bool is_shared(const struct paradl_search_request *request, const struct paradl_search *search)
{
	return search->count > 0 && !request->pareto && !request->map &&
	       search->results[0].plan.degree[PARADL_SPATIAL] > 1;
}

/* Returns whether the batch may be halved this number of times. */
static bool batch_halves(
	const struct paradl_oracle *oracle, const struct paradl_search_request *request, unsigned halvings)
{
	const unsigned most = request->device_count ? request->devices[request->device_count - 1] : 0;
	return batch_of(oracle, request->batch, request->per_device, most, halvings) > 0;
}

/*
 * Searches with the usual batch, and halves it, if nobody gave it, until a plan runs and as long as that makes an
 * epoch shorter.
 */
static bool batch_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, unsigned *halvings,
	struct paradl_error *error)
{
	if (!search_state_answer(oracle, request, 0, arena, search, error))
		return false;
	*halvings = 0;
	for (unsigned i = 1; search->count == 0 || is_shared(request, search); ++i) {
		struct paradl_search next;
		if (!batch_halves(oracle, request, i))
			return true; /* if no batch fits, the answer says what prevents the usual one */
		if (!search_state_answer(oracle, request, i, arena, &next, error))
			return false;
		const bool runs = next.count > 0;
		if (search->count > 0 && !(runs && next.results[0].epoch_s < search->results[0].epoch_s))
			return true;
		if (runs) {
			*search = next;
			*halvings = i;
		}
	}
	return true;
}

/* Searches with one kind of devices: those of plans. */
static bool plans_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	struct paradl_search_request modest = *request;
	struct paradl_search nearest;
	unsigned halvings;
	if (constraints_none(request))
		return batch_search(oracle, request, arena, search, &halvings, error);
	if (!search_state_answer(oracle, request, 0, arena, search, error))
		return false;
	if (search->count > 0 || oracle->options.inference ||
		(request->unexplained && !batch_halves(oracle, request, 1)))
		return true; /* in inference all plans were evaluated, so the closest is known */
	modest.deadline_s = modest.budget = 0;
	modest.promise = (struct paradl_promise){0};
	modest.goal = request->budget > 0 ? PARADL_COST : PARADL_TIME;
	modest.pareto = modest.map = 0;
	modest.keep = 1;
	if (!batch_search(oracle, &modest, arena, &nearest, &halvings, error) ||
		(halvings > 0 && !search_state_answer(oracle, request, halvings, arena, search, error)))
		return false;
	if (!search->count)
		nearest_fill(oracle, request, &nearest, &search->closest);
	return true;
}

bool paradl_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	return (oracle_chooses_readers(oracle) ? pools_search : readers_search)(
		oracle, request, arena, search, error);
}

bool readers_search(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct paradl_arena *arena, struct paradl_search *search, struct paradl_error *error)
{
	const unsigned readers = oracle->prefill ? oracle->prefill->devices : 0;
	struct paradl_search_request others = *request;
	unsigned *const devices = arena_alloc(arena, request->device_count + 1, sizeof *devices);
	if (!devices)
		return out_of_memory(error);
	if (!readers)
		return plans_search(oracle, request, arena, search, error);
	others.devices = devices;
	others.device_count = 0;
	for (size_t i = 0; i < request->device_count; ++i)
		if (request->devices[i] > readers)
			devices[others.device_count++] = request->devices[i] - readers;
	if (others.device_count || !request->device_count)
		return plans_search(oracle, &others, arena, search, error);
	*search = (struct paradl_search){.count = 0};
	snprintf(search->closest.strategy, sizeof search->closest.strategy, "serial");
	snprintf(search->closest.reason, sizeof search->closest.reason,
		"%u devices read prompts, and none is left to answer", readers);
	snprintf(search->closest.needs, sizeof search->closest.needs, "more than %u devices", readers);
	return true;
}
