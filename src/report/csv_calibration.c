/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibrations as CSV: the numbers; curves have a table of their own in JSON. */
#include "report/csv.h"

void csv_calibration(struct report_sink *sink, const struct report_calibration *report)
{
	static const char *const names[] = {"file", "path", "value", "unit", "low", "high", "is_range",
		"points", "launches", "residual", "was", "from", "was_from"};
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < report->calibration->number_count; i++) {
		const struct paradl_fitted_number *const number = &report->calibration->numbers[i];
		const bool is_known = number->high > number->low;
		csv_text(&line, number->file == PARADL_FITTED_DEVICE ? "device" : "machine");
		csv_text(&line, number->path);
		csv_number(&line, number->value);
		csv_text(&line, number->unit);
		csv_number(&line, is_known ? number->low : -1);
		csv_number(&line, is_known ? number->high : -1);
		csv_number(&line, number->is_range);
		csv_number(&line, number->points);
		csv_number(&line, number->launches);
		csv_number(&line, number->residual);
		csv_number(&line, number->was);
		csv_text(&line, number->from);
		csv_text(&line, number->was_from);
		csv_end(&line);
	}
}
