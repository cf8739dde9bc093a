/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items of x under another shape. As it is, the same memory: no work, nothing kept, and as many items. With `copy` they
 * move (a transposition), or there are more or fewer of them (padding, a slice): items are read and written once, 2|y|, and
 * backward the same.
 */
#include <math.h>

#include "model/layer_type.h"

static const struct json_field fields[] = {
	{.key = "out_shape",
		.type = JSON_TO_ARRAY,
		.required = true,
		.offset = offsetof(struct layer_keys, out_shape)},
	LAYER_BOOL("copy", copy),
};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	const double items = tensor_items(&keys->shape);
	layer->y = keys->shape;
	layer->kind = keys->copy ? "copy" : "";
	keeps->view = !keys->copy;
	if (keys->copy)
		layer->forward_items = layer->backward_items = 2 * items;
	if (keys->copy || !(fabs(items - layer->x_items) > 0))
		return true;
	char x[64], y[64];
	json_error(layer_place(keys, "out_shape"), error, "makes %s of %s: a view has as many items",
		tensor_format(&layer->y, y, sizeof(y)), tensor_format(&layer->x, x, sizeof(x)));
	return false;
}

const struct layer_type layer_type_reshape = {
	.name = "reshape",
	.summary = "the same items under another shape, or a copy of them",
	.class_ = LAYER_RESHAPE,
	LAYER_FIELDS(fields),
	.infer = infer,
};
