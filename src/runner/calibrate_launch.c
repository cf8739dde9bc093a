/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One launch of one program takes as many processes as it needs. A point that hangs or crashes a process is tried once
 * more, in a new one; if that happens again, the point is recorded as failed and the rest goes on without it. After
 * LOST_MOST such points a bench is dropped.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "runner/calibrate.h"

enum { GRACE_S = 10, LOST_MOST = 3, STARTS_MOST = 2 };

/* A program may be silent for patience_caps times a point's cap, and patience_s for all before and after samples. */
static const double patience_caps = 10, patience_s = 60;

static double patience(const struct campaign *campaign)
{
	const double asked_s = campaign->options->patience_s;
	return asked_s > 0 ? asked_s : patience_caps * campaign->cap_s + patience_s;
}

/* A launch and the point that it is at. */
struct launch {
	struct campaign *campaign;
	struct part *part;
	unsigned number;
	bool is_first; /* first process of the launch: points that it skips were there before */
	char current[MEASURE_LINE_BYTES]; /* point that is being measured; "": none */
	char tried[MEASURE_LINE_BYTES];   /* last point that has hung or crashed the program */
	unsigned tries;                   /* times that `tried` has done so */
	unsigned lost_starts;             /* processes in a row that were lost between points */
	double point_begin_s;
};

static void hear(struct launch *launch, const char *line)
{
	struct report_measured *const report = &launch->part->report;
	struct measure_said said;
	measure_parse(line, &said);
	switch (said.word) {
	case MEASURE_POINT_START:
		memcpy(launch->current, said.point, sizeof launch->current);
		launch->point_begin_s = measure_now_s();
		break;
	case MEASURE_POINT_DONE:
		report->measured++;
		launch->part->sampled_s += measure_now_s() - launch->point_begin_s;
		break;
	case MEASURE_POINT_ABSENT:
		report->absent++;
		break;
	case MEASURE_POINT_FAILED:
		report->failed++;
		break;
	case MEASURE_POINT_SKIP:
		report->kept += launch->is_first;
		break;
	case MEASURE_POINTS:
	case MEASURE_OTHER:
		return;
	}
	if (said.word != MEASURE_POINT_START) {
		*launch->current = '\0';
		launch->lost_starts = 0;
	}
	progress_point(launch->campaign, launch->part, launch->number, &said);
}

static void stop(struct campaign *campaign, const char *why, enum campaign_end end)
{
	campaign->stopped = why ? why : "out of memory";
	campaign->end = end;
}

static const char *crash_reason(const struct launch *launch, enum measure_event event, int status,
	const struct measure_process *process)
{
	struct paradl_arena *const arena = launch->campaign->runner->arena;
	const char *why;
	if (event == MEASURE_SILENT)
		why = arena_printf(arena, "hung: no word for %.3g s", patience(launch->campaign));
	else if (status > 128)
		why = arena_printf(arena, "its program was ended by signal %d", status - 128);
	else
		why = arena_printf(arena, "its program ended with status %d", status);
	if (why && *process->complaint)
		why = arena_printf(arena, "%s: %s", why, process->complaint);
	return why ? why : "crashed";
}

static void drop_bench(struct launch *launch, struct part_bench *bench)
{
	struct campaign *const campaign = launch->campaign;
	bench->is_dropped = true;
	launch->part->is_limited = true;
	text_list_add(campaign->runner->arena, &campaign->dropped,
		arena_printf(campaign->runner->arena, "%s %s", launch->part->name, bench->name));
	progress_clear(campaign);
	runner_warn(campaign->runner, "%s: bench %s is dropped after %d points that hung or crashed",
		launch->part->name, bench->name, LOST_MOST);
	if (!*benches_wanted(campaign, launch->part))
		part_leave_out(campaign, launch->part, "every bench hung or crashed");
}

/* Adds to the file that the current point failed; false: it cannot be written, which stops the calibration. */
static bool write_failed(struct launch *launch, const char *why, bool again)
{
	struct campaign *const campaign = launch->campaign;
	const struct part_bench *const bench = bench_of_point(launch->part, launch->current);
	const char *const name =
		bench ? bench->name
		      : arena_copy(campaign->runner->arena, launch->current, strcspn(launch->current, "/"));
	if (samples_add_failed(
		    campaign, launch->part, launch->number, launch->current, name ? name : "", why, again))
		return true;
	campaign->runner->complain(campaign->runner->context);
	stop(campaign, "the samples cannot be written", CAMPAIGN_BROKEN);
	return false;
}

/*
 * Records the current point, which has lost the program, or a rank of the program, for the first time: it is reported
 * and measured again. Returns whether to start the program again.
 */
static bool try_again(struct launch *launch, const char *why)
{
	struct campaign *const campaign = launch->campaign;
	text_list_add(campaign->runner->arena, &campaign->lost,
		arena_printf(campaign->runner->arena, "%s %s: %s", launch->part->name, launch->current, why));
	return write_failed(launch, why, true);
}

/* Records that the current point has failed twice, so that the program skips it. Returns whether to start it again. */
static bool give_point_up(struct launch *launch, const char *why)
{
	struct campaign *const campaign = launch->campaign;
	struct part_bench *const bench = bench_of_point(launch->part, launch->current);
	struct measure_said said = {.word = MEASURE_POINT_FAILED, .reason = why};
	memcpy(said.point, launch->current, sizeof said.point);
	if (!write_failed(launch, why, false))
		return false;
	launch->part->report.failed++;
	progress_point(campaign, launch->part, launch->number, &said);
	if (bench && ++bench->lost == LOST_MOST)
		drop_bench(launch, bench);
	return !launch->part->is_out;
}

