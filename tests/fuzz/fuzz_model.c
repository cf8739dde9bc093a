/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of models: no crash; what it accepts has finite, non-negative numbers, units that cover the order
 * exactly, and rows that are counted once; and the linter accepts it too. Also at another input and with pooling
 * halos, where it may refuse.
 */
#include <math.h>

#include "input.h"
#include "model/layer_times_read.h"
#include "model/model.h"

static void check_number(double value)
{
	REQUIRE(isfinite(value) && value >= 0);
}

static void check_layer(const struct layer *layer)
{
	const double numbers[] = {layer->x_items, layer->y_items, layer->kernel_volume, layer->positions,
		layer->weight_items, layer->frozen_items, layer->forward_flop, layer->backward_flop,
		layer->forward_items, layer->backward_items, layer->kept_items};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		check_number(numbers[i]);
	REQUIRE(layer->y_items >= 1 && layer->x_items >= 1 && layer->groups >= 1 && layer->count >= 1);
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++)
		REQUIRE(layer->kernel[d] >= 1 && layer->stride[d] >= 1 && layer->x.extent[d] >= 1 &&
			layer->y.extent[d] >= 1);
}

static void check_work(const struct token_work *work)
{
	REQUIRE(work->tokens >= 1 && work->hidden_items >= 1);
	REQUIRE(work->kernel_count >= 1 && work->kernel_count <= KERNELS_MAX);
	for (unsigned i = 0; i < work->kernel_count; i++) {
		const struct kernel *const kernel = &work->kernels[i];
		check_number(kernel->rows);
		check_number(kernel->columns);
		check_number(kernel->weight_items);
		check_number(kernel->forward_items);
		check_number(kernel->backward_items);
		REQUIRE(!kernel->routed || work->top_k >= 1);
		REQUIRE(kernel->kind != KERNEL_ATTENTION || work->attention.heads >= 1);
	}
	check_number(work->kept_cut_items);
	check_number(work->kept_score_items);
	check_number(work->kept_routed_items);
	REQUIRE(work->top_k <= work->experts);
}

static void check_order(const struct paradl_model *model)
{
	unsigned counted = 0;
	double weights = 0, flop = 0;
	REQUIRE(model->order_count >= 1 && model->layer_count >= 1);
	for (unsigned i = 0; i < model->layer_count; i++) {
		counted += model->layers[i].count;
		weights += model->layers[i].count * model->layers[i].weight_items;
		flop += model->layers[i].count * model->layers[i].forward_flop;
	}
	REQUIRE(counted == model->order_count);
	REQUIRE(fabs(weights - model->weight_items) <= 1e-9 * weights);
	REQUIRE(fabs(flop - model->forward_flop) <= 1e-9 * flop);
	for (unsigned i = 0; i < model->order_count; i++) {
		REQUIRE(model->order[i] < model->layer_count && model->names[i]);
		REQUIRE(model->layers[model->order[i]].is_last == (i + 1 == model->order_count));
	}
}

static void check_units(const struct paradl_model *model)
{
	unsigned covered = 0;
	for (unsigned i = 0; i < model->unit_count; i++) {
		const struct unit *const unit = &model->units[i];
		REQUIRE(unit->first == covered && unit->end > unit->first && unit->boundary_items >= 1);
		covered = unit->end;
	}
	REQUIRE(covered == model->order_count);
}

static void check_model(const struct paradl_model *model)
{
	check_number(model->weight_items);
	check_number(model->forward_flop);
	check_number(model->backward_flop);
	check_number(model->dataset.samples);
	check_number(model->dataset.sample_bytes);
	check_number(model->batch_per_gpu);
	REQUIRE(optimizer_find(model->optimizer) != NULL);
	for (unsigned i = 0; i < model->layer_count; i++)
		check_layer(&model->layers[i]);
	for (unsigned i = 0; i < model->layer_count; i++)
		if (model->layers[i].work)
			check_work(model->layers[i].work);
	check_order(model);
	check_units(model);
}

static void check_source(struct paradl_arena *arena, const struct json *root)
{
	static const struct model_variant variants[] = {{.padded_pieces = 4, .padded_kinds = 3},
		{.extent = {33, 17}, .padded_pieces = 2, .padded_kinds = 1, .padded_end = 3},
		{.sequence = 7}};
	struct paradl_error error = {0};
	struct paradl_findings findings;
	const struct paradl_model *const model = model_build(arena, root, NULL, &error);
	if (!model)
		require_explained(&error);
	REQUIRE(model_check(arena, root, &findings, &error) == (model != NULL));
	if (!model)
		return;
	check_model(model);
	for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
		const struct paradl_model *const variant = model_build(arena, root, &variants[i], &error);
		if (variant)
			check_model(variant);
		for (unsigned end = 0; variant && end <= variant->order_count; end += 1 + end / 2)
			check_model(model_divide(arena, variant, end));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_error error = {0};
	struct paradl_findings findings;
	struct paradl_arena *const arena = paradl_arena_create();
	REQUIRE(arena != NULL);
	const struct json *const root = json_parse(arena, (const char *)data, size, "fuzz.json", &error);
	if (root) {
		check_source(arena, root);
		if (!measured_layers_check(arena, root, &findings, &error))
			require_explained(&error);
	} else {
		require_explained(&error);
	}
	paradl_arena_free(arena);
	return 0;
}
