/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two products with an activation between; "gated" has a third one whose result multiplies it: act(x W) * (x V). The
 * activation reads and writes 2 items for each of `hidden`, gated 3; backward half as much again. Kept for backward:
 * the items that the activation reads (relu: none, as the sign of its result says as much) and its result.
 */
#include "model/layer_type.h"

const char *const mlp_activations[] = {
	[MLP_RELU] = "relu", [MLP_RELU2] = "relu2", [MLP_GELU] = "gelu", [MLP_SILU] = "silu", NULL};

static const struct json_field fields[] = {
	LAYER_NODE("hidden", hidden.node, true),
	LAYER_BOOL("gated", gated),
	LAYER_CHOICE("act", act, mlp_activations),
	LAYER_BOOL("bias", bias),
};

double work_mlp(
	struct token_work *work, const struct layer_keys *keys, double hidden, bool routed, double experts)
{
	const double width = routed ? work->routed_items : work->hidden_items,
		     columns = (keys->gated ? 2 : 1) * hidden;
	const double items = (keys->gated ? 3 : 2) * hidden;
	const unsigned first = work->kernel_count;
	work_product(work, CUT_COLUMNS, width, columns, keys->bias);
	work_pass(work, CUT_COLUMNS, items, 1.5 * items);
	work_product(work, CUT_ROWS, hidden, width, keys->bias);
	for (unsigned i = first; i < work->kernel_count; i++) {
		work->kernels[i].routed = routed;
		work->kernels[i].weight_items *= experts;
	}
	return !keys->gated && keys->act == MLP_RELU ? hidden : items;
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	work->kept_cut_items = work_mlp(work, keys, keys->hidden.value, false, 1);
	work->sums_forward = work->sums_backward = 1;
	work->is_block = true;
	layer->weight_tensors = (keys->gated ? 3U : 2U) * (keys->bias ? 2U : 1U);
	tokens_finish(layer, 0, keeps);
	keeps->x = true;
	return true;
}

const struct layer_type layer_type_mlp = {
	.name = "mlp",
	.summary = "two products with an activation between, perhaps gated",
	.class_ = LAYER_MLP,
	LAYER_FIELDS(fields),
	.defaults = {.act = MLP_GELU},
	.infer = infer,
};
