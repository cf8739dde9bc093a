/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each input; of two settings, one for each phase. */
#include "report/csv.h"
#include "report/whatif.h"

static void write_tornado(struct csv_line *line, const struct paradl_tornado *tornado)
{
	static const char *const names[] = {"input", "low_times", "low_change", "high_times", "high_change",
		"span", "low_fits", "high_fits"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < tornado->count; i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
		csv_text(line, row->input.name);
		for (size_t j = 0; j < 2; j++) {
			csv_number(line, points[j]->times);
			if (points[j]->runs)
				csv_signed(line, points[j]->change);
			else
				csv_text(line, "");
		}
		csv_number(line, row->span);
		for (size_t j = 0; j < 2; j++)
			csv_number(line, points[j]->runs ? points[j]->estimate.fits : -1);
		csv_end(line);
	}
}

static void write_target(struct csv_line *line, const struct paradl_whatif_target *target)
{
	static const char *const names[] = {"input", "reached", "times", "value", "gpus", "batch", "fits"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < target->count; i++) {
		const struct paradl_whatif_need *const need = &target->rows[i];
		const double numbers[] = {need->reached, need->times, need->stops, need->estimate.devices,
			need->estimate.plan.batch, need->estimate.fits};
		csv_text(line, need->input.name);
		for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
			csv_number(line, numbers[j]);
		csv_end(line);
	}
}

static void write_phase(struct csv_line *line, const char *name, const double *seconds)
{
	csv_text(line, name);
	for (size_t i = 0; i < 3; i++)
		csv_number(line, seconds[i]);
	csv_end(line);
}

static void write_pair(struct csv_line *line, const struct paradl_whatif_pair *pair)
{
	static const char *const names[] = {"phase", "before_s", "after_s", "best_s"};
	const struct paradl_estimate *const before = &pair->before, *const after = &pair->after.estimate,
					    *const best = &pair->best.estimate;
	const bool runs = pair->after.runs, has_best = pair->has_best && pair->best.runs;
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		const double seconds[] = {
			before->phase_s[i], runs ? after->phase_s[i] : -1, has_best ? best->phase_s[i] : -1};
		write_phase(line, paradl_phase_name((enum paradl_phase)i), seconds);
	}
	const double seconds[] = {
		before->iteration_s, runs ? after->iteration_s : -1, has_best ? best->iteration_s : -1};
	write_phase(line, "iteration", seconds);
}

void csv_whatif(struct report_sink *sink, const struct report_whatif *report)
{
	struct csv_line line = {sink->file, false};
	if (report->tornado)
		write_tornado(&line, report->tornado);
	else if (report->target)
		write_target(&line, report->target);
	else
		write_pair(&line, report->pair);
}
