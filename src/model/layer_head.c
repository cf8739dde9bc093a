/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head turns tokens into scores of a vocabulary. "tied" names the embedding whose table it uses: those weights
 * are held once, so only a bias counts here. The tensor axis cuts the vocabulary, which is padded as programs do.
 */
#include "model/layer_type.h"

static const struct json_field fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_NODE("tied", tied, false),
	LAYER_BOOL("bias", bias),
};

static bool tied_fits(const struct layer_keys *keys, const struct layer *layer, struct paradl_error *error)
{
	const struct layer_keys *const table = keys->tied_to;
	const unsigned width = !table ? 0 : table->width.node ? table->width.value : table->out.value;
	if (!table || (table->rows.value == keys->out.value && width == layer->x.channels))
		return true;
	return json_error(keys->tied, error, "has %u rows of %u, but this head needs %u rows of %u",
		table->rows.value, width, keys->out.value, layer->x.channels);
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work || !tied_fits(keys, layer, error))
		return false;
	layer->y.channels = keys->out.value;
	work_product(work, CUT_COLUMNS, layer->x.channels, keys->out.value, keys->bias);
	work_last(work)->vocabulary = true;
	work->sums_backward = 1;
	work->tied = keys->tied_to != NULL;
	layer->weight_tensors = (work->tied ? 0U : 1U) + (keys->bias ? 1U : 0U);
	tokens_finish(layer, 0, keeps);
	if (work->tied)
		layer->weight_items -= (double)layer->x.channels * keys->out.value;
	keeps->x = true;
	return true;
}

const struct layer_type layer_type_head = {
	.name = "head",
	.summary = "scores of a vocabulary, perhaps with the embedding's table",
	.class_ = LAYER_HEAD,
	LAYER_FIELDS(fields),
	.infer = infer,
};
