/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with something changed, against closed forms and against estimates of files that say so. */
#include "test.h"

#include <string.h>

#include "paradl/study.h"

static const struct paradl_options ideal = {.ideal = true};

struct fixture {
	struct paradl_arena *arena;
	struct paradl_plan plan;
	struct paradl_whatif_request request;
	struct paradl_error error;
};

static int prepare(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){.arena = paradl_arena_create()};
	fixture.request = (struct paradl_whatif_request){.model = "models/resnet50.json",
		.machine = "hw-profiles/abci.json",
		.framework = "hw-profiles/frameworks/chainermn.json",
		.plan = &fixture.plan};
	*state = &fixture;
	return fixture.arena ? 0 : 1;
}

static int release(void **state)
{
	struct fixture *const fixture = *state;
	paradl_arena_free(fixture->arena);
	return 0;
}

static void plan(struct fixture *fixture, const char *text, double batch)
{
	assert_true(paradl_plan_parse(text, &fixture->plan, &fixture->error));
	fixture->plan.batch = batch;
}

static struct paradl_tornado tornado(struct fixture *fixture, double vary)
{
	struct paradl_tornado result;
	if (!paradl_tornado(&fixture->request, vary, fixture->arena, &result, &fixture->error))
		fail_msg("%s: %s", fixture->error.path, fixture->error.message);
	return result;
}

static struct paradl_whatif_target target(struct fixture *fixture, enum paradl_measure measure, double wanted)
{
	struct paradl_whatif_target result;
	if (!paradl_whatif_target(
		    &fixture->request, measure, wanted, fixture->arena, &result, &fixture->error))
		fail_msg("%s", fixture->error.message);
	return result;
}

static struct paradl_oracle *oracle_of(struct fixture *fixture)
{
	const struct paradl_source model = {.path = fixture->request.model},
				   machine = {.path = fixture->request.machine},
				   framework = {.path = fixture->request.framework};
	struct paradl_oracle *const oracle = paradl_oracle_create(fixture->arena,
		paradl_model_load(fixture->arena, &model, &fixture->error),
		paradl_machine_load(fixture->arena, &machine, &fixture->error),
		paradl_framework_load(fixture->arena, &framework, &fixture->error), NULL, &fixture->error);
	assert_non_null(oracle);
	return oracle;
}

/* The place of an input's row; the test fails where there is none. */
static size_t place(const char *wanted, const void *rows, size_t count, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(((const struct paradl_whatif_input *)(const void *)((const char *)rows + i * size))
				    ->name,
			    wanted) == 0)
			return i;
	fail_msg("there is no %s", wanted);
	return 0;
}

static const struct paradl_whatif_row *row(const struct paradl_tornado *result, const char *name)
{
	return &result->rows[place(name, result->rows, result->count, sizeof *result->rows)];
}

static const struct paradl_whatif_need *need(const struct paradl_whatif_target *result, const char *name)
{
	return &result->rows[place(name, result->rows, result->count, sizeof *result->rows)];
}

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance * fmax(1, fabs(expected))))
		fail_msg("%.15g instead of %.15g", value, expected);
}

/* One device: kernels alone. What is neither arithmetic nor memory has no effect; the two together scale all of it. */
static void one_device_is_its_rates(void **state)
{
	static const char *const both[] = {"device.peak.*=x1.2", "device.memory_rate=x1.2"};
	struct fixture *const fixture = *state;
	struct paradl_whatif_pair pair;
	struct paradl_whatif_request after;
	fixture->request.options = &ideal;
	plan(fixture, "serial", 32);
	const struct paradl_tornado result = tornado(fixture, 0.2);
	assert_true(result.moving >= 1);
	for (size_t i = 0; i < result.count; i++)
		if (!strstr("gpu memory-rate batch gpus", result.rows[i].input.name))
			assert_near(result.rows[i].span, 0, 0);
	after = fixture->request;
	after.changes = paradl_changes_parse(fixture->arena, both, 2, &fixture->error);
	assert_true(paradl_whatif_pair(&fixture->request, &after, fixture->arena, &pair, &fixture->error));
	/* All but the floors of kernels, which are less than a thousandth here. */
	assert_near(pair.after.change, 1 / 1.2 - 1, 2e-3);
}

