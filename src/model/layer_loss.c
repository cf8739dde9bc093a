/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loss of one sample is one number. Forward reads x and writes the tensor from which backward starts
 * (probabilities, or the difference to the target); backward reads that and writes dL/dx: 2|x| each; |x| items are
 * kept. Kind "none" marks the end of a network whose loss costs nothing worth counting. With tokens, scores of 16 bit
 * are turned into probabilities in fp32, which are kept (2 items for each score): a copy, the maximum, its
 * difference, exponentials, their sum and quotient, 21 bytes a score forward and 8 backward when well fused; where
 * the tensor axis cuts the vocabulary, the greatest score, the target's score and the sum of exponentials are summed
 * over it.
 */
#include "model/layer_type.h"

enum { CROSS_ENTROPY, MSE, BCE, NONE };
static const char *const kinds[] = {"cross-entropy", "mse", "bce", "none", NULL};

static const struct json_field fields[] = {LAYER_KIND(kinds)};

static void infer_tokens(const struct layer_context *context, struct layer *layer, struct layer_keeps *keeps)
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

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)error;
	layer->y = (struct tensor){.channels = 1, .extent = {1, 1, 1}};
	if (keys->kind == NONE)
		return true;
	layer->forward_items = 2 * layer->x_items;
	layer->backward_items = 2 * layer->x_items;
	keeps->items = layer->x_items;
	if (layer->x.tokens)
		infer_tokens(context, layer, keeps);
	return true;
}

const struct layer_type layer_type_loss = {
	.name = "loss",
	.summary = "loss: cross-entropy, mse, bce, none",
	.class_ = LAYER_LOSS,
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.infer = infer,
};
