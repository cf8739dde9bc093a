/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dropout. Forward reads x and writes y and the mask, backward reads dL/dy and the mask and writes dL/dx: 3|x| each,
 * the mask counted like an item (frameworks draw it as a random number). One byte per item is kept: a quarter of an
 * fp32 item, and half of one of 16 bit, in which networks of tokens are trained; for those a pass is 2.5|x|: x or
 * dL/dy, y or dL/dx, and the mask.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {
	{.key = "p",
		.type = JSON_TO_DOUBLE,
		.offset = offsetof(struct layer_keys, dropout),
		.min = 0,
		.max = 1},
};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
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
	LAYER_FIELDS(fields),
	.infer = infer,
};
