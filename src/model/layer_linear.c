/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fully connected layer. It takes an input with extents as one vector of all its items, but each token by itself, by
 * a product that the tensor axis does not cut.
 */
#include <limits.h>

#include "model/layer_type.h"

static const struct json_field fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_BOOL("bias", bias),
};

static bool infer_tokens(const struct layer_keys *keys, const struct layer_context *context,
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

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	const double items = tensor_items(&layer->x);
	if (layer->x.tokens)
		return infer_tokens(keys, context, layer, keeps, error);
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
	LAYER_FIELDS(fields),
	.defaults = {.bias = true},
	.infer = infer,
};
