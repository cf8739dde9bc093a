/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published training results of transformers and ResNet-50: every scored row of tests/validation/llm_measured.csv, which
 * is a copy of a collection with the source in each row. Prints the errors of each set.
 */
#include "test.h"

#include "paradl.h"

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
