/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step needs the memory of its fullest device, at the fullest of three moments:
 *     backward   the schedule holds as many micro-batches as it ever does, and the backward of the largest block
 *                begins: what it computed again, and the gradients of its worst kernel
 *     loss       on the device with the last stage: scores of the vocabulary, their probabilities and gradients; with
 *                every other micro-batch that it holds, the probabilities stay (fp32; zero bubble: 16-bit gradients)
 *     step       no activations, but what the optimizer copies
 * Networks of images have one moment, the end of forward. The items that a device keeps from forward to backward are
 * those of a micro-batch in each of its stages (stage.c) times the micro-batches that the schedule holds there:
 *     activations  bytes of an item (sum over stages of kept held + working set of backward)
 * A device always has
 *     weights    w bytes each (2 in mixed precision), gradients g (2 or 4), optimizer states (adam 8, and 4 of the
 *                fp32 copy); zero 1 divides the last by the replicas, zero 2 gradients too, zero 3 all (Rajbhandari
 *                2020). An embedding that head and first stage share is held by both
 *     gathered   zero 3: the largest unit and the next one whole, and gradients of one; in a pipeline that keeps them
 *                all (FSDP does not reshard after forward there), and their gradients in fp32, with zero 2 too
 *     context    the runtime, and buffers of communicators for each group
 * and the allocator cannot use a share of what comes and goes (fragmentation).
 */
#include "oracle/training.h"

#include <math.h>

#include "oracle/replicas.h"
#include "oracle/schedule.h"
#include "oracle/stage.h"

static const double probability_bytes = 4;
static const double whole_gradient_bytes =
	4; /* bytes of whole gradients, which FSDP2 adds up in the format of their reduction */
static const double logit_gradient_bytes =
	2; /* bytes of logits' gradients, kept for the gradient of the head's weights where that waits */

double training_gradient_bytes(const struct paradl_oracle *oracle)
{
	const struct rules *rules = &oracle->rules;
	const double weight = precision_weight_bytes(oracle->precision);
	const double sent = rules->gradient_bytes > 0 ? rules->gradient_bytes : weight;
	return fmax(sent * (1 + rules->gradient_buffers), weight);
}

/* Returns the bytes of one weight's gradient, with the sum that a bf16 optimizer keeps apart. */
static double held_gradient_bytes(const struct evaluation *evaluation)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double sum = oracle->rules.gradient_sum_bytes;
	if (evaluation->plan.zero >= 2 || oracle->precision != PARADL_BF16_MIXED || !(sum > 0))
		return training_gradient_bytes(oracle);
	return fmax(training_gradient_bytes(oracle), precision_weight_bytes(oracle->precision) + sum);
}

/* Adds the states of layers with one plan to what is there; only one plan's weights are gathered at a time. */
static void states_add(const struct part *part, struct paradl_memory *memory)
{
	const struct evaluation *evaluation = part->evaluation;
	const double *sums = part->sums;
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	const double weight = precision_weight_bytes(oracle->precision),
		     gradient = held_gradient_bytes(evaluation);
	const double weights = sums[STAGE_WEIGHTS] + part->copied, frozen = sums[STAGE_FROZEN];
	const double owned = replicas_owned(evaluation, weights, sums[STAGE_EXPERT_WEIGHTS]);
	const double unit = sums[STAGE_UNIT_WEIGHTS];
	const double blocks = sums[STAGE_BLOCKS];
	const double next =
		blocks > 0 && (weights + frozen) / blocks < unit ? (weights + frozen) / blocks : unit;
	const double frozen_part = frozen_held(evaluation, sums);
	const double held = weight * ((plan->zero == 3 ? owned : weights) + frozen_part);
	memory->weights_bytes +=
		plan->offload & PARADL_OFFLOAD_WEIGHTS ? fmin(weight * (unit + next), held) : held;
	memory->gradients_bytes += gradient * (plan->zero >= 2 ? owned : weights);
	if (!(plan->offload & PARADL_OFFLOAD_OPTIMIZER))
		memory->optimizer_bytes +=
			(4 * oracle->optimizer->states + precision_master_bytes(oracle->precision)) * owned;
	const bool keeps = keeps_gathered(evaluation);
	if (owned + frozen_part < weights + frozen && (plan->zero == 3 || keeps)) {
		const double live = plan->zero < 3 ? 0
				    : keeps        ? weights + frozen
						   : fmin(unit + next, weights + frozen);
		memory->communication_bytes = later_s(memory->communication_bytes,
			weight * live + (keeps ? fmax(gradient, whole_gradient_bytes) * weights
					       : gradient * fmin(unit, weights)));
	}
}

