/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frozen weights are held and used, not trained; a custom layer is cut where its file allows it. By hand. */
#include "oracle/setup.h"

#define CONV(more) "{\"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false" more "}"
#define FREEZE     ", \"freeze\": true"
#define PRODUCT    (2.0 * 8 * 8 * 256 * 100 / 100e12) /* of one convolution, 100 samples */

static struct paradl_oracle *oracle_of(struct setup *setup, const char *layers)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 8, \"shape\": [16, 16]}, \"training\": {\"optimizer\": \"adam\"}",
		layers);
	return setup_oracle(setup, model,
		setup_machine(setup,
			"\"memory\": \"16 GB\", \"memory_rate\": \"1000 TB/s\", \"peak\": {\"fp32\": \"100 "
			"Tflop/s\"}, "
			"\"contraction\": {\"efficiency\": 1}",
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}"),
		setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 100);
	return setup_estimate(oracle, &plan);
}

/* Before the first trained layer nothing runs backward; that layer needs no dL/dx. */
static void frozen_beginnings_have_no_backward(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, CONV(FREEZE) ", " CONV("") ", " CONV(""));
	const struct paradl_estimate got = estimate(oracle, "serial");
	assert_close(got.phase_s[PARADL_FORWARD], 3 * PRODUCT, 1e-9);
	assert_close(got.phase_s[PARADL_BACKWARD], (1 + 2) * PRODUCT, 1e-9);
	assert_close(got.phase_s[PARADL_WEIGHT_UPDATE], 2 * 64 * 28 / 1e15, 1e-12);
	assert_close(got.memory.weights_bytes, 4 * 3 * 64, 1e-12);
	assert_close(got.memory.gradients_bytes, 4 * 2 * 64, 1e-12);
	assert_close(got.memory.optimizer_bytes, 8 * 2 * 64, 1e-12);
}

/* In the middle: dL/dx passes through, dL/dw is not made. */
static void frozen_middles_pass_gradients_on(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, CONV("") ", " CONV(FREEZE) ", " CONV(""));
	const struct paradl_estimate got = estimate(oracle, "serial");
	assert_close(got.phase_s[PARADL_BACKWARD], (1 + 1 + 2) * PRODUCT, 1e-9);
}

static void only_trained_weights_are_exchanged(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = oracle_of(setup, CONV(FREEZE) ", " CONV("") ", " CONV(""));
	assert_close(estimate(oracle, "data=4").phase_s[PARADL_GRADIENT_EXCHANGE],
		2 * 3 * (1e-6 + 2 * 64 * 4 / 4 / 1e9), 1e-12);
	/* Filter: y of all three is gathered; dL/dx of the third alone is reduced. */
	const double bytes = 100 * 8 * 256 * 4, gather = 3 * (1e-6 + bytes / 4 / 1e9);
	assert_close(estimate(oracle, "filter=4").phase_s[PARADL_ACTIVATION_EXCHANGE],
		3 * gather + 2 * gather, 1e-12);
	oracle = oracle_of(setup, CONV(FREEZE) ", " CONV(FREEZE));
	assert_true(estimate(oracle, "data=4").communication_s <= 0);
	assert_true(estimate(oracle, "data=4").phase_s[PARADL_BACKWARD] <= 0);
}

/* Layers of tokens hold the same weights whether they are trained or not, in whole and in parts. */
static void frozen_tokens_hold_their_weights(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {
		"serial", "tensor=4", "pipeline=2", "data=4,zero=1", "data=4,zero=3"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		struct paradl_estimate got[2];
		for (unsigned frozen = 0; frozen < 2; ++frozen) {
			const struct paradl_model *const model = setup_model(setup,
				"\"input\": {\"tokens\": 64}, \"training\": {\"precision\": \"fp32\", "
				"\"optimizer\": \"adam\"}",
				arena_printf(setup->arena,
					"{\"type\": \"embedding\", \"rows\": 1000, \"out\": 256}, "
					"{\"type\": \"mlp\", \"hidden\": 1024, \"act\": \"gelu\", \"bias\": "
					"true%s}, "
					"{\"type\": \"head\", \"out\": 1000}, {\"type\": \"loss\", \"kind\": "
					"\"cross-entropy\"}",
					frozen ? FREEZE : ""));
			got[frozen] =
				estimate(setup_oracle(setup, model,
						 setup_machine(setup, SETUP_DEVICE,
							 "{\"name\": \"all\", \"devices\": 64, \"latency\": "
							 "\"1 us\", \"bandwidth\": \"1 GB/s\"}"),
						 setup_framework(setup, ""), false),
					plans[i]);
		}
		assert_close(got[1].memory.weights_bytes, got[0].memory.weights_bytes, 1e-12);
		assert_true(got[1].memory.gradients_bytes < got[0].memory.gradients_bytes);
	}
}