/* A network of large products only: 1 / 1.2 and 1 / 0.8, to the last digits. */
static void compute_scales_with_the_device(void **state)
{
	static const char *const changes[] = {
		"device.memory_rate=x1000000", "device.contraction.launch=x0.000001"};
	struct fixture *const fixture = *state;
	fixture->request.options = &ideal;
	fixture->request.changes = paradl_changes_parse(fixture->arena, changes, 2, &fixture->error);
	assert_non_null(fixture->request.changes);
	plan(fixture, "serial", 1024);
	const struct paradl_tornado result = tornado(fixture, 0.2);
	const struct paradl_whatif_row *const gpu = row(&result, "gpu");
	assert_near(gpu->high.change, 1 / 1.2 - 1, 1e-5);
	assert_near(gpu->low.change, 1 / 0.8 - 1, 1e-5);
	assert_ptr_equal(gpu, &result.rows[0]);
	assert_near(row(&result, "latency")->span, 0, 0);
	assert_near(row(&result, "network-bandwidth")->span, 0, 0);
}

static void rows_are_sorted(void **state)
{
	struct fixture *const fixture = *state;
	plan(fixture, "data=64", 4096);
	const struct paradl_tornado result = tornado(fixture, 0.3);
	assert_true(result.moving >= 5 && result.moving < result.count);
	for (size_t i = 1; i < result.moving; i++)
		assert_true(result.rows[i].span <= result.rows[i - 1].span);
	for (size_t i = result.moving; i < result.count; i++)
		assert_near(result.rows[i].span, 0, 0);
	/* Better is never slower. */
	assert_true(row(&result, "gpu")->high.change < 0 && row(&result, "gpu")->low.change > 0);
	assert_true(row(&result, "latency")->high.change > 0 && row(&result, "latency")->low.change < 0);
	assert_near(row(&result, "gpus")->low.times, 45. / 64, 1e-12);
}

/* The estimate with the factor that was found is the target. */
static void targets_solve_back(void **state)
{
	struct fixture *const fixture = *state;
	plan(fixture, "data=64", 4096);
	const struct paradl_tornado base = tornado(fixture, 0.1);
	for (unsigned tenths = 7; tenths < 14; tenths += 2) {
		const double wanted = base.estimate.epoch_s * tenths / 10;
		const struct paradl_whatif_target result = target(fixture, PARADL_MEASURE_EPOCH, wanted);
		size_t solved = 0;
		for (size_t i = 0; i < result.count; i++) {
			const struct paradl_whatif_need *const found = &result.rows[i];
			if (!found->reached || found->input.key_count == 0)
				continue;
			struct paradl_whatif_request request = fixture->request;
			struct paradl_whatif_pair pair;
			char lines[8][160];
			const char *texts[8];
			assert_true(found->input.key_count <= 8);
			for (size_t k = 0; k < found->input.key_count; k++) {
				snprintf(lines[k], sizeof lines[k], "%s=x%.17g", found->input.keys[k],
					found->times);
				texts[k] = lines[k];
			}
			request.changes = paradl_changes_parse(
				fixture->arena, texts, found->input.key_count, &fixture->error);
			assert_true(paradl_whatif_pair(
				&fixture->request, &request, fixture->arena, &pair, &fixture->error));
			assert_near(pair.after.estimate.epoch_s, wanted, 1e-6);
			solved++;
		}
		assert_true(solved >= 1);
	}
}

/* The length of the samples that a network was trained with does not change how long an answer of some tokens takes. */
static void lengths_do_not_matter_to_answers(void **state)
{
	static const struct paradl_options serves = {
		.inference = true, .prompt_tokens = 512, .output_tokens = 64};
	struct fixture *const fixture = *state;
	fixture->request.model = "models/llama2-7b.json";
	fixture->request.machine = "hw-profiles/dgx-h100-superpod.json";
	fixture->request.framework = "hw-profiles/frameworks/vllm.json";
	fixture->request.options = &serves;
	plan(fixture, "tensor=2", 16);
	const struct paradl_tornado result = tornado(fixture, 0.2);
	assert_near(row(&result, "sequence")->span, 0, 0);
	assert_true(row(&result, "batch")->high.change > 0);
}

/* Whole numbers: so many are enough, and one less is not. */
static void whole_numbers_are_the_least(void **state)
{
	struct fixture *const fixture = *state;
	plan(fixture, "data=64", 4096);
	const struct paradl_tornado base = tornado(fixture, 0.1);
	const double wanted = base.estimate.epoch_s * 0.6;
	const struct paradl_whatif_target result = target(fixture, PARADL_MEASURE_EPOCH, wanted);
	const struct paradl_whatif_need *const gpus = need(&result, "gpus");
	char text[32];
	assert_true(gpus->reached && gpus->stops <= wanted);
	snprintf(text, sizeof text, "data=%u", gpus->estimate.devices - 1);
	plan(fixture, text, 64. * (gpus->estimate.devices - 1));
	const struct paradl_tornado less = tornado(fixture, 0.1);
	assert_true(less.estimate.epoch_s > wanted);
}

