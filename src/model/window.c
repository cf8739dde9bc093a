/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a window of kernel k, stride s, padding p on both sides, dilation d fits into an extent x:
 *     floor((x + 2p - d(k-1) - 1) / s) + 1 places;  with "ceil" floor((x + 2p - k + s - 1) / s) + 1, which lets
 * the last window hang over the edge (Chainer's cover_all);  with pad "same" ceil(x / s), whatever the kernel.
 */
#include <stdio.h>

#include "model/layer_type.h"

bool window_vector_fits(const struct layer_vector *vector, const char *name, const struct layer *layer,
	struct paradl_error *error)
{
	if (vector->count == 0 || vector->count == layer->x.dimensions)
		return true;
	char shape[64];
	return json_error(vector->node, error, "%s has %u numbers but its input is %s, of %u dimension%s",
		name, vector->count, tensor_format(&layer->x, shape, sizeof(shape)), layer->x.dimensions,
		layer->x.dimensions == 1 ? "" : "s");
}

static unsigned vector_at(const struct layer_vector *vector, unsigned d, unsigned otherwise)
{
	if (!vector->node)
		return otherwise;
	return vector->value[vector->count == 0 ? 0 : d];
}

bool window_read(const struct layer_keys *keys, unsigned stride_default, struct layer *layer,
	struct paradl_error *error)
{
	if (layer->x.dimensions == 0)
		return json_error(keys->node, error,
			"needs an input with extents, but its input is a vector of %u", layer->x.channels);
	if (!window_vector_fits(&keys->kernel, "kernel", layer, error) ||
		!window_vector_fits(&keys->stride, "stride", layer, error) ||
		!window_vector_fits(&keys->pad, "pad", layer, error) ||
		!window_vector_fits(&keys->dilation, "dilation", layer, error))
		return false;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		layer->kernel[d] = vector_at(&keys->kernel, d, 1);
		layer->stride[d] =
			vector_at(&keys->stride, d, stride_default > 0 ? stride_default : layer->kernel[d]);
		layer->pad[d] = keys->pad_same ? 0 : vector_at(&keys->pad, d, 0);
		layer->dilation[d] = vector_at(&keys->dilation, d, 1);
	}
	return true;
}

static bool too_large(const struct layer_keys *keys, const struct layer *layer, unsigned d, unsigned extent,
	struct paradl_error *error)
{
	char input[64], dilation[48] = "";
	struct tensor extents = layer->x; /* without the channels: "7x7" */
	extents.extent[d] = extent;
	extents.channels = extents.extent[0];
	extents.extent[0] = extents.extent[1];
	extents.extent[1] = extents.extent[2];
	extents.dimensions--;
	tensor_format(&extents, input, sizeof(input));
	if (layer->dilation[d] > 1)
		(void)snprintf(dilation, sizeof(dilation), " with dilation %u", layer->dilation[d]);
	return json_error(layer_place(keys, "kernel"), error,
		"kernel is %u%s but its input is %s with pad %u", layer->kernel[d], dilation, input,
		layer->pad[d]);
}

unsigned window_positions(const struct layer_keys *keys, const struct layer *layer, unsigned d,
	unsigned extent, struct paradl_error *error)
{
	const long long stride = layer->stride[d];
	const long long reach = (long long)layer->dilation[d] * ((long long)layer->kernel[d] - 1) + 1;
	if (keys->pad_same)
		return (unsigned)((extent + stride - 1) / stride);
	const long long room =
		(long long)extent + 2LL * layer->pad[d] - reach + (keys->ceil ? stride - 1 : 0);
	if (room < 0) {
		too_large(keys, layer, d, extent, error);
		return 0;
	}
	return (unsigned)(room / stride + 1);
}
