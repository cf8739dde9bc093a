/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each layer type makes of its keys and its input; all expectations worked out by hand. */
#include "model/build.h"

#include "model/layer_type.h"

static const struct layer *only(
	struct built *built, const char *channels, const char *shape, const char *layer)
{
	*built = build_at(channels, shape, layer);
	return layer_at(built, built->model->order_count - 1);
}

static void check_shape(const char *channels, const char *shape, const char *layer, const char *y)
{
	struct built built;
	only(&built, channels, shape, layer);
	assert_shape(&built, built.model->order_count - 1, y);
	paradl_arena_free(built.arena);
}

#define CONV(keys) "{ \"type\": \"conv\", " keys " }"
#define POOL(keys) "{ \"type\": \"pool\", \"kind\": \"max\", " keys " }"

static void conv_has_floored_extents(void **state)
{
	(void)state;
	check_shape("3", "[224, 224]", CONV("\"out\": 64, \"kernel\": 7, \"stride\": 2, \"pad\": 3"),
		"64x112x112");
	check_shape("3", "[226, 226]", CONV("\"out\": 64, \"kernel\": 7, \"stride\": 2, \"pad\": 3"),
		"64x113x113");
	check_shape("3", "[224, 224]", CONV("\"out\": 96, \"kernel\": 11, \"stride\": 4"), "96x54x54");
	check_shape("2", "[10]", CONV("\"out\": 4, \"kernel\": 3"), "4x8");
	check_shape("2", "[9, 8, 7]", CONV("\"out\": 4, \"kernel\": [3, 2, 1], \"stride\": [2, 3, 1]"),
		"4x4x3x7");
	check_shape("2", "[10]", CONV("\"out\": \"$width\", \"kernel\": \"$times\", \"dilation\": 2"), "5x6");
	check_shape("2", "[10]", CONV("\"out\": 4, \"kernel\": 3, \"dilation\": 2, \"pad\": [2]"), "4x10");
}

static void conv_pads_to_the_same_extent(void **state)
{
	(void)state;
	check_shape("4", "[8, 8]", CONV("\"out\": 4, \"kernel\": 2, \"pad\": \"same\""), "4x8x8");
	check_shape("4", "[32, 31]", CONV("\"out\": 4, \"kernel\": 3, \"stride\": 2, \"pad\": \"same\""),
		"4x16x16");
	struct built built;
	const struct layer *const even =
		only(&built, "4", "[8]", CONV("\"out\": 4, \"kernel\": 2, \"pad\": \"same\""));
	assert_int_equal(even->pad[0], 0); /* one row in all, on one side */
	paradl_arena_free(built.arena);
	const struct layer *const odd = only(
		&built, "4", "[8]", CONV("\"out\": 4, \"kernel\": 5, \"dilation\": 2, \"pad\": \"same\""));
	assert_int_equal(odd->pad[0], 4); /* (9 - 1) / 2 */
	paradl_arena_free(built.arena);
}

static void conv_transposed_enlarges(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer = only(&built, "16", "[7, 7]",
		CONV("\"out\": 8, \"kernel\": 4, \"stride\": 2, \"pad\": 1, \"transposed\": true, \"bias\": "
		     "false"));
	assert_shape(&built, 0, "8x14x14"); /* (7 - 1) 2 - 2 + 3 + 1 */
	assert_close(layer->weight_items, 16 * 8 * 16, 0);
	assert_close(layer->forward_flop, 2.0 * 16 * 8 * 16 * 49,
		0); /* every place of x meets every weight once */
	assert_string_equal(layer->kind, "transposed");
	paradl_arena_free(built.arena);
	check_shape("2", "[5]",
		CONV("\"out\": 2, \"kernel\": 3, \"stride\": 3, \"pad\": \"same\", \"transposed\": true"),
		"2x15");
}

