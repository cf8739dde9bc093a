/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers that slide a window over places: convolutions and poolings. */
#include <math.h>

#include "model/layer_type.h"

/*
 * Convolution in as many dimensions (one, two or three) as its input has. Depthwise: groups = channels. Transposed:
 * the window slides over y, so y has (x-1)s - 2p + d(k-1) + 1 places along an extent x, and the work is done once per
 * place of x. Standardized: weights have mean 0 and variance 1 in each filter, scaled by a gain (Qiao et al., 2019;
 * Brock et al., 2021), which adds an item for each filter. Their pass over the weights, once in a step, is not
 * counted. Padding "same" gives ceil(x/s) places (transposed: x s); its two sides may differ by one, `pad` keeps the
 * smaller.
 */

static const struct json_field conv_fields[] = {
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

static bool conv_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
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
	LAYER_FIELDS(conv_fields),
	.defaults = {.groups.value = 1, .bias = true},
	.infer = conv_infer,
};

/*
 * Pooling. Forward reads x and writes y: |x| + |y|. Backward reads dL/dy, and for the maximum x and y to find it
 * again, and clears and writes dL/dx: counted as 2(|x| + |y|) for both kinds. The stride defaults to the kernel.
 * "ceil" lets the last window hang over the edge (cover_all). "global" pools the whole extent to 1. Tokens are pooled
 * to one vector: their mean (a global "avg"), or the "first" one, which stands for the class; kind "masked" picks
 * `tokens` tokens, or a `share` of them rounded up: those that a masked language model predicts.
 */

enum { MAX, AVG, FIRST, MASKED };
static const char *const pool_kinds[] = {"max", "avg", "first", "masked", NULL};

static const struct json_field pool_fields[] = {
	LAYER_KIND(pool_kinds),
	LAYER_NODE("kernel", kernel.node, false),
	LAYER_NODE("stride", stride.node, false),
	LAYER_NODE("pad", pad.node, false),
	LAYER_BOOL("ceil", ceil),
	LAYER_BOOL("global", global),
	LAYER_NODE("tokens", tokens.node, false),
	LAYER_NUMBER("share", share, 1e-6, 1),
};

static bool keys_agree(const struct layer_keys *keys, struct paradl_error *error)
{
	static const char *const window[] = {"kernel", "stride", "pad", "ceil"};
	const bool whole = keys->global || keys->kind >= FIRST;
	const char *const picks = keys->share > 0 ? "share" : "tokens";
	if ((keys->kind == MASKED) != (keys->tokens.node || keys->share > 0))
		return json_error(layer_place(keys, picks), error,
			keys->kind == MASKED
				? "a \"masked\" pooling needs tokens, how many it picks, or a share"
				: "%s belongs to kind \"masked\" only",
			picks);
	if (keys->tokens.node && keys->share > 0)
		return json_error(layer_place(keys, picks), error, "either tokens or a share is picked");
	if (keys->kind == MASKED && keys->global)
		return json_error(layer_place(keys, "global"), error, "a \"masked\" pooling is not global");
	if (!whole && !keys->kernel.node)
		return json_error(keys->node, error, "needs a kernel, or \"global\": true");
	for (size_t i = 0; whole && i < sizeof(window) / sizeof(window[0]); i++) {
		const struct json *const member = json_member(keys->node, window[i]);
		if (member)
			return json_error(member, error, "a %s pooling has no %s",
				keys->global ? "global" : pool_kinds[keys->kind], window[i]);
	}
	return true;
}

/*
 * Returns the rows of a padded pooling (struct model_variant): each piece pools its own rows and one from either
 * neighbour. Returns 0 with an error where the window does not fit.
 */
static unsigned rows_of_pieces(
	const struct layer_keys *keys, const struct layer *layer, unsigned pieces, struct paradl_error *error)
{
	const unsigned rows = layer->x.extent[0];
	return pieces * window_positions(keys, layer, 0, rows / pieces + (rows % pieces != 0) + 2, error);
}

unsigned pool_padded_pieces(const struct model_variant *variant, unsigned position)
{
	return !variant->padded_end || position < variant->padded_end ? variant->padded_pieces : 0;
}

bool pool_is_padded(const struct layer *layer, unsigned set)
{
	const bool chosen = layer->kind == pool_kinds[MAX]
				    ? set & 1U << MAX
				    : layer->kind == pool_kinds[AVG] && set & 1U << AVG;
	return chosen && !layer->global && layer->stride[0] == layer->kernel[0] && layer->dilation[0] == 1;
}

static bool pool_windows(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct paradl_error *error)
{
	const bool padded =
		context->padded_pieces > 1 && pool_is_padded(layer, context->variant->padded_kinds);
	bool whole = true;
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		layer->y.extent[d] = d == 0 && padded
					     ? rows_of_pieces(keys, layer, context->padded_pieces, error)
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

static bool pool_tokens(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = context->work;
	const double tokens = layer->x.extent[0];
	if (keys->kind == MAX || (keys->kind == AVG && !keys->global))
		return json_error(layer_place(keys, "kind"), error,
			"tokens are pooled by kind \"first\" or \"masked\", or by a global \"avg\"");
	/* rounded up, but for the rounding of the product: 0.15 of 20 tokens are 3 */
	const unsigned picked =
		keys->share > 0 ? (unsigned)ceil(keys->share * tokens * (1 - 1e-12)) : keys->tokens.value;
	if (keys->tokens.value > layer->x.extent[0])
		return json_error(layer_place(keys, "tokens"), error,
			"picks %u tokens, but its input has %.0f", keys->tokens.value, tokens);
	layer->y = (struct tensor){.channels = layer->x.channels, .extent = {1, 1, 1}};
	if (keys->kind == MASKED) {
		layer->y.dimensions = 1;
		layer->y.extent[0] = picked;
		layer->y.tokens = true;
	}
	layer->work = work;
	layer->global = true;
	work->tokens = tokens;
	work->hidden_items = layer->x.channels;
	const double y_share = tensor_items(&layer->y) / layer->x_items;
	const double read = keys->kind == AVG ? 1 : y_share;
	work_pass(
		work, CUT_NOTHING, work->hidden_items * (read + y_share), work->hidden_items * (1 + y_share));
	tokens_finish(layer, 0, keeps);
	return true;
}

static bool pool_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	if (!keys_agree(keys, error) || !window_read(keys, 0, layer, error))
		return false;
	if (layer->x.tokens)
		return pool_tokens(keys, context, layer, keeps, error);
	if (keys->kind >= FIRST)
		return json_error(layer_place(keys, "kind"), error, "only tokens are pooled by kind \"%s\"",
			pool_kinds[keys->kind]);
	layer->y = layer->x;
	if (keys->global)
		pool_globally(layer);
	else if (!pool_windows(keys, context, layer, error))
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
	LAYER_FIELDS(pool_fields),
	.kinds = pool_kinds,
	.infer = pool_infer,
};
