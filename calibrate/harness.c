/* SPDX-License-Identifier: BSD-3-Clause */
/* main() of all measuring programs: list the points, measure each, write it, say so. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { THROTTLED_TRIES = 3 };

struct session {
	const struct program *program;
	struct options options;
	struct points points;
	struct cases cases;
	struct output output;
	struct samples samples;
	void *context;
	bool leads; /* rank 0: it alone writes */
	size_t failed;
};

enum ready run_say(struct run *run, enum ready ready, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(run->reason, sizeof run->reason, format, arguments);
	va_end(arguments);
	return ready;
}

static double agreed(const struct session *session, double mine)
{
	return session->program->ranks ? session->program->ranks->agree(mine) : mine;
}

static double most(const struct session *session, double mine)
{
	return session->program->ranks ? session->program->ranks->most(mine) : mine;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct point *const *)a)->name, (*(const struct point *const *)b)->name);
}

/* No two points have one name. */
static bool names_differ(const struct points *points)
{
	const struct point **sorted = malloc((points->count + 1) * sizeof *sorted);
	bool differ = sorted != NULL;
	for (size_t i = 0; sorted && i < points->count; ++i)
		sorted[i] = &points->items[i];
	if (sorted)
		qsort(sorted, points->count, sizeof *sorted, by_name);
	for (size_t i = 1; differ && i < points->count; ++i) {
		differ = strcmp(sorted[i - 1]->name, sorted[i]->name) != 0;
		if (!differ)
			fprintf(stderr, "two points are called %s\n", sorted[i]->name);
	}
	free(sorted);
	return differ;
}

static bool list(struct session *session)
{
	const struct options *options = &session->options;
	const struct plan plan = {.effort = options->effort,
		.cases = session->cases.lines,
		.case_count = session->cases.count,
		.directory = options->directory,
		.seed = options->seed,
		.launch = options->launch,
		.context = session->context};
	for (const struct bench *const *bench = session->program->benches; *bench; ++bench)
		if (options_want(options, (*bench)->name))
			(*bench)->list(&plan, &session->points);
	return !session->points.failed && names_differ(&session->points);
}

