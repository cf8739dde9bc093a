/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of the fullest device of a pipeline, at the end of the forward that fills it or in the backward after.
 *     weights, gradients, optimizer   of all its stages, sharded as zero says; of zero 3 two whole units besides
 *     activations   what its stages keep of one micro-batch, for as many as the schedule holds at once, and what the
 *                   largest unit keeps while it is recomputed
 *     the rest      workspace, runtime, buffers of communicators, and what the allocator cannot use
 */
#include "oracle/training_memory.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"

static double sum(const struct paradl_memory *memory)
{
	return memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
	       memory->activations_bytes + memory->workspace_bytes;
}

static void states_fill(const struct evaluation *evaluation, const double *sums, struct paradl_memory *memory)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_plan *plan = &evaluation->plan;
	const double weight = precision_weight_bytes(oracle->precision);
	const double gradient = oracle->framework->training.gradient_bytes > 0
					? oracle->framework->training.gradient_bytes
					: weight;
	const double weights = sums[STAGE_WEIGHTS];
	const double owned = replicas_owned(evaluation, weights, sums[STAGE_EXPERT_WEIGHTS]);
	const double unit = sums[STAGE_BLOCKS] > 0 ? weights / sums[STAGE_BLOCKS] : weights;
	const double live = plan->zero == 3 ? 2 * unit : 0;
	memory->weights_bytes = weight * ((plan->zero == 3 ? owned + live : weights) + sums[STAGE_FROZEN]);
	memory->gradients_bytes = gradient * (plan->zero >= 2 ? owned : weights);
	memory->optimizer_bytes =
		(4 * oracle->optimizer->states + precision_master_bytes(oracle->precision)) *
		(plan->zero >= 1 ? owned : weights);
	if (plan->offload & PARADL_OFFLOAD_OPTIMIZER)
		memory->optimizer_bytes = 0;
	if (plan->offload & PARADL_OFFLOAD_WEIGHTS)
		memory->weights_bytes = weight * 2 * unit;
}

void training_memory(const struct evaluation *evaluation, unsigned stages, struct paradl_estimate *estimate)
{
	const struct prepared *net = evaluation->net;
	const struct paradl_framework *framework = evaluation->oracle->framework;
	const struct framework_training *training = &framework->training;
	const unsigned devices = evaluation->plan.degree[PARADL_PIPELINE];
	unsigned groups = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		groups += evaluation->plan.degree[axis] > 1;
	for (unsigned d = 0; d < devices; ++d) {
		double sums[STAGE_TERMS] = {0}, kept = 0, working = 0;
		struct paradl_memory memory = {0};
		for (unsigned i = 0; i < stages; ++i) {
			if (stage_device(evaluation, i) != d)
				continue;
			const double *term = net->stages[i].term;
			for (unsigned k = STAGE_WEIGHTS; k < STAGE_TERMS; ++k)
				sums[k] += term[k];
			kept += net->held[i] * term[STAGE_KEPT];
			working = term[STAGE_WORKING] > working ? term[STAGE_WORKING] : working;
		}
		states_fill(evaluation, sums, &memory);
		if (evaluation->plan.offload & PARADL_OFFLOAD_ACTIVATIONS)
			kept = 0;
		memory.activations_bytes = evaluation->item_bytes * (kept + working);
		memory.workspace_bytes = framework->workspace_bytes + training->context_bytes +
					 groups * training->communicator_bytes;
		memory.workspace_bytes += training->fragmentation * sum(&memory);
		if (sum(&memory) > sum(&estimate->memory))
			estimate->memory = memory;
	}
}