/* Reacts to the loss of the program, for the reason `why`. Returns whether to start it again. */
static bool recover(struct launch *launch, const char *why)
{
	struct campaign *const campaign = launch->campaign;
	progress_clear(campaign);
	if (!*launch->current) {
		if (++launch->lost_starts < STARTS_MOST)
			return true;
		runner_warn(campaign->runner, "%s: %s", launch->part->name, why);
		part_leave_out(campaign, launch->part, "%s", why);
		return false;
	}
	if (strcmp(launch->current, launch->tried) != 0) {
		memcpy(launch->tried, launch->current, sizeof launch->tried);
		launch->tries = 0;
	}
	launch->tries++;
	if (campaign->runner->verbose)
		runner_say(campaign->runner, "%s: %s: %s%s", launch->part->name, launch->current, why,
			launch->tries == 1 ? "; once more" : "");
	if (launch->tries == 1)
		return try_again(launch, why);
	if (launch->tries == 2)
		return give_point_up(launch, why);
	part_leave_out(campaign, launch->part, "measures %s again, which has failed", launch->current);
	return false;
}

/* Returns why the file of samples cannot be written: what the program says without the name of that file. */
static const char *reason_of(const struct campaign *campaign, const char *complaint)
{
	const size_t length = strlen(campaign->file);
	const bool has_name =
		strncmp(complaint, campaign->file, length) == 0 && strncmp(complaint + length, ": ", 2) == 0;
	return has_name ? complaint + length + 2 : complaint;
}

/* Returns whether the program ended in order, or with an error that a new start would not mend; else see recover. */
static bool is_settled(struct launch *launch, int status, const struct measure_process *process)
{
	struct campaign *const campaign = launch->campaign;
	const char *const complaint = *process->complaint ? process->complaint : "it does not say why";
	switch (status) {
	case 0:
	case 1:
		return !*launch->current;
	case MEASURE_CANNOT_WRITE:
		progress_clear(campaign);
		runner_say(campaign->runner, "paradl: %s: cannot be written: %s", campaign->file,
			reason_of(campaign, complaint));
		stop(campaign, "the samples cannot be written", CAMPAIGN_BROKEN);
		return true;
	case MEASURE_USAGE:
	case MEASURE_NO_HARDWARE:
		progress_clear(campaign);
		part_leave_out(campaign, launch->part, "%s", complaint);
		if (status == MEASURE_USAGE)
			runner_warn(campaign->runner, "%s: %s", launch->part->name, complaint);
		return true;
	default:
		return false;
	}
}

/* Stops the calibration, whose time is up; more launches than were wanted may be cut short without a word. */
static enum measure_event time_is_up(struct campaign *campaign)
{
	campaign->is_over = true;
	if (!campaign->is_full)
		stop(campaign,
			campaign->limit_s > 0 ? "the time of --time-limit is up" : "the planned time is up",
			CAMPAIGN_DONE);
	return MEASURE_INTERRUPTED;
}

/* Reads the program's lines until it ends, is silent for too long or the planned time is over; returns the last event. */
static enum measure_event follow(struct launch *launch, struct measure_process *process)
{
	struct campaign *const campaign = launch->campaign;
	const char *line;
	enum measure_event event;
	do {
		const double left_s = campaign_left_s(campaign), patient_s = patience(campaign);
		if (!(left_s > 0))
			return time_is_up(campaign);
		event = measure_read(process, fmin(patient_s, left_s), &line);
		if (event == MEASURE_LINE)
			hear(launch, line);
		else if (event == MEASURE_SILENT && left_s < patient_s)
			return time_is_up(campaign);
	} while (event == MEASURE_LINE);
	if (event == MEASURE_INTERRUPTED)
		stop(campaign, "interrupted", CAMPAIGN_INTERRUPTED);
	return event;
}

/* Runs one process of the launch; returns whether to start another. */
static bool run_process(struct launch *launch)
{
	struct campaign *const campaign = launch->campaign;
	struct runner *const runner = campaign->runner;
	struct measure_process process;
	const char *const *const words = part_command(campaign, launch->part, launch->number);
	*launch->current = '\0';
	if (!words || !measure_start(&process, words, runner->verbose, runner->error)) {
		part_leave_out(campaign, launch->part, "%s", runner->error->message);
		return false;
	}
	const enum measure_event event = follow(launch, &process);
	const int status = measure_end(&process, GRACE_S);
	launch->is_first = false;
	if (event == MEASURE_INTERRUPTED || (event == MEASURE_ENDED && is_settled(launch, status, &process)))
		return false;
	return recover(launch, crash_reason(launch, event, status, &process));
}

void launch_run(struct campaign *campaign, struct part *part, unsigned launch)
{
	struct launch run = {.campaign = campaign, .part = part, .number = launch, .is_first = true};
	const double begin_s = measure_now_s();
	part->report.launches++;
	while (!measure_caught() && run_process(&run))
		;
	if (measure_caught() && !campaign->stopped)
		stop(campaign, "interrupted", CAMPAIGN_INTERRUPTED);
	part->report.seconds += measure_now_s() - begin_s;
}
