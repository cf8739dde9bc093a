/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention in blocks, and sequences that are transposed, on a machine with 100 Tflop/s, 1 PB/s and links of 100 GB/s without
 * start-ups.
 */
#include "oracle/setup.h"

enum { WIDTH = 64, BLOCK = 128, BLOCKS = 4 };

static struct paradl_oracle *oracle_of(struct setup *setup, unsigned tokens, const char *layers)
{
	const struct paradl_options options = {.ideal = false};
	const char *const keys = arena_printf(
		setup->arena, "\"input\": {\"tokens\": %u}, \"training\": {\"precision\": \"bf16\"}", tokens);
	const struct paradl_model *const model = setup_model(setup, keys,
		arena_printf(setup->arena, "{\"type\": \"embedding\", \"rows\": 100, \"out\": %d}, %s", WIDTH,
			layers));
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"1 TB\", \"memory_rate\": \"1e15 B/s\", "
		"\"peak\": {\"fp32\": \"100 Tflop/s\", \"bf16\": \"100 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}, \"attention\": {\"forward\": 1, \"backward\": 1}",
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"100 GB/s\", "
		"\"ring\": \"100 GB/s\", \"ports\": 1}");
	const struct paradl_framework *const framework =
		setup_framework(setup, ", \"activations\": {\"rings\": 0}, \"gradients\": {\"rings\": 0}, "
				       "\"training\": {\"passes\": 1, \"gradient_bytes\": \"2 B\"}");
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static const char *attention(struct setup *setup, const char *keys)
{
	return arena_printf(setup->arena,
		"{\"type\": \"attention\", \"heads\": 4, \"causal\": false%s}, {\"type\": \"loss\", "
		"\"kind\": \"none\"}",
		keys);
}

/* One sample of four blocks is four samples of one. */
static void blocks_are_sequences(void **state)
{
	static const char *const kernels[] = {"flash", "unfused"};
	struct setup *const setup = *state;
	for (unsigned i = 0; i < 2; ++i) {
		const char *const kernel = arena_printf(setup->arena, ", \"kernel\": \"%s\"", kernels[i]);
		const char *const block = arena_printf(setup->arena, "%s, \"block\": %d", kernel, BLOCK);
		const struct paradl_plan samples = setup_plan("serial,micro=4", BLOCKS);
		const struct paradl_plan one = setup_plan("serial,micro=1", 1);
		const struct paradl_estimate apart =
			setup_estimate(oracle_of(setup, BLOCK, attention(setup, kernel)), &samples);
		const struct paradl_estimate together =
			setup_estimate(oracle_of(setup, BLOCK * BLOCKS, attention(setup, block)), &one);
		const struct paradl_estimate whole =
			setup_estimate(oracle_of(setup, BLOCK * BLOCKS, attention(setup, kernel)), &one);
		assert_close(together.phase_s[PARADL_FORWARD], apart.phase_s[PARADL_FORWARD], 1e-9);
		assert_close(together.phase_s[PARADL_BACKWARD], apart.phase_s[PARADL_BACKWARD], 1e-9);
		assert_close(together.memory_bytes, apart.memory_bytes, 1e-9);
		assert_true(whole.phase_s[PARADL_FORWARD] > together.phase_s[PARADL_FORWARD]);
	}
}

/* Pieces of a sequence hold whole blocks; one that is transposed crosses the group, each piece's part for each other. */
static void context_cuts_between_blocks(void **state)
{
	static const struct {
		const char *plan;
		double messages; /* of the items of a sample, for each transposition and pass */
	} cases[] = {{"context=4,micro=1", 3.0 / 16}, {"context=4:gather,micro=1", 3.0 / 4}};
	struct setup *const setup = *state;
	const char *const block = arena_printf(setup->arena, ", \"block\": %d", BLOCK);
	const char *const mixer = arena_printf(setup->arena,
		"{\"type\": \"reshape\", \"out_shape\": [%d, %d], \"tokens\": true, \"copy\": true}, "
		"{\"type\": \"linear\", \"out\": %d}, "
		"{\"type\": \"reshape\", \"out_shape\": [%d, %d], \"tokens\": true, \"copy\": true}, "
		"{\"type\": \"loss\", \"kind\": \"none\"}",
		BLOCK * BLOCKS, WIDTH, BLOCK * BLOCKS, WIDTH, BLOCK * BLOCKS);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 1);
		const struct paradl_estimate windows =
			setup_estimate(oracle_of(setup, BLOCK * BLOCKS, attention(setup, block)), &plan);
		assert_close(windows.phase_s[PARADL_ACTIVATION_EXCHANGE], 0, 0);
		const struct paradl_estimate mixed =
			setup_estimate(oracle_of(setup, BLOCK * BLOCKS, mixer), &plan);
		const double bytes = 2.0 * BLOCK * BLOCKS * WIDTH;
		assert_close(mixed.phase_s[PARADL_ACTIVATION_EXCHANGE],
			2 * 2 * cases[i].messages * bytes / 100e9, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(blocks_are_sequences),
		setup_test(context_cuts_between_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
