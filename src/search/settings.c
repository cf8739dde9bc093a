/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file improves a plan by settings of its engine. Sequences at a time are tried for requests at a rate only: for
 * clients, fewer of them do the same.
 */
#include <math.h>

#include "oracle/inference.h"
#include "plan/plan_text.h"
#include "search/search_state.h"

static const double worth = 0.02;
enum { CLIENTS_MOST = 1 << 16 };

static bool holds(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, struct paradl_estimate *estimate)
{
	return estimate_without(oracle, plan, answers_omit(problem), estimate, NULL) && estimate->fits &&
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

void settings_improve(
	const struct search_problem *problem, struct paradl_oracle *oracle, struct paradl_estimate *best)
{
	const bool comes = oracle->options.rate_per_s > 0;
	const bool chunks = !oracle->prefill && !(problem->variation.given & 1u << PLAN_CHUNK);
	const bool seqs = comes && !(problem->variation.given & 1u << PLAN_SEQS);
	struct paradl_estimate improved = *best;
	struct paradl_plan plan = best->plan;
	if (!(oracle->output_tokens > 0) || !best->fits)
		return;
	for (unsigned chunk = CHUNK_LEAST; chunks && chunk <= CHUNK_MOST; chunk *= 2) {
		const bool usual = chunk <= oracle->rules.serve_chunk && chunk >= oracle->rules.serve_chunk;
		plan.chunk = chunk;
		if (!usual)
			setting_try(problem, oracle, &plan, &improved);
	}
	plan = improved.plan;
	for (unsigned count = 1; seqs && count <= SEQS_MOST; count *= 2) {
		plan.seqs = count;
		setting_try(problem, oracle, &plan, &improved);
	}
	if (problem->value(&improved, problem->request->goal) <
		(1 - worth) * problem->value(best, problem->request->goal))
		paradl_estimate(oracle, &improved.plan, best, NULL);
}
