/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file ranks the plans of a device count. It enumerates every plan, takes the best member of each family (or all
 * members) and ranks them by a goal. For each family without a member that runs, it reports the plan that came
 * closest, why that plan does not run and what would make it run.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/framework.h"
#include "oracle/inference.h"
#include "oracle/oracle.h"
#include "search/advise.h"
#include "search/branch.h"
#include "search/search_state.h"

double paradl_goal_value(const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	switch (goal) {
	case PARADL_MEMORY:
		return estimate->memory_bytes;
	case PARADL_COST:
		return estimate->cost_per_epoch >= 0 ? estimate->cost_per_epoch
						     : estimate->iteration_s * estimate->devices;
	case PARADL_ENERGY:
		return estimate->energy_joule_per_epoch >= 0 ? estimate->energy_joule_per_epoch
							     : estimate->iteration_s;
	case PARADL_THROUGHPUT:
		if (estimate->inference.largest_batch_answers_per_s > 0)
			return 1 / estimate->inference.largest_batch_answers_per_s;
		break;
	case PARADL_TIME:
		break;
	}
	return estimate->iteration_s;
}

struct ranked {
	struct paradl_estimate estimate;
	/* finding.place is the index in the list of families or members, so that equal plans keep their order. */
	struct found_plan found;
};

static int compare_ranked(const void *a, const void *b)
{
	return found_plan_compare(&((const struct ranked *)a)->found, &((const struct ranked *)b)->found);
}

/*
 * Returns whether no batch is given: under a promise alone batches differ, and plans are compared by how much they
 * answer.
 */
static bool search_promises(const struct search *search)
{
	return !(search->batch > 0);
}

/* Returns whether requests come at a given rate, which says how many are under way, however much is answered. */
static bool comes_at_rate(const struct search *search)
{
	return search->oracle->options.rate_per_s > 0;
}

/* Returns whether the best plan of all is enough. */
static bool search_one(const struct search *search)
{
	return search->plans == PARADL_RANKED_FIRST;
}

/* Returns whether it is still to be said why families have no plan. */
static bool explains(const struct search *search)
{
	if (search->plans == PARADL_RANKED_ALL || search->plans == PARADL_RANKED_RUNNING)
		return search->plans == PARADL_RANKED_ALL;
	for (unsigned family = 0; family < FAMILIES; ++family)
		if (search->families[family].feasible)
			return false;
	return true;
}

static enum paradl_goal search_goal(const struct search *search)
{
	const enum paradl_goal goal = search->request->goal;
	return search_promises(search) && !comes_at_rate(search) && goal == PARADL_TIME ? PARADL_THROUGHPUT
											: goal;
}

static double search_value(
	const struct search *search, const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	return search_promises(search) ? paradl_search_value(estimate, goal)
				       : paradl_goal_value(estimate, goal);
}

/*
 * Sorts the results: the best of each family, or all members, of which one stays where it is enough. Sets the margin
 * and the tie of the first two.
 */
static bool results_rank(
	const struct search *search, struct paradl_ranking *ranking, struct paradl_error *error)
{
	const bool all = search->request->all_members;
	const enum paradl_goal goal = search_goal(search);
	const size_t most = all ? search->all_count : FAMILIES;
	size_t room = 1, count = 0;
	for (size_t i = 0; i < most; ++i)
		room += all || search->families[i].feasible;
	struct ranked *ranked = arena_alloc(search->arena, room, sizeof *ranked);
	struct paradl_estimate *results = arena_alloc(search->arena, room, sizeof *results);
	if (!ranked || !results)
		return out_of_memory(error);
	for (size_t i = 0; i < most; ++i) {
		if (!all && !search->families[i].feasible)
			continue;
		const struct paradl_estimate *estimate = all ? &search->all[i] : &search->families[i].best;
		ranked[count++] = (struct ranked){*estimate, {.value = search_value(search, estimate, goal),
								     .work_s = work_s_of(estimate, goal),
								     .place = i}};
	}
	qsort(ranked, count, sizeof *ranked, compare_ranked);
	for (size_t i = 0; i < count; ++i) {
		results[i] = ranked[i].estimate;
		promise_binds(&search->request->promise, &results[i]);
	}
	count = search_one(search) && count > 1 ? 1 : count;
	ranking->results = results;
	ranking->count = count;
	if (count > 1 && ranked[0].found.value > 0) {
		ranking->margin = ranked[1].found.value / ranked[0].found.value;
		ranking->tie = search->request->goal != PARADL_MEMORY &&
			       ranking->margin < 1 + paradl_tie_share(&ranked[0].estimate);
	}
	return true;
}

