/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many plans, each as it would be by itself, bit for bit. An evaluation has levels, as those of a search: layers are cut, devices
 * connected, units and stages summed up, the schedule is followed, replicas share. What a plan has in common with the one before it is
 * not done again; so plans are told best with those that differ least side by side.
 */
#include <string.h>

#include "base/error.h"
#include "oracle/training.h"

enum shared_level { LEVEL_CUT, LEVEL_CONNECT, LEVEL_UNITS, LEVEL_STAGES, LEVEL_SHARE };

struct many {
	struct paradl_oracle *oracle;
	struct result *result;
	bool holds;           /* the levels are those of the result's plan */
	struct step followed; /* the step after its schedule */
};

/* What the step to stages reads of a set of overlaps, and of what is offloaded: the rest belongs to ways to share. */
static unsigned apart_of(const struct paradl_plan *plan)
{
	return plan->apart & ~(unsigned)PARADL_OVERLAP_GRADIENTS;
}

static unsigned offload_of(const struct paradl_plan *plan)
{
	return plan->offload & ~(unsigned)PARADL_OFFLOAD_OPTIMIZER;
}

static bool same(double a, double b)
{
	return a <= b && a >= b;
}

/* Whether two plans cut layers alike. */
static bool cut_alike(const struct paradl_plan *a, const struct paradl_plan *b)
{
	return memcmp(a->degree, b->degree, sizeof a->degree) == 0 &&
	       memcmp(a->spatial, b->spatial, sizeof a->spatial) == 0 && same(a->batch, b->batch) &&
	       same(a->micro, b->micro) && a->sequence == b->sequence && a->context == b->context &&
	       a->expert_tensor == b->expert_tensor && a->dispatcher == b->dispatcher &&
	       a->recompute_blocks == b->recompute_blocks && a->split_count == b->split_count &&
	       memcmp(a->split, b->split, a->split_count * sizeof *a->split) == 0 &&
	       strcmp(a->gather, b->gather) == 0;
}

/* Returns the first level at which a plan differs from the one before. */
static enum shared_level level_of(const struct paradl_plan *before, const struct paradl_plan *plan)
{
	if (plan->split_count > PARADL_SPLIT_MAX || !cut_alike(before, plan))
		return LEVEL_CUT;
	if (memcmp(before->order, plan->order, sizeof plan->order) != 0)
		return LEVEL_CONNECT;
	if (before->recompute != plan->recompute)
		return LEVEL_UNITS;
	if (apart_of(before) != apart_of(plan) || offload_of(before) != offload_of(plan) ||
		before->chunks != plan->chunks || before->schedule != plan->schedule)
		return LEVEL_STAGES;
	return LEVEL_SHARE;
}

/* Does the levels from one on, up to the schedule. */
static bool levels_run(
	struct many *many, const struct paradl_plan *plan, enum shared_level from, struct paradl_error *error)
{
	struct evaluation *evaluation = &many->result->evaluation;
	if (!(from == LEVEL_CUT ? evaluation_cut(evaluation, many->oracle, plan, 0, error)
				: evaluation_vary(evaluation, plan, error)))
		return false;
	if (from <= LEVEL_CONNECT && !evaluation_connect(evaluation, many->oracle, error))
		return false;
	if (from <= LEVEL_UNITS)
		unit_costs_fill(evaluation);
	if (from > LEVEL_STAGES)
		return true;
	if (!training_stages(evaluation, &many->followed, error))
		return false;
	training_schedule(evaluation, &many->followed);
	return true;
}

static bool plan_run(struct many *many, const struct paradl_plan *plan, struct paradl_error *error)
{
	struct result *result = many->result;
	struct evaluation *evaluation = &result->evaluation;
	const enum shared_level from = many->holds ? level_of(&evaluation->plan, plan) : LEVEL_CUT;
	many->holds = false;
	if (!levels_run(many, plan, from, error) || !replicas_compile(evaluation, error))
		return false;
	many->holds = true;
	result->step = many->followed;
	estimate_begin(evaluation, &result->estimate);
	training_share(evaluation, &result->step, &result->estimate);
	training_memory(evaluation, result->step.holders, &result->estimate);
	estimate_finish(evaluation, &result->estimate);
	return true;
}

/* Of a plan that cannot run, by itself, nothing is known; all else is an error. */
static bool is_no_plan(const struct paradl_error *error)
{
	return error->status == PARADL_INFEASIBLE || error->status == PARADL_USAGE;
}

static bool estimate_one(struct many *many, const struct paradl_plan *plan, struct paradl_estimate *estimate,
	struct paradl_error *error)
{
	if (many->oracle->options.inference)
		return paradl_estimate(many->oracle, plan, estimate, error);
	const bool runs = plan_run(many, plan, error);
	*estimate = runs ? many->result->estimate : (struct paradl_estimate){0};
	return runs;
}

bool paradl_estimate_many(struct paradl_oracle *oracle, const struct paradl_plan *plans, size_t count,
	struct paradl_estimate *estimates, struct paradl_error *error)
{
	struct many many = {.oracle = oracle, .result = result_room(oracle, error)};
	if (!many.result)
		return false;
	for (size_t i = 0; i < count; ++i) {
		struct paradl_error own = {0};
		if (estimate_one(&many, &plans[i], &estimates[i], &own) || is_no_plan(&own))
			continue;
		if (error)
			*error = own;
		return false;
	}
	oracle->latest = NULL;
	return true;
}
