/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shipped profiles against training runs measured on ABCI: the accuracy that the README states may not fall. Two
 * more figures, not rows of the fit: the throughput of ResNet-50 at small batches (80 samples/s per GPU at 8 samples,
 * which shows the host's share), and its mean allreduce on 128 nodes, which chose the growth of waiting.
 */
#include "test.h"

#include "paradl.h"

static const char *const directories[] = {".", NULL};

static void measured_rows_are_met(void **state)
{
	const struct paradl_lookup lookup = {.directories = directories};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_validation validation;
	struct paradl_error error = {0};
	if (!paradl_validate(arena, "tests/data/measured/abci.csv", &lookup, &validation, &error))
		fail_msg("%s", error.message);
	assert_int_equal(validation.count, 30);
	assert_int_equal(validation.summary.skipped, 0);
	assert_true(validation.summary.mean.compute >= 0.86);
	assert_true(validation.summary.mean.communication >= 0.87);
	assert_true(validation.summary.mean.total >= 0.95);
	for (size_t i = 0; i < validation.strategy_count; ++i)
		assert_true(validation.by_strategy[i].mean.total >= 0.86);
	assert_true(validation.rank_pairs >= 30 && validation.rank_pairs_right >= 0.97);
	paradl_arena_free(arena);
	(void)state;
}

static struct paradl_estimate estimate(const char *strategy, double batch)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_options options = {.ideal = false};
	struct paradl_estimate got;
	struct paradl_plan plan;
	const struct paradl_model *model = paradl_model_load(
		arena, &(struct paradl_source){.path = "models/resnet50-chainer.json"}, &error);
	const struct paradl_machine *machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
	const struct paradl_framework *framework = paradl_framework_load(
		arena, &(struct paradl_source){.path = "hw-profiles/frameworks/chainermn-2021.json"}, &error);
	assert_non_null(model);
	assert_non_null(machine);
	assert_non_null(framework);
	struct paradl_oracle *oracle =
		paradl_oracle_create(arena, model, machine, framework, &options, &error);
	assert_true(oracle && paradl_plan_parse(strategy, &plan, &error));
	plan.batch = batch;
	if (!paradl_estimate(oracle, &plan, &got, &error))
		fail_msg("%s", error.message);
	paradl_arena_free(arena);
	return got;
}

static void small_batches_are_bound_by_the_host(void **state)
{
	const struct paradl_estimate eight = estimate("data=1", 8);
	assert_true(eight.samples_per_s > 0.7 * 79.8 && eight.samples_per_s < 1.4 * 79.8);
	(void)state;
}

static void many_nodes_wait(void **state)
{
	const struct paradl_estimate many = estimate("data=512", 32768);
	assert_close(many.communication_s, 0.18, 0.2);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_rows_are_met),
		cmocka_unit_test(small_batches_are_bound_by_the_host),
		cmocka_unit_test(many_nodes_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
