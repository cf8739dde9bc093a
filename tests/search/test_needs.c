/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What advice says would make a plan run does: the batch that fits is the largest, degrees within limits are accepted. */
#include "search/plans.h"

static struct paradl_oracle *oracle_of(struct setup *setup, const char *memory, const char *keys)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 3, \"shape\": [64, 64]}, \"training\": {\"optimizer\": \"adam\", "
		"\"batch_per_gpu\": 2}",
		"{\"type\": \"conv\", \"out\": 16, \"kernel\": 3, \"pad\": 1}, {\"type\": \"act\", \"kind\": "
		"\"relu\"}, "
		"{\"type\": \"conv\", \"out\": 64, \"kernel\": 3, \"pad\": 1, \"stride\": 2}, {\"type\": "
		"\"act\", \"kind\": \"relu\"}, "
		"{\"type\": \"conv\", \"out\": 256, \"kernel\": 5, \"pad\": 2}, {\"type\": \"pool\", "
		"\"kind\": \"max\", \"kernel\": 4}, "
		"{\"type\": \"linear\", \"out\": 100}");
	const char *const device = arena_printf(setup->arena,
		"\"memory\": \"%s\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"10 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}",
		memory);
	const struct paradl_machine *const machine = setup_machine(setup, device,
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"10 us\", \"bandwidth\": \"12.5 "
		"GB/s\"}");
	return setup_oracle(setup, model, machine,
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", keys)), false);
}

static bool fits(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	struct paradl_estimate estimate;
	return paradl_estimate(oracle, &plan, &estimate, NULL) && estimate.fits;
}

/* "--batch N or less": N fits, and a sample more on each replica does not. True if that is what is said. */
static bool check_batch(struct paradl_oracle *oracle, const struct paradl_infeasible *failed)
{
	const struct paradl_plan plan = setup_plan(failed->strategy, 1);
	double batch;
	if (sscanf(failed->needs, "--batch %lf or less", &batch) != 1)
		return false;
	if (!fits(oracle, failed->strategy, batch) ||
		fits(oracle, failed->strategy, batch + plan.degree[PARADL_DATA]))
		fail_msg("%s: --batch %.0f is not the largest that fits", failed->strategy, batch);
	return true;
}

static unsigned check_all(struct setup *setup, struct paradl_oracle *oracle, double per_device)
{
	unsigned checked = 0;
	for (unsigned devices = 1; devices <= 64; devices *= 2) {
		struct paradl_ranking ranking;
		const struct paradl_request request = {.devices = devices, .per_device = per_device};
		assert_true(paradl_advise(
			oracle, &request, PARADL_RANKED_ALL, setup->arena, &ranking, &setup->error));
		for (size_t i = 0; i < ranking.infeasible_count; ++i)
			checked += check_batch(oracle, &ranking.infeasible[i]);
	}
	return checked;
}

static void the_batch_that_fits_is_the_largest(void **state)
{
	struct setup *const setup = *state;
	static const char *const memories[] = {"40 MB", "60 MB", "100 MB"};
	for (size_t i = 0; i < sizeof memories / sizeof *memories; ++i)
		assert_true(check_all(setup, oracle_of(setup, memories[i], ""), 100) > 10);
}

/* No batch helps where weights alone are too much, or where one sample is. */
static void other_remedies_where_no_batch_helps(void **state)
{
	struct setup *const setup = *state;
	struct paradl_ranking ranking;
	const struct paradl_request request = {.devices = 4, .strategies = "data", .per_device = 8};
	assert_true(paradl_advise(oracle_of(setup, "1 MiB", ""), &request, PARADL_RANKED_ALL, setup->arena,
		&ranking, &setup->error));
	assert_int_equal(ranking.infeasible_count, 1);
	assert_non_null(strstr(ranking.infeasible[0].reason, "which has 1.00 MiB"));
	assert_string_equal(
		ranking.infeasible[0].needs, "weights divided over devices, or devices with more memory");
	/* Weights of 426,000 + 1.6 million items, 16 bytes each: 33 MB; a sample's activations 4 MB. */
	assert_true(paradl_advise(oracle_of(setup, "35 MB", ""), &request, PARADL_RANKED_ALL, setup->arena,
		&ranking, &setup->error));
	assert_int_equal(ranking.infeasible_count, 1);
	assert_string_equal(ranking.infeasible[0].needs, "smaller pieces: one sample does not fit");
}

/* Refused plans name a limit in their hint; the plan at that limit is not refused for it. */
static void limits_that_are_named_hold(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB", "");
	static const char *const cases[][3] = {
		{"filter=17", "16 filters", "filter=16"},
		{"channel=32", "16 channels", "channel=16"},
		{"pipeline=8", "7 stages", "pipeline=7"},
		{"spatial=65", "64 rows", "spatial=64"},
		{"spatial=4x65", "64 columns", "spatial=4x64"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan beyond = setup_plan(cases[i][0], 64);
		struct paradl_estimate estimate;
		struct paradl_error error = {0};
		assert_false(paradl_estimate(oracle, &beyond, &estimate, &error));
		assert_int_equal(error.status, PARADL_INFEASIBLE);
		assert_true(*error.message && *error.hint);
		if (!fits(oracle, cases[i][2], 64))
			fail_msg("%s does not run: %s", cases[i][2], cases[i][1]);
	}
}

/* Batches: a sample for each replica, a micro-batch's for each stage. */
static void least_batches_are_named(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "16 GB", "");
	static const struct {
		const char *plan;
		double batch, least;
	} cases[] = {{"data=16", 15, 16}, {"pipeline=4", 3, 4}, {"data=8,pipeline=4", 24, 32},
		{"data=8,spatial=2", 7, 8}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, cases[i].batch);
		struct paradl_estimate estimate;
		struct paradl_error error = {0};
		char hint[32];
		assert_false(paradl_estimate(oracle, &plan, &estimate, &error));
		assert_int_equal(error.status, PARADL_INFEASIBLE);
		snprintf(hint, sizeof hint, "--batch %.0f", cases[i].least);
		assert_non_null(strstr(error.hint, hint));
		assert_true(fits(oracle, cases[i].plan, cases[i].least));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(the_batch_that_fits_is_the_largest),
		setup_test(other_remedies_where_no_batch_helps),
		setup_test(limits_that_are_named_hold),
		setup_test(least_batches_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
