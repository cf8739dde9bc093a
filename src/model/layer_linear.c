/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers that are matrix products: a fully connected one, and two with an activation between. */
#include "model/layer_type.h"

#include <limits.h>

/*
 * Fully connected layer. It takes an input with extents as one vector of all its items, but each token by itself, by
 * a product that the tensor axis does not cut.
 */

static const struct json_field linear_fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_BOOL("bias", bias),
};

static bool linear_tokens(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	layer->y.channels = keys->out.value;
	work_product(work, CUT_NOTHING, layer->x.channels, keys->out.value, keys->bias);
	layer->weight_tensors = keys->bias ? 2 : 1;
	tokens_finish(layer, 0, keeps);
	keeps->x = layer->backward_weight;
	return true;
}

static bool linear_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	const double items = tensor_items(&layer->x);
	if (layer->x.tokens)
		return linear_tokens(keys, context, layer, keeps, error);
	if (items > UINT_MAX)
		return json_error(
			keys->node, error, "its input has %.0f items, more than %u", items, UINT_MAX);
	layer->channels = (unsigned)items;
	layer->filters = keys->out.value;
	layer->kernel_volume = 1;
	layer->positions = 1;
	layer->y = (struct tensor){.channels = layer->filters, .extent = {1, 1, 1}};
	contraction_work(keys->bias, layer, keeps);
	return true;
}

const struct layer_type layer_type_linear = {
	.name = "linear",
	.summary = "fully connected layer",
	.class_ = LAYER_LINEAR,
	LAYER_FIELDS(linear_fields),
	.defaults = {.bias = true},
	.infer = linear_infer,
};

/*
 * Two products with an activation between; "gated" has a third one whose result multiplies it: act(x W) * (x V). The
 * activation reads and writes 2 items for each of `hidden`, gated 3; backward half as much again. Kept for backward:
 * the items that the activation reads (relu: none, as the sign of its result says as much) and its result.
 */

const char *const mlp_activations[] = {
	[MLP_RELU] = "relu", [MLP_RELU2] = "relu2", [MLP_GELU] = "gelu", [MLP_SILU] = "silu", NULL};

static const struct json_field mlp_fields[] = {
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

static bool mlp_infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
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
	LAYER_FIELDS(mlp_fields),
	.defaults = {.act = MLP_GELU},
	.infer = mlp_infer,
};
