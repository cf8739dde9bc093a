/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More places of the same channels: `scale` times as many, or as many as `size` says. Kind "nearest" copies, "linear"
 * (bilinear, trilinear) interpolates between neighbours; the row of a neighbour that a spatial piece needs for that
 * is not counted. Forward reads x and writes y, backward the reverse: |x| + |y|. The layer keeps nothing.
 */
#include "model/layer_type.h"

static const char *const kinds[] = {"nearest", "linear", NULL};

static const struct json_field fields[] = {
	LAYER_KIND(kinds),
	LAYER_NODE("scale", scale.node, false),
	LAYER_NODE("size", size.node, false),
};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
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
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.infer = infer,
};
