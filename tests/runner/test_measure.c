/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that are started, read and ended: scripts of a shell stand for those that measure. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/measure.h"

static void start(struct measure_process *process, const char *script)
{
	const char *const words[] = {"sh", "-c", script, NULL};
	struct paradl_error error = {.status = PARADL_OK};
	assert_true(measure_start(process, words, false, &error));
}

static void lines_come_as_they_are_printed(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	start(&process,
		"echo points 2; echo; printf 'start a'; sleep 0.1; echo '/1'; printf 'cut off'; exit 3");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_LINE);
	assert_string_equal(line, "points 2");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_LINE);
	assert_string_equal(line, "");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_LINE);
	assert_string_equal(line, "start a/1");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_ENDED);
	assert_int_equal(measure_end(&process, 1), 3);
	assert_int_equal(process.id, 0);
}

/* More lines than a pipe and the buffer hold; none is lost or torn. */
static void many_lines(void **state)
{
	(void)state;
	enum { LINES = 20000 };
	struct measure_process process;
	const char *line;
	int count = 0;
	start(&process, "i=0; while [ $i -lt 20000 ]; do echo done point/$i 1e-6 0.01 7; i=$((i+1)); done");
	while (measure_read(&process, 20, &line) == MEASURE_LINE) {
		char expected[64];
		snprintf(expected, sizeof expected, "done point/%d 1e-6 0.01 7", count++);
		assert_string_equal(line, expected);
	}
	assert_int_equal(count, LINES);
	assert_int_equal(measure_end(&process, 1), 0);
}

static void a_line_without_end_is_no_overrun(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	size_t bytes = 0;
	start(&process, "head -c 5000 /dev/zero | tr '\\0' x; echo");
	while (measure_read(&process, 5, &line) == MEASURE_LINE) {
		assert_true(strlen(line) < MEASURE_LINE_BYTES);
		bytes += strlen(line);
	}
	assert_int_equal(bytes, 5000);
	assert_int_equal(measure_end(&process, 1), 0);
}

/* What launchers add after a program's own sentence does not hide it. */
static void complaints(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	start(&process, "echo warming up >&2; echo paradl-measure-cuda: no device >&2; echo job aborted >&2; "
			"exit 77");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_ENDED);
	assert_int_equal(measure_end(&process, 1), MEASURE_NO_HARDWARE);
	assert_string_equal(process.complaint, "paradl-measure-cuda: no device");
	start(&process, "echo first >&2; echo last >&2; printf -- --------- >&2");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_ENDED);
	assert_int_equal(measure_end(&process, 1), 0);
	assert_string_equal(process.complaint, "last");
	start(&process, "for word in ---- gist '' detail ----; do echo \"$word\" >&2; done");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_ENDED);
	assert_int_equal(measure_end(&process, 1), 0);
	assert_string_equal(process.complaint, "gist");
}

/* What a program says on standard error drives no terminal, neither echoed nor kept. */
static void complaints_are_printable(void **state)
{
	(void)state;
	struct measure_process process;
	struct paradl_error error = {.status = PARADL_OK};
	const char *const words[] = {
		"sh", "-c", "printf '\\033[2Jgone\\303\\n\\r50 %% done\\302\\233\\n' >&2", NULL};
	const char *line;
	char echoed[100] = "";
	int ends[2];
	const int before = dup(STDERR_FILENO);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	const bool started = measure_start(&process, words, true, &error);
	const enum measure_event event = started ? measure_read(&process, 5, &line) : MEASURE_SILENT;
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	close(ends[1]);
	assert_int_equal(event, MEASURE_ENDED);
	assert_int_equal(measure_end(&process, 1), 0);
	assert_true(read(ends[0], echoed, sizeof echoed - 1) > 0);
	close(ends[0]);
	assert_string_equal(echoed, "?[2Jgone?\n?50 % done?\n");
	assert_string_equal(process.complaint, "?50 % done?");
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void silence_is_noticed_and_ended(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	const double begin = seconds();
	start(&process, "echo start a; exec sleep 100");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_LINE);
	assert_int_equal(measure_read(&process, 0.1, &line), MEASURE_SILENT);
	const pid_t id = process.id;
	assert_int_equal(measure_end(&process, 5), 128 + SIGTERM);
	assert_true(seconds() - begin < 4);
	assert_int_equal(kill(id, 0), -1);
	assert_int_equal(errno, ESRCH);
}

