/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An activation function, item by item (softmax: over the channels). Forward reads x and writes y: 2|x|. Backward
 * reads dL/dy and the kept tensor and writes dL/dx: 3|x|. The kept tensor is y where the derivative follows from it
 * (relu, tanh, ...), else x: gelu, silu and hardswish are not invertible, and nothing is known about an "other"
 * function of items.
 */
#include "model/layer_type.h"

enum { RELU, RELU6, LEAKY_RELU, TANH, SIGMOID, SOFTMAX, GELU, SILU, HARDSWISH, ELU, HARDSIGMOID, OTHER };
static const char *const kinds[] = {"relu", "relu6", "leaky-relu", "tanh", "sigmoid", "softmax", "gelu",
	"silu", "hardswish", "elu", "hardsigmoid", "other", NULL};

static const struct json_field fields[] = {LAYER_KIND(kinds)};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
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
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.infer = infer,
};