#define GROUP_FREEZE "\"freeze\": true, "

/* Model of four blocks, in a group around everything or not, of which `frozen` says what is frozen. */
static struct paradl_oracle *blocks_oracle(
	struct setup *setup, const char *begin, const char *end, bool frozen)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"tokens\": 64}, \"training\": {\"precision\": \"fp32\", \"optimizer\": "
		"\"adam\"}",
		arena_printf(setup->arena,
			"%s{\"type\": \"embedding\", \"rows\": 1000, \"out\": 256}, {\"name\": \"b\", %s"
			"\"repeat\": 4, \"layers\": [{\"type\": \"mlp\", \"hidden\": 1024, \"act\": "
			"\"gelu\", \"bias\": true}]}, {\"type\": \"head\", \"out\": 1000}, {\"type\": "
			"\"loss\", \"kind\": \"cross-entropy\"}%s",
			begin, frozen ? GROUP_FREEZE : "", end));
	return setup_oracle(setup, model,
		setup_machine(setup, SETUP_DEVICE,
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}"),
		setup_framework(setup, ""), false);
}

/* Under zero=3 frozen weights are sharded and gathered like the others; only their gradients are not there. */
static void frozen_weights_are_gathered(void **state)
{
	const struct paradl_plan plans[] = {
		setup_plan("data=8,micro=1,zero=1", 8), setup_plan("data=8,micro=1,zero=3", 8)};
	double exchange_s[2][2], held[2];
	for (unsigned frozen = 0; frozen < 2; ++frozen)
		for (unsigned i = 0; i < 2; ++i) {
			const struct paradl_estimate got =
				setup_estimate(blocks_oracle(*state, "", "", frozen), &plans[i]);
			exchange_s[frozen][i] = got.phase_s[PARADL_GRADIENT_EXCHANGE];
			held[i] = got.memory.weights_bytes;
		}
	assert_close(held[1], held[0] / 8, 1e-12);
	/* Of trained blocks zero 3 gathers twice and scatters once: three times the bytes of one of these. */
	const double blocks = 4 * (2 * 256 * 1024 + 1024 + 256) * 4.0, once_s = blocks * 7 / 8 / 1e9;
	assert_close(exchange_s[0][0] - exchange_s[1][0], 2 * once_s, 1e-3);
	assert_close(exchange_s[0][1] - exchange_s[1][1], once_s, 1e-3);
}

/* A group that is there to freeze, or to name, and is not repeated itself, changes nothing. */
static void groups_around_blocks_change_nothing(void **state)
{
	static const char *const plans[] = {
		"serial,recompute=full", "data=4,zero=3", "pipeline=4", "pipeline=2,tensor=2"};
	static const char *const begins[] = {
		"", "{\"layers\": [", "{\"layers\": [{\"name\": \"net\", \"layers\": ["};
	static const char *const ends[] = {"", "]}", "]}]}"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		struct paradl_estimate got[3];
		for (unsigned k = 0; k < 3; ++k) {
			got[k] = estimate(blocks_oracle(*state, begins[k], ends[k], false), plans[i]);
			assert_close(got[k].iteration_s, got[0].iteration_s, 1e-12);
			assert_close(got[k].memory_bytes, got[0].memory_bytes, 1e-12);
		}
	}
}

