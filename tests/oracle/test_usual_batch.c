/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches where nobody says one: as published for networks of the same size, and whole for all devices. */
#include "oracle/setup.h"

#include <math.h>

#include "model/transformer.h"
#include "oracle/random.h"

static struct transformer_shape shape_of(unsigned layers, unsigned hidden, unsigned sequence)
{
	return (struct transformer_shape){.name = "text",
		.layers = layers,
		.hidden = hidden,
		.heads = hidden / 64,
		.kv_heads = hidden / 64,
		.vocabulary = 50257,
		.sequence = sequence,
		.precision = "fp32",
		.optimizer = "adam"};
}

static double batch_of_shape(struct setup *setup, const struct transformer_shape *shape, double devices)
{
	const struct paradl_model *const model = transformer_build(setup->arena, shape, &setup->error);
	if (!model)
		fail_msg("%s %s", setup->error.pointer, setup->error.message);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"5 us\", \"bandwidth\": \"10 GB/s\"}");
	return paradl_oracle_batch(
		setup_oracle(setup, model, machine, setup_framework(setup, ""), false), devices);
}

/* Layers and widths of GPT-3's table; sequences of 2,048 tokens. */
static void text_has_the_tokens_of_gpt3(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		unsigned layers, hidden;
		double tokens;
	} published[] = {{12, 768, 0.5e6}, {24, 1536, 0.5e6}, {24, 2048, 1e6}, {32, 2560, 1e6},
		{32, 4096, 2e6}, {40, 5120, 2e6}, {96, 12288, 3.2e6}};
	for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
		const struct transformer_shape shape =
			shape_of(published[i].layers, published[i].hidden, 2048);
		const double batch = batch_of_shape(setup, &shape, 1);
		if (fabs(batch * 2048 / published[i].tokens - 1) > 0.125)
			fail_msg("%u layers of %u: %g samples", published[i].layers, published[i].hidden,
				batch);
	}
}

static void each_device_has_the_same(void **state)
{
	struct setup *const setup = *state;
	const struct transformer_shape shape = shape_of(12, 768, 2048); /* 0.5 M tokens are 256 sequences */
	assert_close(batch_of_shape(setup, &shape, 64), 256, 0);
	assert_close(batch_of_shape(setup, &shape, 24), 264, 0);
	assert_close(batch_of_shape(setup, &shape, 1000), 1000, 0);
}

static void what_the_model_says_comes_first(void **state)
{
	struct setup *const setup = *state;
	struct transformer_shape shape = shape_of(12, 768, 2048);
	shape.batch_per_gpu = 3;
	assert_close(batch_of_shape(setup, &shape, 8), 24, 0);
	shape.batch = 100;
	assert_close(batch_of_shape(setup, &shape, 8), 104, 0);
	assert_close(batch_of_shape(setup, &shape, 50), 100, 0);
	struct transformer_shape encoder = shape_of(12, 768, 512);
	encoder.bidirectional = true;
	assert_close(batch_of_shape(setup, &encoder, 8), 256, 0);
}

/* Whole samples with at most three binary digits, within an eighth of the tokens. */
static void tokens_become_even_samples(void **state)
{
	struct random random = {20261127};
	(void)state;
	assert_close(paradl_token_samples(4e6, 4096), 1024, 0);
	assert_close(paradl_token_samples(16e6, 8192), 2048, 0);
	assert_close(paradl_token_samples(1.5e6, 2048), 768, 0);
	assert_close(paradl_token_samples(100, 2048), 1, 0);
	for (unsigned i = 0; i < 10000; i++) {
		const double sequence = random_between(&random, 1, 20000);
		const double tokens = sequence * exp(random_real(&random, log(5), log(1e6)));
		double samples = paradl_token_samples(tokens, sequence);
		if (fabs(samples * sequence / tokens - 1) > 0.125)
			fail_msg("%g tokens of %g: %g samples", tokens, sequence, samples);
		assert_close(paradl_token_samples(samples * sequence, sequence), samples, 0);
		while (samples > 8)
			samples /= 2;
		assert_close(samples, floor(samples), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(text_has_the_tokens_of_gpt3),
		setup_test(each_device_has_the_same),
		setup_test(what_the_model_says_comes_first),
		setup_test(tokens_become_even_samples),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