static void conv_counts_its_work(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8, 8]",
		CONV("\"out\": 16, \"kernel\": 3, \"pad\": 1") ", " CONV(
			"\"out\": 32, \"kernel\": 3, \"groups\": 4"));
	const struct layer *const first = layer_at(&built, 0), *const second = layer_at(&built, 1);
	assert_close(first->weight_items, 16 * 3 * 9 + 16, 0);
	assert_int_equal(first->weight_tensors, 2);
	assert_close(first->forward_flop, 2.0 * 16 * 3 * 9 * 64, 0);
	assert_close(first->backward_flop, 2.0 * 16 * 3 * 9 * 64, 0); /* nobody wants dL/dx of the input */
	assert_true(first->reads_input && !first->backward_data && first->backward_weight);
	assert_int_equal(first->pad[0], 1);
	assert_int_equal(first->pad[1], 1);
	assert_int_equal(second->pad[0], 0);
	assert_close(first->forward_items, 2 * 16 * 64, 0);
	assert_close(first->backward_items, 16 * 64, 0);
	assert_shape(&built, 1, "32x6x6");
	assert_close(second->weight_items, 32 * 4 * 9 + 32, 0);
	assert_close(second->forward_flop, 2.0 * 32 * 4 * 9 * 36, 0);
	assert_close(second->backward_flop, 2 * second->forward_flop, 0);
	assert_true(!second->reads_input && second->backward_data);
	assert_int_equal(second->filters, 32);
	assert_int_equal(second->channels, 16);
	assert_int_equal(second->groups, 4);
	assert_close(second->kernel_volume, 9, 0);
	assert_close(second->positions, 36, 0);
	paradl_arena_free(built.arena);
}

static void linear_flattens(void **state)
{
	(void)state;
	struct built built = build_at("4", "[3, 2]",
		"{ \"type\": \"linear\", \"out\": 10 }, { \"type\": \"linear\", \"out\": 7, \"bias\": false "
		"}");
	const struct layer *const first = layer_at(&built, 0), *const second = layer_at(&built, 1);
	assert_shape(&built, 0, "10");
	assert_string_equal(paradl_model_layer(built.model, 0).x, "4x3x2");
	assert_close(first->weight_items, 24 * 10 + 10, 0);
	assert_close(first->forward_flop, 480, 0);
	assert_int_equal(first->channels, 24);
	assert_close(first->forward_items, 20, 0);
	assert_close(second->weight_items, 70, 0);
	assert_int_equal(second->weight_tensors, 1);
	assert_close(second->forward_items + second->backward_items, 0, 0);
	assert_close(second->backward_flop, 2 * 140, 0);
	assert_close(second->positions, 1, 0);
	assert_int_equal(second->kernel[0], 1);
	assert_close(built.model->weight_items, 320, 0);
	assert_close(built.model->backward_flop, 480 + 280, 0);
	assert_int_equal(built.model->weight_tensors, 3);
	paradl_arena_free(built.arena);
}

static void pool_windows(void **state)
{
	(void)state;
	check_shape("64", "[112, 112]", POOL("\"kernel\": 3, \"stride\": 2, \"pad\": 1"), "64x56x56");
	check_shape("64", "[113, 113]", POOL("\"kernel\": 2"), "64x56x56");
	check_shape("64", "[113, 113]", POOL("\"kernel\": 2, \"ceil\": true"), "64x57x57");
	check_shape("64", "[112, 112]", POOL("\"kernel\": 3, \"stride\": 2, \"ceil\": true"), "64x56x56");
	check_shape("1", "[2]", POOL("\"kernel\": 3, \"stride\": 2, \"ceil\": true"), "1x1");
	check_shape("64", "[9, 7]", "{ \"type\": \"pool\", \"kind\": \"avg\", \"global\": true }", "64x1x1");
	struct built built = build_at("2", "[8, 8]",
		CONV("\"out\": 2, \"kernel\": 1") ", " POOL("\"kernel\": 2") ", " POOL("\"kernel\": 4"));
	const struct layer *const part = layer_at(&built, 1), *const whole = layer_at(&built, 2);
	assert_close(part->forward_items, 128 + 32, 0);
	assert_close(part->backward_items, 2 * (128 + 32), 0);
	assert_true(!part->global && whole->global); /* a 4x4 window over 4x4 is the whole extent */
	assert_int_equal(part->stride[1], 2);
	assert_close(part->forward_flop, 0, 0);
	paradl_arena_free(built.arena);
}

/* Passes over the 4 x 6 = 24 items of x, forward and backward, where dL/dx is wanted and where it is not. */
static void check_passes(const char *layer, double forward, double backward, double backward_at_input)
{
	char layers[512];
	struct built built;
	snprintf(layers, sizeof layers, CONV("\"out\": 4, \"kernel\": 1") ", %s", layer);
	const struct layer *inner = only(&built, "4", "[6]", layers);
	assert_close(inner->forward_items, forward * 24, 0);
	assert_close(inner->backward_items, backward * 24, 0);
	paradl_arena_free(built.arena);
	inner = only(&built, "4", "[6]", layer);
	assert_close(inner->forward_items, forward * 24, 0);
	assert_close(inner->backward_items, backward_at_input * 24, 0);
	paradl_arena_free(built.arena);
}

