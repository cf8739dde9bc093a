/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers whose file says what they hold and do: custom ones, and weights that are only held. */
#include "model/layer_type.h"

#include <string.h>

/*
 * A layer whose file says what it does with one input or several: shape of y, flop (backward: twice forward unless
 * given), weights, and the bytes it stashes for backward (an item is 4 bytes). It has no memory-bound passes. A time
 * per sample, where given, holds on every device, as in a benchmark that waits where training would compute.
 */

#define FLOP_MAX   1e24
#define TIME_MAX_S 1e6

static const struct json_field custom_fields[] = {
	{.key = "flops",
		.type = JSON_TO_DOUBLE,
		.required = true,
		.offset = offsetof(struct layer_keys, flop),
		.min = 0,
		.max = FLOP_MAX},
	{.key = "flops_bw",
		.type = JSON_TO_DOUBLE,
		.offset = offsetof(struct layer_keys, backward_flop),
		.min = 0,
		.max = FLOP_MAX},
	{.key = "time",
		.type = JSON_TO_QUANTITY,
		.offset = offsetof(struct layer_keys, forward_s),
		.max = TIME_MAX_S,
		.dimension = DIMENSION_TIME},
	{.key = "time_bw",
		.type = JSON_TO_QUANTITY,
		.offset = offsetof(struct layer_keys, backward_s),
		.max = TIME_MAX_S,
		.dimension = DIMENSION_TIME},
	{.key = "params",
		.type = JSON_TO_DOUBLE,
		.offset = offsetof(struct layer_keys, params),
		.min = 0,
		.max = LAYER_ITEMS_MAX},
	{.key = "stash",
		.type = JSON_TO_DOUBLE,
		.offset = offsetof(struct layer_keys, stash_bytes),
		.min = 0,
		.max = LAYER_ITEMS_MAX},
	{.key = "out_shape",
		.type = JSON_TO_ARRAY,
		.required = true,
		.offset = offsetof(struct layer_keys, out_shape)},
	LAYER_NODE("branches", branches, false),
	{.key = "split", .type = JSON_TO_ARRAY, .offset = offsetof(struct layer_keys, split)},
};

static bool read_split(const struct json *list, unsigned *splits, struct paradl_error *error)
{
	static const char *const names[] = {"batch", "spatial", "channel", "filter", "none", NULL};
	static const unsigned sets[] = {0, LAYER_SPLIT_SPATIAL, LAYER_SPLIT_CHANNEL, LAYER_SPLIT_FILTER, 0};
	static const struct json_field field = {.key = "split", .type = JSON_TO_CHOICE, .choices = names};
	*splits = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		int choice = 0;
		if (!json_read_value(name, &field, &choice, error))
			return false;
		*splits |= sets[choice];
	}
	return true;
}

static bool custom_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)context;
	layer->y = keys->shape;
	if (keys->split && !read_split(keys->split, &layer->splits, error))
		return false;
	layer->weight_items = keys->params;
	layer->weight_tensors = keys->params > 0 ? 1 : 0;
	layer->forward_flop = keys->flop;
	layer->backward_flop = keys->backward_flop < 0 ? 2 * keys->flop : keys->backward_flop;
	layer->forward_s = keys->forward_s;
	layer->backward_s = keys->backward_s < 0 ? 2 * keys->forward_s : keys->backward_s;
	keeps->items = keys->stash_bytes / 4;
	return true;
}

const struct layer_type layer_type_custom = {
	.name = "custom",
	.summary = "own flops or time, params, out_shape, stash bytes",
	.class_ = LAYER_CUSTOM,
	.may_join = true,
	LAYER_FIELDS(custom_fields),
	.defaults = {.backward_flop = -1, .backward_s = -1},
	.infer = custom_infer,
};

/*
 * Weights that a device holds but these tokens do not pass through, such as a vision tower beside a network of text.
 */

static const struct json_field held_fields[] = {
	{.key = "params",
		.type = JSON_TO_DOUBLE,
		.required = true,
		.offset = offsetof(struct layer_keys, params),
		.min = 1,
		.max = LAYER_ITEMS_MAX},
};

static bool held_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work)
		return false;
	work_pass(work, CUT_NOTHING, 0, 0);
	work_last(work)->weight_items = keys->params;
	layer->weight_tensors = 1;
	tokens_finish(layer, 0, keeps);
	return true;
}

const struct layer_type layer_type_held = {
	.name = "held",
	.summary = "weights that are there and that tokens do not pass through",
	.class_ = LAYER_HELD,
	LAYER_FIELDS(held_fields),
	.infer = held_infer,
};