/* Makes a group for each family; each keeps its best plan, unless only one plan is asked for. */
static bool groups_make(const struct search *search, struct search_state *state, struct paradl_error *error)
{
	struct incumbents *incumbents = &state->incumbents;
	unsigned *families = arena_alloc(state->arena, state->tasks.cells + 1, sizeof *families);
	if (!families)
		return out_of_memory(error);
	for (size_t i = 0; i < state->tasks.count; ++i)
		families[state->tasks.items[i].cell] = plan_axes(&state->tasks.items[i].plan);
	incumbents->group_of = families;
	incumbents->group_count = FAMILIES;
	incumbents->keeps_groups = !search_one(search);
	incumbents->keep = search->request->all_members ? SIZE_MAX : search_one(search);
	return true;
}

/* Estimates the plan that was found, with the settings of its engine where these are free. */
static bool found_estimate(const struct search *search, const struct search_state *state,
	const struct found_plan *found, struct paradl_estimate *estimate, struct paradl_error *error)
{
	if (!paradl_estimate(search->oracle, &found->plan, estimate, error))
		return false;
	if (search_promises(search) && !search->settings)
		settings_improve(&state->problem, search->oracle, estimate);
	return true;
}

/* Keeps the estimates of the plans that were found: the best of each family and, if asked for, all members. */
static bool found_keep(struct search *search, const struct search_state *state, struct paradl_error *error)
{
	const struct incumbents *incumbents = &state->incumbents;
	for (unsigned family = 0; family < FAMILIES; ++family) {
		const struct found_plan *best = &incumbents->groups[family];
		search->families[family].feasible = best->value < HUGE_VAL;
		if (best->value < HUGE_VAL &&
			!found_estimate(search, state, best, &search->families[family].best, error))
			return false;
	}
	if (!search->request->all_members)
		return true;
	search->all = arena_alloc(search->arena, incumbents->cell_count + 1, sizeof *search->all);
	if (!search->all)
		return out_of_memory(error);
	for (unsigned cell = 0; cell < incumbents->cell_count; ++cell)
		if (incumbents->cells[cell].value < HUGE_VAL &&
			!found_estimate(search, state, &incumbents->cells[cell],
				&search->all[search->all_count++], error))
			return false;
	return true;
}

/* Returns how many families that were tried have no plan, where it is not said why. */
static size_t unexplained_count(const struct search *search, const struct incumbents *incumbents)
{
	bool without[FAMILIES] = {false};
	size_t count = 0;
	for (unsigned cell = 0; !explains(search) && cell < incumbents->cell_count; ++cell)
		without[incumbents->group_of[cell]] = true;
	for (unsigned family = 0; family < FAMILIES; ++family)
		count += without[family] && !search->families[family].feasible;
	return count;
}

/* Finds the best plan of each family, or of each set of degrees, in the canonical order of axes. */
static bool families_search(struct search *search, struct paradl_error *error)
{
	const struct paradl_request *request = search->request;
	const struct paradl_search_request problem = {.devices = &request->devices,
		.device_count = 1,
		.batch = search->batch,
		.micro = request->micro,
		.goal = search_goal(search),
		.strategies = request->strategies,
		.options = request->options,
		.promise = request->promise,
		.vary = search->settings          ? "micro,experts,batch,chunk,seqs"
			: search_promises(search) ? "micro,experts,batch"
			: search->options.chooses ? "micro,schedule,recompute,zero,experts"
						  : "schedule,recompute,zero,experts"};
	struct search_state state;
	bool found = search_state_open(&state, search->oracle, &problem, 0, error);
	state.problem.variation.common = true;
	if (!search_promises(search))
		state.problem.value = paradl_goal_value; /* devices and batch are the same */
	found = found && groups_make(search, &state, error) && search_state_run(&state, error) &&
		found_keep(search, &state, error) &&
		(!explains(search) || misfits_keep(search, &state, error));
	if (found && explains(search))
		nearest_keep(search, &state);
	search->options.evaluated += (size_t)state.evaluated;
	search->unexplained = found && !search_one(search) ? unexplained_count(search, &state.incumbents) : 0;
	search_state_close(&state);
	return found;
}

/* Drops the families along axes that mean nothing to this network; they appear only if somebody asks for them. */
static void families_restrict(const struct paradl_oracle *oracle, bool families[FAMILIES])
{
	const unsigned axes = oracle_axes(oracle);
	for (unsigned family = 0; family < FAMILIES; ++family)
		families[family] = families[family] && !(family & ~axes);
}

