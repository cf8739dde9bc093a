/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published training times of ResNet-50 on one node, in fp32, tf32 and fp16 on ten devices: MLPerf Training 2.0 and 3.1,
 * and NVIDIA's DeepLearningExamples, as in tests/validation/llm_measured.csv. What the shipped profiles reach may not fall.
 */
#include "test.h"

#include <unistd.h>

#include "paradl/fit.h"

static const char *const directories[] = {".", NULL};

/* The header and the rows of the two sets. */
static void copy_rows(const char *from, int to)
{
	FILE *const all = fopen(from, "r");
	FILE *const some = fdopen(to, "w");
	char line[8192];
	assert_non_null(all);
	assert_non_null(some);
	for (bool header = true; fgets(line, sizeof line, all); header = false)
		if (header || strstr(line, ",dle-cnn,") || strstr(line, ",mlperf-rn50,"))
			fputs(line, some);
	fclose(all);
	assert_int_equal(fclose(some), 0);
}

static void check(const struct paradl_score *set, size_t rows, double mape, double worst, double bias)
{
	print_message("# %-12s %zu rows  mape %.2f  median %.2f  max %.1f  bias %+.2f\n", set->name,
		set->rows, set->mape, set->median, set->worst, set->bias);
	assert_int_equal(set->rows, rows);
	assert_int_equal(set->skipped, 0);
	assert_true(set->mape <= mape);
	assert_true(set->worst <= worst);
	assert_true(fabs(set->bias) <= bias);
}

static void published_resnets_are_met(void **state)
{
	(void)state;
	const struct paradl_lookup lookup = {.directories = directories};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_validation validation;
	struct paradl_error error = {0};
	char path[] = "/tmp/paradl-images-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	copy_rows("tests/validation/llm_measured.csv", descriptor);
	const bool read = paradl_validate(arena, path, &lookup, &validation, &error);
	unlink(path);
	if (!read)
		fail_msg("%s", error.message);
	assert_int_equal(validation.set_count, 2);
	for (size_t i = 0; i < validation.set_count; ++i) {
		const bool mlperf = strcmp(validation.by_set[i].name, "mlperf-rn50") == 0;
		if (mlperf) /* of two systems with A30 that differ by 20 % the fit is near one */
			check(&validation.by_set[i], 35, 3, 20, 1.3);
		else
			check(&validation.by_set[i], 52, 3.6, 15, 1);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_resnets_are_met),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