static void passes_over_memory(void **state)
{
	(void)state;
	check_passes("{ \"type\": \"norm\", \"kind\": \"batch\" }", 3, 5, 2);
	check_passes("{ \"type\": \"norm\", \"kind\": \"lrn\" }", 3, 5, 0);
	check_passes("{ \"type\": \"act\", \"kind\": \"relu\" }", 2, 3, 0);
	check_passes("{ \"type\": \"act\", \"kind\": \"gelu\" }", 2, 3, 0);
	check_passes("{ \"type\": \"add\", \"branches\": [ [], [] ] }", 3, 3, 0);
	check_passes("{ \"type\": \"add\", \"branches\": [ [], [], [] ] }", 4, 4, 0);
	check_passes("{ \"type\": \"concat\", \"branches\": [ [], [] ] }", 4, 4, 0); /* 2|y|, y = 2x */
	check_passes("{ \"type\": \"flatten\" }", 0, 0, 0);
	check_passes("{ \"type\": \"dropout\" }", 3, 3, 0);
	check_passes("{ \"type\": \"loss\", \"kind\": \"mse\" }", 2, 2, 0);
	check_passes("{ \"type\": \"loss\", \"kind\": \"none\" }", 0, 0, 0);
}

static void check_norm(const char *keys, double weights, unsigned tensors)
{
	char layer[128];
	struct built built;
	snprintf(layer, sizeof layer, "{ \"type\": \"norm\", %s }", keys);
	const struct layer *const norm = only(&built, "12", "[6]", layer);
	assert_close(norm->weight_items, weights, 0);
	assert_int_equal(norm->weight_tensors, tensors);
	assert_close(norm->forward_flop, 0, 0);
	paradl_arena_free(built.arena);
}

static void norms_have_weights_per_channel(void **state)
{
	(void)state;
	check_norm("\"kind\": \"batch\"", 24, 2);
	check_norm("\"kind\": \"layer\"", 24, 2);
	check_norm("\"kind\": \"rms\"", 12, 1);
	check_norm("\"kind\": \"group\", \"groups\": 3", 24, 2);
	check_norm("\"kind\": \"instance\"", 24, 2);
	check_norm("\"kind\": \"lrn\"", 0, 0);
}

static void concat_joins_along_an_axis(void **state)
{
	(void)state;
#define SIDE "[ { \"type\": \"conv\", \"out\": 3, \"kernel\": 1 } ]"
	check_shape("4", "[6, 5]", "{ \"type\": \"concat\", \"branches\": [ [], " SIDE ", [] ] }", "11x6x5");
	check_shape("3", "[6, 5]", "{ \"type\": \"concat\", \"axis\": 1, \"branches\": [ [], " SIDE " ] }",
		"3x12x5");
	check_shape("3", "[6, 5]", "{ \"type\": \"concat\", \"axis\": 2, \"branches\": [ [], " SIDE " ] }",
		"3x6x10");
	struct built built;
	const struct layer *const layer =
		only(&built, "4", "[6, 5]", "{ \"type\": \"concat\", \"branches\": [ [], " SIDE " ] }");
	assert_close(layer->x_items, 7 * 30, 0);
	assert_close(layer->y_items, 7 * 30, 0);
	paradl_arena_free(built.arena);
}

static void custom_says_what_it_does(void **state)
{
	(void)state;
	struct built built = build_at("4", "[6]",
		"{ \"type\": \"custom\", \"flops\": 1e6, \"params\": 77, \"out_shape\": [\"$width\", 2, 3], "
		"\"stash\": 40, "
		"\"split\": [\"batch\", \"filter\"] }, "
		"{ \"type\": \"custom\", \"flops\": 5, \"flops_bw\": 7, \"out_shape\": [9] }, "
		"{ \"type\": \"custom\", \"flops\": 0, \"out_shape\": [9], \"params\": 0, \"stash\": 0 }");
	const struct layer *const first = layer_at(&built, 0), *const second = layer_at(&built, 1);
	assert_shape(&built, 0, "5x2x3");
	assert_shape(&built, 1, "9");
	assert_close(first->forward_flop, 1e6, 0);
	assert_close(first->backward_flop, 2e6, 0);
	assert_close(first->weight_items, 77, 0);
	assert_int_equal(first->weight_tensors, 1);
	assert_close(first->kept_items, 10, 0);
	assert_int_equal(first->splits, LAYER_SPLIT_FILTER);
	assert_close(first->forward_items + first->backward_items, 0, 0);
	assert_close(second->backward_flop, 7, 0);
	assert_int_equal(layer_at(&built, 2)->weight_tensors, 0);
	assert_close(layer_at(&built, 2)->backward_flop, 0, 0);
	assert_int_equal(second->splits, LAYER_SPLIT_FILTER | LAYER_SPLIT_CHANNEL | LAYER_SPLIT_SPATIAL);
	paradl_arena_free(built.arena);
}

