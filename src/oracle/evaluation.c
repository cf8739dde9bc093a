/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An evaluation fixes batches and options of one plan; its steps cut the plan's layers and connect its devices. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "oracle/inference.h"
#include "oracle/replicas.h"

double usual_micro_batches(const struct paradl_oracle *oracle, unsigned stages, double local_batch)
{
	const struct rules *rules = &oracle->rules;
	double samples = rules->micro_samples;
	if (!(samples > 0))
		return stages > 1 && rules->micro_batches > 0 ? rules->micro_batches : stages;
	if (stages < 2)
		samples = fmax(samples, oracle->model->batch_per_gpu);
	return fmax(1, share(local_batch, samples, rules->ideal));
}

/* Sets local batch and micro-batches: those of the fullest replica; the ideal model divides evenly. */
static void batches_fill(struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	const bool ideal = oracle->rules.ideal;
	const double replicas = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	evaluation->local_batch = share(plan->batch, replicas, ideal);
	const double count = plan->micro > 0 ? fmax(1, share(evaluation->local_batch, plan->micro, ideal))
					     : usual_micro_batches(oracle, plan->degree[PARADL_PIPELINE],
						       evaluation->local_batch);
	evaluation->micro_batches = count;
	evaluation->samples = evaluation->local_batch / count;
}

/* Returns whether this is a plan: one that was filled by hand can hold anything, one that was parsed passes. */
static bool plan_valid(const struct paradl_plan *plan)
{
	unsigned placed = 0;
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		if (plan->degree[i] < 1 || plan->order[i] >= PARADL_AXIS_COUNT)
			return false;
		placed |= 1U << plan->order[i];
	}
	const double pieces = (double)plan->spatial[0] * plan->spatial[1] * plan->spatial[2];
	const double spatial = plan->degree[PARADL_SPATIAL];
	return placed + 1 == 1U << PARADL_AXIS_COUNT && !(pieces < spatial) && !(pieces > spatial) &&
	       plan->micro >= 0 && plan->micro <= 1e15;
}

static bool plan_check(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	const double devices = paradl_plan_devices(plan);
	if (!plan_valid(plan))
		return error_set(error, PARADL_USAGE,
			"not a plan: degrees are at least 1, the order holds each axis once, spatial pieces "
			"multiply to their degree, micro is not negative");
	if (!plan_options_hold(plan, error))
		return false;
	if (!(plan->batch >= 1) || !(plan->batch <= 1e15))
		return error_set(error, PARADL_USAGE, "the batch must be from 1 to 1e15 samples, is %.17g",
			plan->batch);
	if (devices > oracle->machine->devices)
		return error_set(error, PARADL_USAGE, "%s has %u devices; the plan uses %.0f",
			oracle->machine->name, oracle->machine->devices, devices);
	return true;
}

void options_resolve(struct evaluation *evaluation)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const struct paradl_plan *plan = &evaluation->plan;
	evaluation->schedule = plan->schedule == PARADL_SCHEDULE_DEFAULT ? rules->schedule : plan->schedule;
	evaluation->chunks = 1;
	if (evaluation->schedule == PARADL_INTERLEAVED)
		evaluation->chunks = plan->chunks ? plan->chunks : 1;
	else if (evaluation->schedule == PARADL_ZERO_BUBBLE_V)
		evaluation->chunks = 2;
	const bool stages = rules->recompute_stages && plan->degree[PARADL_PIPELINE] > 1;
	evaluation->dispatcher =
		plan->dispatcher == PARADL_DISPATCHER_DEFAULT ? rules->dispatcher : plan->dispatcher;
	evaluation->recompute = plan->recompute;
	if (plan->recompute == PARADL_RECOMPUTE_DEFAULT)
		evaluation->recompute = stages ? PARADL_RECOMPUTE_FULL : rules->recompute;
	evaluation->recomputes_stages =
		stages && evaluation->recompute == PARADL_RECOMPUTE_FULL && !plan->recompute_blocks;
}

bool evaluation_enter(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error)
{
	oracle->latest = NULL;
	if (!plan_check(oracle, plan, error))
		return false;
	memset(evaluation, 0, offsetof(struct evaluation, own));
	evaluation->oracle = oracle;
	evaluation->plan = *plan;
	evaluation->axes = plan_axes(plan);
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
		const unsigned used = evaluation->axes & 1u << axis;
		evaluation->replicas |= strategies[axis]->replicates_weights ? used : 0;
		evaluation->blocking = evaluation->blocking || (used && oracle->rules.blocking[axis]);
	}
	evaluation->item_bytes = oracle->rules.ideal ? precision_weight_bytes(oracle->precision)
						     : precision_activation_bytes(oracle->precision);
	evaluation->net = oracle_prepare(oracle, plan, error);
	if (!evaluation->net)
		return false;
	options_resolve(evaluation);
	if (!oracle->options.inference)
		batches_fill(evaluation);
	else if (!inference_begin(evaluation, error))
		return false;
	if (micro_batches > 0) {
		evaluation->micro_batches = micro_batches;
		evaluation->samples = evaluation->local_batch / micro_batches;
	}
	return plan_feasible(evaluation, !(micro_batches > 0), error);
}

bool evaluation_cut(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error)
{
	if (!evaluation_enter(evaluation, oracle, plan, micro_batches, error))
		return false;
	layers_cut(evaluation, oracle->arena);
	return true;
}

bool evaluation_vary(
	struct evaluation *evaluation, const struct paradl_plan *plan, struct paradl_error *error)
{
	if (!plan_check(evaluation->oracle, plan, error))
		return false;
	evaluation->plan = *plan;
	options_resolve(evaluation);
	return plan_feasible(evaluation, true, error);
}

bool evaluation_connect(
	struct evaluation *evaluation, struct paradl_oracle *oracle, struct paradl_error *error)
{
	oracle->latest = NULL;
	if (!network_take(oracle, paradl_plan_devices(&evaluation->plan), &evaluation->table, error))
		return false;
	evaluation->connected = true;
	if (!exchanges_compile(evaluation, error))
		return false;
	if (!evaluation->serving) {
		replicas_count(evaluation);
		waiting_compile(evaluation);
	}
	evaluation->net->costs = evaluation->net->connected;
	for (unsigned i = 0; i < evaluation->net->model->layer_count; ++i) {
		evaluation->net->costs[i] = evaluation->net->kernels[i];
		layer_exchanges(evaluation, i, &evaluation->net->costs[i]);
	}
	return true;
}

void evaluation_isolate(struct evaluation *evaluation)
{
	evaluation->stage = NULL;
	evaluation->connected = false;
	evaluation->net->costs = evaluation->net->kernels;
	if (!evaluation->serving)
		replicas_count(evaluation);
}

bool evaluation_begin(struct evaluation *evaluation, struct paradl_oracle *oracle,
	const struct paradl_plan *plan, double micro_batches, struct paradl_error *error)
{
	return evaluation_cut(evaluation, oracle, plan, micro_batches, error) &&
	       evaluation_connect(evaluation, oracle, error) &&
	       (evaluation->serving || replicas_compile(evaluation, error));
}
