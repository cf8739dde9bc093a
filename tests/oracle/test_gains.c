/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other algorithms for the gradients are worth: as oracles with --algo say that were made for it, on shipped machines. */
#include "oracle/shipped.h"

#include <math.h>
#include <string.h>

static struct paradl_oracle *oracle_by(struct setup *setup, const struct paradl_model *model,
	const struct paradl_machine *machine, const char *algorithm)
{
	const struct paradl_options options = {
		.algorithm = algorithm, .input = &(struct paradl_input_options){.off = true}};
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

/* Checks both gains of a plan against estimates with --algo; returns whether there was one of either: 1 ring, 2 another. */
static unsigned gains_check(struct setup *setup, const char *name, const char *text, double batch)
{
	struct paradl_algorithm_gains gains;
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/vgg16.json"}, &setup->error);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = arena_printf(setup->arena, "hw-profiles/%s.json", name)},
		&setup->error);
	assert_non_null(model);
	assert_non_null(machine);
	struct paradl_oracle *const oracle = oracle_by(setup, model, machine, NULL);
	const struct paradl_plan plan = setup_plan(text, batch);
	const struct paradl_estimate own = setup_estimate(oracle, &plan);
	assert_true(paradl_algorithm_gains(oracle, &plan, setup->arena, &gains, &setup->error));
	const double ring_s = setup_estimate(oracle_by(setup, model, machine, "ring"), &plan).iteration_s;
	const struct paradl_estimate all = setup_estimate(oracle_by(setup, model, machine, "auto"), &plan);
	if (!own.gradient_algorithm || strcmp(own.gradient_algorithm, "measured curve") == 0) {
		assert_null(gains.taken);
		assert_null(gains.outside);
		return 0;
	}
	const bool slower = ring_s > 1.02 * own.iteration_s,
		   faster = all.iteration_s < 0.98 * own.iteration_s;
	assert_int_equal(gains.taken != NULL, slower);
	assert_int_equal(gains.outside != NULL, faster);
	if (slower) {
		assert_string_equal(gains.taken, own.gradient_algorithm);
		assert_close(gains.ring_s, ring_s, 1e-12);
	}
	if (faster) {
		assert_string_equal(gains.outside, all.gradient_algorithm);
		assert_close(gains.outside_s, all.iteration_s, 1e-12);
	}
	/* The oracle that was asked is as it was. */
	assert_close(setup_estimate(oracle, &plan).iteration_s, own.iteration_s, 0);
	return slower | (unsigned)faster << 1;
}

static void gains_are_those_of_algo(void **state)
{
	struct setup *const setup = *state;
	assert_int_equal(gains_check(setup, "perlmutter", "data=256", 512), 3);
	assert_int_equal(gains_check(setup, "summit", "data=96", 192), 2);
	assert_int_equal(gains_check(setup, "leonardo", "data=256", 512), 1);
	assert_int_equal(gains_check(setup, "abci", "data=16", 16), 0);      /* measured curves */
	assert_int_equal(gains_check(setup, "perlmutter", "data=1", 16), 0); /* nobody to exchange with */
	assert_int_equal(
		gains_check(setup, "perlmutter", "data=64", 64 * 256), 0); /* hidden behind backward */
}

/* Who names an algorithm has made the choice. */
static void a_choice_is_not_questioned(void **state)
{
	struct setup *const setup = *state;
	struct paradl_algorithm_gains gains;
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/vgg16.json"}, &setup->error);
	const struct paradl_machine *const machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/summit.json"}, &setup->error);
	assert_true(model && machine);
	const struct paradl_plan plan = setup_plan("data=48", 48);
	assert_true(paradl_algorithm_gains(
		oracle_by(setup, model, machine, "ring"), &plan, setup->arena, &gains, &setup->error));
	assert_null(gains.outside);
	assert_string_equal(gains.library, "nccl");
}

static struct paradl_estimate compressed(
	struct setup *setup, const char *compress, double batch, struct paradl_algorithm_gains *gains)
{
	const struct paradl_options options = {.algorithm = "auto",
		.compress = compress,
		.input = &(struct paradl_input_options){.off = true}};
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/vgg16.json"}, &setup->error);
	const struct paradl_machine *const machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &setup->error);
	assert_true(model && machine);
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
	const struct paradl_plan plan = setup_plan("data=64", batch);
	assert_non_null(oracle);
	assert_true(paradl_algorithm_gains(oracle, &plan, setup->arena, gains, &setup->error));
	return setup_estimate(oracle, &plan);
}

