/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/changes.h"
#include "base/error.h"
#include "model/expand.h"

static bool variant_input(
	const struct model_variant *variant, struct tensor *input, struct paradl_error *error)
{
	if (variant->sequence > 0 && !input->tokens)
		return error_set(
			error, PARADL_USAGE, "the input is no sequence of tokens, so it has no other length");
	if (variant->extent[0] == 0)
		return true;
	if (input->tokens)
		return error_set(error, PARADL_USAGE,
			"the input is a sequence of tokens: a variant of it gives its length, not extents");
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++) {
		if ((variant->extent[d] > 0) != (d < input->dimensions))
			return error_set(error, PARADL_USAGE,
				"the input has %u dimensions; a variant of it must give as many extents",
				input->dimensions);
		if (d < input->dimensions)
			input->extent[d] = variant->extent[d];
	}
	if (tensor_items(input) > LAYER_ITEMS_MAX)
		return error_set(
			error, PARADL_USAGE, "a sample of %g items is too large", tensor_items(input));
	return true;
}

static void totals(struct paradl_model *model)
{
	for (unsigned i = 0; i < model->layer_count; i++) {
		const struct layer *const layer = &model->layers[i];
		model->weight_items += layer->count * layer->weight_items;
		model->frozen_items += layer->count * layer->frozen_items;
		model->forward_flop += layer->count * layer->forward_flop;
		model->backward_flop += layer->count * layer->backward_flop;
		model->weight_tensors += layer->count * layer->weight_tensors;
	}
	if (model->input.tokens)
		model->sequence = model->input.extent[0];
	for (unsigned i = 0; i < model->layer_count && !(model->sequence > 0); i++)
		if (model->layers[i].work)
			model->sequence = model->layers[i].work->tokens;
}

static bool build(struct paradl_arena *arena, struct paradl_arena *scratch,
	const struct model_variant *variant, struct paradl_model *model, struct paradl_error *error)
{
	struct reader reader = {.arena = scratch, .error = error, .sequence = variant->sequence};
	struct item_list layers = {0};
	struct expansion expansion;
	const struct json *array;
	if (!header_read(&reader, model->source, model, &array) ||
		!variant_input(variant, &model->input, error))
		return false;
	if (!layers_read(&reader, array, NULL, &layers) ||
		!expand(arena, &reader, &layers, &model->input, variant, &expansion))
		return false;
	expansion_keep(&expansion);
	for (unsigned i = 0; i < expansion.count; i++)
		model->tokens = model->tokens || expansion.placings[i]->layer.work;
	if (!expansion_distinct(arena, scratch, &expansion, model, error) ||
		!expansion_units(arena, &expansion, model, error))
		return false;
	totals(model);
	return true;
}

const struct paradl_model *model_build(struct paradl_arena *arena, const struct json *source,
	const struct model_variant *variant, struct paradl_error *error)
{
	static const struct model_variant as_it_is = {.pool_halo_pieces = 1};
	struct paradl_model *const model = arena_alloc(arena, 1, sizeof(*model));
	struct paradl_arena *const scratch = paradl_arena_create();
	bool built = false;
	if (!model || !scratch) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
	} else {
		model->source = source;
		model->path = json_path(source);
		built = build(arena, scratch, variant ? variant : &as_it_is, model, error);
	}
	paradl_arena_free(scratch);
	return built ? model : NULL;
}

const struct paradl_model *model_build_changed(struct paradl_arena *arena, const struct json *file,
	const struct paradl_changes *changes, struct paradl_error *error)
{
	struct change_tally tally = {0};
	const struct json *const root =
		changes_apply(arena, changes, CHANGE_MODEL, file, true, &tally, error);
	if (!root || !changes_met(changes, CHANGE_MODEL, file, &tally, error))
		return NULL;
	return model_build(arena, root, NULL, error);
}
