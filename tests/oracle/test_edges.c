/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans at the edges: what stages hold and wait for, what does not divide, what is no plan, what custom layers allow. */
#include "oracle/setup.h"

#define LEVELS                                                                                               \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"100 GB/s\"},"          \
	"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"10 us\", \"bandwidth\": \"10 GB/s\"}"
#define CONV "{\"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}"

static struct paradl_oracle *oracle_of(struct setup *setup, const char *layers, const char *keys, bool ideal)
{
	return setup_oracle(setup,
		setup_model(setup, "\"input\": {\"channels\": 8, \"shape\": [16, 16]}", layers),
		setup_machine(setup, SETUP_DEVICE, LEVELS),
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", keys)), ideal);
}

/* A stage keeps the tensor it receives when its backward reads it. */
static void stages_keep_what_they_receive(void **state)
{
	struct setup *const setup = *state;
	const double n = 8 * 16 * 16, micro = 5, count = 4;
	const struct paradl_plan plan = setup_plan("pipeline=2,micro=5", micro * count);
	for (unsigned recompute = 0; recompute < 2; ++recompute) {
		struct paradl_oracle *const oracle =
			oracle_of(setup, CONV ", " CONV ", {\"type\": \"act\", \"kind\": \"relu\"}",
				recompute ? ", \"pipeline\": {\"recompute\": true}" : "", false);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		/* The second stage (conv, relu): x of conv is its input, y of relu is read, too; dL/dx and dL/dy. */
		const double others = recompute ? (count - 1) * n : (count - 1) * 2 * n;
		assert_close(estimate.memory.activations_bytes, 4 * micro * (2 * n + 2 * n + others), 1e-12);
	}
}

/* Ideal pipelines of cut layers: the activation exchange is communication, not compute. */
static void ideal_stages_communicate(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, CONV ", " CONV, "", true);
	const struct paradl_plan plan = setup_plan("pipeline=2,filter=2,micro=5", 20);
	const struct paradl_estimate got = setup_estimate(oracle, &plan);
	const double layer = 2.0 * 64 * 16 * 16 / 100e12, segments = 4, p = 2;
	const double work = (p + segments - 1) * 5 * (layer + 2 * layer) / 2;
	assert_close(
		got.compute_s + got.phase_s[PARADL_BUBBLE] - got.phase_s[PARADL_WEIGHT_UPDATE], work, 1e-9);
	assert_true(got.phase_s[PARADL_ACTIVATION_EXCHANGE] > 0);
}

/* Where something does not divide, the result says so. */
static void uneven_cuts_are_told(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, CONV ", " CONV, "", false);
	static const char *const texts[] = {"filter=3", "channel=3", "spatial=3", "data=2,micro=3"};
	for (unsigned i = 0; i < 4; ++i) {
		const struct paradl_plan plan = setup_plan(texts[i], 8);
		if (!setup_estimate(oracle, &plan).uneven)
			fail_msg("%s of 8 filters, 16 rows, 4 samples is not uneven", texts[i]);
	}
}

/* Plans filled in by hand are checked. */
static void plans_are_checked(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, CONV ", " CONV, "", false);
	struct paradl_plan plans[6];
	for (unsigned i = 0; i < 6; ++i)
		plans[i] = setup_plan("data=2,spatial=2", 8);
	plans[0].degree[PARADL_FILTER] = 0;
	plans[1].spatial[0] = 4; /* not the degree */
	plans[2].order[0] = 200; /* read beyond the array */
	plans[3].order[0] = plans[3].order[1];
	plans[4].micro = nan("");
	plans[5].micro = -1;
	for (unsigned i = 0; i < 6; ++i) {
		struct paradl_estimate estimate;
		struct paradl_error error = {0};
		if (paradl_estimate(oracle, &plans[i], &estimate, &error))
			fail_msg("plan %u is accepted", i);
		assert_int_equal(error.status, PARADL_USAGE);
	}
}

/* Gradient accumulation is part of a plan's text. */
static void micro_is_written_without_a_pipeline(void **state)
{
	(void)state;
	char text[64];
	const struct paradl_plan plan = setup_plan("data=4,micro=2", 64);
	paradl_plan_format(&plan, text, sizeof text);
	assert_string_equal(text, "data=4,micro=2");
}

/* An unknown name is said before a bad number. */
static void unknown_names_come_first(void **state)
{
	(void)state;
	struct paradl_plan plan;
	struct paradl_error error = {0};
	assert_false(paradl_plan_parse("data=4,shedules=0", &plan, &error));
	assert_non_null(strstr(error.message, "a plan has no \"shedules\""));
}

/* Stages of filter groups across nodes wait in their calls, not in a gradient exchange that there is not. */
static void stages_wait_for_their_own_calls(void **state)
{
	struct paradl_oracle *const oracle =
		oracle_of(*state, CONV ", " CONV, ", \"waiting\": {\"jitter\": \"1 ms\"}", false);
	const struct paradl_plan plan = setup_plan("pipeline=2,filter=8", 64);
	const struct paradl_estimate got = setup_estimate(oracle, &plan);
	assert_true(got.waiting_s > 0 && got.phase_s[PARADL_GRADIENT_EXCHANGE] <= 0);
}

/* A custom layer's file decides what may be cut of it, whatever the framework; its channels limit how far. */
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
		struct paradl_oracle *const oracle = oracle_of(setup,
			arena_printf(setup->arena,
				CONV ", {\"type\": \"custom\", \"out_shape\": [8, 16, 16], \"flops\": 1e9, "
				     "\"params\": 800%s}",
				cases[i].split),
			"", false);
		const double whole = 3 * 100 * 1e9 / 100e12,
			     serial = whole + 2 * (2.0 * 8 * 8 * 256 * 100 / 100e12);
		const struct {
			const char *plan;
			bool custom, conv;
		} plans[] = {{"filter=4", cases[i].filter, true}, {"channel=4", cases[i].channel, false},
			{"spatial=4", cases[i].spatial, true}};
		for (unsigned k = 0; k < 3; ++k) {
			const struct paradl_plan plan = setup_plan(plans[k].plan, 100);
			struct paradl_estimate got;
			if (!paradl_estimate(oracle, &plan, &got, NULL)) {
				assert_false(plans[k].custom || plans[k].conv); /* nothing to cut at all */
				continue;
			}
			assert_close(got.phase_s[PARADL_FORWARD] + got.phase_s[PARADL_BACKWARD],
				whole / (plans[k].custom ? 4 : 1) +
					2 * (2.0 * 8 * 8 * 256 * 100 / 100e12) / (plans[k].conv ? 4 : 1),
				0.5);
			assert_true(got.phase_s[PARADL_FORWARD] < serial);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(stages_keep_what_they_receive),
		setup_test(ideal_stages_communicate),
		setup_test(uneven_cuts_are_told),
		setup_test(plans_are_checked),
		setup_test(micro_is_written_without_a_pipeline),
		setup_test(unknown_names_come_first),
		setup_test(stages_wait_for_their_own_calls),
		setup_test(custom_layers_say_what_may_be_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
