/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fully connected layer. An input with extents is taken as one vector of all its items. */
#include <limits.h>

#include "model/layer_type.h"

static const struct json_field fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_BOOL("bias", bias),
	LAYER_NODE("tied", tied, false),
};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	const double items = tensor_items(&layer->x);
	if (keys->tied)
		return json_error(keys->tied, error, "tied weights are not supported yet");
	if (items > UINT_MAX)
		return json_error(
			keys->node, error, "its input has %.0f items, more than %u", items, UINT_MAX);
	layer->channels = (unsigned)items;
	layer->filters = keys->out.value;
	layer->kernel_volume = 1;
	layer->positions = 1;
	layer->y = (struct tensor){.channels = layer->filters, .extent = {1, 1, 1}};
	contraction_work(keys->bias, layer, keeps);
	return true;
}

const struct layer_type layer_type_linear = {
	.name = "linear",
	.summary = "fully connected layer",
	.class_ = LAYER_LINEAR,
	LAYER_FIELDS(fields),
	.defaults = {.bias = true},
	.infer = infer,
};
