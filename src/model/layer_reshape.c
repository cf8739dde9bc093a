/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items of x under another shape. Without `copy` they stay in the same memory: no work, nothing kept, and equally
 * many items. With `copy` they move (a transposition), or their number changes (padding, a slice): items are read and
 * written once, 2|y|, and backward the same. A grid becomes a sequence of tokens and a sequence a grid, where the
 * file says so; between two sequences it may transpose, so that layers of tokens mix places.
 */
#include <math.h>

#include "model/layer_type.h"

static const struct json_field fields[] = {
	{.key = "out_shape",
		.type = JSON_TO_ARRAY,
		.required = true,
		.offset = offsetof(struct layer_keys, out_shape)},
	LAYER_BOOL("copy", copy),
	LAYER_BOOL("tokens", makes_tokens),
};

/* Makes the pass that reads and writes `items` items of a sample, as layers of tokens count them. */
static void tokens_moved(const struct layer_context *context, struct layer *layer, double items)
{
	struct token_work *const work = context->work;
	const struct tensor *const sequence = layer->y.tokens ? &layer->y : &layer->x;
	layer->work = work;
	work->tokens = sequence->extent[0];
	work->hidden_items = sequence->channels;
	work_pass(work, CUT_NOTHING, items / work->tokens, items / work->tokens);
	layer->forward_items = layer->backward_items = items;
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	const double items = tensor_items(&keys->shape);
	layer->y = keys->shape;
	layer->y.tokens = keys->makes_tokens;
	if (keys->makes_tokens && layer->y.dimensions != 1)
		return json_error(layer_place(keys, "out_shape"), error,
			"tokens are two numbers: their width and how many there are");
	layer->kind = keys->copy ? "copy" : "";
	keeps->view = !keys->copy;
	if (layer->x.tokens || layer->y.tokens)
		tokens_moved(context, layer, keys->copy ? 2 * items : 0);
	else if (keys->copy)
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
