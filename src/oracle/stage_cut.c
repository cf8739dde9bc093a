/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each stage of a pipeline has some of the units, in one of these ways.
 *     given     the plan says how many blocks each stage has
 *     even      programs for transformers count blocks: the same number for each stage; the embedding goes to the
 *               first, final norm, head and loss to the last. When that does not divide but two more blocks would, the
 *               first and the last stage have one block less (embedding and head count as one)
 *     balanced  else, and for networks without blocks: the largest stage is as small as it can be (partition.c), by
 *               what whole layers compute of a usual batch on the machine's device. Neither the batch of a plan nor
 *               cables move a boundary, so that more of either cannot make a step slower by moving one
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "oracle/kernels.h"
#include "oracle/stage.h"

static unsigned blocks_count(const struct paradl_model *model)
{
	unsigned count = 0;
	for (unsigned u = 0; u < model->unit_count; ++u)
		count += model->units[u].is_block;
	return count;
}

/* Turns numbers of blocks into ends of stages: other units go with the block before, first ones with the first. */
static void ends_from_blocks(const struct paradl_model *model, unsigned count, unsigned *ends)
{
	unsigned unit = 0;
	while (ends[0] == 0 && unit < model->unit_count && !model->units[unit].is_block)
		++unit;
	for (unsigned stage = 0; stage < count; ++stage) {
		for (unsigned left = ends[stage]; left; ++unit)
			left -= model->units[unit].is_block;
		ends[stage] = unit;
	}
	ends[count - 1] = model->unit_count;
}

static bool split_given(const struct evaluation *evaluation, unsigned count, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	const unsigned blocks = blocks_count(net->model);
	unsigned total = 0;
	for (unsigned i = 0; i < plan->split_count; ++i)
		total += plan->split[i];
	if (plan->split_count != count || total != blocks)
		return error_set(error, PARADL_INFEASIBLE,
			"the split names %u stages with %u blocks; the plan has %u stages, the network %u "
			"blocks",
			plan->split_count, total, count, blocks);
	for (unsigned i = 0; i < count; ++i)
		net->stage_ends[i] = plan->split[i];
	ends_from_blocks(net->model, count, net->stage_ends);
	return true;
}

static bool split_even(const struct evaluation *evaluation, unsigned count)
{
	const struct prepared *net = evaluation->net;
	const unsigned blocks = blocks_count(net->model), less = blocks % count > 0;
	if (!blocks || (blocks + 2 * less) % count)
		return false;
	for (unsigned i = 0; i < count; ++i)
		net->stage_ends[i] = (blocks + 2 * less) / count;
	net->stage_ends[0] -= less;
	net->stage_ends[count - 1] -= less;
	ends_from_blocks(net->model, count, net->stage_ends);
	return true;
}

/* Begins the evaluation of a serial plan, with as many samples as the model says that a device takes. */
static void serial_begin(
	const struct paradl_oracle *oracle, struct prepared *net, struct evaluation *evaluation)
{
	memset(evaluation, 0, offsetof(struct evaluation, own));
	evaluation->oracle = oracle;
	evaluation->net = net;
	evaluation->plan = (struct paradl_plan){.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	evaluation->micro_batches = 1;
	evaluation->samples = evaluation->local_batch = fmax(oracle->model->batch_per_gpu, 1);
	evaluation->item_bytes = oracle->rules.ideal ? precision_weight_bytes(oracle->precision)
						     : precision_activation_bytes(oracle->precision);
}

void stages_weigh(const struct paradl_oracle *oracle, struct prepared *net)
{
	struct evaluation evaluation;
	double work_s = 0, bytes = 0;
	serial_begin(oracle, net, &evaluation);
	for (unsigned i = 0; i < net->model->layer_count; ++i)
		layer_kernels(&evaluation, i, &net->kernels[i]);
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		net->stage_work[u] = work_s;
		if (net->stage_memory)
			net->stage_memory[u] = bytes;
		for (unsigned i = net->model->units[u].first; i < net->model->units[u].end; ++i) {
			const struct layer_cost *cost = &net->kernels[net->model->order[i]];
			work_s += cost->forward_s + cost->backward_s;
			bytes += evaluation.item_bytes * (cost->kept_items + 2 * cost->weight_items);
		}
	}
	net->stage_work[net->model->unit_count] = work_s;
	if (net->stage_memory)
		net->stage_memory[net->model->unit_count] = bytes;
}

/* Fills the ends of balanced stages, which are those of the network, whatever the plan: found once. */
static void split_balanced(const struct prepared *net, unsigned count)
{
	const size_t bytes = count * sizeof *net->stage_ends;
	unsigned *const kept = count <= PARTS_KEPT ? net->balanced + (size_t)count * (count - 1) / 2 : NULL;
	if (kept && kept[0]) {
		memcpy(net->stage_ends, kept, bytes);
		return;
	}
	partition(net->stage_work, net->stage_memory, net->model->unit_count, count, net->stage_ends);
	if (kept)
		memcpy(kept, net->stage_ends, bytes);
}

bool stages_cut(const struct evaluation *evaluation, unsigned count, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	if (evaluation->plan.split_count)
		return split_given(evaluation, count, error);
	if (count == 1)
		net->stage_ends[0] = net->model->unit_count;
	else if (evaluation->oracle->rules.balanced || !split_even(evaluation, count))
		split_balanced(net, count);
	return true;
}
