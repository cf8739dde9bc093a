/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the plan to recommend beside the best one. An option asks something of a program and of whoever
 * runs it. An option that gains less than a thousandth, which no output prints and no measurement would find, is left
 * out.
 */
#include "search/search_state.h"

#include "search/branch.h"

static const double worth = 1e-3;

/* Takes the plan if it asks for less, fits, meets the constraints, and its value is no more than `most`. */
static void plan_try(const struct search_problem *problem, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double most, struct paradl_estimate *best)
{
	struct paradl_estimate simpler;
	if (options_compare(plan, &best->plan) >= 0 || !paradl_estimate(oracle, plan, &simpler, NULL))
		return;
	if (simpler.fits && constraints_hold(problem, &simpler) && job_holds(oracle, problem, &simpler) &&
		problem->value(&simpler, problem->request->goal) <= most)
		*best = simpler;
}

void simplify(const struct search_problem *problem, struct paradl_oracle *oracle, struct choices *scratch,
	struct paradl_estimate *best)
{
	const double most = (1 + worth) * problem->value(best, problem->request->goal);
	choices_fill(oracle, &problem->variation, &best->plan, scratch);
	for (unsigned i = 0; i < scratch->share_count; ++i) {
		const struct share_choice *choice = &scratch->shares[i];
		struct paradl_plan plan = best->plan;
		plan.zero = choice->zero;
		plan.shard = choice->shard;
		plan_try(problem, oracle, &plan, most, best);
	}
	for (unsigned i = 0; i < scratch->recompute_count; ++i) {
		struct paradl_plan plan = best->plan;
		plan.recompute = scratch->recomputes[i];
		plan_try(problem, oracle, &plan, most, best);
	}
	for (unsigned i = 0; i < scratch->stage_count; ++i) {
		struct paradl_plan plan = best->plan;
		plan.schedule = scratch->stages[i].schedule;
		plan.chunks = scratch->stages[i].chunks;
		plan_try(problem, oracle, &plan, most, best);
	}
}
