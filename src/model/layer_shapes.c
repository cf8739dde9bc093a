/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers that give items another shape: branches side by side, one vector, other extents, more places. */
#include "model/layer_type.h"

#include <limits.h>
#include <math.h>

/*
 * Branches side by side along `axis`: 0 is the channels (default), 1 the first extent, ... Forward and backward each
 * read and write every item once: 2|y|. The layer keeps nothing.
 */

static const struct json_field concat_fields[] = {
	LAYER_NODE("branches", branches, false),
	LAYER_NODE("axis", axis.node, false),
};

static unsigned *along(struct tensor *tensor, unsigned axis)
{
	return axis == 0 ? &tensor->channels : &tensor->extent[axis - 1];
}

static bool concat_fits(const struct layer_keys *keys, const struct layer_context *context, unsigned i,
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

static bool concat_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
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
		if (!concat_fits(keys, context, i, error))
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
	LAYER_FIELDS(concat_fields),
	.infer = concat_infer,
};

/* All items as one vector: the same memory under another shape, so there is no work and nothing kept. */

static bool flatten_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	if (layer->x_items > UINT_MAX)
		return json_error(keys->node, error, "its input has %.0f items, more than %u", layer->x_items,
			UINT_MAX);
	layer->y = (struct tensor){.channels = (unsigned)layer->x_items, .extent = {1, 1, 1}};
	keeps->view = true;
	return true;
}

const struct layer_type layer_type_flatten = {
	.name = "flatten",
	.summary = "all items as one vector",
	.class_ = LAYER_FLATTEN,
	.infer = flatten_infer,
};

/*
 * The items of x under another shape. Without `copy` they stay in the same memory: no work, nothing kept, and equally
 * many items. With `copy` they move (a transposition), or their number changes (padding, a slice): items are read and
 * written once, 2|y|, and backward the same. A grid becomes a sequence of tokens and a sequence a grid, where the
 * file says so; between two sequences it may transpose, so that layers of tokens mix places.
 */

static const struct json_field reshape_fields[] = {
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

static bool reshape_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
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
	LAYER_FIELDS(reshape_fields),
	.infer = reshape_infer,
};

/*
 * More places of the same channels: `scale` times as many, or as many as `size` says. Kind "nearest" copies, "linear"
 * (bilinear, trilinear) interpolates between neighbours; the row of a neighbour that a spatial piece needs for that
 * is not counted. Forward reads x and writes y, backward the reverse: |x| + |y|. The layer keeps nothing.
 */

static const char *const upsample_kinds[] = {"nearest", "linear", NULL};

static const struct json_field upsample_fields[] = {
	LAYER_KIND(upsample_kinds),
	LAYER_NODE("scale", scale.node, false),
	LAYER_NODE("size", size.node, false),
};

static bool upsample_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	(void)keeps;
	const bool by_scale = keys->scale.node != NULL;
	if (layer->x.tokens || layer->x.dimensions == 0)
		return json_error(keys->node, error, "needs an input with extents");
	if (by_scale == (keys->size.node != NULL))
		return json_error(keys->node, error, "needs either scale or size");
	const struct layer_vector *const vector = by_scale ? &keys->scale : &keys->size;
	if (!window_vector_fits(vector, by_scale ? "scale" : "size", layer, error))
		return false;
	layer->y = layer->x;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		const unsigned value = vector->value[vector->count == 0 ? 0 : d];
		const double extent = by_scale ? (double)value * layer->x.extent[d] : value;
		if (extent < layer->x.extent[d] || extent > EXTENT_MAX)
			return json_error(vector->node, error,
				"makes an extent of %.0f of one of %u; it must not shrink", extent,
				layer->x.extent[d]);
		layer->y.extent[d] = (unsigned)extent;
	}
	layer->forward_items = layer->x_items + tensor_items(&layer->y);
	layer->backward_items = layer->forward_items;
	return true;
}

const struct layer_type layer_type_upsample = {
	.name = "upsample",
	.summary = "more places: copies of neighbours, or between them",
	.class_ = LAYER_UPSAMPLE,
	LAYER_FIELDS(upsample_fields),
	.kinds = upsample_kinds,
	.infer = upsample_infer,
};
