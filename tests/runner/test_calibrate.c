/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that a calibration promises, and its patience, on a made-up clock: this program has measure.h's functions itself, so that
 * what is started here prints its lines at times of that clock, and no load of the machine moves them.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "runner/calibrate.h"

enum { POINTS_MAX = 64, LINES_PER_POINT = 2 };

/* How the made-up program measures. Its points are 0, 1, 2, ... of one bench. */
static struct {
	double start_s;             /* from its start to its first line */
	double point_s[POINTS_MAX]; /* that each point takes if it may take its cap */
	double least_s[POINTS_MAX]; /* that it takes however little time there is */
	unsigned points;
	bool shares_time;  /* takes --time of each launch into account, as the programs of calibrate/ do */
	unsigned hangs_at; /* one more than the point that hangs; 0: none does */
	double end_s;      /* from a request to end to its end */
} made_up;

/* The process that runs, and the clock. */
static struct {
	double now_s, begin_s, time_s, cap_s, next_s;
	enum { MEASURES, LISTS_BENCHES, LISTS_POINTS } task;
	unsigned line;
	bool given_up[POINTS_MAX]; /* the file says that they failed */
	char text[MEASURE_LINE_BYTES];
} machine;

double measure_now_s(void)
{
	return machine.now_s;
}

int measure_caught(void)
{
	return 0;
}

void measure_catch_signals(void)
{
}

void measure_note_signals(void)
{
}

bool measure_start(
	struct measure_process *process, const char *const *words, bool echoes, struct paradl_error *error)
{
	(void)echoes;
	(void)error;
	*process = (struct measure_process){.id = 1};
	machine.task = MEASURES;
	machine.time_s = 0;
	for (size_t i = 0; words[i]; i++) {
		if (strcmp(words[i], "--benches") == 0)
			machine.task = LISTS_BENCHES;
		if (strcmp(words[i], "--list") == 0)
			machine.task = LISTS_POINTS;
		if (strcmp(words[i], "--time") == 0)
			machine.time_s = strtod(words[i + 1], NULL);
		if (strcmp(words[i], "--cap") == 0)
			machine.cap_s = strtod(words[i + 1], NULL);
	}
	machine.line = 0;
	machine.next_s = machine.now_s + made_up.start_s;
	machine.begin_s = machine.next_s;
	return true;
}

/* Returns the seconds of a point, by the rule of calibrate/harness.c: at most one and a half of its share of what is left. */
static double seconds_of(unsigned point)
{
	double cap_s = machine.cap_s;
	if (made_up.shares_time && machine.time_s > 0) {
		const double left_s = machine.time_s - (machine.now_s - machine.begin_s);
		cap_s = fmin(cap_s, fmax(0.02, 1.5 * left_s / (made_up.points - point)));
	}
	return fmax(made_up.least_s[point], made_up.point_s[point] * cap_s / machine.cap_s);
}

/* Writes the next line and when it is printed; false: there is none. */
static bool next_line(void)
{
	const unsigned point = machine.task == MEASURES ? machine.line / LINES_PER_POINT : machine.line;
	if (point == (machine.task == LISTS_BENCHES ? 1 : made_up.points))
		return false;
	if (machine.task == LISTS_BENCHES)
		snprintf(machine.text, sizeof machine.text, "gemm products");
	else if (machine.task == LISTS_POINTS)
		snprintf(machine.text, sizeof machine.text, "gemm/%u %g", point, made_up.least_s[point]);
	else if (machine.line % LINES_PER_POINT == 0)
		snprintf(machine.text, sizeof machine.text, "%s gemm/%u",
			machine.given_up[point] ? "skip" : "start", point);
	else if (machine.given_up[point])
		return ++machine.line, next_line();
	else {
		snprintf(machine.text, sizeof machine.text, "done gemm/%u 1e-3 0.01 10", point);
		machine.next_s += point + 1 == made_up.hangs_at ? HUGE_VAL : seconds_of(point);
	}
	machine.line++;
	return true;
}

enum measure_event measure_read(struct measure_process *process, double patience_s, const char **line)
{
	if (!*machine.text && !next_line()) {
		process->lines = process->complaints = -1;
		return MEASURE_ENDED;
	}
	if (machine.next_s > machine.now_s + patience_s) {
		machine.now_s += patience_s;
		return MEASURE_SILENT;
	}
	machine.now_s = fmax(machine.now_s, machine.next_s);
	memcpy(process->line, machine.text, sizeof process->line);
	*machine.text = '\0';
	*line = process->line;
	return MEASURE_LINE;
}

int measure_end(struct measure_process *process, double grace_s)
{
	*machine.text = '\0';
	if (process->lines >= 0)
		machine.now_s += fmin(grace_s, made_up.end_s);
	process->id = 0;
	return 0;
}

static void say(void *context, const char *text)
{
	(void)context;
	if (strstr(text, "failed"))
		machine.given_up[strtoul(strstr(text, "gemm/") + strlen("gemm/"), NULL, 10)] = true;
}

