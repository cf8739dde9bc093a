/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolution in as many dimensions (one, two or three) as its input has. Depthwise: groups = channels. Transposed:
 * the window slides over y, so y has (x-1)s - 2p + d(k-1) + 1 places along an extent x, and the work is done once per
 * place of x. Standardized: weights have mean 0 and variance 1 in each filter, scaled by a gain (Qiao et al., 2019;
 * Brock et al., 2021), which adds an item for each filter. Their pass over the weights, once in a step, is not
 * counted. Padding "same" gives ceil(x/s) places (transposed: x s); its two sides may differ by one, `pad` keeps the
 * smaller.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_NODE("kernel", kernel.node, true),
	LAYER_NODE("stride", stride.node, false),
	LAYER_NODE("pad", pad.node, false),
	LAYER_NODE("dilation", dilation.node, false),
	LAYER_NODE("groups", groups.node, false),
	LAYER_BOOL("bias", bias),
	LAYER_BOOL("transposed", transposed),
	LAYER_BOOL("standardized", standardized),
};

static bool groups_divide(const struct layer_keys *keys, unsigned channels, struct paradl_error *error)
{
	const unsigned groups = keys->groups.value, out = keys->out.value;
	if (channels % groups != 0)
		return json_error(layer_place(keys, "groups"), error,
			"groups is %u, which does not divide the %u channels of its input", groups, channels);
	if (out % groups != 0)
		return json_error(layer_place(keys, "groups"), error,
			"groups is %u, which does not divide out, %u", groups, out);
	return true;
}

static unsigned transposed_extent(
	const struct layer_keys *keys, const struct layer *layer, unsigned d, struct paradl_error *error)
{
	const double x = layer->x.extent[d], stride = layer->stride[d];
	double extent = (x - 1) * stride - 2.0 * layer->pad[d] +
			(double)layer->dilation[d] * (layer->kernel[d] - 1.0) + 1;
	if (keys->pad_same)
		extent = x * stride;
	if (extent >= 1 && extent <= EXTENT_MAX)
		return (unsigned)extent;
	json_error(layer_place(keys, "kernel"), error, "its output would have an extent of %.0f", extent);
	return 0;
}

static void pad_same(struct layer *layer, unsigned d)
{
	const long long reach = (long long)layer->dilation[d] * ((long long)layer->kernel[d] - 1) + 1;
	const long long all =
		((long long)layer->y.extent[d] - 1) * layer->stride[d] + reach - layer->x.extent[d];
	layer->pad[d] = all > 0 ? (unsigned)(all / 2) : 0;
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	if (layer->x.tokens)
		return json_error(keys->node, error, "a convolution does not take tokens");
	if (!window_read(keys, 1, layer, error) || !groups_divide(keys, layer->x.channels, error))
		return false;
	layer->kind = keys->transposed ? "transposed" : "";
	layer->channels = layer->x.channels;
	layer->filters = keys->out.value;
	layer->groups = keys->groups.value;
	layer->kernel_volume = 1;
	layer->positions = 1;
	layer->y = layer->x;
	layer->y.channels = layer->filters;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		const unsigned extent = keys->transposed
						? transposed_extent(keys, layer, d, error)
						: window_positions(keys, layer, d, layer->x.extent[d], error);
		if (extent == 0)
			return false;
		layer->y.extent[d] = extent;
		layer->kernel_volume *= layer->kernel[d];
		layer->positions *= keys->transposed ? layer->x.extent[d] : extent;
		if (keys->pad_same && !keys->transposed)
			pad_same(layer, d);
	}
	contraction_work(keys->bias, layer, keeps);
	if (keys->standardized) {
		layer->weight_items += layer->filters;
		layer->weight_tensors++;
	}
	return true;
}

const struct layer_type layer_type_conv = {
	.name = "conv",
	.summary = "convolution (1-D, 2-D, 3-D, grouped, transposed)",
	.class_ = LAYER_CONVOLUTION,
	LAYER_FIELDS(fields),
	.defaults = {.groups.value = 1, .bias = true},
	.infer = infer,
};
