/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Progress is shown as "[ 37/214] launch 2/5 mpi allreduce/2/16777216 1.49 ms +/-1.2 %  eta 14m": on a terminal as one
 * line that is replaced, with -v as a line for each result.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "report/typeset.h"
#include "runner/calibrate.h"

enum { TEXT_BYTES = 2 * MEASURE_LINE_BYTES, QUANTITY_BYTES = 48, MINUTE_S = 60, HOUR_S = 3600 };

static bool shows_line(const struct campaign *campaign)
{
	return !campaign->runner->quiet && !campaign->runner->verbose && isatty(STDERR_FILENO);
}

static double settled(const struct part *part)
{
	const struct report_measured *const report = &part->report;
	return report->measured + report->failed + report->absent + report->kept;
}

/*
 * Returns the seconds that the remaining points will take: each as long as the program's points have taken on
 * average, or, before it has measured any, as those of all programs.
 */
static double left_s(const struct campaign *campaign)
{
	double all_s = 0, all = 0, left = 0;
	for (size_t i = 0; i < campaign->part_count; i++) {
		all_s += campaign->parts[i].sampled_s;
		all += campaign->parts[i].report.measured;
	}
	for (size_t i = 0; i < campaign->part_count; i++) {
		const struct part *const part = &campaign->parts[i];
		const double points = part->report.points * campaign->launches - settled(part);
		const bool knows = part->report.measured > 0;
		if (!part->is_out && points > 0 && all > 0)
			left += points * (knows ? part->sampled_s / part->report.measured : all_s / all);
	}
	return left;
}

static void format_left(char *text, size_t size, double seconds)
{
	if (seconds < MINUTE_S)
		snprintf(text, size, "%.0fs", ceil(seconds));
	else if (seconds < HOUR_S)
		snprintf(text, size, "%.0fm", ceil(seconds / MINUTE_S));
	else
		snprintf(text, size, "%.1fh", seconds / HOUR_S);
}

static void format_result(char *text, size_t size, const struct measure_said *said)
{
	*text = '\0';
	if (said->word == MEASURE_POINT_DONE) {
		char time[QUANTITY_BYTES];
		snprintf(text, size, " %s ±%.1f %%",
			quantity_format(time, sizeof time, said->seconds, DIMENSION_TIME),
			100 * said->half_width);
	} else if (said->word == MEASURE_POINT_FAILED || said->word == MEASURE_POINT_ABSENT)
		snprintf(text, size, " %s: %s", said->word == MEASURE_POINT_FAILED ? "failed" : "absent",
			said->reason);
}

static void format_head(
	const struct campaign *campaign, const struct part *part, unsigned launch, char *text, size_t size)
{
	double done = 0, all = 0;
	char count[QUANTITY_BYTES];
	for (size_t i = 0; i < campaign->part_count; i++) {
		const double of_part = settled(&campaign->parts[i]);
		done += of_part;
		all += campaign->parts[i].is_out
			       ? of_part
			       : fmax(of_part, campaign->parts[i].report.points * campaign->launches);
	}
	const int width = snprintf(count, sizeof count, "%.0f", all);
	snprintf(text, size, "[%*.0f/%s] launch %u/%u %s", width, done, count, launch + 1, campaign->launches,
		part->name);
}

/* Replaces the line of progress on the terminal with `text`, truncated to its width. */
static void show_line(struct campaign *campaign, const char *text)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct report_sink sink = {.file = stderr, .arena = arena, .style = campaign->runner->style};
	if (!arena)
		return;
	const size_t width = sink.style.width > 1 ? sink.style.width - 1 : 1;
	fprintf(stderr, "\r%s\033[K", typeset_cut(&sink, typeset_clean(&sink, text), width));
	fflush(stderr);
	paradl_arena_free(arena);
}

void progress_point(
	struct campaign *campaign, const struct part *part, unsigned launch, const struct measure_said *said)
{
	char head[2 * QUANTITY_BYTES], result[MEASURE_LINE_BYTES], left[QUANTITY_BYTES], text[TEXT_BYTES];
	const bool verbose = campaign->runner->verbose;
	const bool is_result = said->word == MEASURE_POINT_DONE || said->word == MEASURE_POINT_FAILED ||
			       said->word == MEASURE_POINT_ABSENT;
	if (!shows_line(campaign) && !(verbose && is_result))
		return;
	format_head(campaign, part, launch, head, sizeof head);
	format_result(result, sizeof result, said);
	const double seconds = left_s(campaign);
	format_left(left, sizeof left, seconds);
	snprintf(text, sizeof text, "%s %.*s%.*s%s%s", head, MEASURE_LINE_BYTES / 2, said->point,
		MEASURE_LINE_BYTES / 2, result, seconds > 0 ? "  eta " : "", seconds > 0 ? left : "");
	if (verbose)
		runner_say(campaign->runner, "%s", text);
	else
		show_line(campaign, text);
}

void progress_clear(const struct campaign *campaign)
{
	if (shows_line(campaign))
		fputs("\r\033[K", stderr);
}
