/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers that end a network: the head and the loss. */
#include "model/layer_type.h"

/*
 * The head turns tokens into scores of a vocabulary. "tied" names the embedding whose table it uses: those weights
 * are held once, so only a bias counts here. The tensor axis cuts the vocabulary, which is padded as programs do.
 */

static const struct json_field head_fields[] = {
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

static bool head_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
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
	LAYER_FIELDS(head_fields),
	.infer = head_infer,
};

/*
 * The loss of one sample is one number. Forward reads x and writes the tensor from which backward starts
 * (probabilities, or the difference to the target); backward reads that and writes dL/dx: 2|x| each; |x| items are
 * kept. Kind "none" marks the end of a network whose loss costs nothing worth counting. With tokens, scores of 16 bit
 * are turned into probabilities in fp32, which are kept (2 items for each score): a copy, the maximum, its
 * difference, exponentials, their sum and quotient, 21 bytes a score forward and 8 backward when well fused; where
 * the tensor axis cuts the vocabulary, the greatest score, the target's score and the sum of exponentials are summed
 * over it.
 */

enum { CROSS_ENTROPY, MSE, BCE, NONE };
static const char *const loss_kinds[] = {"cross-entropy", "mse", "bce", "none", NULL};

static const struct json_field loss_fields[] = {LAYER_KIND(loss_kinds)};

static void loss_tokens(const struct layer_context *context, struct layer *layer, struct layer_keeps *keeps)
{
	struct token_work *const work = context->work;
	const double width = layer->x.channels;
	layer->work = work;
	work->tokens = layer->x.extent[0];
	work->hidden_items = width;
	work_pass(work, CUT_COLUMNS, 10.5 * width, 4 * width);
	work->small_sums = 3;
	work->kept_cut_items = 2 * width;
	layer->forward_items = layer->backward_items = 0;
	tokens_finish(layer, 0, keeps);
}

static bool loss_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)error;
	layer->y = (struct tensor){.channels = 1, .extent = {1, 1, 1}};
	if (keys->kind == NONE)
		return true;
	layer->forward_items = 2 * layer->x_items;
	layer->backward_items = 2 * layer->x_items;
	keeps->items = layer->x_items;
	if (layer->x.tokens)
		loss_tokens(context, layer, keeps);
	return true;
}

const struct layer_type layer_type_loss = {
	.name = "loss",
	.summary = "loss: cross-entropy, mse, bce, none",
	.class_ = LAYER_LOSS,
	LAYER_FIELDS(loss_fields),
	.kinds = loss_kinds,
	.infer = loss_infer,
};