double training_states_bytes(const struct evaluation *evaluation, const double *sums)
{
	const struct part part = {.evaluation = evaluation, .sums = sums};
	struct paradl_memory memory = {0};
	states_add(&part, &memory);
	return memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes;
}

/* Returns the weights that the optimizer steps over. */
static double stepped(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank)
{
	double all = 0;
	for (struct part part = {0};
		part_next(evaluation, pipeline_rank->device, pipeline_rank->sums, &part);) {
		const double weights = part.sums[STAGE_WEIGHTS] + part.copied + pipeline_rank->tied;
		all += replicas_owned(part.evaluation, weights, part.sums[STAGE_EXPERT_WEIGHTS]);
	}
	return all;
}

/* Returns the bytes of the runtime and communicators: the pipeline's, and one for each other axis of each plan. */
double device_context_bytes(const struct evaluation *evaluation, unsigned device)
{
	const struct rules *rules = &evaluation->oracle->rules;
	/* Replicas of inference have nothing to say to one another. */
	const unsigned silent = 1U << PARADL_PIPELINE | (evaluation->serving ? 1U << PARADL_DATA : 0);
	unsigned groups = evaluation->plan.degree[PARADL_PIPELINE] > 1;
	for (struct part part = {0}; part_next(evaluation, device, NULL, &part);)
		for (unsigned axes = part.evaluation->axes & ~silent; axes; axes &= axes - 1)
			++groups;
	return rules->context_bytes + groups * rules->communicator_bytes;
}

double device_message_bytes(const struct evaluation *evaluation, unsigned device)
{
	const unsigned reader = evaluation->net->message_reader;
	double items = 0;
	if (evaluation->plan.degree[PARADL_PIPELINE] < 2 || !evaluation->oracle->rules.moments)
		return 0;
	for (struct part part = {0}; reader && part_next(evaluation, device, NULL, &part);)
		items = later_s(items, entering_items(part.evaluation, reader));
	return items * evaluation->item_bytes;
}

/* Fills what lives at a moment apart from states, with one message each way; false: this device has no such moment. */
static bool moment_fill(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct paradl_memory *memory)
{
	const double message = pipeline_rank->message_bytes;
	const struct rules *rules = &evaluation->oracle->rules;
	const double item = evaluation->item_bytes, *sums = pipeline_rank->sums;
	const bool offloads = evaluation->plan.offload & PARADL_OFFLOAD_ACTIVATIONS;
	const double kept =
		offloads ? fmin(2 * sums[STAGE_UNIT_KEPT], pipeline_rank->kept) : pipeline_rank->kept;
	const double logits = sums[STAGE_LOGITS];
	const double more = pipeline_rank->logits_held > 1 ? pipeline_rank->logits_held - 1 : 0;
	memory->workspace_bytes = rules->workspace_bytes;
	memory->communication_bytes += item * sums[STAGE_BUFFERS] + 2 * message;
	memory->activations_bytes = item * kept + (rules->stage_outputs ? pipeline_rank->held * message : 0);
	memory->logits_bytes =
		logits * more *
		(schedule_splits_backward(evaluation->schedule) ? logit_gradient_bytes : probability_bytes);
	switch (memory->moment) {
	case PARADL_MOMENT_PASS:
	case PARADL_MOMENT_BACKWARD:
		memory->activations_bytes += item * sums[STAGE_WORKING];
		break;
	case PARADL_MOMENT_LOSS:
		if (!(pipeline_rank->logits_held > 0))
			return false;
		memory->logits_bytes += logits * rules->logits_bytes;
		break;
	case PARADL_MOMENT_STEP:
		memory->activations_bytes = memory->logits_bytes = memory->communication_bytes = 0;
		memory->workspace_bytes += rules->step_memory_bytes * stepped(evaluation, pipeline_rank);
		break;
	case PARADL_MOMENT_COUNT:
		return false;
	}
	return true;
}

