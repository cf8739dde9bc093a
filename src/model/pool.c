/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pooling. Forward reads x and writes y: |x| + |y|. Backward reads dL/dy, and for the maximum x and y to find it
 * again, and clears and writes dL/dx: counted as 2(|x| + |y|) for both kinds. The stride defaults to the kernel.
 * "ceil" lets the last window hang over the edge (cover_all). "global" pools the whole extent to 1.
 */
#include "model/layer_type.h"

enum { MAX, AVG };
static const char *const kinds[] = {"max", "avg", NULL};

static const struct json_field fields[] = {
	LAYER_KIND(kinds),
	LAYER_NODE("kernel", kernel.node, false),
	LAYER_NODE("stride", stride.node, false),
	LAYER_NODE("pad", pad.node, false),
	LAYER_BOOL("ceil", ceil),
	LAYER_BOOL("global", global),
};

static bool keys_agree(const struct layer_keys *keys, struct paradl_error *error)
{
	static const char *const window[] = {"kernel", "stride", "pad", "ceil"};
	if (!keys->global && !keys->kernel.node)
		return json_error(keys->node, error, "needs a kernel, or \"global\": true");
	for (size_t i = 0; keys->global && i < sizeof(window) / sizeof(window[0]); i++) {
		const struct json *const member = json_member(keys->node, window[i]);
		if (member)
			return json_error(member, error, "a global pooling has no %s", window[i]);
	}
	return true;
}

/* See struct model_variant: each piece pools its own rows and one from either neighbour. */
static unsigned rows_of_pieces(
	const struct layer_keys *keys, const struct layer *layer, unsigned pieces, struct paradl_error *error)
{
	const unsigned rows = layer->x.extent[0];
	return pieces * window_positions(keys, layer, 0, rows / pieces + (rows % pieces != 0) + 2, error);
}

static bool pool_windows(
	const struct layer_keys *keys, unsigned pieces, struct layer *layer, struct paradl_error *error)
{
	bool whole = true;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		layer->y.extent[d] = d == 0 && pieces > 1
					     ? rows_of_pieces(keys, layer, pieces, error)
					     : window_positions(keys, layer, d, layer->x.extent[d], error);
		if (layer->y.extent[d] == 0)
			return false;
		whole = whole && layer->y.extent[d] == 1 && layer->kernel[d] >= layer->x.extent[d];
	}
	layer->global = whole;
	return true;
}

static void pool_globally(struct layer *layer)
{
	layer->global = true;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		layer->kernel[d] = layer->x.extent[d];
		layer->y.extent[d] = 1;
	}
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	if (!keys_agree(keys, error) || !window_read(keys, 0, layer, error))
		return false;
	layer->y = layer->x;
	if (keys->global)
		pool_globally(layer);
	else if (!pool_windows(keys, context->variant->pool_halo_pieces, layer, error))
		return false;
	const double items = layer->x_items + tensor_items(&layer->y);
	layer->forward_items = items;
	layer->backward_items = 2 * items;
	keeps->x = keys->kind == MAX;
	keeps->y = keys->kind == MAX;
	return true;
}

const struct layer_type layer_type_pool = {
	.name = "pool",
	.summary = "pooling: max, avg; by windows or global",
	.class_ = LAYER_POOL,
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.infer = infer,
};
