/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sum of n branches of equal shape. Forward reads n and writes y: (n+1)|y|. Backward hands dL/dy to every branch,
 * each of which gets a copy or an addition to its gradient so far: (n+1)|y| as well. The layer keeps nothing. With
 * tokens, backward is half of forward: dL/dy is shared, and one addition per branch but the first joins the gradients
 * where branches began.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {LAYER_NODE("branches", branches, false)};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)keeps;
	for (unsigned i = 1; i < context->input_count; i++) {
		char first[64], other[64];
		if (tensor_equal(&context->inputs[0], &context->inputs[i]))
			continue;
		return json_error(layer_input_place(keys, i), error, "adds %s to %s: shapes must be equal",
			tensor_format(&context->inputs[i], other, sizeof(other)),
			tensor_format(&context->inputs[0], first, sizeof(first)));
	}
	layer->y = context->inputs[0];
	layer->forward_items = (context->input_count + 1.0) * tensor_items(&layer->y);
	layer->backward_items = layer->forward_items;
	if (layer->y.tokens)
		tokens_pass(context, layer, context->input_count + 1.0, (context->input_count + 1.0) / 2);
	return true;
}

const struct layer_type layer_type_add = {
	.name = "add",
	.summary = "sum of branches; an empty branch is the identity",
	.class_ = LAYER_ADD,
	.joins = true,
	LAYER_FIELDS(fields),
	.infer = infer,
};
