/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stays from forward to backward, and where gradients are wanted: small graphs worked out by hand. */
#include "model/build.h"

#define CONV(out, kernel)                                                                                    \
	"{ \"type\": \"conv\", \"out\": " #out ", \"kernel\": " #kernel ", \"bias\": false }"
#define BATCH_NORM "{ \"type\": \"norm\", \"kind\": \"batch\" }"
#define ACT(kind)  "{ \"type\": \"act\", \"kind\": \"" kind "\" }"
#define RELU       ACT("relu")
#define LINEAR     "{ \"type\": \"linear\", \"out\": 10 }"
#define LOSS       "{ \"type\": \"loss\", \"kind\": \"cross-entropy\" }"

/* The input is 3x8 = 24 items, a tensor of c channels 8c. */
static void check(const char *layers, const double *kept, unsigned count)
{
	struct built built = build_at("3", "[8]", layers);
	assert_int_equal(built.model->order_count, count);
	for (unsigned i = 0; i < count; i++)
		if (layer_at(&built, i)->kept_items > kept[i] || layer_at(&built, i)->kept_items < kept[i])
			fail_msg("%s keeps %g, expected %g", built.model->names[i],
				layer_at(&built, i)->kept_items, kept[i]);
	paradl_arena_free(built.arena);
}
#define KEPT(layers, ...)                                                                                    \
	do {                                                                                                 \
		const double kept[] = {__VA_ARGS__};                                                         \
		check(layers, kept, sizeof kept / sizeof kept[0]);                                           \
	} while (0)

static void a_relu_keeps_its_output_not_its_input(void **state)
{
	(void)state;
	/* conv: the input (24) and y for the norm (32); the norm's y is read by nobody's backward; relu's own y also serves
	 * the next conv; the loss keeps as many items as it reads. */
	KEPT(CONV(4, 1) ", " BATCH_NORM ", " RELU ", " CONV(2, 1) ", " LOSS, 24 + 32, 0, 32, 0, 16);
	KEPT(CONV(4, 1) ", " RELU ", " LINEAR ", " LOSS, 24, 32, 0, 10);
	KEPT(CONV(4, 1) ", " ACT("softmax") ", " LOSS, 24, 32, 32);
}

static void a_gelu_keeps_its_input(void **state)
{
	(void)state;
	KEPT(CONV(4, 1) ", " ACT("gelu") ", " CONV(2, 1), 24 + 32, 32, 0);
	KEPT(CONV(4, 1) ", " ACT("silu") ", " LOSS, 24 + 32, 0, 32);
	KEPT(CONV(4, 1) ", " ACT("hardswish") ", " LOSS, 24 + 32, 0, 32);
}

static void pooling_finds_its_maximum_again(void **state)
{
	(void)state;
#define POOL(kind) "{ \"type\": \"pool\", \"kind\": \"" kind "\", \"kernel\": 2 }"
	KEPT(CONV(4, 1) ", " POOL("max") ", " LOSS, 24 + 32, 16, 16);
	KEPT(CONV(4, 1) ", " POOL("avg") ", " LOSS, 24, 0, 16);
	KEPT(CONV(4, 1) ", " RELU ", " POOL("max") ", " CONV(1, 1), 24, 32, 16,
		0); /* relu's y once, pool's y once */
}

static void views_pass_keeping_on(void **state)
{
	(void)state;
	KEPT(CONV(4, 1) ", { \"type\": \"flatten\" }, " LINEAR, 24 + 32, 0, 0);
	KEPT("{ \"type\": \"flatten\" }, " LINEAR, 0, 24);
	KEPT(CONV(4, 1) ", { \"type\": \"add\", \"branches\": [ [ " CONV(4, 1) " ], [] ] }, " RELU, 24 + 32,
		0, 0, 32);
}

