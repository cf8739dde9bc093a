/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One plan, start to end: cut every distinct layer (evaluation_begin), sum the layers of a stage (or of the whole
 * network), exchange gradients, wait, and finish with what follows from the iteration: epoch, rates, energy, cost.
 */
#include "oracle/inference.h"

static void whole_network_run(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct stage_sums sums = stage_sum(evaluation, 0, evaluation->net->model->order_count);
	const double times = evaluation->micro_batches;
	double *phase = estimate->phase_s;
	phase[PARADL_FORWARD] = times * sums.forward_s;
	phase[PARADL_BACKWARD] = times * sums.backward_s;
	phase[PARADL_WEIGHT_UPDATE] = sums.update_s;
	phase[PARADL_ACTIVATION_EXCHANGE] =
		times *
		(sums.activation_s[PASS_FORWARD] + sums.activation_s[PASS_BACKWARD] + gather_s(evaluation));
	phase[PARADL_HALO_EXCHANGE] = times * (sums.halo_s[PASS_FORWARD] + sums.halo_s[PASS_BACKWARD]);
	phase[PARADL_GRADIENT_EXCHANGE] =
		gradient_exchange_s(evaluation, sums.weight_items, sums.tensors, NULL);
	estimate->gradient_host_s = gradient_host_s(evaluation, sums.weight_items, sums.tensors);
	gradient_describe(evaluation, sums.weight_items, estimate);
	const double gradients = waiting_s(evaluation, &sums, true),
		     calls = waiting_s(evaluation, &sums, false);
	phase[PARADL_GRADIENT_EXCHANGE] += gradients;
	phase[phase[PARADL_HALO_EXCHANGE] > 0 ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE] += calls;
	estimate->gradient_waiting_s = gradients;
	estimate->waiting_s = gradients + calls;
	memory_fill(evaluation, &sums, evaluation->oracle->rules.ideal ? times : 1, 0, &estimate->memory);
}

void times_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double *phase = estimate->phase_s;
	estimate->compute_s = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
			      phase[PARADL_WEIGHT_UPDATE];
	estimate->communication_s = phase[PARADL_GRADIENT_EXCHANGE] + phase[PARADL_ACTIVATION_EXCHANGE] +
				    phase[PARADL_HALO_EXCHANGE] + phase[PARADL_STAGE_TRANSFER];
	const bool hides = !oracle->rules.ideal && !(evaluation->plan.apart & PARADL_OVERLAP_GRADIENTS);
	double hidden = hides ? oracle->framework->overlap * phase[PARADL_BACKWARD] : 0;
	const double may_hide = phase[PARADL_GRADIENT_EXCHANGE] - estimate->gradient_host_s;
	if (hidden > may_hide)
		hidden = may_hide;
	estimate->exposed_communication_s = estimate->communication_s - hidden;
	estimate->gradient_hidden_s = hidden;
	estimate->iteration_s =
		estimate->compute_s + estimate->exposed_communication_s + phase[PARADL_BUBBLE];
	const double waiting = estimate->waiting_s < estimate->exposed_communication_s
				       ? estimate->waiting_s
				       : estimate->exposed_communication_s;
	estimate->iteration_quiet_s = estimate->iteration_s - waiting;
}

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

/* gcd_* are over the layers that the axis cuts. */
bool plan_uneven(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	bool uneven =
		evaluation->local_batch * plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] >
			plan->batch ||
		(plan->micro > 0 && plan->micro * evaluation->micro_batches > evaluation->local_batch) ||
		net->common_filters % plan->degree[PARADL_FILTER] ||
		net->common_channels % plan->degree[PARADL_CHANNEL];
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		uneven = uneven || net->common_extents[i] % plan->spatial[i];
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_TENSOR; ++axis)
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

void estimate_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (!evaluation->serving) {
		oracle_input_add(evaluation, estimate);
		estimate_derive(evaluation, estimate);
	}
	estimate->memory_bytes = memory_sum(&estimate->memory);
	estimate->capacity_bytes = oracle->machine->device.memory_bytes;
	estimate->fits = estimate->memory_bytes <= estimate->capacity_bytes;
	if (!evaluation->serving)
		limits_fill(evaluation, estimate);
	band_fill(oracle, estimate);
}

bool estimate_fill(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error)
{
	*estimate = (struct paradl_estimate){.plan = evaluation->plan,
		.devices = (unsigned)paradl_plan_devices(&evaluation->plan),
		.local_batch = evaluation->local_batch,
		.micro_batches = evaluation->micro_batches,
		.uneven = plan_uneven(evaluation)};
	if (evaluation->serving) {
		if (!inference_run(evaluation, estimate, error))
			return false;
	} else if (evaluation->trains) {
		if (!training_run(evaluation, estimate, error))
			return false;
	} else if (evaluation->plan.degree[PARADL_PIPELINE] > 1)
		pipeline_run(evaluation, estimate);
	else
		whole_network_run(evaluation, estimate);
	if (!evaluation->trains && !evaluation->serving)
		times_finish(evaluation, estimate);
	estimate_finish(evaluation, estimate);
	return true;
}

bool paradl_estimate(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct evaluation evaluation;
	*estimate = (struct paradl_estimate){0};
	return evaluation_begin(&evaluation, oracle, plan, error) &&
	       estimate_fill(&evaluation, estimate, error);
}

const char *paradl_moment_name(enum paradl_moment moment)
{
	static const char *const names[] = {"pass", "backward", "loss", "step"};
	return names[moment];
}

const char *paradl_phase_name(enum paradl_phase phase)
{
	static const char *const names[PARADL_PHASE_COUNT] = {"forward", "backward", "recompute",
		"weight_update", "gradient_exchange", "activation_exchange", "halo_exchange",
		"stage_transfer", "bubble", "input"};
	return names[phase];
}