/* Blocks before the first trained layer cost nothing backward, and keep nothing, however many they are. */
static void frozen_blocks_are_run_forward_alone(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {
		"data=2", "tensor=4", "data=2,recompute=full", "tensor=2,recompute=selective"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		struct paradl_estimate got[2];
		for (unsigned more = 0; more < 2; ++more) {
			const struct paradl_model *const model = setup_model(setup,
				"\"input\": {\"tokens\": 64}, \"training\": {\"precision\": \"fp32\", "
				"\"optimizer\": \"adam\"}",
				arena_printf(setup->arena,
					"{\"type\": \"embedding\", \"rows\": 1000, \"out\": 256" FREEZE "}, "
					"{\"name\": \"b\", \"repeat\": %u, \"layers\": [{\"type\": \"norm\", "
					"\"kind\": \"layer\"" FREEZE
					"}, {\"type\": \"attention\", \"heads\": "
					"8" FREEZE
					"}, {\"type\": \"mlp\", \"hidden\": 1024, \"act\": \"gelu\", "
					"\"bias\": true" FREEZE "}]}, {\"type\": \"head\", \"out\": 1000}, "
					"{\"type\": \"loss\", \"kind\": \"cross-entropy\"}",
					more ? 8 : 2));
			got[more] =
				estimate(setup_oracle(setup, model,
						 setup_machine(setup, SETUP_DEVICE,
							 "{\"name\": \"all\", \"devices\": 64, "
							 "\"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}"),
						 setup_framework(setup, ""), false),
					plans[i]);
		}
		assert_true(got[1].phase_s[PARADL_FORWARD] > 2 * got[0].phase_s[PARADL_FORWARD]);
		assert_close(got[1].phase_s[PARADL_BACKWARD], got[0].phase_s[PARADL_BACKWARD], 1e-9);
		assert_true(got[1].phase_s[PARADL_RECOMPUTE] <= 0);
		assert_close(got[1].memory.activations_bytes, got[0].memory.activations_bytes, 1e-9);
	}
}

/* The file's "split" decides, whatever the framework: here it cuts everything it can. */
static void custom_layers_say_what_may_be_cut(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *split;
		bool filter, channel, spatial;
	} cases[] = {{"", true, true, true}, {", \"split\": [\"none\"]", false, false, false},
		{", \"split\": [\"batch\"]", false, false, false},
		{", \"split\": [\"batch\", \"filter\"]", true, false, false},
		{", \"split\": [\"channel\"]", false, true, false},
		{", \"split\": [\"spatial\", \"filter\"]", true, false, true}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = oracle_of(
			setup, arena_printf(setup->arena,
				       CONV("") ", " CONV("") ", {\"type\": \"custom\", \"out_shape\": [8, "
							      "16, 16], \"flops\": 1e9, \"params\": 800%s}",
				       cases[i].split));
		const double whole = 3 * 100 * 1e9 / 100e12, convs = 5 * PRODUCT;
		const struct {
			const char *plan;
			bool custom;
			double convs; /* channel does not cut the first */
		} plans[] = {{"filter=4", cases[i].filter, convs / 4},
			{"channel=4", cases[i].channel, 2 * PRODUCT + 3 * PRODUCT / 4},
			{"spatial=4", cases[i].spatial, convs / 4}};
		for (unsigned k = 0; k < 3; ++k) {
			const struct paradl_estimate got = estimate(oracle, plans[k].plan);
			assert_close(got.phase_s[PARADL_FORWARD] + got.phase_s[PARADL_BACKWARD],
				whole / (plans[k].custom ? 4 : 1) + plans[k].convs, 1e-6);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(frozen_beginnings_have_no_backward),
		setup_test(frozen_middles_pass_gradients_on),
		setup_test(only_trained_weights_are_exchanged),
		setup_test(frozen_tokens_hold_their_weights),
		setup_test(frozen_blocks_are_run_forward_alone),
		setup_test(frozen_weights_are_gathered),
		setup_test(groups_around_blocks_change_nothing),
		setup_test(custom_layers_say_what_may_be_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