static void a_tensor_is_kept_once_whoever_reads_it(void **state)
{
	(void)state;
	/* Three readers of the first conv's y, two of the input. */
	KEPT(CONV(4, 1) ", { \"type\": \"add\", \"branches\": [ [ " CONV(4, 1) " ], [ " CONV(
		     4, 1) " ], [] ] }, " LOSS,
		24 + 32, 0, 0, 0, 32);
	KEPT("{ \"type\": \"add\", \"branches\": [ [ " CONV(4, 1) " ], [ " CONV(4, 1) " ] ] }, " RELU, 24, 0,
		0, 32);
}

static void joins_keep_only_for_their_readers(void **state)
{
	(void)state;
#define BRANCHES "\"branches\": [ [ " CONV(3, 1) " ], [ " CONV(3, 1) " ] ]"
	KEPT("{ \"type\": \"concat\", " BRANCHES " }, " CONV(2, 1), 24, 0, 48, 0);
	KEPT("{ \"type\": \"concat\", " BRANCHES " }, " RELU, 24, 0, 0, 48);
	KEPT("{ \"type\": \"add\", " BRANCHES " }, " BATCH_NORM ", " RELU, 24, 0, 24, 0, 24);
}

static void masks_and_statistics_count(void **state)
{
	(void)state;
	/* Dropout: a byte per item is a quarter of an item; its y is kept for the linear layer. */
	KEPT(CONV(4, 1) ", " RELU ", { \"type\": \"dropout\" }, " LINEAR, 24, 32, 32 + 8, 0);
	KEPT(CONV(4, 1) ", { \"type\": \"norm\", \"kind\": \"layer\" }", 24 + 32, 2);
	KEPT(CONV(4, 1) ", { \"type\": \"norm\", \"kind\": \"rms\" }", 24 + 32, 1);
	KEPT(CONV(4, 1) ", { \"type\": \"norm\", \"kind\": \"group\", \"groups\": 2 }", 24 + 32, 4);
	KEPT(CONV(4, 1) ", { \"type\": \"norm\", \"kind\": \"instance\" }", 24 + 32, 8);
	KEPT(CONV(4, 1) ", { \"type\": \"norm\", \"kind\": \"lrn\" }", 24 + 32, 32);
}

static void nothing_is_kept_where_nothing_is_trained(void **state)
{
	(void)state;
	KEPT(RELU ", { \"type\": \"dropout\" }, " LOSS, 0, 0, 0);
	KEPT(RELU ", " CONV(4, 1) ", " LOSS, 24, 0, 32); /* relu's backward does not run; conv reads its y */
	KEPT("{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"freeze\": true }, " RELU ", " LINEAR
	     ", " LOSS,
		0, 32, 0, 10);
}

static void frozen_layers_have_weights_but_no_gradients(void **state)
{
	(void)state;
	struct built built = build_at("3", "[8]",
		"{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"freeze\": true }, " RELU ", " CONV(
			4, 1) ", "
			      "{ \"type\": \"conv\", \"out\": 4, \"kernel\": 1, \"freeze\": true }, " LINEAR);
	const struct layer *const first = layer_at(&built, 0), *const relu = layer_at(&built, 1);
	const struct layer *const trained = layer_at(&built, 2), *const frozen = layer_at(&built, 3);
	assert_close(first->frozen_items, 16, 0);
	assert_close(first->weight_items, 0, 0);
	assert_int_equal(first->weight_tensors, 0);
	assert_close(first->forward_flop, 2 * 12 * 8, 0);
	assert_close(first->backward_flop + first->backward_items + relu->backward_items, 0, 0);
	assert_false(relu->backward_data || relu->backward_weight);
	assert_true(trained->backward_weight && !trained->backward_data && !trained->reads_input);
	assert_close(trained->backward_flop, trained->forward_flop, 0);
	/* In the middle dL/dx must pass through, which needs the weights only: the trained conv's y is not kept. */
	assert_true(frozen->backward_data && !frozen->backward_weight);
	assert_close(frozen->backward_flop, frozen->forward_flop, 0);
	assert_close(frozen->backward_items, 0, 0);
	assert_close(trained->kept_items, 0, 0);
	assert_close(relu->kept_items, 32, 0);
	assert_close(built.model->weight_items, 16 + 330, 0);
	assert_close(built.model->frozen_items, 16 + 20, 0);
	paradl_arena_free(built.arena);
}

