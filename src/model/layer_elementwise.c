/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers that work item by item: activations, sums, products, dropout. */
#include "model/layer_type.h"

/*
 * An activation function, item by item (softmax: over the channels). Forward reads x and writes y: 2|x|. Backward
 * reads dL/dy and the kept tensor and writes dL/dx: 3|x|. The kept tensor is y where the derivative follows from it
 * (relu, tanh, ...), else x: gelu, silu and hardswish are not invertible, and nothing is known about an "other"
 * function of items.
 */

enum { RELU, RELU6, LEAKY_RELU, TANH, SIGMOID, SOFTMAX, GELU, SILU, HARDSWISH, ELU, HARDSIGMOID, OTHER };
static const char *const act_kinds[] = {"relu", "relu6", "leaky-relu", "tanh", "sigmoid", "softmax", "gelu",
	"silu", "hardswish", "elu", "hardsigmoid", "other", NULL};

static const struct json_field act_fields[] = {LAYER_KIND(act_kinds)};

static bool act_infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)error;
	layer->y = layer->x;
	layer->forward_items = 2 * layer->x_items;
	layer->backward_items = 3 * layer->x_items;
	if (layer->x.tokens)
		tokens_pass(context, layer, 2, 3);
	const bool from_x =
		keys->kind == GELU || keys->kind == SILU || keys->kind == HARDSWISH || keys->kind == OTHER;
	keeps->x = from_x;
	keeps->y = !from_x;
	return true;
}

const struct layer_type layer_type_act = {
	.name = "act",
	.summary = "activation: relu, gelu, silu, softmax, ...",
	.class_ = LAYER_ACTIVATION,
	LAYER_FIELDS(act_fields),
	.kinds = act_kinds,
	.infer = act_infer,
};

/*
 * Sum of n branches of equal shape. Forward reads n and writes y: (n+1)|y|. Backward hands dL/dy to every branch,
 * each of which gets a copy or an addition to its gradient so far: (n+1)|y| as well. The layer keeps nothing. With
 * tokens, backward is half of forward: dL/dy is shared, and one addition per branch but the first joins the gradients
 * where branches began; one token may be added to all of a sequence (a shift, as of DiT's norms, 2023).
 */

/* Returns whether a tensor has a single item for each channel: a vector, extents of 1, or one token. */
static bool is_scale(const struct tensor *tensor)
{
	return tensor_items(tensor) <= tensor->channels;
}

static const struct json_field add_fields[] = {LAYER_NODE("branches", branches, false)};

static bool add_infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)keeps;
	for (unsigned i = 1; i < context->input_count; i++) {
		char first[64], other[64];
		const struct tensor *const input = &context->inputs[i];
		if (tensor_equal(&context->inputs[0], input) ||
			(input->tokens && is_scale(input) && input->channels == context->inputs[0].channels))
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
	LAYER_FIELDS(add_fields),
	.infer = add_infer,
};

/*
 * Product of n inputs, item by item. An input may have a single item for each channel (a vector, extents of 1, one token),
 * which scales all places of that channel: squeeze-and-excitation. Forward reads the inputs and writes y: |x| + |y|,
 * where |x| is of all inputs. Backward reads dL/dy and the inputs, which are kept, and writes their gradients: |y| +
 * 2|x|.
 */

static const struct json_field multiply_fields[] = {LAYER_NODE("branches", branches, false)};

static bool multiply_fits(const struct layer_keys *keys, const struct layer_context *context, unsigned i,
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

static bool multiply_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	const struct tensor *whole = &context->inputs[0];
	for (unsigned i = 1; i < context->input_count; i++)
		if (is_scale(whole))
			whole = &context->inputs[i];
	for (unsigned i = 0; i < context->input_count; i++)
		if (!multiply_fits(keys, context, i, whole, error))
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
	LAYER_FIELDS(multiply_fields),
	.infer = multiply_infer,
};

/*
 * Dropout. Forward reads x and writes y and the mask, backward reads dL/dy and the mask and writes dL/dx: 3|x| each,
 * the mask counted like an item (frameworks draw it as a random number). One byte per item is kept: a quarter of an
 * fp32 item, and half of one of 16 bit, in which networks of tokens are trained; for those a pass is 2.5|x|: x or
 * dL/dy, y or dL/dx, and the mask.
 */

static const struct json_field dropout_fields[] = {
	{.key = "p",
		.type = JSON_TO_DOUBLE,
		.offset = offsetof(struct layer_keys, dropout),
		.min = 0,
		.max = 1},
};

static bool dropout_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)keys;
	(void)error;
	layer->y = layer->x;
	layer->forward_items = 3 * layer->x_items;
	layer->backward_items = 3 * layer->x_items;
	keeps->items = layer->x_items / 4;
	if (layer->x.tokens) {
		tokens_pass(context, layer, 2.5, 2.5);
		keeps->items = layer->x_items / 2;
	}
	return true;
}

const struct layer_type layer_type_dropout = {
	.name = "dropout",
	.summary = "dropout",
	.class_ = LAYER_DROPOUT,
	LAYER_FIELDS(dropout_fields),
	.infer = dropout_infer,
};
