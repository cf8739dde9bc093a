/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches side by side along `axis`: 0 is the channels (default), 1 the first extent, ... Forward and backward each
 * read and write every item once: 2|y|. The layer keeps nothing.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {
	LAYER_NODE("branches", branches, false),
	LAYER_NODE("axis", axis.node, false),
};

static unsigned *along(struct tensor *tensor, unsigned axis)
{
	return axis == 0 ? &tensor->channels : &tensor->extent[axis - 1];
}

static bool fits(const struct layer_keys *keys, const struct layer_context *context, unsigned i,
	struct paradl_error *error)
{
	const unsigned axis = keys->axis.value;
	struct tensor first = context->inputs[0], other = context->inputs[i];
	char first_text[64], other_text[64];
	tensor_format(&first, first_text, sizeof(first_text));
	tensor_format(&other, other_text, sizeof(other_text));
	*along(&first, axis) = *along(&other, axis) = 1;
	if (tensor_equal(&first, &other))
		return true;
	return json_error(layer_input_place(keys, i), error,
		"joins %s to %s along axis %u: all other extents must be equal", other_text, first_text,
		axis);
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)keeps;
	const unsigned axis = keys->axis.value;
	double sum = 0;
	layer->y = context->inputs[0];
	if (axis > layer->y.dimensions)
		return json_error(layer_place(keys, "axis"), error,
			"axis is %u but its input has %u dimension%s", axis, layer->y.dimensions,
			layer->y.dimensions == 1 ? "" : "s");
	for (unsigned i = 0; i < context->input_count; i++) {
		struct tensor input = context->inputs[i];
		if (!fits(keys, context, i, error))
			return false;
		sum += *along(&input, axis);
	}
	if (sum > EXTENT_MAX)
		return json_error(keys->node, error, "its output would have an extent of %.0f", sum);
	*along(&layer->y, axis) = (unsigned)sum;
	layer->x = layer->y;
	layer->forward_items = 2 * tensor_items(&layer->y);
	layer->backward_items = layer->forward_items;
	if (layer->y.tokens)
		tokens_pass(context, layer, 2, 2);
	return true;
}

const struct layer_type layer_type_concat = {
	.name = "concat",
	.summary = "branches side by side, along the channels or an extent",
	.class_ = LAYER_CONCAT,
	.joins = true,
	LAYER_FIELDS(fields),
	.infer = infer,
};
