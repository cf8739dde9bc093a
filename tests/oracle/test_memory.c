/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of calibrated estimates against a walk that stores and releases tensors one by one: a tensor that a backward
 * pass reads is stored once, when it is made, and released when the backward of its maker is done; dL/dy and dL/dx of
 * the layer under way are there besides.
 */
#include "oracle/chain.h"

#define ITEM 4.0

struct walk {
	const struct chain *chain;
	bool stored[CHAIN_MAX + 1]; /* value i is x of layer i; value count is the network's output */
	double now, peak;           /* items of one sample */
};

static double value_items(const struct chain *chain, unsigned value)
{
	return value < chain->count ? chain->layers[value].x_items : chain->layers[value - 1].y_items;
}

static void store(struct walk *walk, unsigned value)
{
	if (!walk->stored[value])
		walk->now += value_items(walk->chain, value);
	walk->stored[value] = true;
	walk->peak = fmax(walk->peak, walk->now);
}

/* Layers [first, end): a stage stores the tensor it receives, if its backward reads it. */
static struct walk walk_of(const struct chain *chain, unsigned first, unsigned end)
{
	struct walk walk = {.chain = chain};
	for (unsigned l = first; l < end; ++l) {
		const enum chain_kind kind = chain->layers[l].kind;
		if (kind != CHAIN_ACT)
			store(&walk, l); /* weights' gradients and maxima read x */
		if (kind == CHAIN_ACT || kind == CHAIN_POOL)
			store(&walk, l + 1); /* relu and maxima read y */
	}
	for (unsigned l = end; l-- > first;) {
		const double gradients = value_items(chain, l) + value_items(chain, l + 1);
		walk.peak = fmax(walk.peak, walk.now + gradients);
		if (walk.stored[l + 1])
			walk.now -= value_items(chain, l + 1);
	}
	return walk;
}

static double weights_of(const struct chain *chain, unsigned first, unsigned end)
{
	double items = 0;
	for (unsigned l = first; l < end; ++l)
		items += chain->layers[l].w_items;
	return items;
}

static struct paradl_oracle *oracle_of(struct setup *setup, const struct chain *chain, const char *keys)
{
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(setup, chain_model(setup, chain, "adam"), machine,
		setup_framework(
			setup, arena_printf(setup->arena,
				       ", " SETUP_SPLIT_ALL ", \"memory\": {\"workspace\": \"1000 B\", "
				       "\"gradient_buffers\": 2}, \"pipeline\": {%s}",
				       keys)),
		false);
}

/* adam: two states of 4 bytes; two buffers besides the gradients themselves. */
static void check(const struct paradl_estimate *estimate, double weights, double activations)
{
	assert_close(estimate->memory.weights_bytes, 4 * weights, 1e-12);
	assert_close(estimate->memory.gradients_bytes, 3 * 4 * weights, 1e-12);
	assert_close(estimate->memory.optimizer_bytes, 8 * weights, 1e-12);
	assert_close(estimate->memory.activations_bytes, ITEM * activations, 1e-12);
	assert_close(estimate->memory.workspace_bytes, 1000, 0);
	assert_close(estimate->memory_bytes, (4 + 12 + 8) * weights + ITEM * activations + 1000, 1e-12);
	assert_int_equal(estimate->fits, estimate->memory_bytes <= 16e9);
	assert_close(estimate->capacity_bytes, 16e9, 0);
}

/* Data parallelism holds the fullest replica's samples, filter and channel the whole of every activation. */
static void networks_hold_what_a_walk_holds(void **state)
{
	struct random random = {41};
	for (unsigned i = 0; i < 200; ++i) {
		struct setup *const setup = *state;
		setup_renew(setup);
		const struct chain chain = chain_random(&random, false);
		struct paradl_oracle *const oracle = oracle_of(setup, &chain, "");
		const struct walk walk = walk_of(&chain, 0, chain.count);
		const double weights = weights_of(&chain, 0, chain.count),
			     batch = random_between(&random, 7, 500);
		struct paradl_plan plan = setup_plan("serial", batch);
		struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		check(&estimate, weights, batch * walk.peak);
		plan = setup_plan("data=7", batch);
		estimate = setup_estimate(oracle, &plan);
		check(&estimate, weights, ceil(batch / 7) * walk.peak);
		plan = setup_plan("filter=4", batch);
		estimate = setup_estimate(oracle, &plan);
		assert_close(estimate.memory.activations_bytes, ITEM * batch * walk.peak, 1e-12);
		plan = setup_plan(
			"data=7,micro=1", batch); /* gradients accumulate over micro-batches of one sample */
		estimate = setup_estimate(oracle, &plan);
		check(&estimate, weights, walk.peak);
	}
}

/* Filters are dealt out whole: the fullest device has ceil(F / f) of them, and their biases. */
static void weights_are_of_the_fullest_device(void **state)
{
	struct setup *const setup = *state;
	struct chain chain = {.count = 1, .samples = 1};
	chain.layers[0] = (struct chain_layer){.kind = CHAIN_CONV,
		.channels = 3,
		.filters = 10,
		.dimensions = 1,
		.x = {9, 1, 1},
		.y = {9, 1, 1},
		.kernel = {1, 1, 1},
		.stride = {1, 1, 1},
		.bias = true};
	struct paradl_oracle *const oracle = oracle_of(setup, &chain, "");
	const struct paradl_plan plan = setup_plan("filter=4", 2);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	assert_close(estimate.memory.weights_bytes, 4 * 3 * (3 + 1), 1e-12);
}

/* Half-width weights, gradients and activations; states in fp32, and in mixed precision a copy of the weights. */
static void precisions_have_their_widths(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *name;
		double weight, optimizer, item;
	} cases[] = {{"fp32", 4, 8, 4}, {"fp16", 2, 8, 2}, {"fp16-mixed", 2, 12, 2}};
	const double weights = 8 * 8, n = 8 * 256;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_model *const model = setup_model(setup,
			arena_printf(setup->arena,
				"\"input\": {\"channels\": 8, \"shape\": [16, 16]}, \"training\": "
				"{\"optimizer\": \"adam\", "
				"\"precision\": \"%s\"}",
				cases[i].name),
			"{\"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}");
		const struct paradl_machine *const machine = setup_machine(setup,
			"\"memory\": \"16 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"1 "
			"Tflop/s\", \"fp16\": \"8 "
			"Tflop/s\"}, \"contraction\": {\"efficiency\": 1}",
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"5 us\", \"bandwidth\": \"10 "
			"GB/s\"}");
		const struct paradl_plan plan = setup_plan("data=2", 20);
		const struct paradl_estimate got = setup_estimate(
			setup_oracle(setup, model, machine, setup_framework(setup, ""), false), &plan);
		assert_close(got.memory.weights_bytes, cases[i].weight * weights, 1e-12);
		assert_close(got.memory.gradients_bytes, cases[i].weight * weights, 1e-12);
		assert_close(got.memory.optimizer_bytes, cases[i].optimizer * weights, 1e-12);
		assert_close(got.memory.activations_bytes, cases[i].item * 10 * 3 * n,
			1e-12); /* x, dL/dx, dL/dy */
		assert_close(got.communication_s, 2 * (5e-6 + cases[i].item * weights / 2 / 10e9), 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(networks_hold_what_a_walk_holds),
		setup_test(weights_are_of_the_fullest_device),
		setup_test(precisions_have_their_widths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
