/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file checks the request of a search, sets up the threads that work on it, and lists the parts of its space. */
#include "search/search_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plan/plan_text.h"

static bool numbers_hold(const struct paradl_search_request *request, struct paradl_error *error)
{
	if (!request->device_count)
		return error_set(error, PARADL_USAGE, "a search needs a number of devices");
	for (size_t i = 0; i < request->device_count; ++i)
		if (!request->devices[i] || (i && request->devices[i] <= request->devices[i - 1]))
			return error_set(error, PARADL_USAGE, "numbers of devices ascend from 1");
	if (!(request->gap >= 0) || request->gap > 1)
		return error_set(
			error, PARADL_USAGE, "the gap is a share from 0 to 1, is %.17g", request->gap);
	unsigned axes = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		axes += request->map >> axis & 1;
	if (request->map && axes != 2)
		return error_set(error, PARADL_USAGE, "a map has two axes, not %u", axes);
	return true;
}

/* Returns whether batches are as large as a promise allows, where that decides what is asked. */
static bool batch_grows(
	const struct paradl_oracle *oracle, const struct paradl_search_request *request, unsigned vary)
{
	const bool batched = request->batch > 0 || request->per_device > 0 || oracle->options.rate_per_s > 0;
	const unsigned of_batch = (1u << PARADL_GOALS) - 1 - (1u << PARADL_TIME | 1u << PARADL_MEMORY);
	return oracle->output_tokens > 0 && !batched && paradl_promise_made(&request->promise) &&
	       vary & 1u << PARADL_VARY_BATCH && (request->pareto | 1u << request->goal) & of_batch;
}

/* Returns whether a deadline and a budget are of something: so many samples, on a machine with a price. */
static bool wishes_hold(
	const struct paradl_oracle *oracle, const struct search_problem *problem, struct paradl_error *error)
{
	const struct paradl_search_request *request = problem->request;
	if ((request->deadline_s > 0 || request->budget > 0) && !(problem->samples > 0)) {
		error_set(error, PARADL_USAGE,
			"a deadline or a budget is of so many samples, and %s names no data set",
			oracle->model->name);
		error_hint(error, "say how many samples or tokens");
		return false;
	}
	if (request->budget > 0 && !(oracle->machine->price_per_node_hour > 0))
		return error_set(error, PARADL_USAGE, "%s has no price, so nothing is known of a budget",
			oracle->machine->name);
	return true;
}

static bool quest_begin(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	struct search_problem *problem, struct paradl_error *error)
{
	*problem = (struct search_problem){.request = request,
		.value = paradl_search_value,
		.samples = request->samples > 0 ? request->samples : oracle->model->dataset.samples,
		.spends = request->budget > 0 || (request->pareto | 1u << request->goal) &
							 (1u << PARADL_COST | 1u << PARADL_ENERGY)};
	problem->variation.options = !oracle->rules.ideal && !oracle->options.inference;
	if (!numbers_hold(request, error) || !vary_parse(request->vary, &problem->variation.vary, error))
		return false;
	if (!request->vary || *request->vary == '+')
		problem->variation.vary |= settings_open(oracle, &request->promise);
	problem->grows = batch_grows(oracle, request, problem->variation.vary);
	if (request->options && !plan_options_parse(request->options, &problem->variation.fixed,
					&problem->variation.given, error))
		return false;
	if (problem->variation.fixed.gather[0] &&
		!gather_known(oracle->model, problem->variation.fixed.gather, error))
		return false;
	if (request->micro > 0 && !(problem->variation.given & 1u << PLAN_MICRO)) {
		problem->variation.fixed.micro = request->micro;
		problem->variation.given |=
			problem->variation.options && oracle->model->tokens ? 1u << PLAN_MICRO : 0;
	}
	return wishes_hold(oracle, problem, error);
}

bool families_wanted(
	const struct paradl_oracle *oracle, const char *text, bool *families, struct paradl_error *error)
{
	const bool chooses = oracle->model->tokens && !oracle->rules.ideal && !oracle->options.inference;
	const bool offers = chooses || oracle->framework->serves;
	const unsigned offered = offers ? oracle->framework->offers.axes : ~0u;
	const unsigned axes = text ? offered : offered & oracle_axes(oracle);
	if (!families_parse(text, families, error))
		return false;
	for (unsigned family = 0; family < FAMILIES; ++family)
		families[family] = families[family] && !(family & ~axes);
	return true;
}

/* Returns how many threads may work; 0: as many as there are processors. */
static unsigned threads_for(const struct paradl_oracle *oracle, const struct paradl_search_request *request)
{
	return request->threads ? request->threads : oracle->options.threads;
}

/* Gives each member of the pool a worker, before any of them but the first is at work; false when one gets none. */
static bool crew_complete(void *context)
{
	struct search_state *state = context;
	for (unsigned i = 1; i < pool_members(state->pool); ++i) {
		struct paradl_arena *arena = state->arenas[i] = paradl_arena_create();
		struct paradl_oracle *own = arena ? oracle_clone(state->oracle, arena, NULL) : NULL;
		state->workers[i] = own ? worker_create(&state->problem, own, arena, NULL) : NULL;
		if (!state->workers[i])
			return false;
	}
	return true;
}

/*
 * Prepares the pool and its first worker, which uses the oracle itself. The network is prepared before it is cloned,
 * so that its curves are shared.
 */
static bool crew_begin(struct search_state *state, struct paradl_error *error)
{
	const struct paradl_search_request *request = state->problem.request;
	struct paradl_oracle *oracle = state->oracle;
	const unsigned most = request->devices[request->device_count - 1];
	struct table *table = NULL;
	if (most <= oracle->machine->devices && !network_take(oracle, most, &table, error))
		return false;
	state->pool = pool_create(threads_for(oracle, request), crew_complete, state);
	state->arenas[0] = paradl_arena_create();
	if (!state->pool || !state->arenas[0])
		return out_of_memory(error);
	state->workers[0] = worker_create(&state->problem, oracle, state->arenas[0], error);
	return state->workers[0] != NULL;
}

bool search_state_open(struct search_state *state, struct paradl_oracle *oracle,
	const struct paradl_search_request *request, unsigned halvings, struct paradl_error *error)
{
	bool families[FAMILIES];
	*state = (struct search_state){.oracle = oracle, .least_cut = HUGE_VAL};
	state->arena = paradl_arena_create();
	if (!state->arena)
		return out_of_memory(error);
	const bool holds = quest_begin(oracle, request, &state->problem, error);
	state->problem.variation.halvings = halvings;
	if (!holds || !families_wanted(oracle, request->strategies, families, error) ||
		!crew_begin(state, error) ||
		!tasks_list(oracle, request, &state->problem.variation, families, state->arena, &state->tasks,
			error))
		return false;
	state->incumbents.cell_count = state->tasks.cells;
	return true;
}

bool search_state_run(struct search_state *state, struct paradl_error *error)
{
	struct incumbents *incumbents = &state->incumbents;
	incumbents->front.goals = state->problem.request->pareto;
	return incumbents_begin(incumbents, state->arena, error) && rounds_bound(state, error) &&
	       rounds_run(state, error);
}

void search_state_close(struct search_state *state)
{
	pool_free(state->pool);
	for (unsigned i = 0; i < POOL_MOST && state->arenas[i]; ++i)
		paradl_arena_free(state->arenas[i]);
	paradl_arena_free(state->arena);
}
