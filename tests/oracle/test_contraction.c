/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel times by hand. A contraction is products M x N x K: forward (b o, F, C K'), backward data (b o, C, F K'),
 * backward weights (C K', F, b o). N is rounded up to 128 and K to 32; of the weights' product M and N are, to 128.
 * 0.5 Tflop/s sustained, twice that for 3x3 windows of stride 1 in two dimensions; 1 TB/s; 10 us at least.
 */
#include "oracle/setup.h"

#define RATE   0.5e12
#define LAUNCH 10e-6

static struct paradl_oracle *oracle_of(
	struct setup *setup, const char *input, const char *layers, const char *memory_rate)
{
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"16 GB\", \"memory_rate\": \"%s\", \"peak\": {\"fp32\": \"1 Tflop/s\", "
		"\"bf16\": \"4 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5, \"tile\": 128, \"depth_tile\": 32, \"winograd\": 2, "
		"\"launch\": \"10 us\"}",
		memory_rate);
	return setup_oracle(setup, setup_model(setup, input, layers),
		setup_machine(setup, device,
			"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"1 us\", \"bandwidth\": \"10 "
			"GB/s\"}"),
		setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
}

static const struct paradl_layer_estimate *rows_of(
	struct setup *setup, struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct paradl_layer_table table;
	if (!paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error))
		fail_msg("%s: %s", text, setup->error.message);
	return table.rows;
}

struct product {
	double m, n, k, speed_up;
};

static double product_s(const struct product *product)
{
	return product->m > 0
		       ? fmax(LAUNCH, 2 * product->m * product->n * product->k / RATE / product->speed_up)
		       : 0;
}

/* One layer under one plan: the padded products, forward, data and weights. */
struct expectation {
	const char *plan;
	double batch;
	unsigned layer;
	struct product forward, data, weights;
};

#define NETWORK                                                                                              \
	"{\"type\": \"conv\", \"out\": 100, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "                   \
	"{\"type\": \"conv\", \"out\": 70, \"kernel\": 3, \"pad\": 1, \"stride\": 2, \"bias\": false}, "     \
	"{\"type\": \"conv\", \"out\": 300, \"kernel\": 1, \"bias\": false}, "                               \
	"{\"type\": \"linear\", \"out\": 10, \"bias\": false}"

/* 20 x 30 x 30 -> 100 x 30 x 30 -> 70 x 15 x 15 -> 300 x 15 x 15 -> 10. */
static const struct expectation expectations[] = {
	{"serial", 7, 0, {7 * 900, 128, 192, 2}, {0, 0, 0, 0}, {256, 128, 7 * 900, 2}},
	{"serial", 7, 1, {7 * 225, 128, 928, 1}, {7 * 225, 128, 640, 1}, {1024, 128, 7 * 225, 1}},
	{"serial", 7, 2, {7 * 225, 384, 96, 1}, {7 * 225, 128, 320, 1}, {128, 384, 7 * 225, 1}},
	{"serial", 7, 3, {7, 128, 67520, 1}, {7, 67584, 32, 1}, {67584, 128, 7, 1}},
	/* 16 samples over 3 replicas: 6 on the fullest. */
	{"data=3", 16, 1, {6 * 225, 128, 928, 1}, {6 * 225, 128, 640, 1}, {1024, 128, 6 * 225, 1}},
	/* 3 filters: 34, 24 and 100 of 100, 70 and 300 on the fullest. */
	{"filter=3", 7, 0, {7 * 900, 128, 192, 2}, {0, 0, 0, 0}, {256, 128, 7 * 900, 2}},
	{"filter=3", 7, 1, {7 * 225, 128, 928, 1}, {7 * 225, 128, 224, 1}, {1024, 128, 7 * 225, 1}},
	{"filter=3", 7, 2, {7 * 225, 128, 96, 1}, {7 * 225, 128, 128, 1}, {128, 128, 7 * 225, 1}},
	/* 3 shares of channels: 34, 24 and 22500 of 100, 70 and 67500; the first layer is not cut. */
	{"channel=3", 7, 0, {7 * 900, 128, 192, 2}, {0, 0, 0, 0}, {256, 128, 7 * 900, 2}},
	{"channel=3", 7, 1, {7 * 225, 128, 320, 1}, {7 * 225, 128, 640, 1}, {384, 128, 7 * 225, 1}},
	{"channel=3", 7, 2, {7 * 225, 384, 32, 1}, {7 * 225, 128, 320, 1}, {128, 384, 7 * 225, 1}},
	{"channel=3", 7, 3, {7, 128, 22528, 1}, {7, 22528, 32, 1}, {22528, 128, 7, 1}},
	/* Both: 50 filters of 34 channels. */
	{"filter=2,channel=3", 7, 1, {7 * 225, 128, 320, 1}, {7 * 225, 128, 320, 1}, {384, 128, 7 * 225, 1}},
	/* 4 pieces of 30 and 15 rows: 8 and 4 on the fullest. 2 x 2 pieces: 15 x 15 and 8 x 8. */
	{"spatial=4", 7, 0, {7 * 240, 128, 192, 2}, {0, 0, 0, 0}, {256, 128, 7 * 240, 2}},
	{"spatial=4", 7, 1, {7 * 60, 128, 928, 1}, {7 * 60, 128, 640, 1}, {1024, 128, 7 * 60, 1}},
	{"spatial=2x2", 7, 1, {7 * 64, 128, 928, 1}, {7 * 64, 128, 640, 1}, {1024, 128, 7 * 64, 1}},
	{"spatial=2x2", 7, 3, {7, 128, 67520, 1}, {7, 67584, 32, 1}, {67584, 128, 7, 1}},
};