/* One that ignores SIGTERM, and the process it started: both are gone after the grace. */
static void stubborn_groups_are_killed(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	start(&process, "trap '' TERM; sleep 100 & echo $!; while :; do sleep 1; done");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_LINE);
	const pid_t grandchild = (pid_t)atol(line);
	assert_true(grandchild > 1);
	assert_int_equal(measure_read(&process, 0.1, &line), MEASURE_SILENT);
	assert_int_equal(measure_end(&process, 0.2), 128 + SIGKILL);
	/* It is a zombie until init sees it. */
	char path[64], text[256] = "";
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)grandchild);
	for (int i = 0; i < 100; i++) {
		FILE *const file = fopen(path, "r");
		if (!file)
			return;
		text[fread(text, 1, sizeof text - 1, file)] = '\0';
		fclose(file);
		if (strstr(text, ") Z "))
			return;
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	fail_msg("still there: %s", text);
}

static void what_cannot_be_started(void **state)
{
	(void)state;
	struct measure_process process;
	struct paradl_error error = {.status = PARADL_OK};
	const char *const missing[] = {"no-such-program-here", NULL};
	assert_false(measure_start(&process, missing, false, &error));
	assert_int_equal(error.status, PARADL_NO_TOOL);
	assert_string_equal(error.message, "no-such-program-here not found");
	assert_int_equal(measure_end(&process, 1), 0);
	const char *const folder[] = {"/tmp", NULL};
	assert_false(measure_start(&process, folder, false, &error));
	assert_non_null(strstr(error.message, "/tmp cannot be started: "));
}

/* A signal is noticed while waiting, and the child, in a group of its own, is not hurt by it. */
static void signals_are_caught(void **state)
{
	(void)state;
	struct measure_process process;
	const char *line;
	measure_catch_signals();
	start(&process, "sleep 0.2; kill -INT $PPID; sleep 0.2; echo alive");
	assert_int_equal(measure_read(&process, 5, &line), MEASURE_INTERRUPTED);
	assert_int_equal(measure_caught(), SIGINT);
	assert_int_equal(measure_end(&process, 2), 128 + SIGTERM);
}

static void lines_are_understood(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		enum measure_word word;
		const char *point, *reason;
	} cases[] = {
		{"points 214", MEASURE_POINTS, "", ""},
		{"start allreduce/2/4096", MEASURE_POINT_START, "allreduce/2/4096", ""},
		{"done allreduce/2/4096 1.5e-06 0.012 35", MEASURE_POINT_DONE, "allreduce/2/4096", ""},
		{"failed a/b out of memory", MEASURE_POINT_FAILED, "a/b", "out of memory"},
		{"absent a no fp8 here", MEASURE_POINT_ABSENT, "a", "no fp8 here"},
		{"skip a", MEASURE_POINT_SKIP, "a", ""},
		{"points", MEASURE_OTHER, NULL, NULL},
		{"points many", MEASURE_OTHER, NULL, NULL},
		{"start", MEASURE_OTHER, NULL, NULL},
		{"done a 1e-6 0.01", MEASURE_OTHER, NULL, NULL},
		{"done a 1e-6 0.01 7 more", MEASURE_OTHER, NULL, NULL},
		{"done a nan 0.01 7", MEASURE_OTHER, NULL, NULL},
		{"done a -1 0.01 7", MEASURE_OTHER, NULL, NULL},
		{"done a 1e-6x 0.01 7", MEASURE_OTHER, NULL, NULL},
		{"hello", MEASURE_OTHER, NULL, NULL},
		{"", MEASURE_OTHER, NULL, NULL},
	};
	struct measure_said said;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		measure_parse(cases[i].line, &said);
		assert_int_equal(said.word, cases[i].word);
		if (cases[i].point) {
			assert_string_equal(said.point, cases[i].point);
			assert_string_equal(said.reason, cases[i].reason);
		}
	}
	measure_parse("done a 1.5e-06 0.012 35", &said);
	assert_true(said.seconds > 1.49e-6 && said.seconds < 1.51e-6);
	assert_true(said.half_width > 0.011 && said.half_width < 0.013);
	assert_int_equal(said.samples, 35);
	measure_parse("points 214", &said);
	assert_true(said.points > 213.5 && said.points < 214.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_as_they_are_printed),
		cmocka_unit_test(many_lines),
		cmocka_unit_test(a_line_without_end_is_no_overrun),
		cmocka_unit_test(complaints),
		cmocka_unit_test(complaints_are_printable),
		cmocka_unit_test(silence_is_noticed_and_ended),
		cmocka_unit_test(stubborn_groups_are_killed),
		cmocka_unit_test(what_cannot_be_started),
		cmocka_unit_test(lines_are_understood),
		cmocka_unit_test(signals_are_caught),
	};
	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