/* A calibration by the made-up program, from its begin to its end. */
struct calibration {
	struct paradl_error error;
	struct runner runner;
	struct calibrate_options options;
	struct campaign campaign;
	char file[32];
	double planned_s, taken_s;
};

static void calibrate(
	struct calibration *calibration, unsigned launches, double cap_s, double limit_s, double patience_s)
{
	static const char *const name = "made-up";
	*calibration = (struct calibration){
		.options = {.patience_s = patience_s}, .file = "/tmp/paradl-made-up-XXXXXX"};
	calibration->runner = (struct runner){.arena = paradl_arena_create(),
		.error = &calibration->error,
		.verbose = true,
		.say = say,
		.warn = say};
	struct campaign *const campaign = &calibration->campaign;
	*campaign = (struct campaign){.runner = &calibration->runner,
		.options = &calibration->options,
		.part_count = 1,
		.launches = launches,
		.cap_s = cap_s,
		.limit_s = limit_s,
		.begin_s = machine.now_s,
		.file = calibration->file,
		.descriptor = mkstemp(calibration->file)};
	assert_true(campaign->descriptor >= 0);
	campaign->parts[0] = (struct part){.name = name, .report = {.program = name}, .cap_share = 0.7};
	assert_true(text_list_add(calibration->runner.arena, &campaign->parts[0].words, name));
	memset(machine.given_up, 0, sizeof machine.given_up);
	assert_true(parts_list(campaign));
	campaign->plan_s = machine.now_s - campaign->begin_s;
	calibration->planned_s = campaign_planned_s(campaign);
	campaign_measure(campaign);
	calibration->taken_s = machine.now_s - campaign->begin_s;
	unlink(calibration->file);
	samples_release(campaign);
}

static void calibration_free(struct calibration *calibration)
{
	paradl_arena_free(calibration->runner.arena);
}

static double uniform(unsigned *state, double low, double high)
{
	*state = *state * 1664525u + 1013904223u;
	return low + (high - low) * (double)(*state >> 8) / (1u << 24);
}

/*
 * Whatever the points take of their caps, the time is that promised within a tenth: never more, and less only where what was left
 * would have been too short for a program to start and measure a point.
 */
static void promises_hold(void **state)
{
	(void)state;
	static struct calibration calibration;
	unsigned random = 7, more_launches = 0, left_out = 0;
	for (unsigned i = 0; i < 500; i++) {
		const double cap_s = i % 3 ? 0.5 : 2, longest = uniform(&random, 0.1, 1.5);
		const unsigned launches = 1 + i % 5;
		made_up.points = 1 + (unsigned)uniform(&random, 0, POINTS_MAX - 1);
		made_up.start_s = uniform(&random, 0.01, 1);
		made_up.end_s = 0.02;
		made_up.shares_time = i % 2;
		for (unsigned point = 0; point < made_up.points; point++) {
			made_up.point_s[point] = cap_s * longest * uniform(&random, 0.1, 1);
			made_up.least_s[point] = i % 7 ? 0 : uniform(&random, 0, 2 * cap_s);
		}
		const double limit_s = i % 4 ? 0 : uniform(&random, 1.5, 20) * made_up.start_s + cap_s;
		calibrate(&calibration, launches, cap_s, limit_s, 0);
		const struct part *const part = &calibration.campaign.parts[0];
		const double too_short_s = part->start_s + cap_s;
		assert_true(limit_s > 0 ? calibration.planned_s <= limit_s : calibration.planned_s > 0);
		assert_true(calibration.taken_s < 1.1 * calibration.planned_s);
		assert_true(calibration.taken_s > 0.9 * calibration.planned_s ||
			    calibration.taken_s > calibration.planned_s - too_short_s);
		more_launches += part->report.launches > launches;
		left_out += part->report.measured < made_up.points * launches;
		calibration_free(&calibration);
	}
	assert_true(more_launches > 100 && left_out > 50);
}

/* A point that hangs is waited for twice, and then left out; the others are measured. */
static void patience_holds(void **state)
{
	(void)state;
	static struct calibration calibration;
	memset(&made_up, 0, sizeof made_up);
	made_up.points = 3;
	made_up.start_s = 0.1;
	made_up.hangs_at = 2;
	for (unsigned point = 0; point < made_up.points; point++)
		made_up.point_s[point] = 1;
	calibrate(&calibration, 5, 2, 0, 2);
	const struct part *const part = &calibration.campaign.parts[0];
	assert_true(machine.given_up[1] && !machine.given_up[0] && !machine.given_up[2]);
	assert_int_equal(calibration.campaign.lost.count, 1);
	assert_int_equal((int)part->report.failed, 1);
	assert_true(part->report.measured >
		    2 * 5); /* points of all launches, whose time was waited for in the first */
	assert_close(calibration.taken_s, calibration.planned_s, 0.1);
	calibration_free(&calibration);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(promises_hold),
		cmocka_unit_test(patience_holds),
	};
	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
