/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normalisation. Forward reads x for the statistics, then reads x and writes y: 3|x|. Backward reads x and dL/dy for
 * the two sums (which are also the gradients of scale and shift), then x and dL/dy again and writes dL/dx: 5|x|, and
 * only the first 2|x| where no gradient of x is wanted. Backward starts from x, not y. Scale and shift are per
 * channel (rms: scale only; "bias": false leaves the shift out, "scale": false both; local response normalisation,
 * lrn: none, but its backward reads y as well). Kind "scale" is the scale alone, as each branch of a block has one
 * (LayerScale, Touvron et al., 2021): 2|x| forward, 3|x| backward. Statistics are kept per sample except by batch norm. With tokens
 * (layer, rms, scale: fused kernels that hold a token in registers) 2|x| forward and 3|x| backward; the statistics of each
 * token are kept in fp32: two items of 16 bit each.
 */
#include "model/layer_type.h"

enum { BATCH, LAYER, RMS, GROUP, INSTANCE, LRN, SCALE };
static const char *const kinds[] = {"batch", "layer", "rms", "group", "instance", "lrn", "scale", NULL};

static const struct json_field fields[] = {
	LAYER_KIND(kinds),
	LAYER_NODE("groups", groups.node, false),
	LAYER_BOOL("bias", bias),
	LAYER_BOOL("scale", scaled),
};

static bool groups_divide(const struct layer_keys *keys, unsigned channels, struct paradl_error *error)
{
	if (keys->kind != GROUP) {
		if (!keys->groups.node)
			return true;
		return json_error(
			layer_place(keys, "groups"), error, "groups belongs to kind \"group\" only");
	}
	if (!keys->groups.node)
		return json_error(keys->node, error, "a norm of kind \"group\" needs groups");
	if (channels % keys->groups.value == 0)
		return true;
	return json_error(layer_place(keys, "groups"), error,
		"groups is %u, which does not divide the %u channels of its input", keys->groups.value,
		channels);
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	static const unsigned weights[] = {
		[BATCH] = 2, [LAYER] = 2, [RMS] = 1, [GROUP] = 2, [INSTANCE] = 2, [SCALE] = 1};
	if (!groups_divide(keys, layer->x.channels, error))
		return false;
	const unsigned usual = keys->kind == LRN ? 0 : weights[keys->kind];
	const unsigned without_bias = usual == 2 && !keys->bias ? 1 : usual;
	const unsigned per_channel = keys->scaled ? without_bias : 0;
	layer->y = layer->x;
	layer->weight_items = (double)per_channel * layer->x.channels;
	layer->weight_tensors = per_channel;
	layer->bias = per_channel > 1;
	const bool scales = keys->kind == SCALE;
	layer->forward_items = (scales ? 2 : 3) * layer->x_items;
	layer->backward_items = (!layer->backward_data ? 2 : scales ? 3 : 5) * layer->x_items;
	keeps->x = true;
	keeps->y = keys->kind == LRN;
	const double statistics[] = {
		[BATCH] = 0,
		[LAYER] = 2,
		[RMS] = 1,
		[GROUP] = 2.0 * keys->groups.value,
		[INSTANCE] = 2.0 * layer->x.channels,
		[LRN] = 0,
		[SCALE] = 0,
	};
	keeps->items = statistics[keys->kind];
	if (!layer->x.tokens)
		return true;
	if (keys->kind != LAYER && keys->kind != RMS && !scales)
		return json_error(layer_place(keys, "kind"), error,
			"tokens are normalised by kind \"layer\" or \"rms\", or scaled");
	tokens_pass(context, layer, 2, 3);
	context->work->kernels[0].weight_items = layer->weight_items;
	keeps->items = 2 * statistics[keys->kind] * context->work->tokens;
	return true;
}

const struct layer_type layer_type_norm = {
	.name = "norm",
	.summary = "normalisation: batch, layer, rms, group, instance, lrn; scale",
	.class_ = LAYER_NORM,
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.defaults = {.groups.value = 1, .bias = true, .scaled = true},
	.infer = infer,
};
