/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file improves a plan by settings of its engine. Sequences at a time are tried for requests at a rate only: for
 * clients, fewer of them do the same.
 */
#include <math.h>
#include <stdlib.h>

#include "oracle/inference.h"
#include "plan/plan_text.h"
#include "search/search_state.h"

static const double worth = 0.02; /* least gain for which a setting is named */
enum { CLIENTS_MOST = 1 << 16 };

unsigned chunk_after(const struct paradl_oracle *oracle, unsigned before)
{
	const double own = oracle->rules.serve_chunk;
	if (!(oracle->output_tokens > 0) || oracle->prefill)
		return 0;
	const unsigned next = before ? 2 * before : CHUNK_LEAST;
	const unsigned chunk = next <= own && next >= own ? 2 * next : next;
	return chunk <= CHUNK_MOST ? chunk : 0;
}

unsigned seqs_after(const struct paradl_oracle *oracle, unsigned before)
{
	const unsigned next = before ? 2 * before : 1;
	return oracle->output_tokens > 0 && oracle->options.rate_per_s > 0 && next <= SEQS_MOST ? next : 0;
}

unsigned settings_open(const struct paradl_oracle *oracle, const struct paradl_promise *promise)
{
	const bool comes = oracle->options.rate_per_s > 0;
	if (!(oracle->output_tokens > 0) || (!comes && !paradl_promise_made(promise)))
		return 0;
	return (oracle->prefill ? 0 : 1u << PARADL_VARY_CHUNK) | (comes ? 1u << PARADL_VARY_SEQS : 0);
}

static bool holds(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct paradl_estimate *estimate)
{
	const unsigned omits = answers_omit(problem) | 1u << OMITTED_MOST;
	return estimate_without(oracle, plan, omits, estimate, NULL) && estimate->fits &&
	       constraints_hold(problem, estimate);
}

/* Lets more clients of a replica come as long as the promise is kept, and keeps the best of all that were tried. */
static void clients_grow(const struct search_problem *problem, struct paradl_oracle *oracle,
	struct paradl_plan plan, struct paradl_estimate *best)
{
	const double replicas = serving_replicas(&plan);
	double held = plan.batch / replicas, broken = HUGE_VAL;
	while (broken - held > 1 && held < CLIENTS_MOST) {
		struct paradl_estimate estimate;
		const double tried = broken < HUGE_VAL ? floor((held + broken) / 2) : 2 * held;
		plan.batch = tried * replicas;
		const bool kept = holds(problem, oracle, &plan, &estimate);
		*(kept ? &held : &broken) = tried;
		if (kept && problem->value(&estimate, problem->request->goal) <
				    problem->value(best, problem->request->goal))
			*best = estimate;
	}
}

/* Estimates the plan with these settings, and replaces *improved if that is better. */
static void setting_try(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct paradl_estimate *improved)
{
	struct paradl_estimate estimate;
	const enum paradl_goal goal = problem->request->goal;
	if (!holds(problem, oracle, plan, &estimate))
		return;
	if (problem->grows)
		clients_grow(problem, oracle, *plan, &estimate);
	if (problem->value(&estimate, goal) < problem->value(improved, goal))
		*improved = estimate;
}

unsigned settings_tried(const struct search_problem *problem, const struct paradl_oracle *oracle)
{
	const struct variation *const variation = &problem->variation;
	const bool chunks = !(variation->given & 1u << PLAN_CHUNK) && chunk_after(oracle, 0) > 0;
	const bool seqs = !(variation->given & 1u << PLAN_SEQS) && seqs_after(oracle, 0) > 0;
	return variation->vary &
	       ((chunks ? 1u << PARADL_VARY_CHUNK : 0) | (seqs ? 1u << PARADL_VARY_SEQS : 0));
}

void settings_improve(
	const struct search_problem *problem, struct paradl_oracle *oracle, struct paradl_estimate *best)
{
	const bool chunks = !(problem->variation.given & 1u << PLAN_CHUNK);
	const bool seqs = !(problem->variation.given & 1u << PLAN_SEQS);
	struct paradl_estimate improved = *best;
	struct paradl_plan plan = best->plan;
	if (!best->fits)
		return;
	for (unsigned chunk = 0; chunks && (chunk = chunk_after(oracle, chunk)) > 0;) {
		plan.chunk = chunk;
		setting_try(problem, oracle, &plan, &improved);
	}
	plan = improved.plan;
	for (unsigned count = 0; seqs && (count = seqs_after(oracle, count)) > 0;) {
		plan.seqs = count;
		setting_try(problem, oracle, &plan, &improved);
	}
	if (problem->value(&improved, problem->request->goal) <
		(1 - worth) * problem->value(best, problem->request->goal))
		paradl_estimate(oracle, &improved.plan, best, NULL);
}

/* Replaces a found plan by one without some settings, if that costs less than they are worth; true where it is. */
static bool setting_spare(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct found_plan *found)
{
	struct paradl_estimate estimate;
	if (!holds(problem, oracle, plan, &estimate))
		return false;
	const double value = problem->value(&estimate, problem->request->goal);
	if (!(value * (1 - worth) <= found->value))
		return false;
	found->plan = *plan;
	found->value = value;
	return true;
}

/* Returns what a plan has of what its limit asks for, of memory, answers or time: closest.c. */
static double reached(double distance)
{
	return floor(distance) + 1 - distance;
}

/* Replaces a plan that came closest by one without some settings, if that comes nearly as close; true where it does. */
static bool nearest_setting_spare(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct found_plan *nearest)
{
	const double distance = plan_distance(problem, oracle, plan);
	const double limit = floor(distance), nearest_limit = floor(nearest->value);
	if (limit > nearest_limit ||
		(limit >= nearest_limit && reached(distance) < (1 - worth) * reached(nearest->value)))
		return false;
	nearest->plan = *plan;
	nearest->value = distance;
	return true;
}

/* Replaces a plan by one without some of its settings where these do not matter, and says whether it did. */
typedef bool (*setting_drop)(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct found_plan *found);

/* Tries a plan without its settings, then with one of them. */
static void settings_drop(const struct search_problem *problem, struct paradl_oracle *oracle,
	setting_drop drop, struct found_plan *found)
{
	const struct paradl_plan *const fixed = &problem->variation.fixed;
	struct paradl_plan plan = found->plan;
	plan.chunk = fixed->chunk;
	plan.seqs = fixed->seqs;
	if (drop(problem, oracle, &plan, found))
		return;
	plan.seqs = found->plan.seqs;
	if (drop(problem, oracle, &plan, found))
		return;
	plan.seqs = fixed->seqs;
	plan.chunk = found->plan.chunk;
	drop(problem, oracle, &plan, found);
}

double settings_spare(const struct search_state *state, struct found_plan *found, size_t count)
{
	const double least = count ? found[0].value : HUGE_VAL;
	if (state->problem.request->vary || !settings_tried(&state->problem, state->oracle))
		return HUGE_VAL;
	for (size_t i = 0; i < count; ++i)
		if (found[i].plan.chunk || found[i].plan.seqs)
			settings_drop(&state->problem, state->oracle, setting_spare, &found[i]);
	if (count)
		qsort(found, count, sizeof *found, found_plan_compare);
	return least;
}

void nearest_settings_spare(const struct search_state *state, struct found_plan *nearest)
{
	if (settings_tried(&state->problem, state->oracle) && (nearest->plan.chunk || nearest->plan.seqs))
		settings_drop(&state->problem, state->oracle, nearest_setting_spare, nearest);
}