/* Sums what stays of eight tokens of four items that such a layer reads. */
static double kept_around(const char *layer, const char *freeze)
{
	char layers[400];
	snprintf(layers, sizeof layers,
		"{ \"type\": \"embedding\", \"rows\": 10, \"out\": 4 }, { %s%s }, "
		"{ \"type\": \"linear\", \"out\": 10 }",
		layer, freeze);
	struct built built = build_tokens(layers, 8);
	double kept = 0;
	for (unsigned i = 0; i < built.model->order_count; i++)
		kept += layer_at(&built, i)->kept_items;
	paradl_arena_free(built.arena);
	return kept;
}

/* Only gradients of weights need what products read: for each token the layer's input, and 6 items of an activation. */
static void frozen_products_keep_no_input(void **state)
{
	(void)state;
	static const struct {
		const char *layer;
		double items;
	} cases[] = {{"\"type\": \"mlp\", \"hidden\": 6", 4 + 6},
		{"\"type\": \"mlp\", \"hidden\": 6, \"gated\": true, \"act\": \"silu\"", 4 + 6},
		{"\"type\": \"mlp\", \"hidden\": 6, \"act\": \"relu\"", 4},
		{"\"type\": \"attention\", \"heads\": 2", 4},
		{"\"type\": \"moe\", \"experts\": 4, \"top_k\": 2, \"hidden\": 6", 4 + 2 * (4 + 6)}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const double less =
			kept_around(cases[i].layer, "") - kept_around(cases[i].layer, ", \"freeze\": true");
		if (fabs(less - 8 * cases[i].items) > 1e-9)
			fail_msg("%s: %g items less, not %g", cases[i].layer, less, 8 * cases[i].items);
	}
}

/* ResNet-50 at 224: summed by hand from the stages. A bottleneck of m channels at e x e keeps, in units of m e^2:
 * a 1 (its y, for the norm), relu 1, b 1, relu 1, c 4, relu 4 = 12; the first of a stage 4 more for the shortcut, and
 * (stride 2 in b) a and its relu are four times as large. */
static void resnet_50_keeps_what_its_layers_say(void **state)
{
	(void)state;
	const double stem = 3 * 224 * 224 + 2 * 64 * 112 * 112 + 64 * 56 * 56; /* input, conv, relu, pool */
	double sum = stem;
	const double unit[] = {64 * 56 * 56, 128 * 28 * 28, 256 * 14 * 14, 512 * 7 * 7};
	const double blocks[] = {3, 4, 6, 3};
	for (int stage = 0; stage < 4; stage++)
		sum += unit[stage] * (12 * blocks[stage] + 4 + (stage > 0 ? 6 : 0));
	sum += 2048 + 1000; /* pooled x for the linear layer, and the loss */
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = "models/resnet50.json"}, &error);
	assert_non_null(model);
	double kept = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		kept += model->layers[i].count * model->layers[i].kept_items;
	assert_close(kept, sum, 0);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_relu_keeps_its_output_not_its_input),
		cmocka_unit_test(a_gelu_keeps_its_input),
		cmocka_unit_test(pooling_finds_its_maximum_again),
		cmocka_unit_test(views_pass_keeping_on),
		cmocka_unit_test(a_tensor_is_kept_once_whoever_reads_it),
		cmocka_unit_test(joins_keep_only_for_their_readers),
		cmocka_unit_test(masks_and_statistics_count),
		cmocka_unit_test(nothing_is_kept_where_nothing_is_trained),
		cmocka_unit_test(frozen_layers_have_weights_but_no_gradients),
		cmocka_unit_test(frozen_products_keep_no_input),
		cmocka_unit_test(resnet_50_keeps_what_its_layers_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
