/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loss of one sample, one number. Forward reads x and writes what backward starts from (probabilities, or the
 * difference to the target), backward reads that and writes dL/dx: 2|x| each; |x| items are kept. Kind "none"
 * marks the end of a network whose loss costs nothing worth counting.
 */
#include "model/layer_type.h"

enum { CROSS_ENTROPY, MSE, BCE, NONE };
static const char *const kinds[] = {"cross-entropy", "mse", "bce", "none", NULL};

static const struct json_field fields[] = {LAYER_KIND(kinds)};

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	(void)error;
	layer->y = (struct tensor){.channels = 1, .extent = {1, 1, 1}};
	if (keys->kind == NONE)
		return true;
	layer->forward_items = 2 * layer->x_items;
	layer->backward_items = 2 * layer->x_items;
	keeps->items = layer->x_items;
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