static void contractions_are_padded_products(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle =
		oracle_of(setup, "\"input\": {\"channels\": 20, \"shape\": [30, 30]}", NETWORK, "1000 TB/s");
	for (size_t i = 0; i < sizeof expectations / sizeof *expectations; ++i) {
		const struct expectation *const want = &expectations[i];
		const struct paradl_layer_estimate *const row =
			&rows_of(setup, oracle, want->plan, want->batch)[want->layer];
		const double forward = product_s(&want->forward);
		const double backward = product_s(&want->data) + product_s(&want->weights);
		if (fabs(row->forward_s - forward) > 1e-12 * forward ||
			fabs(row->backward_s - backward) > 1e-12 * backward)
			fail_msg("%s, layer %u: %.12g + %.12g s, expected %.12g + %.12g", want->plan,
				want->layer, row->forward_s, row->backward_s, forward, backward);
	}
}

/* x, y and w once for each product, where that takes longer than the multiplications. */
static void thin_contractions_are_bound_by_memory(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle =
		oracle_of(setup, "\"input\": {\"channels\": 8, \"shape\": [100, 100]}",
			"{\"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 16, \"kernel\": 1, \"stride\": 2, \"bias\": false}",
			"100 MB/s");
	const struct paradl_layer_estimate *row = rows_of(setup, oracle, "serial", 3);
	const double first = (3 * (80000.0 + 80000) + 64) * 4 / 1e8,
		     second = (3 * (80000.0 + 40000) + 128) * 4 / 1e8;
	assert_close(row[0].forward_s, first, 1e-12);
	assert_close(row[0].backward_s, first, 1e-12);
	assert_close(row[1].forward_s, second, 1e-12);
	assert_close(row[1].backward_s, 2 * second, 1e-12);
	row = rows_of(setup, oracle, "filter=3", 3); /* 6 filters of 16: all of x, 6/16 of y and w */
	assert_close(row[1].forward_s, (3 * (80000.0 + 15000) + 48) * 4 / 1e8, 1e-12);
	row = rows_of(setup, oracle, "channel=3", 3); /* 3 channels of 8: 3/8 of x and w, all of y */
	assert_close(row[1].forward_s, (3 * (30000.0 + 40000) + 48) * 4 / 1e8, 1e-12);
	row = rows_of(setup, oracle, "spatial=3", 3); /* 34 rows of 100, 17 of 50 */
	assert_close(row[1].forward_s, (3 * (27200.0 + 13600) + 128) * 4 / 1e8, 1e-12);
}

/* Groups share a tile: 4 of 25 filters are 100, padded to 128; K is padded in each. */
static void groups_share_a_tile(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle =
		oracle_of(setup, "\"input\": {\"channels\": 20, \"shape\": [30, 30]}",
			"{\"type\": \"conv\", \"out\": 20, \"kernel\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 100, \"kernel\": 5, \"pad\": 2, \"groups\": 4, "
			"\"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 100, \"kernel\": 5, \"pad\": 2, \"groups\": 100, "
			"\"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 200, \"kernel\": 1, \"groups\": 2, \"bias\": false}",
			"1000 TB/s");
	const struct paradl_layer_estimate *const row = rows_of(setup, oracle, "serial", 7);
	/* C/g K' = 125 -> 128; backward data: N 4 x 5 -> 128, K 25 x 25 = 625 -> 640. */
	assert_close(row[1].forward_s, 2 * 6300 * 128.0 * 128 / RATE, 1e-12);
	assert_close(row[1].backward_s, 2 * 6300 * 128.0 * 640 / RATE + 2 * 128.0 * 128 * 6300 / RATE, 1e-12);
	/* Depthwise: 100 groups of one channel, K 25 -> 32. Of 200 filters, 2 groups of 100 fill two tiles. */
	assert_close(row[2].forward_s, 2 * 6300 * 128.0 * 32 / RATE, 1e-12);
	assert_close(row[3].forward_s, 2 * 6300 * 256.0 * 64 / RATE, 1e-12);
}

