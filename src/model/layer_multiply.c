/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Product of n inputs, item by item. An input may have a single item for each channel (a vector, or extents of 1),
 * which scales all places of that channel: squeeze-and-excitation. Forward reads the inputs and writes y: |x| + |y|,
 * where |x| is of all inputs. Backward reads dL/dy and the inputs, which are kept, and writes their gradients: |y| +
 * 2|x|.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {LAYER_NODE("branches", branches, false)};

static bool is_scale(const struct tensor *tensor)
{
	return !tensor->tokens && tensor_items(tensor) <= tensor->channels;
}

static bool fits(const struct layer_keys *keys, const struct layer_context *context, unsigned i,
	const struct tensor *whole, struct paradl_error *error)
{
	const struct tensor *const input = &context->inputs[i];
	char first[64], other[64];
	if (tensor_equal(whole, input) || (is_scale(input) && input->channels == whole->channels))
		return true;
	return json_error(layer_input_place(keys, i), error,
		"multiplies %s by %s: shapes must be equal, or one an item for each channel",
		tensor_format(whole, first, sizeof(first)), tensor_format(input, other, sizeof(other)));
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	const struct tensor *whole = &context->inputs[0];
	for (unsigned i = 1; i < context->input_count; i++)
		if (is_scale(whole))
			whole = &context->inputs[i];
	for (unsigned i = 0; i < context->input_count; i++)
		if (!fits(keys, context, i, whole, error))
			return false;
	layer->x = layer->y = *whole;
	const double items = tensor_items(&layer->y);
	layer->forward_items = layer->x_items + items;
	layer->backward_items = 2 * layer->x_items + items;
	if (layer->y.tokens)
		tokens_pass(context, layer, context->input_count + 1.0, 2.0 * context->input_count + 1);
	keeps->x = true;
	return true;
}

const struct layer_type layer_type_multiply = {
	.name = "multiply",
	.summary = "product of branches; an empty branch is the identity",
	.class_ = LAYER_MULTIPLY,
	.joins = true,
	LAYER_FIELDS(fields),
	.infer = infer,
};