/* Parts of a mix add up; a compression beside overlap gains what the steps differ by, and is taken only where that is something. */
static void a_compression_gains_what_overlap_left(void **state)
{
	struct setup *const setup = *state;
	for (double each = 8; each <= 512; each *= 4) {
		struct paradl_algorithm_gains gains, none;
		const struct paradl_estimate whole = compressed(setup, NULL, 64 * each, &none);
		const struct paradl_estimate mixed = compressed(setup, "auto", 64 * each, &gains);
		const struct paradl_estimate sparse = compressed(setup, "topk:0.01", 64 * each, &none);
		const bool pays = sparse.iteration_s < whole.iteration_s / 1.001;
		assert_close(
			gains.plain_s - gains.by_algorithm_s - gains.by_overlap_s - gains.by_compression_s,
			mixed.iteration_s, 1e-12);
		assert_close(gains.by_compression_s, whole.iteration_s - mixed.iteration_s, 1e-9);
		if (!pays)
			assert_string_equal(mixed.gradient_compression, "none");
		if (each <= 8 || each >= 512)
			assert_int_equal(pays, each <= 8);
		assert_true(mixed.iteration_s <= 1.001 * fmin(whole.iteration_s, sparse.iteration_s));
	}
}

/* Of all orders of three axes those are told of the nested one that take 2 % longer than it, with its time; it is not. */
static void axes_are_nested_where_that_is_faster(void **state)
{
	static const char *const orders[] = {"pipeline=4,data=4,tensor=8", "data=4,pipeline=4,tensor=8",
		"pipeline=4,tensor=8,data=4", "data=4,tensor=8,pipeline=4", "tensor=8,pipeline=4,data=4",
		"tensor=8,data=4,pipeline=4"};
	struct setup *const setup = *state;
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/llama3-8b.json"}, &setup->error);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	assert_non_null(model);
	assert_non_null(machine);
	struct paradl_oracle *const oracle = oracle_by(setup, model, machine, NULL);
	const struct paradl_plan nested = setup_plan(orders[0], 512);
	const double nested_s = setup_estimate(oracle, &nested).iteration_s;
	unsigned told = 0;
	for (unsigned i = 0; i < sizeof orders / sizeof *orders; ++i) {
		const struct paradl_plan plan = setup_plan(orders[i], 512);
		const struct paradl_estimate own = setup_estimate(oracle, &plan);
		struct paradl_other_plan faster;
		const bool is_told = paradl_faster_order(oracle, &own, &faster);
		assert_int_equal(is_told, nested_s < 0.98 * own.iteration_s);
		told += is_told;
		if (!is_told)
			continue;
		assert_string_equal(faster.strategy, orders[0]);
		assert_close(faster.iteration_s, nested_s, 0);
	}
	assert_true(told >= 2 && told < 6);
}

/* Returns the least seconds of any split of 32 blocks over four stages, each of 5 to 10. */
static double best_split_s(struct paradl_oracle *oracle)
{
	double least_s = HUGE_VAL;
	for (unsigned i = 0; i < 6 * 6 * 6; ++i) {
		const unsigned a = 5 + i % 6, b = 5 + i / 6 % 6, c = 5 + i / 36, d = 32 - a - b - c;
		if (d < 5 || d > 10)
			continue;
		char text[64];
		snprintf(text, sizeof text, "pipeline=4,micro=1,split=%u:%u:%u:%u", a, b, c, d);
		const struct paradl_plan plan = setup_plan(text, 64);
		least_s = fmin(least_s, setup_estimate(oracle, &plan).iteration_s);
	}
	return least_s;
}

/* A head as long as two blocks makes the last of even stages the longest; where no block moves, nothing is told. */
static void stages_are_balanced_where_that_is_faster(void **state)
{
	static const struct {
		const char *plan;
		bool told;
	} cases[] = {{"pipeline=4,micro=1", true}, {"pipeline=8,micro=1", true},
		{"pipeline=7,micro=1", false}, {"pipeline=8,micro=1,split=5:5:5:4:4:4:3:2", false},
		{"tensor=8,micro=1", false}};
	struct setup *const setup = *state;
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/llama3-8b.json"}, &setup->error);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	struct paradl_oracle *const oracle = oracle_by(setup, model, machine, NULL);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_plan plan = setup_plan(cases[i].plan, 64);
		const struct paradl_estimate own = setup_estimate(oracle, &plan);
		struct paradl_other_plan faster;
		assert_int_equal(paradl_faster_split(oracle, &own, &faster), cases[i].told);
		if (!cases[i].told)
			continue;
		const struct paradl_plan told = setup_plan(faster.strategy, 64);
		assert_close(faster.iteration_s, setup_estimate(oracle, &told).iteration_s, 0);
		assert_true(faster.iteration_s < 0.98 * own.iteration_s);
		assert_true(plan.degree[PARADL_PIPELINE] != 4 ||
			    faster.iteration_s < 1.03 * best_split_s(oracle));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(gains_are_those_of_algo),
		setup_test(a_choice_is_not_questioned),
		setup_test(a_compression_gains_what_overlap_left),
		setup_test(axes_are_nested_where_that_is_faster),
		setup_test(stages_are_balanced_where_that_is_faster),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
