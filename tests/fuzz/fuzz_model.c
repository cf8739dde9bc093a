/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models: a network that was accepted has layers whose numbers are finite, countable and add up. */
#include <math.h>

#include "input.h"
#include "model/model.h"

static void check_model(const struct paradl_model *model)
{
	double weights = 0, flop = 0;

	REQUIRE(model->layer_count > 0 && model->order_count >= model->layer_count);
	REQUIRE(model->unit_count > 0 && model->units[model->unit_count - 1].end == model->order_count);
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct layer *layer = &model->layers[i];

		REQUIRE(layer->count > 0 && isfinite(layer->kept_items) && layer->kept_items >= 0);
		REQUIRE(isfinite(layer->forward_items) && isfinite(layer->backward_items));
		weights += layer->count * layer->weight_items;
		flop += layer->count * layer->forward_flop;
	}
	REQUIRE(isfinite(weights) && isfinite(flop));
	REQUIRE(fabs(weights - model->weight_items) <= 1e-9 * weights);
	REQUIRE(fabs(flop - model->forward_flop) <= 1e-9 * flop);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	const struct json *root = json_parse(arena, (const char *)data, size, "input", &error);
	const struct paradl_model *model = root != NULL ? model_build(arena, root, NULL, &error) : NULL;

	if (model != NULL) {
		check_model(model);
		REQUIRE(model_check(arena, root, &findings, &error));
	} else {
		require_explained(&error);
	}
	paradl_arena_free(arena);
	return 0;
}
