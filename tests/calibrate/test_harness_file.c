/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of measuring programs: cases that are read, samples that are written, resumed and never torn. */
#include "test.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

/* -- cases -------------------------------------------------------------------------------------------------- */

static char folder[64], path[96];

static void text_write(const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void cases_are_read(void **state)
{
	struct cases cases;
	(void)state;
	text_write("# a network\n\n  convolution layer=res2/0 kernel=3x3x1 batch=32 # of 64\n"
		   "gemm m=1e3 precision=2bf16 name=-5");
	assert_true(cases_load(path, &cases));
	assert_int_equal(cases.count, 2);
	const struct case_line *line = &cases.lines[0];
	assert_string_equal(line->kind, "convolution");
	assert_int_equal(line->parameter_count, 3);
	assert_string_equal(line->parameters[0].name, "layer");
	assert_string_equal(line->parameters[0].text, "res2/0");
	assert_string_equal(line->parameters[1].text, "3x3x1");
	assert_null(line->parameters[2].text);
	assert_close(line->parameters[2].number, 32, 0);
	line = &cases.lines[1];
	assert_string_equal(line->kind, "gemm");
	assert_close(line->parameters[0].number, 1000, 0);
	assert_string_equal(line->parameters[1].text, "2bf16");
	assert_string_equal(line->parameters[2].text, "-5");
	cases_free(&cases);
}

static void cases_are_refused(void **state)
{
	static const char *const bad[] = {"gemm m\n", "gemm =5\n", "gemm m=\n"};
	char text[2048];
	struct cases cases;
	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
		text_write(bad[i]);
		assert_false(cases_load(path, &cases));
		cases_free(&cases);
	}
	int length = snprintf(text, sizeof text, "gemm");
	for (unsigned i = 0; i <= PARAMETERS_MAX; ++i)
		length += snprintf(text + length, sizeof text - (size_t)length, " m%u=1", i);
	text_write(text);
	assert_false(cases_load(path, &cases));
	cases_free(&cases);
	snprintf(text, sizeof text, "gemm m=%0*d\n", 1500, 1);
	text_write(text);
	assert_false(cases_load(path, &cases));
	cases_free(&cases);
	remove(path);
	assert_false(cases_load(path, &cases));
	cases_free(&cases);
}

/* -- output ------------------------------------------------------------------------------------------------- */

static const struct program program = {.name = "test"};
static const struct bench benchlike = {.name = "b"};

static int opened(struct output *output, unsigned launch)
{
	const struct options options = {.out = path, .launch = launch, .seed = 1};
	return output_open(output, &options, &program);
}

/* Writes a point of 3 samples, or one that failed. */
static bool written(struct output *output, const char *name, bool fine)
{
	double seconds[] = {1e-6, 2e-6, 3e-6};
	const struct samples samples = {.seconds = seconds, .count = 3, .calls = 5, .stopped = "count"};
	struct point point = {.bench = &benchlike};
	snprintf(point.name, sizeof point.name, "%s", name);
	struct run run = {.point = &point};
	if (fine)
		return output_samples(output, &run, &samples);
	run_say(&run, FAILED, "a \"reason\"");
	return output_failed(output, &run, false);
}

static char *text_read(void)
{
	static char text[65536];
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void launches_are_resumed(void **state)
{
	struct output output;
	(void)state;
	remove(path);
	assert_int_equal(opened(&output, 0), STATUS_DONE);
	assert_true(written(&output, "b/1", true));
	assert_true(written(&output, "b/2", false));
	output_close(&output);
	const size_t before = strlen(text_read());
	assert_int_equal(opened(&output, 0), STATUS_DONE);
	assert_true(output_has(&output, "b/1"));
	assert_true(output_has(&output, "b/2"));
	assert_false(output_has(&output, "b/3"));
	assert_false(output_has(&output, "b"));
	assert_true(written(&output, "b/3", true));
	output_close(&output);
	assert_int_equal(opened(&output, 1), STATUS_DONE);
	assert_false(output_has(&output, "b/1"));
	output_close(&output);
	const char *text = text_read();
	assert_true(strlen(text) > before);
	assert_non_null(strstr(text, "\"failed\":\"a \\\"reason\\\"\""));
	assert_non_null(strstr(text, "{\"launch\":\"test.1\",\"format\":\"paradl-samples\""));
	unsigned lines = 0;
	for (; *text; ++text)
		lines += *text == '\n';
	assert_int_equal(lines, 5); /* two launches, three points */
}

static void torn_lines_are_dropped(void **state)
{
	struct output output;
	(void)state;
	remove(path);
	assert_int_equal(opened(&output, 0), STATUS_DONE);
	assert_true(written(&output, "b/1", true));
	const size_t whole = strlen(text_read());
	assert_true(written(&output, "b/2", true));
	output_close(&output);
	const size_t all = strlen(text_read());
	for (size_t length = all - 1; length > whole; length -= length > whole + 9 ? 9 : 1) {
		assert_int_equal(truncate(path, (off_t)length), 0);
		assert_int_equal(opened(&output, 0), STATUS_DONE);
		assert_true(output_has(&output, "b/1"));
		assert_false(output_has(&output, "b/2"));
		assert_int_equal(strlen(text_read()), whole);
		assert_true(written(&output, "b/2", true));
		output_close(&output);
		assert_int_equal(strlen(text_read()), all);
	}
}

static void another_environment_is_refused(void **state)
{
	struct output output;
	(void)state;
	remove(path);
	assert_int_equal(opened(&output, 0), STATUS_DONE);
	assert_true(written(&output, "b/1", true));
	output_close(&output);
	const size_t before = strlen(text_read());
	environment_add("library", "another %d", 2);
	assert_int_equal(opened(&output, 0), STATUS_USAGE);
	output_close(&output);
	assert_int_equal(strlen(text_read()), before);
	assert_int_equal(opened(&output, 1), STATUS_DONE); /* a launch of its own is fine */
	output_close(&output);
	environment_free();
}

/* Writes points until the file may not grow; how many, as the status of the process. */
static void fill_up(rlim_t limit)
{
	const struct rlimit size = {limit, limit};
	struct output output;
	int count = 0;
	interrupts_catch();
	setrlimit(RLIMIT_FSIZE, &size);
	if (opened(&output, 0) != STATUS_DONE)
		_exit(255);
	for (char name[16]; count < 100; ++count) {
		snprintf(name, sizeof name, "b/%d", count);
		if (!written(&output, name, true))
			break;
	}
	output_close(&output);
	_exit(count);
}

static void full_disks_leave_whole_lines(void **state)
{
	struct output output;
	(void)state;
	for (rlim_t limit = 1500; limit < 1800; limit += 23) {
		int status;
		remove(path);
		const pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0)
			fill_up(limit);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		const int count = WEXITSTATUS(status);
		assert_in_range(count, 1, 20);
		const char *text = text_read();
		const size_t length = strlen(text);
		assert_true(length <= limit && text[length - 1] == '\n');
		assert_int_equal(opened(&output, 0), STATUS_DONE);
		assert_int_equal(output.done_count, count);
		assert_true(written(&output, "b/99", true));
		output_close(&output);
	}
}

static int folder_make(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/paradl-harness-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/x.jsonl", folder);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	remove(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_are_read),
		cmocka_unit_test(cases_are_refused),
		cmocka_unit_test(launches_are_resumed),
		cmocka_unit_test(torn_lines_are_dropped),
		cmocka_unit_test(another_environment_is_refused),
		cmocka_unit_test(full_disks_leave_whole_lines),
	};
	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
