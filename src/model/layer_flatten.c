/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All items as one vector: the same memory under another shape, so there is no work and nothing kept. */
#include <limits.h>

#include "model/layer_type.h"

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
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
	.infer = infer,
};
