/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published training results of transformers and ResNet-50: every scored row of tests/validation/llm_measured.csv, which
 * is a copy of a collection with the source in each row. Prints the errors of each set.
 */
#include "test.h"

#include <math.h>

#include "paradl/fit.h"

static const char *const directories[] = {".", NULL};

static void print_set(const struct paradl_score *set)
{
	print_message(
		"# %-18s %4zu rows %3zu skipped  mape %6.2f median %6.2f max %6.1f bias %+6.2f memory %6.2f  "
		"groups %3zu tau %5.2f regret %5.2f max %5.1f\n",
		*set->name ? set->name : "all", set->rows, set->skipped, set->mape, set->median, set->worst,
		set->bias, set->memory_mape, set->groups, set->kendall_tau, set->regret_mean,
		set->regret_max);
}

/* Mean errors of times after the fit, in percent; what is promised of new rows is in validation/leave_out.c. */
static const struct bar {
	const char *set;
	double mape;
} bars[] = {{"korthikanti", 2}, {"nemo-h100", 3}, {"nemo-a100", 4}, {"internevo", 2}, {"bloom-jz", 3},
	{"zero-bubble", 4}, {"simumax-b200", 9}, {"llm-foundry", 6}, {"vtrain-single", 8},
	{"vtrain-multi", 7.5}, {"torchtitan", 8}, {"nemo-bridge", 14}, {"mlperf-rn50", 10}, {"dle-bert", 10},
	{"dle-cnn", 10}};
enum { BARS = sizeof bars / sizeof *bars };

static void bars_hold(const struct paradl_validation *validation)
{
	unsigned found = 0;
	for (size_t i = 0; i < validation->set_count; ++i)
		for (size_t k = 0; k < BARS; ++k) {
			const struct paradl_score *set = &validation->by_set[i];
			if (strcmp(set->name, bars[k].set) != 0)
				continue;
			++found;
			if (!(set->mape <= bars[k].mape))
				fail_msg("%s: %.2f %%, the bar is %g %%", set->name, set->mape, bars[k].mape);
		}
	assert_int_equal(found, BARS);
	assert_true(validation->summary.kendall_tau >= 0.8);
	assert_true(validation->summary.regret_mean <= 2);
	assert_true(validation->summary.memory_mape <= 6);
}

static struct paradl_validation validation_of(struct paradl_arena *arena, const char *path)
{
	const struct paradl_lookup lookup = {.directories = directories};
	struct paradl_validation validation;
	struct paradl_error error = {0};
	if (!paradl_validate(arena, path, &lookup, &validation, &error))
		fail_msg("%s", error.message);
	for (size_t i = 0; i < validation.set_count; ++i)
		print_set(&validation.by_set[i]);
	print_set(&validation.summary);
	return validation;
}

/* Do the rows answer the same question with different plans? */
static bool are_rivals(const struct paradl_measured_row *a, const struct paradl_measured_row *b)
{
	struct paradl_plan plans[2];
	if (a->skipped || b->skipped || !(a->measured.total_s > 0 && b->measured.total_s > 0) ||
		a->batch < b->batch || a->batch > b->batch || strcmp(a->set, b->set) != 0 ||
		strcmp(a->model, b->model) != 0 || strcmp(a->hw, b->hw) != 0 ||
		strcmp(a->unit, b->unit) != 0 || strcmp(a->framework, b->framework) != 0 ||
		strcmp(a->strategy, b->strategy) == 0)
		return false;
	return paradl_plan_parse(a->strategy, &plans[0], NULL) &&
	       paradl_plan_parse(b->strategy, &plans[1], NULL) &&
	       !(fabs(paradl_plan_devices(&plans[0]) - paradl_plan_devices(&plans[1])) > 0);
}

/* Plans further apart than half of the interval, paradl_tie_share, are in the order in which they were measured; nearer ones less often. */
static void plans_apart_are_in_order(const struct paradl_validation *validation)
{
	size_t pairs[2] = {0, 0}, right[2] = {0, 0};
	for (size_t i = 0; i < validation->count; ++i)
		for (size_t k = 0; k < i; ++k) {
			const struct paradl_measured_row *a = &validation->rows[i], *b = &validation->rows[k];
			if (!are_rivals(a, b))
				continue;
			const bool is_first = a->projected.total_s < b->projected.total_s;
			const struct paradl_measured_row *best = is_first ? a : b, *other = is_first ? b : a;
			const bool apart = other->projected.total_s >
					   best->projected.total_s * (1 + best->error_share / 2);
			++pairs[apart];
			right[apart] += best->measured.total_s < other->measured.total_s;
		}
	const double near = (double)right[0] / (double)pairs[0], far = (double)right[1] / (double)pairs[1];
	print_message("# %zu pairs apart, %.1f %% in order; %zu near, %.1f %%\n", pairs[1], 100 * far,
		pairs[0], 100 * near);
	assert_true(pairs[0] > 1000 && pairs[1] > 1000);
	assert_true(far >= 0.9);
	assert_true(near < 0.9);
}

static void published_rows_are_read(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_validation validation = validation_of(arena, "tests/validation/llm_measured.csv");
	assert_true(validation.published);
	assert_int_equal(validation.count, 1725);
	assert_int_equal(validation.left_out, 187);
	assert_int_equal(validation.set_count, 21);
	assert_true(50 * validation.summary.skipped <= validation.count);
	bars_hold(&validation);
	plans_apart_are_in_order(&validation);
	paradl_arena_free(arena);
}

/* Rows of releases, programs and devices that no constant was fitted to. */
static void unseen_rows_are_met(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_validation validation = validation_of(arena, "tests/validation/llm_unseen.csv");
	assert_int_equal(validation.count, 170);
	assert_int_equal(validation.summary.skipped, 0);
	assert_true(validation.summary.mape <= 10);
	assert_true(validation.summary.inside >= 0.8);
	paradl_arena_free(arena);
}

static void incomplete_rows_stop_nothing(void **state)
{
	(void)state;
	const struct paradl_lookup lookup = {.directories = directories, .all_rows = true};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_validation validation;
	struct paradl_error error = {0};
	if (!paradl_validate(arena, "tests/validation/llm_measured.csv", &lookup, &validation, &error))
		fail_msg("%s", error.message);
	assert_int_equal(validation.count, 1912);
	assert_int_equal(validation.left_out, 0);
	for (size_t i = 0; i < validation.count; ++i)
		if (validation.rows[i].skipped)
			assert_true(strlen(validation.rows[i].skipped) > 10);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_rows_are_read),
		cmocka_unit_test(unseen_rows_are_met),
		cmocka_unit_test(incomplete_rows_stop_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
