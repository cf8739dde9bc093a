/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These bounds hold for the following reasons.
 *     mean        Some device does at least the mean over the p devices of a pipeline, and a step takes at least as
 *                 long as that device computes in its m micro-batches: m sum(layers) / p. The same holds for what is
 *                 held.
 *     kernels     Placement changes no kernel. Exchanges, host time, recomputation and copies only add.
 *     trip        The first micro-batch goes through all layers and back, one after the other; with zero bubble the
 *                 device of the first layer is at work from its forward to its backward, without any gradients of
 *                 weights.
 *     one stage   The time of device and host together is a norm of both, (d^q + h^q)^(1/q), or their sum, and norms
 *                 of sums are no more than sums of norms: the network as one stage takes no more than its stages
 *                 together. The same holds for what offloading does not hide, max(0, transfer - work).
 *     schedule    schedule_shortcuts.c says what a pipeline takes at least.
 *     compute     The device that works longest may compute less than others and exchange more, so that in a pipeline
 *                 nothing is known before its schedule has run.
 *     update      It is that of a device with the mean number of weights that owns as few of them as the largest shard
 *                 leaves.
 *     memory      A device holds weights, gradients, and states as far as the highest zero level shards them over all
 *                 replicas, and at least one micro-batch of each of its stages. The kernels alone tell what layers of
 *                 images keep, unless blocks are recomputed; where stages are, that of one micro-batch is there.
 *                 Whatever is recomputed, the device of a layer holds what that layer works on.
 *     held        A fixed order holds h_d micro-batches on device d, however the stages are cut. The fullest device
 *                 has no less than any mean of all devices. With weights w_d = (1 / h_d) / sum(1 / h), what is held
 *                 for backward counts as much wherever it is, and states at least as the least of the weights.
 * Sums in another order differ in the last digits, so bounds are lowered by more than that.
 */
#include "oracle/bounds.h"

#include "oracle/training.h"
#include "oracle/update.h"

static const double rounding = 1e-8;

/* Means of all layers, divided evenly over the pipeline. */
struct mean {
	double work_s, trip_s, update_s, weights, owned, frozen, frozen_owned,
		kept;  /* trip_s: without gradients of weights */
	double worked; /* items of the layer that works on most, whichever device has it */
};

static struct mean mean_of(const struct evaluation *evaluation, const struct open_choices *open_choices)
{
	const struct paradl_model *model = evaluation->net->model;
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	const bool measured = evaluation->oracle->times && !model->tokens;
	struct mean mean = {0};
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct layer_cost *cost = &evaluation->net->kernels[i];
		const double part = model->layers[i].count / stages;
		mean.work_s += part * (cost->forward_s + cost->backward_s);
		mean.trip_s += part * (cost->forward_s + cost->backward_s - cost->weight_s);
		mean.update_s += part * cost->update_s;
		mean.weights += part * cost->weight_items;
		mean.frozen += part * cost->frozen_items;
		mean.kept += part * cost->kept_items;
		mean.worked = later_s(mean.worked, cost->transient_items);
	}
	const double shards = open_choices->zero ? plan_replicas(&evaluation->plan) : 1;
	mean.owned = mean.weights / shards;
	mean.frozen_owned = mean.frozen / shards;
	const double measured_s = measured ? mean.update_s : 0;
	const struct update here = update_of(evaluation, mean.weights, mean.owned, measured_s, false),
			    there = update_of(evaluation, mean.weights, mean.owned, measured_s, true);
	mean.update_s = update_sum_s(&here);
	if (open_choices->offload & PARADL_OFFLOAD_OPTIMIZER && update_sum_s(&there) < mean.update_s)
		mean.update_s = update_sum_s(&there);
	return mean;
}

double always_bytes(const struct paradl_oracle *oracle)
{
	return oracle->rules.workspace_bytes + oracle->rules.context_bytes;
}

/* Returns the least bytes of weights, gradients and states, with what is always there. */
static double states_least_bytes(
	const struct evaluation *evaluation, const struct open_choices *open_choices, const struct mean *mean)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double weight = precision_weight_bytes(oracle->precision);
	const double gradient = training_gradient_bytes(oracle);
	const double state = 4 * oracle->optimizer->states + precision_master_bytes(oracle->precision);
	double bytes = gradient * (open_choices->zero >= 2 ? mean->owned : mean->weights);
	if (!(open_choices->offload & PARADL_OFFLOAD_WEIGHTS))
		bytes += weight * (open_choices->zero >= 3 ? mean->owned + mean->frozen_owned
							   : mean->weights + mean->frozen);
	if (!(open_choices->offload & PARADL_OFFLOAD_OPTIMIZER))
		bytes += state * mean->owned;
	return bytes + always_bytes(oracle);
}

static void bounds_set(const struct evaluation *evaluation, double work_s, double compute_s, double bytes,
	struct bounds *bounds)
{
	const bool alone = evaluation->plan.degree[PARADL_PIPELINE] == 1;
	bounds->iteration_s = (1 - rounding) * (work_s + bounds->update_s);
	bounds->compute_s = alone ? (1 - rounding) * (compute_s + bounds->update_s) : 0;
	bounds->memory_bytes = (1 - rounding) * bytes;
}