/* Where the plan runs with few numbers of replicas only, the least of these: all are asked one by one. */
static void whole_numbers_that_do_not_run_are_passed(void **state)
{
	struct fixture *const fixture = *state;
	struct paradl_estimate estimate = {.epoch_s = 0};
	fixture->request.model = "models/llama2-7b.json";
	fixture->request.machine = "hw-profiles/dgx-h100-superpod.json";
	fixture->request.framework = "hw-profiles/frameworks/megatron.json";
	fixture->request.fixed_batch = true;
	plan(fixture, "data=4,pipeline=4,micro=1,schedule=interleaved:2", 480);
	const struct paradl_tornado base = tornado(fixture, 0.1);
	const double wanted = base.estimate.epoch_s * 0.55;
	const struct paradl_whatif_target result = target(fixture, PARADL_MEASURE_EPOCH, wanted);
	const struct paradl_whatif_need *const gpus = need(&result, "gpus");
	struct paradl_oracle *const oracle = oracle_of(fixture);
	unsigned data = 4, failed = 0;
	do {
		fixture->plan.degree[PARADL_DATA] = ++data;
		failed += !paradl_estimate(oracle, &fixture->plan, &estimate, &fixture->error);
	} while (!(estimate.epoch_s > 0 && estimate.epoch_s <= wanted));
	assert_true(gpus->reached && failed > 0);
	assert_int_equal(gpus->estimate.devices, 4 * data);
}

static void what_is_out_of_reach_is_said(void **state)
{
	struct fixture *const fixture = *state;
	plan(fixture, "data=64", 4096);
	const struct paradl_whatif_target result = target(fixture, PARADL_MEASURE_EPOCH, 1e-3);
	assert_int_equal(result.reached, 0);
	for (size_t i = 0; i < result.count; i++)
		assert_true(!result.rows[i].reached && result.rows[i].stops > 1e-3 &&
			    result.rows[i].stops <= result.has);
	struct paradl_whatif_target none;
	assert_false(paradl_whatif_target(
		&fixture->request, PARADL_MEASURE_EPOCH, 0, fixture->arena, &none, &fixture->error));
}

static void an_upgrade_to_itself_changes_nothing(void **state)
{
	struct fixture *const fixture = *state;
	struct paradl_whatif_pair pair;
	plan(fixture, "data=16,spatial=4", 1024);
	assert_true(paradl_whatif_pair(
		&fixture->request, &fixture->request, fixture->arena, &pair, &fixture->error));
	assert_true(pair.after.runs && !pair.has_best);
	assert_near(pair.after.change, 0, 0);
	assert_memory_equal(pair.before.phase_s, pair.after.estimate.phase_s, sizeof pair.before.phase_s);
	assert_near(pair.equal_devices, 64, 0);
}

/* A plan that cannot run there is an answer; so is the best one. */
static void the_best_plan_is_looked_for(void **state)
{
	struct fixture *const fixture = *state;
	struct paradl_whatif_request after;
	struct paradl_whatif_pair pair;
	fixture->request.plan = NULL;
	fixture->request.best = (struct paradl_request){.devices = 8, .batch = 256};
	after = fixture->request;
	after.machine = "hw-profiles/laptop.json";
	assert_true(paradl_whatif_pair(&fixture->request, &after, fixture->arena, &pair, &fixture->error));
	assert_true(pair.has_best && !pair.after.runs && *pair.after.reason && !pair.best.runs);
	after.machine = "hw-profiles/abci-2.json";
	assert_true(paradl_whatif_pair(&fixture->request, &after, fixture->arena, &pair, &fixture->error));
	assert_true(pair.after.runs && pair.best.runs);
	assert_true(pair.best.estimate.iteration_s <= pair.after.estimate.iteration_s * (1 + 1e-12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_device_is_its_rates, prepare, release),
		cmocka_unit_test_setup_teardown(compute_scales_with_the_device, prepare, release),
		cmocka_unit_test_setup_teardown(rows_are_sorted, prepare, release),
		cmocka_unit_test_setup_teardown(targets_solve_back, prepare, release),
		cmocka_unit_test_setup_teardown(whole_numbers_are_the_least, prepare, release),
		cmocka_unit_test_setup_teardown(whole_numbers_that_do_not_run_are_passed, prepare, release),
		cmocka_unit_test_setup_teardown(lengths_do_not_matter_to_answers, prepare, release),
		cmocka_unit_test_setup_teardown(what_is_out_of_reach_is_said, prepare, release),
		cmocka_unit_test_setup_teardown(an_upgrade_to_itself_changes_nothing, prepare, release),
		cmocka_unit_test_setup_teardown(the_best_plan_is_looked_for, prepare, release),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
