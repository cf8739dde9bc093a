/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far estimates may be off: squares of the known error and of what was never checked, by hand. */
#include "oracle/setup.h"

#include <math.h>

#define LEVELS        "{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"100 GB/s\"}"
#define CHECKED(keys) ", \"known_error\": 0.04, \"checked\": {" keys "}"

static struct paradl_estimate estimate(struct setup *setup, const char *framework, bool ideal)
{
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
			"{\"type\": \"conv\", \"out\": 64, \"kernel\": 1, \"bias\": false}");
	struct paradl_oracle *const oracle = setup_oracle(setup, model,
		setup_machine(setup, SETUP_DEVICE, LEVELS), setup_framework(setup, framework), ideal);
	const struct paradl_plan plan = setup_plan("data=8", 64);
	return setup_estimate(oracle, &plan);
}

static void squares_of_what_is_unknown_add_up(void **state)
{
	static const struct {
		const char *framework;
		double error;
		unsigned unchecked;
	} cases[] = {
		{", \"known_error\": 0.04", 0.04, 0},
		{"", 0.1, 1u << PARADL_UNCHECKED_FRAMEWORK},
		{CHECKED("\"gpus\": 8, \"tokens\": 1, \"devices\": [\"d\"], \"precisions\": [\"fp32\"]"),
			0.04, 0},
		{CHECKED("\"gpus\": 7"), 0.0640312423743285 /* sqrt(0.0016 + 0.0025) */,
			1u << PARADL_UNCHECKED_DEVICES},
		{CHECKED("\"devices\": [\"e\", \"f\"]"), 0.155241746962600 /* sqrt(0.0016 + 0.0225) */,
			1u << PARADL_UNCHECKED_DEVICE},
		{CHECKED("\"devices\": [\"e\", \"d\"]"), 0.04, 0},
		{CHECKED("\"precisions\": [\"bf16\", \"fp16\"]"), 0.107703296142690 /* sqrt(0.0016 + 0.01) */,
			1u << PARADL_UNCHECKED_PRECISION},
		{CHECKED("\"gpus\": 4, \"devices\": [\"e\"], \"precisions\": []"), 0.163095064303001,
			1u << PARADL_UNCHECKED_DEVICES | 1u << PARADL_UNCHECKED_DEVICE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_estimate got = estimate(*state, cases[i].framework, false);
		assert_close(got.error_share, cases[i].error, 1e-12);
		assert_int_equal(got.unchecked, cases[i].unchecked);
	}
}

static void ideal_claims_nothing(void **state)
{
	const struct paradl_estimate got = estimate(*state, CHECKED("\"gpus\": 1"), true);
	assert_true(got.error_share < 0);
	assert_int_equal(got.unchecked, 0);
}

/* A transformer whose host takes long beside almost no work, and one of longer sequences than were checked. */
static void hosts_and_sequences_count(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *framework;
		bool host, sequence;
	} cases[] = {
		{CHECKED("\"tokens\": 64"), false, false},
		{CHECKED("\"tokens\": 63"), false, true},
		{CHECKED("\"tokens\": 64") ", \"training\": {\"host_layer\": \"10 ms\"}", true, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_model *const model = setup_model(setup, "\"input\": {\"tokens\": 64}",
			"{\"type\": \"embedding\", \"rows\": 100, \"out\": 64},"
			"{\"type\": \"mlp\", \"hidden\": 256}");
		struct paradl_oracle *const oracle =
			setup_oracle(setup, model, setup_machine(setup, SETUP_DEVICE, LEVELS),
				setup_framework(setup, cases[i].framework), false);
		const struct paradl_plan plan = setup_plan("serial", 4);
		const struct paradl_estimate got = setup_estimate(oracle, &plan);
		assert_int_equal(got.unchecked >> PARADL_UNCHECKED_HOST & 1, cases[i].host);
		assert_int_equal(got.unchecked >> PARADL_UNCHECKED_SEQUENCE & 1, cases[i].sequence);
		assert_close(got.error_share,
			cases[i].host       ? 0.5
			: cases[i].sequence ? sqrt(0.04 * 0.04 + 0.05 * 0.05)
					    : 0.04,
			1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(squares_of_what_is_unknown_add_up),
		setup_test(ideal_claims_nothing),
		setup_test(hosts_and_sequences_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