static double kept_least_bytes(
	const struct evaluation *evaluation, const struct open_choices *open_choices, const struct mean *mean)
{
	const bool stages = evaluation->recomputes_stages && evaluation->chunks == 1;
	const bool recomputes = evaluation->recompute > PARADL_RECOMPUTE_NONE && !stages;
	if (evaluation->net->model->tokens || open_choices->offload & PARADL_OFFLOAD_ACTIVATIONS)
		return 0;
	const double kept = open_choices->keeps_less || recomputes ? 0 : mean->kept;
	return evaluation->item_bytes * later_s(kept, mean->worked);
}

void bounds_of_kernels(
	const struct evaluation *evaluation, const struct open_choices *open_choices, struct bounds *bounds)
{
	const struct mean mean = mean_of(evaluation, open_choices);
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	const double work_s = later_s(stages * mean.trip_s, evaluation->micro_batches * mean.work_s);
	const double states = states_least_bytes(evaluation, open_choices, &mean);
	const double bytes = evaluation->oracle->rules.ideal
				     ? 2 * evaluation->item_bytes * mean.weights /* without states */
				     : states + kept_least_bytes(evaluation, open_choices, &mean);
	bounds->states_bytes = stages * (states - always_bytes(evaluation->oracle));
	bounds->worked_bytes = evaluation->net->model->tokens ? 0 : evaluation->item_bytes * mean.worked;
	bounds->update_s = mean.update_s;
	bounds_set(evaluation, work_s, work_s, bytes, bounds);
}

void bounds_of_units(
	const struct evaluation *evaluation, const struct open_choices *open_choices, struct bounds *bounds)
{
	if (evaluation->oracle->rules.ideal) /* its terms are not those of one device */
		return;
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	const double times = evaluation->micro_batches / stages;
	const bool stay = !(open_choices->offload & PARADL_OFFLOAD_ACTIVATIONS);
	/* A stage recomputes its first blocks only; the network as one stage has fewer of those. */
	const bool kept_is_known = stay && !evaluation->plan.recompute_blocks;
	struct stage whole;
	struct stage_work work;
	stage_fill(evaluation, 0, evaluation->net->model->unit_count, NULL, &whole);
	stage_work_fill(evaluation, &whole, &work);
	bounds->kept_bytes = kept_is_known ? evaluation->item_bytes * whole.term[STAGE_KEPT] : 0;
	bounds->working_bytes = stay ? evaluation->item_bytes * whole.term[STAGE_WORKING] : 0;
	const double bytes = always_bytes(evaluation->oracle) + bounds->states_bytes / stages +
			     (stay ? later_s(bounds->kept_bytes / stages, bounds->worked_bytes) : 0);
	bounds_set(evaluation, times * (work.total_s[PASS_FORWARD] + work.total_s[PASS_BACKWARD]),
		times * (work.forward_s + work.backward_s + work.weight_s + work.again_s), bytes, bounds);
}

/* Returns how often all stages together keep, at most, what the fullest device keeps: sum(1 / h_d); *most: largest h_d. */
static double held_shares(const struct evaluation *evaluation, double *most)
{
	const unsigned *held = evaluation->net->held;
	const unsigned devices = evaluation->plan.degree[PARADL_PIPELINE];
	double sum = 0;
	*most = 0;
	for (unsigned d = 0; d < devices; ++d) {
		unsigned least = held[d];
		for (unsigned stage = d + devices; stage < devices * evaluation->chunks; stage += devices)
			least = held[stage] < least ? held[stage] : least;
		sum += 1.0 / least;
		*most = later_s(*most, least);
	}
	return sum;
}

void bounds_of_held(const struct evaluation *evaluation, struct bounds *bounds)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const struct step step = {.devices = evaluation->plan.degree[PARADL_PIPELINE],
		.micro_batches = evaluation->micro_batches};
	const struct pipeline_schedule schedule = training_pipeline(evaluation, &step);
	if (rules->ideal || !(bounds->kept_bytes > 0) || schedule_splits_backward(schedule.kind))
		return;
	training_held_least(evaluation, &schedule);
	double most;
	const double sum = held_shares(evaluation, &most), least = 1 / (most * sum);
	const double working = bounds->working_bytes;
	const double comes = bounds->kept_bytes / sum + (working > 0 ? least * working : working);
	const double bytes = always_bytes(evaluation->oracle) + least * bounds->states_bytes +
			     (1 + rules->fragmentation) * comes;
	bounds->memory_bytes = later_s(bounds->memory_bytes, (1 - rounding) * bytes);
}

static void time_raise(struct bounds *bounds, double work_s)
{
	bounds->iteration_s = later_s((1 - rounding) * (work_s + bounds->update_s), bounds->iteration_s);
}

void bounds_of_stages(const struct evaluation *evaluation, const struct step *step, struct bounds *bounds)
{
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	/* Micro-batches that no schedule follows add work only. */
	time_raise(bounds, schedule_least_s(&schedule, step->micro_batches));
}

void bounds_of_schedule(const struct step *step, struct bounds *bounds)
{
	const struct stage_work *busiest = &step->busiest;
	const double compute_s =
		step->micro_batches * (busiest->forward_s + busiest->backward_s + busiest->again_s);
	time_raise(bounds, step->schedule.makespan_s + step->tied_s);
	bounds->compute_s = later_s(bounds->compute_s, (1 - rounding) * compute_s);
}
