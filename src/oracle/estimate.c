/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file takes one plan from start to end: it cuts every distinct layer (evaluation_begin), sums the layers of a
 * stage (or of the whole network), exchanges gradients, waits, and finishes with what follows from the iteration:
 * epoch, rates, energy, cost.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "oracle/evaluation.h"
#include "oracle/inference.h"
#include "oracle/training.h"

void estimate_derive(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const struct paradl_model *model = evaluation->oracle->model;
	const double batch = estimate->plan.batch;
	const double flop = batch * (model->forward_flop + model->backward_flop);
	if (estimate->iteration_s > 0) {
		estimate->samples_per_s = batch / estimate->iteration_s;
		estimate->flop_per_s_per_device = flop / estimate->iteration_s / estimate->devices;
		estimate->mfu = estimate->flop_per_s_per_device /
				machine->device.peak_flop_per_s[evaluation->oracle->precision];
	}
	estimate->epoch_s = model->dataset.samples / batch * estimate->iteration_s;
	expense_fill(evaluation->oracle, estimate);
}

/* Finds remainders in the batch and in what axes cut; net->common is over the layers that they cut. */
bool plan_uneven(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	bool uneven = evaluation->local_batch * plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] >
			      plan->batch ||
		      (plan->micro > 0 && plan->micro * evaluation->micro_batches > evaluation->local_batch);
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		uneven = uneven || net->common_extents[i] % plan->spatial[i];
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis)
		uneven = uneven || net->common[axis] % plan->degree[axis];
	return uneven && !evaluation->oracle->rules.ideal;
}

double memory_sum(const struct paradl_memory *memory)
{
	return memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
	       memory->activations_bytes + memory->logits_bytes + memory->workspace_bytes +
	       memory->communication_bytes + memory->context_bytes + memory->fragmentation_bytes +
	       memory->cache_bytes;
}

static void needs_fill(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	estimate->memory_bytes = memory_sum(&estimate->memory);
	estimate->capacity_bytes = evaluation->oracle->machine->device.memory_bytes;
	const double usable = evaluation->serving ? evaluation->oracle->rules.serve_memory : 1;
	estimate->usable_bytes = usable * estimate->capacity_bytes;
	estimate->fits = estimate->memory_bytes <= estimate->usable_bytes;
}

void lack_explain(const struct paradl_estimate *estimate, char *reason, size_t size)
{
	char needs[32], has[32], takes[32];
	quantity_format(needs, sizeof needs, estimate->memory_bytes, DIMENSION_BYTES);
	quantity_format(has, sizeof has, estimate->capacity_bytes, DIMENSION_BYTES);
	quantity_format(takes, sizeof takes, estimate->usable_bytes, DIMENSION_BYTES);
	if (estimate->usable_bytes < estimate->capacity_bytes)
		snprintf(reason, size, "needs %s on the fullest device; of its %s engines take %s", needs,
			has, takes);
	else
		snprintf(reason, size, "needs %s on the fullest device, which has %s", needs, has);
}

void estimate_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	needs_fill(evaluation, estimate);
	stages_tell(evaluation, estimate);
	if (evaluation->serving) {
		inference_feed(evaluation, estimate);
	} else {
		oracle_input_add(evaluation, estimate);
		estimate_derive(evaluation, estimate);
		limits_fill(evaluation, estimate);
	}
	band_fill(oracle, estimate);
}

void estimate_begin(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct prefill *prefill = evaluation->oracle->prefill;
	const unsigned readers = prefill ? prefill->devices : 0;
	*estimate = (struct paradl_estimate){.plan = evaluation->plan,
		.devices = (unsigned)paradl_plan_devices(&evaluation->plan) + readers,
		.local_batch = evaluation->local_batch,
		.micro_batches = evaluation->micro_batches,
		.uneven = plan_uneven(evaluation)};
}

static const struct result *evaluate(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	const bool holds = oracle->latest != NULL;
	struct result *result = oracle->result;
	if (!result)
		oracle->result = result = arena_alloc(oracle->arena, 1, sizeof *result);
	if (!result)
		return out_of_memory_null(error);
	oracle->latest = NULL;
	result->evaluation.most_per_s = 0;
	if (!levels_run(result, oracle, plan, holds, error))
		return NULL;
	estimate_finish(&result->evaluation, &result->estimate);
	oracle->latest = result;
	return result;
}

bool plans_alike(const struct paradl_plan *a, const struct paradl_plan *b)
{
	char text[2][PARADL_PLAN_TEXT];
	paradl_plan_format(a, text[0], sizeof text[0]);
	paradl_plan_format(b, text[1], sizeof text[1]);
	return strcmp(text[0], text[1]) == 0 && !(a->batch < b->batch || a->batch > b->batch);
}

const struct result *result_of(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	const struct result *latest = oracle->latest;
	return latest && plans_alike(&latest->estimate.plan, plan) ? latest : evaluate(oracle, plan, error);
}

bool paradl_estimate(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	const struct result *result = evaluate(oracle, plan, error);
	if (result) {
		*estimate = result->estimate;
		return true;
	}
	*estimate = (struct paradl_estimate){0};
	if (oracle->result)
		estimate->inference.most_per_s = oracle->result->evaluation.most_per_s;
	return false;
}

bool estimate_without(struct paradl_oracle *oracle, const struct paradl_plan *plan, unsigned omits,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	oracle->omits = omits;
	const bool runs = paradl_estimate(oracle, plan, estimate, error);
	oracle->omits = 0;
	oracle->latest = NULL;
	return runs;
}

bool paradl_estimate_many(struct paradl_oracle *oracle, const struct paradl_plan *plans, size_t count,
	struct paradl_estimate *estimates, struct paradl_error *error)
{
	for (size_t i = 0; i < count; ++i) {
		struct paradl_error own = {0};
		const bool runs = paradl_estimate(oracle, &plans[i], &estimates[i], &own);
		if (runs || own.status == PARADL_INFEASIBLE || own.status == PARADL_USAGE)
			continue;
		if (error)
			*error = own;
		return false;
	}
	return true;
}

bool estimate_needs(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct evaluation evaluation;
	struct step step;
	*estimate = (struct paradl_estimate){0};
	if (!evaluation_cut(&evaluation, oracle, plan, 0, error))
		return false;
	if (evaluation.serving || schedule_splits_backward(evaluation.schedule))
		return paradl_estimate(oracle, plan, estimate, error);
	evaluation_isolate(&evaluation);
	estimate_begin(&evaluation, estimate);
	unit_costs_fill(&evaluation);
	if (!training_stages(&evaluation, &step, error))
		return false;
	training_hold_least(&evaluation, &step);
	training_memory(&evaluation, step.pipeline_ranks, estimate);
	needs_fill(&evaluation, estimate);
	return true;
}

/* Returns whether the training program has what a plan asks for, or says what it lacks; estimates do not care. */
bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size)
{
	struct paradl_plan asked = *plan;
	if (oracle->rules.ideal || (oracle->options.inference && !oracle->framework->serves))
		return true;
	if (asked.schedule == PARADL_SCHEDULE_DEFAULT)
		asked.schedule = oracle->rules.schedule;
	return framework_offers_plan(oracle->framework, &asked, text, size);
}

NAME_FUNCTION(paradl_moment_name, enum paradl_moment, "pass", "backward", "loss", "step")

NAME_FUNCTION(paradl_phase_name, enum paradl_phase, "forward", "backward", "recompute", "weight_update",
	"gradient_exchange", "activation_exchange", "halo_exchange", "stage_transfer", "bubble", "input")