/* What standard output says to whoever started us. Without a reader, measuring goes on. */
static void tell(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void tell(const struct session *session, const char *format, ...)
{
	if (!session->leads)
		return;
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	fflush(stdout);
}

double run_left_s(const struct run *run)
{
	return fmax(0, run->until_s - clock_s());
}

/* Measures; again while clocks are held down and there is time. */
static bool measured(struct session *session, struct run *run, double cap_s)
{
	for (unsigned i = 0; i < THROTTLED_TRIES; ++i) {
		run->flag = NULL;
		run->seen.count = 0;
		run->seen.clock_mhz = run->seen.watt = run->seen.celsius = 0;
		if (!repeat(run, session->program->ranks, cap_s, &session->samples))
			return false;
		const bool throttled =
			run->flag && strcmp(run->flag, "throttled") == 0 && run_left_s(run) > 0;
		if (!(most(session, throttled) > 0))
			break;
	}
	return true;
}

/* False: the file cannot be written. */
static bool record(struct session *session, struct run *run, enum ready ready, bool fine)
{
	const char *name = run->point->name;
	bool written = true;
	if (session->leads && fine)
		written = output_samples(&session->output, run, &session->samples);
	else if (session->leads)
		written = output_failed(&session->output, run, ready == ABSENT);
	written = agreed(session, written) > 0;
	if (!written)
		return false;
	if (fine)
		tell(session, "done %s %.6g %.3g %u\n", name, session->samples.median_s,
			isfinite(session->samples.half_width) ? session->samples.half_width : 1.0,
			session->samples.count);
	else
		tell(session, "%s %s %s\n", ready == ABSENT ? "absent" : "failed", name, run->reason);
	session->failed += !fine && ready != ABSENT;
	return true;
}

/* One point, for `cap_s`; a status. */
static int measure(struct session *session, const struct point *point, double cap_s)
{
	struct run run = {.point = point, .context = session->context};
	if (agreed(session, session->leads && output_has(&session->output, point->name)) > 0) {
		tell(session, "skip %s\n", point->name);
		return STATUS_DONE;
	}
	if (agreed(session, interrupted()) > 0)
		return STATUS_INTERRUPTED;
	tell(session, "start %s\n", point->name);
	run.until_s = clock_s() + cap_s;
	enum ready ready = point->bench->prepare(&run);
	const enum ready worst = (enum ready)most(session, ready);
	if (ready == READY && worst != READY)
		run_say(&run, worst, "another rank could not prepare it");
	bool fine = worst == READY && measured(session, &run, cap_s);
	if (point->bench->release)
		point->bench->release(&run);
	if (agreed(session, interrupted()) > 0 && !fine)
		return STATUS_INTERRUPTED;
	if (!fine && worst == READY && !run.reason[0])
		run_say(&run, FAILED, "another rank failed");
	if (!record(session, &run, worst == ABSENT ? ABSENT : FAILED, fine))
		return STATUS_CANNOT_WRITE;
	return most(session, run.lost) > 0 ? STATUS_AGAIN : STATUS_DONE;
}

/*
 * Returns the time of the next point, of `left`: the cap, and no more than half as much again as its share of the time that is left of
 * all. Points that are through sooner leave more to those that follow.
 */
static double next_cap_s(const struct session *session, double begin_s, size_t left)
{
	static const double shares = 1.5,
			    least_s = 0.02; /* in less time a sample of some calls does not end */
	const double cap_s = session->options.cap_s, all_s = session->options.time_s;
	if (!(all_s > 0))
		return cap_s;
	const double left_s = all_s - (clock_s() - begin_s);
	return agreed(session, fmin(cap_s, fmax(least_s, shares * left_s / (double)left)));
}

static int measure_all(struct session *session)
{
	const double begin_s = clock_s();
	int status = STATUS_DONE;
	if (!samples_create(&session->samples)) {
		fputs("out of memory\n", stderr);
		status = STATUS_CANNOT_WRITE;
	}
	if (session->leads && status == STATUS_DONE)
		status = output_open(&session->output, &session->options, session->program);
	status = (int)most(session, status);
	points_shuffle(&session->points, session->options.seed + session->options.launch);
	if (status == STATUS_DONE)
		tell(session, "points %zu\n", session->points.count);
	for (size_t i = 0; status == STATUS_DONE && i < session->points.count; ++i)
		status = measure(session, &session->points.items[i],
			next_cap_s(session, begin_s, session->points.count - i));
	if (session->leads)
		output_close(&session->output);
	samples_free(&session->samples);
	if (session->leads && status == STATUS_AGAIN)
		fprintf(stderr,
			"paradl-measure-%s: the device is unusable after the last point, until a program is "
			"started anew\n",
			session->program->name);
	return status == STATUS_DONE && session->failed ? STATUS_SOME_FAILED : status;
}

static int say_benches(const struct program *program)
{
	for (const struct bench *const *bench = program->benches; *bench; ++bench)
		printf("%-16s %s\n", (*bench)->name, (*bench)->summary);
	return STATUS_DONE;
}

/* A line for each point: its name and, where that is known and not next to nothing, the seconds that it takes at least. */
static int say_points(const struct session *session)
{
	static const double worth_telling_s = 0.01;
	struct rates rates[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
	for (unsigned at_work = 0; at_work < 2 && session->leads && session->program->probe; ++at_work)
		session->program->probe(at_work, &rates[at_work]);
	for (size_t i = 0; session->leads && i < session->points.count; ++i) {
		const struct point *const point = &session->points.items[i];
		const double least_s = point_least_s(point, &rates[point_get(point, "busy") > 1]);
		if (least_s > worth_telling_s)
			printf("%s %.3g\n", point->name, least_s);
		else
			printf("%s\n", point->name);
	}
	return STATUS_DONE;
}

static int session_run(struct session *session)
{
	const struct program *program = session->program;
	struct run run = {.reason = ""};
	environment_machine();
	const enum ready ready = program->begin ? program->begin(&run) : READY;
	session->context = run.context;
	session->leads = !program->ranks || program->ranks->rank == 0;
	if (ready != READY && !session->options.list) {
		if (session->leads)
			fprintf(stderr, "paradl-measure-%s: %s\n", program->name, run.reason);
		return ready == ABSENT ? STATUS_ABSENT : STATUS_SOME_FAILED;
	}
	if (session->options.cases && !cases_load(session->options.cases, &session->cases))
		return STATUS_USAGE;
	if (!list(session))
		return STATUS_USAGE;
	return session->options.list ? say_points(session) : measure_all(session);
}

/* What calibrate_abandon needs while measuring; NULL else. */
static struct session *current;

void calibrate_abandon(const struct run *run, const char *reason)
{
	struct run gone = *run;
	run_say(&gone, FAILED, "%s", reason);
	if (!current || !current->leads || !output_failed(&current->output, &gone, false))
		return;
	tell(current, "failed %s %s\n", gone.point->name, gone.reason);
}

int calibrate_main(int argc, char **argv, const struct program *program)
{
	struct session session = {.program = program, .output.file = -1};
	if (!options_parse(argc, argv, program, &session.options))
		return STATUS_USAGE;
	if (session.options.help)
		return options_help(program), STATUS_DONE;
	if (session.options.benches)
		return say_benches(program);
	interrupts_catch();
	current = &session;
	const int status = session_run(&session);
	current = NULL;
	points_free(&session.points);
	cases_free(&session.cases);
	environment_free();
	if (program->end)
		program->end();
	return status;
}