#define SCALED(scale) "{ \"type\": \"multiply\", \"branches\": [ [], [ " scale " ] ] }"
#define POOL_ALL      "{ \"type\": \"pool\", \"kind\": \"avg\", \"global\": true }"

/* 6 channels of 4 x 5: 120 items, and 6 that scale them; forward 120 + 6 + 120, backward 2 (120 + 6) + 120. */
static void multiply_scales_channels(void **state)
{
	(void)state;
	static const char *const scales[] = {
		SCALED(POOL_ALL), SCALED(POOL_ALL ", { \"type\": \"linear\", \"out\": 6 }")};
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		struct built built;
		const struct layer *const layer = only(&built, "6", "[4, 5]", scales[i]);
		assert_int_equal(layer->class_, LAYER_MULTIPLY);
		assert_shape(&built, built.model->order_count - 1, "6x4x5");
		assert_close(layer->forward_items, 246, 0);
		assert_close(layer->backward_items, layer->backward_data ? 372 : 0, 0);
		paradl_arena_free(built.arena);
	}
	check_shape("6", "[4]", "{ \"type\": \"multiply\", \"branches\": [ [], [] ] }", "6x4");
	check_shape("6", "[4]", "{ \"type\": \"multiply\", \"branches\": [ [" POOL_ALL "], [] ] }", "6x4");
}

static void upsample_has_more_places(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer =
		only(&built, "6", "[4, 5]", "{ \"type\": \"upsample\", \"kind\": \"linear\", \"scale\": 2 }");
	assert_shape(&built, 0, "6x8x10");
	assert_close(layer->forward_items, 5 * 120, 0);
	assert_string_equal(layer->kind, "linear");
	assert_close(layer->weight_items, 0, 0);
	paradl_arena_free(built.arena);
	check_shape("6", "[4, 5]", "{ \"type\": \"upsample\", \"kind\": \"nearest\", \"scale\": [1, 3] }",
		"6x4x15");
	check_shape("6", "[4, 5]", "{ \"type\": \"upsample\", \"kind\": \"nearest\", \"size\": [7, 5] }",
		"6x7x5");
}

static void reshape_views_and_copies(void **state)
{
	(void)state;
	struct built built;
	const struct layer *layer =
		only(&built, "6", "[4, 5]", "{ \"type\": \"reshape\", \"out_shape\": [20, 6] }");
	assert_close(layer->forward_items, 0, 0);
	assert_shape(&built, 0, "20x6");
	paradl_arena_free(built.arena);
	layer = only(
		&built, "6", "[4, 5]", "{ \"type\": \"reshape\", \"out_shape\": [3, 4, 5], \"copy\": true }");
	assert_close(layer->forward_items, 2 * 60, 0);
	paradl_arena_free(built.arena);
}

#define TOKENS(shape) "{ \"type\": \"reshape\", \"out_shape\": " shape ", \"tokens\": true, \"copy\": true }"

/* A grid of 4 x 6 with 8 channels, 24 tokens, transposed, 6 tokens of 4 places each, and a grid again. */
static void grids_and_tokens_become_one_another(void **state)
{
	(void)state;
	struct built built = build_at("8", "[4, 6]",
		TOKENS("[8, 24]") ", " TOKENS("[24, 8]") ", { \"type\": \"linear\", \"out\": 24 }, " TOKENS(
			"[32, 6]") ", { \"type\": \"reshape\", \"out_shape\": [8, 4, 6] }");
	assert_true(built.model->tokens);
	assert_true(layer_at(&built, 0)->y.tokens && !layer_at(&built, 0)->x.tokens);
	assert_close(layer_at(&built, 0)->forward_items, 2 * 8 * 24, 0);
	assert_close(layer_at(&built, 0)->work->tokens, 24, 0);
	assert_close(layer_at(&built, 1)->work->tokens, 8, 0);
	assert_close(layer_at(&built, 1)->forward_items, 2 * 8 * 24, 0);
	assert_close(layer_at(&built, 2)->weight_items, 24 * 24 + 24, 0); /* mixes places */
	assert_close(layer_at(&built, 2)->forward_flop, 2.0 * 8 * 24 * 24, 0);
	assert_shape(&built, 3, "32x6");
	assert_true(!layer_at(&built, 4)->y.tokens);
	assert_close(layer_at(&built, 4)->forward_items, 0, 0);
	assert_shape(&built, 4, "8x4x6");
	paradl_arena_free(built.arena);
}

