/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of measured runs: medians over the launches that have a time. */
#include "test.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "runner/steps.h"

static const char *rows_of(
	struct runner *runner, struct run_campaign *campaign, double compute[4], double total[4])
{
	char path[] = "/tmp/paradl-rows-XXXXXX";
	double communication[4] = {-1, -1, -1, -1};
	size_t length = 0;
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	close(descriptor);
	campaign->csv = path;
	campaign->model = "tiny";
	campaign->hw = "here";
	campaign->batch = 8;
	campaign->program = "/there/paradl-measure-step";
	campaign->precision = "bf16";
	campaign->framework = "pytorch-nhwc";
	campaign->tokens = 64;
	campaign->plan_count = 1;
	campaign->plans[0] = (struct run_plan){.strategy = "data=2", .ranks = 2, .launches = 4};
	campaign->plans[0].seconds[RUN_TOTAL] = total;
	campaign->plans[0].seconds[RUN_COMPUTE] = compute;
	campaign->plans[0].seconds[RUN_COMMUNICATION] = communication;
	assert_true(run_rows_write(runner, campaign));
	const char *const text = file_read(runner->arena, path, 1 << 16, &length, NULL);
	unlink(path);
	assert_non_null(text);
	return text;
}

static void times_that_are_not_known_do_not_count(void **state)
{
	(void)state;
	static struct run_campaign campaign;
	struct paradl_error error = {.status = PARADL_OK};
	struct runner runner = {.arena = paradl_arena_create(), .error = &error};
	double total[4] = {4, 2, 1, 8};
	double compute[4] = {0.5, -1, 0.25, -1};
	assert_non_null(
		strstr(rows_of(&runner, &campaign, compute, total), ",bf16,iter,pytorch-nhwc,64,0.375,,3,"));
	double one[4] = {-1, -1, 0.25, -1};
	assert_non_null(strstr(rows_of(&runner, &campaign, one, total), ",iter,pytorch-nhwc,64,0.25,,3,"));
	double none[4] = {-1, -1, -1, -1};
	assert_non_null(strstr(rows_of(&runner, &campaign, none, total), ",iter,pytorch-nhwc,64,,,3,"));
	paradl_arena_free(runner.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_that_are_not_known_do_not_count),
	};
	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
