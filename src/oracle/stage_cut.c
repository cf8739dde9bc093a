/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which units each stage of a pipeline has.
 *     given     the plan says how many blocks each stage has
 *     even      programs for transformers count blocks: the same number for each stage; the embedding goes to the first,
 *               final norm, head and loss to the last. When that does not divide but two more blocks would, the first and
 *               the last stage have one block less (embedding and head count as one)
 *     balanced  else, and for networks without blocks: the largest stage is as small as it can be (partition.c)
 */
#include "base/error.h"
#include "oracle/stage.h"

static unsigned blocks_count(const struct paradl_model *model)
{
	unsigned count = 0;
	for (unsigned u = 0; u < model->unit_count; ++u)
		count += model->units[u].is_block;
	return count;
}

/* Makes ends of the numbers of all blocks: what is no block goes with the block before it, first ones with the first. */
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

/* In networks of images stages are cut by what layers take once, whatever is computed again. */
static double unit_layers_s(const struct evaluation *evaluation, unsigned unit, double before_s)
{
	const struct prepared *net = evaluation->net;
	double s = before_s;
	for (unsigned i = net->model->units[unit].first; i < net->model->units[unit].end; ++i) {
		const struct layer_cost *cost = &net->costs[net->model->order[i]];
		s += cost->forward_s + cost->backward_s + cost->activation_s[0] + cost->activation_s[1] +
		     cost->halo_s[0] + cost->halo_s[1];
	}
	return s;
}

static double unit_terms_s(const struct evaluation *evaluation, unsigned unit, double before_s)
{
	const struct unit_classes *classes = evaluation->net->classes;
	const double *term = classes->costs[classes->of_unit[unit]].term;
	double s = before_s;
	for (unsigned i = STAGE_FORWARD_S; i <= STAGE_AGAIN_EXCHANGE_S; ++i)
		s += term[i];
	for (unsigned i = STAGE_EXCHANGE_S; i < STAGE_FORWARD_S; ++i)
		s += term[i];
	return s;
}

static void split_balanced(const struct evaluation *evaluation, unsigned count)
{
	const struct prepared *net = evaluation->net;
	double work = 0;
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		net->stage_work[u] = work;
		work = evaluation->oracle->rules.own_maxima ? unit_layers_s(evaluation, u, work)
							    : unit_terms_s(evaluation, u, work);
	}
	net->stage_work[net->model->unit_count] = work;
	partition(net->stage_work, net->model->unit_count, count, net->stage_ends);
}

bool stages_need_exchanges(const struct evaluation *evaluation)
{
	const unsigned quiet = 1U << PARADL_DATA | 1U << PARADL_PIPELINE;
	const unsigned count = evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks;
	if (count == 1 || evaluation->plan.split_count ||
		(!(evaluation->axes & ~quiet) && !evaluation->blocking))
		return false;
	return evaluation->oracle->rules.balanced || !split_even(evaluation, count);
}

bool stages_cut(const struct evaluation *evaluation, unsigned count, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	if (evaluation->plan.split_count)
		return split_given(evaluation, count, error);
	if (count == 1)
		net->stage_ends[0] = net->model->unit_count;
	else if (evaluation->oracle->rules.balanced || !split_even(evaluation, count))
		split_balanced(evaluation, count);
	return true;
}