/* Takes the memory of Table III, everything and its gradient, no reuse, if it is fuller than the fullest so far. */
static void ideal_add(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct paradl_memory *fullest)
{
	const double item = evaluation->item_bytes;
	const struct paradl_memory memory = {.weights_bytes = item * pipeline_rank->sums[STAGE_WEIGHTS],
		.gradients_bytes = item * pipeline_rank->sums[STAGE_WEIGHTS],
		.activations_bytes = 2 * item * pipeline_rank->sums[STAGE_KEPT] * evaluation->micro_batches};
	if (memory_sum(&memory) > memory_sum(fullest))
		*fullest = memory;
}

/* Takes a device at the fullest of its moments, if it is fuller than the fullest so far. */
static void moments_add(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct paradl_memory *fullest)
{
	const struct rules *rules = &evaluation->oracle->rules;
	struct paradl_memory always = {.context_bytes = pipeline_rank->context_bytes};
	if (rules->moments) {
		always.stage = evaluation->plan.degree[PARADL_PIPELINE] > 1 ? pipeline_rank->device + 1 : 0;
		always.in_flight = pipeline_rank->held;
	}
	const unsigned first = rules->moments ? PARADL_MOMENT_BACKWARD : PARADL_MOMENT_PASS;
	const unsigned end = rules->moments ? PARADL_MOMENT_COUNT : PARADL_MOMENT_PASS + 1;
	for (struct part part = {0};
		part_next(evaluation, pipeline_rank->device, pipeline_rank->sums, &part);) {
		part.copied += pipeline_rank->tied;
		states_add(&part, &always);
	}
	for (unsigned moment = first; moment < end; ++moment) {
		struct paradl_memory memory = always;
		memory.moment = (enum paradl_moment)moment;
		if (!moment_fill(evaluation, pipeline_rank, &memory))
			continue;
		memory.fragmentation_bytes =
			rules->fragmentation *
			(memory.activations_bytes + memory.logits_bytes + memory.communication_bytes);
		if (memory_sum(&memory) > memory_sum(fullest))
			*fullest = memory;
	}
}

/* Takes a device, if it is fuller than the fullest so far. */
static void pipeline_rank_add(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct paradl_memory *fullest)
{
	if (!pipeline_rank->fills)
		return;
	if (evaluation->oracle->rules.ideal)
		ideal_add(evaluation, pipeline_rank, fullest);
	else
		moments_add(evaluation, pipeline_rank, fullest);
}

void training_memory(
	const struct evaluation *evaluation, unsigned pipeline_rank_count, struct paradl_estimate *estimate)
{
	for (unsigned i = 0; i < pipeline_rank_count; ++i)
		pipeline_rank_add(evaluation, &evaluation->net->pipeline_ranks[i], &estimate->memory);
}

static const double rounding = 1e-9; /* share, for sums in another order */

bool training_memory_lacks(const struct evaluation *evaluation, unsigned pipeline_rank_count)
{
	const double capacity = evaluation->oracle->machine->device.memory_bytes;
	struct paradl_memory fullest = {0};
	for (unsigned i = 0; i < pipeline_rank_count; ++i) {
		pipeline_rank_add(evaluation, &evaluation->net->pipeline_ranks[i], &fullest);
		if (memory_sum(&fullest) * (1 - rounding) > capacity)
			return true;
	}
	return false;
}
