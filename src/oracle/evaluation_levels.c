/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans are evaluated one after another. An evaluation has levels, as a search has: layers are cut, devices are
 * connected, units and stages are summed up and the schedule is followed, replicas share, and some of that overlaps.
 * Levels that a plan has in common with the one before it are not done again, and its estimate is what it would be by
 * itself, bit for bit. So lists of plans are best given with those that differ least side by side.
 */
#include <string.h>

#include "oracle/inference.h"
#include "oracle/replicas.h"
#include "oracle/training.h"

enum shared_level { LEVEL_CUT, LEVEL_CONNECT, LEVEL_UNITS, LEVEL_STAGES, LEVEL_SHARE, LEVEL_OVERLAP };

/* Returns the overlaps (below, the offloads) that the step to stages reads; the rest belongs to ways to share. */
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

/* Returns whether two plans cut layers alike. */
static bool cut_alike(const struct paradl_plan *a, const struct paradl_plan *b)
{
	return memcmp(a->degree, b->degree, sizeof a->degree) == 0 &&
	       memcmp(a->spatial, b->spatial, sizeof a->spatial) == 0 && same(a->batch, b->batch) &&
	       same(a->micro, b->micro) && a->sequence == b->sequence && a->context == b->context &&
	       a->expert_tensor == b->expert_tensor && a->dispatcher == b->dispatcher &&
	       a->recompute_blocks == b->recompute_blocks && a->split_count == b->split_count &&
	       memcmp(a->split, b->split, a->split_count * sizeof *a->split) == 0 && a->chunk == b->chunk &&
	       a->seqs == b->seqs && strcmp(a->gather, b->gather) == 0;
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
	const bool shares_alike = before->zero == plan->zero && before->shard == plan->shard &&
				  before->offload == plan->offload;
	return shares_alike ? LEVEL_OVERLAP : LEVEL_SHARE;
}

/* Returns whether two plans that are connected alike share among the same devices. */
static bool groups_alike(const struct paradl_plan *a, const struct paradl_plan *b)
{
	return !a->zero == !b->zero && a->shard == b->shard;
}

/* Adds up what stages do, and follows their schedule, from a level on; false with an error. */
static bool schedule_enter(struct result *result, enum shared_level from, struct paradl_error *error)
{
	const struct evaluation *evaluation = &result->evaluation;
	if (from <= LEVEL_UNITS)
		unit_costs_fill(evaluation);
	if (from > LEVEL_STAGES)
		return true;
	if (!training_stages(evaluation, &result->followed, error))
		return false;
	training_schedule(evaluation, &result->followed);
	return true;
}

/* Takes the least lossy compression with which the step is as short as with the best. */
static void compression_choose(struct result *result)
{
	struct evaluation *evaluation = &result->evaluation;
	const double fastest_s = result->estimate.iteration_s;
	result->has_routes = false; /* not all that were compiled are left */
	for (unsigned count = 1; count <= routes_use(evaluation, count); ++count) {
		result->step = result->followed;
		estimate_begin(evaluation, &result->estimate);
		training_share(evaluation, &result->step, &result->estimate);
		if (compressed_enough(result->estimate.iteration_s, fastest_s))
			return;
	}
}

/*
 * Adds what replicas exchange, and the memory. What overlaps with gradients changes neither the times of exchanges nor
 * the memory, which are those of the plan before then.
 */
static void shares_enter(struct result *result, bool overlap_only)
{
	struct evaluation *evaluation = &result->evaluation;
	const struct paradl_memory memory = result->estimate.memory;
	estimate_begin(evaluation, &result->estimate);
	result->step = result->followed;
	if (overlap_only) {
		training_share_known(evaluation, &result->step, &result->estimate);
		result->estimate.memory = memory;
		return;
	}
	training_share(evaluation, &result->step, &result->estimate);
	if (evaluation->dense.route_count > 1)
		compression_choose(result);
	training_memory(evaluation, result->step.pipeline_ranks, &result->estimate);
}

bool levels_run(struct result *result, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	bool holds, struct paradl_error *error)
{
	struct evaluation *evaluation = &result->evaluation;
	const bool varies = holds && !evaluation->serving;
	const enum shared_level from = varies ? level_of(&evaluation->plan, plan) : LEVEL_CUT;
	const bool has_routes =
		from > LEVEL_CONNECT && result->has_routes && groups_alike(&evaluation->plan, plan);
	if (!(from == LEVEL_CUT ? evaluation_cut(evaluation, oracle, plan, 0, error)
				: evaluation_vary(evaluation, plan, error)))
		return false;
	if (from <= LEVEL_CONNECT && !evaluation_connect(evaluation, oracle, error))
		return false;
	if (evaluation->serving) {
		estimate_begin(evaluation, &result->estimate);
		return inference_run(evaluation, &result->estimate, error);
	}
	if (!has_routes && !replicas_compile(evaluation, error))
		return false;
	result->has_routes = true;
	if (!schedule_enter(result, from, error))
		return false;
	shares_enter(result, from == LEVEL_OVERLAP && has_routes);
	return true;
}