/* Finds and ranks the plans for one batch. */
static bool batch_rank(struct search *search, const bool families[FAMILIES], struct paradl_ranking *ranking,
	struct paradl_error *error)
{
	*ranking = (struct paradl_ranking){
		.devices = search->request->devices, .batch = search->batch, .goal = search_goal(search)};
	if (!option_space_begin(&search->options, search->oracle, search->request, error))
		return false;
	search->options.needs_only = !search->options.chooses; /* for families without a plan that fits */
	search->families = arena_alloc(search->arena, FAMILIES, sizeof *search->families);
	if (!search->families)
		return out_of_memory(error);
	if (!families_search(search, error) ||
		(explains(search) && !families_explain(search, families, error)))
		return false;
	ranking->evaluated = search->options.evaluated;
	ranking->unexplained = search->unexplained;
	return results_rank(search, ranking, error) && failures_list(search, ranking, error);
}

/* Finds and ranks plans with other settings of the engine, where none keeps the promise with the program's own. */
static bool settings_rank(const struct search *search, const bool families[FAMILIES],
	struct paradl_ranking *ranking, struct paradl_error *error)
{
	struct paradl_ranking set;
	struct search other = {.oracle = search->oracle,
		.request = search->request,
		.arena = search->arena,
		.plans = search->plans,
		.settings = true};
	if (!batch_rank(&other, families, &set, error))
		return false;
	set.evaluated += ranking->evaluated;
	*ranking = set;
	return true;
}

static bool plans_rank(struct paradl_oracle *oracle, const struct paradl_request *request,
	enum paradl_ranked plans, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error)
{
	struct paradl_ranking first;
	bool families[FAMILIES];
	*ranking = (struct paradl_ranking){.devices = request->devices};
	if (!families_parse(request->strategies, families, error))
		return false;
	if (!request->strategies)
		families_restrict(oracle, families);
	if (request->devices < 1)
		return error_set(error, PARADL_USAGE, "the number of devices must be at least 1");
	unsigned halvings = 0;
	const bool promises = oracle->options.inference && !(request->batch > 0) &&
			      !(request->per_device > 0) && paradl_promise_made(&request->promise);
	if (promises || oracle->options.rate_per_s > 0) {
		struct search search = {.oracle = oracle, .request = request, .arena = arena, .plans = plans};
		if (!batch_rank(&search, families, ranking, error))
			return false;
		return ranking->count > 0 || !(oracle->output_tokens > 0) ||
		       settings_rank(&search, families, ranking, error);
	}
	double batch = batch_of(oracle, request->batch, request->per_device, request->devices, 0);
	do {
		struct search search = {
			.oracle = oracle, .request = request, .arena = arena, .batch = batch, .plans = plans};
		if (!batch_rank(&search, families, ranking, error))
			return false;
		if (!halvings)
			first = *ranking;
		if (ranking->count > 0 && ranking->results[0].fits)
			return true;
		batch = batch_of(oracle, request->batch, request->per_device, request->devices, ++halvings);
	} while (batch > 0);
	*ranking = first; /* no batch fits: report what prevents the usual one */
	return true;
}

/* Says that no device is left to answer the prompts that all of them read. */
static bool readers_only(unsigned readers, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error)
{
	struct paradl_infeasible *why = arena_alloc(arena, 1, sizeof *why);
	if (!why)
		return out_of_memory(error);
	*why = (struct paradl_infeasible){.family = "serial", .strategy = "serial"};
	snprintf(why->reason, sizeof why->reason, "%u devices read prompts, and none is left to answer",
		readers);
	snprintf(why->needs, sizeof why->needs, "more than %u devices", readers);
	ranking->infeasible = why;
	ranking->infeasible_count = 1;
	return true;
}

bool paradl_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	enum paradl_ranked plans, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error)
{
	return oracle_chooses_readers(oracle) ? pools_advise(oracle, request, arena, ranking, error)
					      : readers_advise(oracle, request, plans, arena, ranking, error);
}

bool readers_advise(struct paradl_oracle *oracle, const struct paradl_request *request,
	enum paradl_ranked plans, struct paradl_arena *arena, struct paradl_ranking *ranking,
	struct paradl_error *error)
{
	const unsigned readers = oracle->prefill ? oracle->prefill->devices : 0;
	struct paradl_request others = *request;
	*ranking = (struct paradl_ranking){.devices = request->devices};
	if (readers && readers >= request->devices)
		return readers_only(readers, arena, ranking, error);
	others.devices -= readers;
	others.all_members = request->all_members && plans != PARADL_RANKED_FIRST;
	const bool found = plans_rank(oracle, &others, plans, arena, ranking, error);
	ranking->devices = request->devices;
	return found;
}
