/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights that a device holds but these tokens do not pass through, such as a vision tower beside a network of text.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {
	{.key = "params",
		.type = JSON_TO_DOUBLE,
		.required = true,
		.offset = offsetof(struct layer_keys, params),
		.min = 1,
		.max = LAYER_ITEMS_MAX},
};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	work_pass(work, CUT_NOTHING, 0, 0);
	work_last(work)->weight_items = keys->params;
	layer->weight_tensors = 1;
	tokens_finish(layer, 0, keeps);
	return true;
}

const struct layer_type layer_type_held = {
	.name = "held",
	.summary = "weights that are there and that tokens do not pass through",
	.class_ = LAYER_HELD,
	LAYER_FIELDS(fields),
	.infer = infer,
};
