/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan is shown layer by layer: one row per distinct layer, from the same costs that the estimate sums. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "oracle/inference.h"
#include "oracle/replicas.h"
#include "oracle/training.h"

static void row_fill(const struct evaluation *evaluation, unsigned index, const struct layer_cost *cost,
	struct paradl_layer_estimate *row)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	const double count = layer->count, times = count * evaluation->micro_batches;
	const bool measured = evaluation->oracle->times && !layer->work;
	const double weights = cost->weight_items > 0 ? cost->weight_items : 1;
	const double part = replicas_owned(evaluation, weights, cost->expert_items) / weights;
	const double owned = part * cost->weight_items;
	double update_s = 0;
	if (!evaluation->serving)
		update_s = measured && !(evaluation->plan.offload & PARADL_OFFLOAD_OPTIMIZER)
				   ? cost->update_s * part
				   : weights_update_s(evaluation, cost->weight_items, owned,
					     measured ? cost->update_s : 0);
	double exchanges_s =
		cost->hidden_s[PASS_FORWARD] +
		cost->hidden_s[PASS_BACKWARD]; /* exchanges of the token axes, both passes, hidden or not */
	for (unsigned axis = 0; axis < TOKEN_AXES; ++axis)
		exchanges_s += cost->exchange_s[axis][PASS_FORWARD] + cost->exchange_s[axis][PASS_BACKWARD];
	*row = (struct paradl_layer_estimate){
		.name = layer->name,
		.type = layer_class_names[layer->class_],
		.count = layer->count,
		.forward_s = times * cost->forward_s,
		.backward_s = times * cost->backward_s,
		.weight_update_s = count * update_s,
		.communication_s =
			times *
			(cost->activation_s[PASS_FORWARD] + cost->activation_s[PASS_BACKWARD] +
				cost->halo_s[PASS_FORWARD] + cost->halo_s[PASS_BACKWARD] + exchanges_s),
		.weights_bytes =
			count *
			(evaluation->serving ? serving_layer_bytes(evaluation, index, cost)
					     : (cost->weight_items + cost->frozen_items) *
						       precision_weight_bytes(evaluation->oracle->precision)),
		.activations_bytes = times * cost->kept_items * evaluation->item_bytes,
	};
	for (unsigned axis = PARADL_EXPERT; axis < PARADL_AXIS_COUNT; ++axis)
		if (cost->cut & 1u << axis) {
			const size_t length = strlen(row->split);
			snprintf(row->split + length, sizeof row->split - length, "%s%s", length ? "+" : "",
				strategies[axis]->name);
		}
}

bool paradl_estimate_layers(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_arena *arena, struct paradl_layer_table *table, struct paradl_error *error)
{
	const struct result *result = result_of(oracle, plan, error);
	if (!result)
		return false;
	const struct evaluation *evaluation = &result->evaluation;
	const struct paradl_model *model = evaluation->net->model;
	struct paradl_layer_estimate *rows = arena_alloc(arena, model->layer_count, sizeof *rows);
	if (!rows)
		return out_of_memory(error);
	/* Rows of inference are of its prompts, whose exchanges later passes overwrote. */
	for (unsigned i = 0; i < model->layer_count; ++i) {
		struct layer_cost cost = evaluation->net->costs[i];
		if (evaluation->serving)
			layer_cost(evaluation, i, &cost);
		row_fill(evaluation, i, &cost, &rows[i]);
	}
	*table = (struct paradl_layer_table){rows, model->layer_count};
	return true;
}