/* A gain for each filter. */
static void standardized_weights_have_gains(void **state)
{
	(void)state;
	struct built built;
	const struct layer *const layer = only(&built, "8", "[6, 6]",
		CONV("\"out\": 16, \"kernel\": 3, \"groups\": 2, \"standardized\": true"));
	assert_close(layer->weight_items, 16 * 4 * 9 + 16 + 16, 0);
	assert_int_equal(layer->weight_tensors, 3);
	assert_close(layer->forward_flop, 2.0 * 16 * 4 * 9 * 16, 0);
	paradl_arena_free(built.arena);
}

/* A custom layer may read one thing or several, by name or as branches. */
static void custom_may_join(void **state)
{
	(void)state;
	const char *const custom = "\"type\": \"custom\", \"flops\": 7, \"out_shape\": [2]";
	char layers[512];
	(void)snprintf(layers, sizeof layers,
		"{ \"name\": \"a\", \"type\": \"act\", \"kind\": \"other\" }, { \"name\": \"b\", \"type\": "
		"\"act\", "
		"\"kind\": \"elu\" }, { %s, \"from\": [\"a\", \"b\"] }, { %s, \"branches\": [[], []] }",
		custom, custom);
	struct built built = build_at("6", "[4]", layers);
	assert_close(layer_at(&built, 2)->x_items, 48, 0);
	assert_int_equal(built.model->reads[2].count, 2);
	assert_close(layer_at(&built, 3)->x_items, 4, 0);
	paradl_arena_free(built.arena);
}

/* Whatever the type, work and items are finite, and a name finds its entry. */
static void every_type_is_found(void **state)
{
	(void)state;
	size_t count = 0;
	for (; layer_types[count]; count++) {
		assert_ptr_equal(layer_type_find(layer_types[count]->name), layer_types[count]);
		assert_true(strlen(layer_types[count]->summary) > 5);
		assert_string_equal(layer_class_names[layer_types[count]->class_], layer_types[count]->name);
	}
	assert_int_equal(count, LAYER_CLASS_COUNT);
	assert_null(layer_class_names[count]);
	assert_null(layer_type_find("convolution"));
}

static void optimizers_move_their_states(void **state)
{
	(void)state;
	for (size_t i = 0; optimizer_names[i]; i++)
		assert_string_equal(optimizer_find(optimizer_names[i])->name, optimizer_names[i]);
	assert_null(optimizer_find("adamax"));
	/* w and g read, w written, each state read and written: 4 (3 + 2 states). */
	assert_close(optimizer_find("sgd")->bytes_per_weight, 12, 0);
	assert_close(optimizer_find("sgd-momentum")->bytes_per_weight, 20, 0);
	assert_close(optimizer_find("adam")->bytes_per_weight, 28, 0);
	assert_close(optimizer_find("adam")->states, 2, 0);
	assert_close(optimizer_find("sgd-momentum")->states, 1, 0);
	assert_close(optimizer_find("sgd")->states, 0, 0);
	assert_close(optimizer_find("adafactor")->states, 0, 0);
	assert_close(optimizer_find("adamw-8bit")->states, 2.0 / 4, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conv_has_floored_extents),
		cmocka_unit_test(conv_pads_to_the_same_extent),
		cmocka_unit_test(conv_transposed_enlarges),
		cmocka_unit_test(conv_counts_its_work),
		cmocka_unit_test(linear_flattens),
		cmocka_unit_test(pool_windows),
		cmocka_unit_test(passes_over_memory),
		cmocka_unit_test(norms_have_weights_per_channel),
		cmocka_unit_test(concat_joins_along_an_axis),
		cmocka_unit_test(custom_says_what_it_does),
		cmocka_unit_test(multiply_scales_channels),
		cmocka_unit_test(upsample_has_more_places),
		cmocka_unit_test(reshape_views_and_copies),
		cmocka_unit_test(grids_and_tokens_become_one_another),
		cmocka_unit_test(standardized_weights_have_gains),
		cmocka_unit_test(custom_may_join),
		cmocka_unit_test(every_type_is_found),
		cmocka_unit_test(optimizers_move_their_states),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
