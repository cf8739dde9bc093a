/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file says what the choice of an algorithm for the gradients is worth. The plan is estimated again as with
 * --algo ring, which libraries fall back on, and with --algo auto, which takes all there are. A gain is a share of the
 * step, so an exchange that backward hides gains nothing.
 *
 * A mix that was asked for is taken apart the same way: by rings, uncompressed and nothing hidden; by its algorithm;
 * with what compute hides; and compressed, so that a compression gains only what overlap left.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/evaluation.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"
#include "plan/plan_text.h"

static const double least_gain = 0.02; /* share of the step: a lesser gain is not worth a setting */

/*
 * Returns whether the messages of the gradients take so much more or less time by these algorithms that a step may
 * change by least_gain: twice the difference is compared, for what a library adds. Where nobody knows, it may.
 */
static bool may_matter(const struct result *result, const struct choice *choice)
{
	const struct evaluation *evaluation = &result->evaluation;
	const struct routing routing =
		gradient_routing(evaluation, &evaluation->dense, result->step.dense_weights, 1);
	if (!routing.route || routing.route->stage_count != 1)
		return true;
	const struct group group =
		group_of(evaluation->oracle->machine, &evaluation->plan, evaluation->replicas);
	const struct curve *other = table_curve(evaluation->table, &group, choice);
	const double bytes = routing.bytes / routing.messages;
	if (!other)
		return false;
	const double difference_s =
		fabs(curve_s(other, bytes) - curve_s(routing.route->stages[0].curve, bytes));
	return 2 * routing.messages * difference_s > least_gain * result->estimate.iteration_s;
}

/* Estimates the plan by an oracle that differs in --algo alone; false where that changes nothing, or does not work. */
static bool estimate_by(const struct result *result, const char *algorithm, struct paradl_arena *arena,
	struct paradl_estimate *estimate)
{
	struct paradl_oracle *other = oracle_clone(result->evaluation.oracle, arena, NULL);
	if (!other)
		return false;
	other->options.algorithm = algorithm;
	other->arena = result->evaluation.oracle->arena; /* choices are keys of curves that stay */
	if (!choices_make(other, NULL) || !may_matter(result, &other->choices->gradient.choice))
		return false;
	other->arena = arena;
	return paradl_estimate(other, &result->estimate.plan, estimate, NULL) && estimate->gradient_algorithm;
}

/* Estimates the plan with other gradients; where that does not work, leaves the plan's own estimate. */
static struct paradl_estimate estimate_with(
	const struct result *result, const char *algorithm, struct paradl_arena *arena)
{
	struct paradl_oracle *const other = oracle_clone(result->evaluation.oracle, arena, NULL);
	struct paradl_estimate estimate = result->estimate;
	if (!other)
		return estimate;
	other->options.algorithm = algorithm;
	other->options.compress = NULL;
	other->arena = arena;
	if (!choices_make(other, NULL) || !paradl_estimate(other, &result->estimate.plan, &estimate, NULL))
		return result->estimate;
	return estimate;
}

static void mix_fill(
	const struct result *result, struct paradl_arena *arena, struct paradl_algorithm_gains *gains)
{
	const struct paradl_options *const options = &result->evaluation.oracle->options;
	if (!options->algorithm && !options->compress)
		return;
	const struct paradl_estimate whole = estimate_with(result, options->algorithm, arena),
				     rings = estimate_with(result, "ring", arena);
	const double apart_s = whole.iteration_s + whole.gradient_hidden_s;
	gains->plain_s = rings.iteration_s + rings.gradient_hidden_s;
	gains->by_algorithm_s = gains->plain_s - apart_s;
	gains->by_overlap_s = whole.gradient_hidden_s;
	gains->by_compression_s = whole.iteration_s - result->estimate.iteration_s;
}

bool paradl_algorithm_gains(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_algorithm_gains *gains, struct paradl_error *error)
{
	struct paradl_estimate other;
	const struct result *result = result_of(oracle, plan, error);
	*gains = (struct paradl_algorithm_gains){.library = choices_library(oracle)};
	if (!result)
		return false;
	const struct paradl_estimate *own = &result->estimate;
	if (own->gradient_algorithm)
		mix_fill(result, arena, gains);
	/* Measured curves are of what the library did; the model's times are no measure of these. */
	if (oracle->options.algorithm || !own->gradient_algorithm ||
		!collective_find(ALLREDUCE, own->gradient_algorithm))
		return true;
	if (!strstr(own->gradient_algorithm, "ring") && estimate_by(result, "ring", arena, &other) &&
		other.iteration_s > own->iteration_s * (1 + least_gain)) {
		gains->taken = own->gradient_algorithm;
		gains->ring_s = other.iteration_s;
	}
	if (own->phase_s[PARADL_GRADIENT_EXCHANGE] > least_gain * own->iteration_s &&
		estimate_by(result, "auto", arena, &other) &&
		other.iteration_s < own->iteration_s * (1 - least_gain)) {
		gains->outside = other.gradient_algorithm;
		gains->outside_s = other.iteration_s;
	}
	return true;
}