/* Only 3x3 and 5x5 windows of stride 1 in two dimensions are sped up. */
static void winograd_has_its_windows(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *input, *window;
		double o, volume, speed_up;
	} cases[] = {
		{"[30, 30]", "\"kernel\": 3, \"pad\": 1", 900, 9, 2},
		{"[30, 30]", "\"kernel\": 3", 784, 9, 2},
		{"[30, 30]", "\"kernel\": 3, \"stride\": [1, 2], \"pad\": 1", 450, 9, 1},
		{"[30, 30]", "\"kernel\": 3, \"stride\": [2, 1], \"pad\": 1", 450, 9, 1},
		{"[30, 30]", "\"kernel\": [3, 1], \"pad\": [1, 0]", 900, 3, 1},
		{"[30, 30]", "\"kernel\": 5, \"pad\": 2", 900, 25, 2},
		{"[30, 30]", "\"kernel\": 7, \"pad\": 3", 900, 49, 1},
		{"[30, 30]", "\"kernel\": 3, \"pad\": 2, \"dilation\": 2", 900, 9, 1},
		{"[900]", "\"kernel\": 3, \"pad\": 1", 900, 3, 1},
		{"[9, 10, 10]", "\"kernel\": 3, \"pad\": 1", 900, 27, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup,
			arena_printf(
				setup->arena, "\"input\": {\"channels\": 32, \"shape\": %s}", cases[i].input),
			arena_printf(setup->arena, "{\"type\": \"conv\", \"out\": 128, %s, \"bias\": false}",
				cases[i].window),
			"1000 TB/s");
		assert_close(rows_of(setup, oracle, "serial", 9)->forward_s,
			2 * 9 * cases[i].o * 128 * 32 * cases[i].volume / RATE / cases[i].speed_up, 1e-12);
	}
}

/* Every other pass is bound by memory: the items of Table "COMPUTE" in paradl-formulas(7), |x| = 600 here. */
static void passes_read_and_write(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *layer;
		double forward, backward;
	} cases[] = {
		{"{\"type\": \"norm\", \"kind\": \"batch\"}", 3 * 600, 5 * 600},
		{"{\"type\": \"act\", \"kind\": \"relu\"}", 2 * 600, 3 * 600},
		{"{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2}", 600 + 150, 2 * (600 + 150)},
		{"{\"type\": \"dropout\"}", 3 * 600, 3 * 600},
		{"{\"type\": \"loss\", \"kind\": \"mse\"}", 2 * 600, 2 * 600},
		{"{\"type\": \"add\", \"branches\": [[], [], []]}", 4 * 600, 4 * 600},
		{"{\"type\": \"concat\", \"branches\": [[], []]}", 2 * 1200, 2 * 1200},
		{"{\"type\": \"flatten\"}", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = oracle_of(setup,
			"\"input\": {\"channels\": 2, \"shape\": [10, 10]}, \"training\": {\"precision\": "
			"\"bf16\"}",
			arena_printf(setup->arena, "{\"type\": \"conv\", \"out\": 6, \"kernel\": 1}, %s",
				cases[i].layer),
			"100 MB/s");
		const struct paradl_layer_estimate *const row = rows_of(setup, oracle, "serial", 5);
		assert_close(row[1].forward_s, 5 * cases[i].forward * 2 / 1e8, 1e-12);
		assert_close(row[1].backward_s, 5 * cases[i].backward * 2 / 1e8, 1e-12);
		/* The convolution's bias is a pass over y: 2 and 1. */
		const double product = (5 * (200.0 + 600) + 18) * 2 / 1e8;
		assert_close(row[0].forward_s, product + 5 * 2 * 600.0 * 2 / 1e8, 1e-12);
		assert_close(row[0].backward_s, product + 5 * 600.0 * 2 / 1e8, 1e-12);
	}
}

/* A layer that says its own work runs at the sustained rate, backward twice as long unless it says so. */
static void custom_layers_say_their_work(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle =
		oracle_of(setup, "\"input\": {\"channels\": 2, \"shape\": [10, 10]}",
			"{\"type\": \"custom\", \"out_shape\": [7], \"flops\": 3e9, \"params\": 1000}, "
			"{\"type\": \"custom\", \"out_shape\": [9], \"flops\": 1e9, \"flops_bw\": 5e9}",
			"1 TB/s");
	const struct paradl_layer_estimate *const row = rows_of(setup, oracle, "data=2", 10);
	assert_close(row[0].forward_s, 5 * 3e9 / RATE, 1e-12);
	assert_close(row[0].backward_s, 5 * 6e9 / RATE, 1e-12);
	assert_close(row[0].weight_update_s, 1000 * 12 / 1e12, 1e-12);
	assert_close(row[1].backward_s, 5 * 5e9 / RATE, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(contractions_are_padded_products),
		setup_test(thin_contractions_are_bound_by_memory),
		setup_test(groups_share_a_tile),
		setup_test(winograd_has_its_windows),
		setup_test(passes_read_and_write),
		setup_test(custom_layers_say_their_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