/* Estimates another plan; returns whether it takes least_gain off, and has the memory that the first one has. */
static bool plan_is_faster(struct paradl_oracle *oracle, const struct paradl_estimate *of,
	const struct paradl_plan *plan, struct paradl_other_plan *faster)
{
	struct paradl_estimate other;
	if (oracle->options.inference || !paradl_estimate(oracle, plan, &other, NULL) ||
		other.fits < of->fits || other.iteration_s > of->iteration_s * (1 - least_gain))
		return false;
	paradl_plan_format(plan, faster->strategy, sizeof faster->strategy);
	faster->iteration_s = other.iteration_s;
	return true;
}

bool paradl_faster_order(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *faster)
{
	struct paradl_plan plan = of->plan;
	paradl_plan_nest(&plan);
	return plan_is_faster(oracle, of, &plan, faster);
}

bool paradl_faster_split(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *faster)
{
	const bool cuts =
		of->plan.degree[PARADL_PIPELINE] > 1 && !oracle->options.ideal && !oracle->options.inference;
	const struct result *result = cuts ? result_of(oracle, &of->plan, NULL) : NULL;
	struct paradl_plan plan = of->plan;
	return result && stages_balance(&result->evaluation, &plan) &&
	       plan_is_faster(oracle, of, &plan, faster);
}

bool paradl_faster_dispatcher(struct paradl_oracle *oracle, const struct paradl_estimate *of,
	struct paradl_arena *arena, struct paradl_faster_dispatcher *faster)
{
	static const double worth_saying = 0.05; /* share of the step: such libraries have to be built */
	const unsigned offered = oracle->framework->offers.dispatchers;
	struct paradl_plan plan = of->plan;
	double least_s = of->iteration_s * (1 - worth_saying);
	bool found = false;
	if (!oracle->has_experts || oracle->options.inference || oracle->options.ideal ||
		plan.dispatcher != PARADL_DISPATCHER_DEFAULT ||
		!(oracle->device.link.dispatch_bytes_per_s > 0))
		return false;
	struct paradl_oracle *const other = oracle_clone(oracle, arena, NULL);
	if (!other)
		return false;
	other->arena = arena;
	for (unsigned d = PARADL_DISPATCHER_ALL_TO_ALL; d < PARADL_DISPATCHER_COUNT; ++d) {
		struct paradl_estimate estimate;
		plan.dispatcher = (enum paradl_dispatcher)d;
		if (!(offered & 1u << d) || !paradl_estimate(other, &plan, &estimate, NULL) ||
			!estimate.fits || estimate.iteration_s > least_s)
			continue;
		least_s = estimate.iteration_s;
		*faster = (struct paradl_faster_dispatcher){plan_dispatchers[d], least_s};
		found = true;
	}
	return found;
}

/* Options that a simpler plan may do without, the one that is most work to set first. */
enum dropped { DROPPED_OFFLOAD, DROPPED_RECOMPUTE, DROPPED_SCHEDULE, DROPPED_SHARDING, DROPPED };

/* Takes an option away from a plan; false: it has none of it. */
static bool option_drop(struct paradl_plan *plan, enum dropped option)
{
	const struct paradl_plan had = *plan;
	switch (option) {
	case DROPPED_OFFLOAD:
		plan->offload = 0;
		return had.offload > 0;
	case DROPPED_RECOMPUTE:
		plan->recompute = (enum paradl_recompute)0;
		plan->recompute_blocks = 0;
		return had.recompute != plan->recompute;
	case DROPPED_SCHEDULE:
		plan->schedule = (enum paradl_pipeline_schedule)0;
		plan->chunks = 0;
		return had.schedule != plan->schedule;
	case DROPPED_SHARDING:
		plan->zero = plan->shard = 0;
		return had.zero > 0;
	case DROPPED:
		break;
	}
	return false;
}

bool paradl_simpler_plan(
	struct paradl_oracle *oracle, const struct paradl_estimate *of, struct paradl_other_plan *simpler)
{
	static const double as_fast = 1e-3; /* share of a step that no measurement of training tells apart */
	struct paradl_plan plan = of->plan;
	bool found = false;
	for (unsigned option = 0; option < DROPPED; ++option) {
		struct paradl_plan without = plan;
		struct paradl_estimate estimate;
		if (!option_drop(&without, (enum dropped)option) ||
			!paradl_estimate(oracle, &without, &estimate, NULL) || !estimate.fits ||
			estimate.iteration_s > of->iteration_s * (1 + as_fast))
			continue;
		plan = without;
		simpler->iteration_s = estimate.iteration_s;
		found = true;
	}
	paradl_plan_format(&plan, simpler->strategy, sizeof simpler->strategy);
	return found;
}
