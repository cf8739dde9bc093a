/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/format_csv.h"
#include "report/sweep_columns.h"

static void write_row(
	struct report_sink *sink, const struct report_sweep *report, const struct paradl_sweep_row *row)
{
	struct sweep_cells cells;
	struct csv_line line = {sink->file, false};
	sweep_cells_fill(&cells, report, row);
	for (size_t i = 0; i < report->layout_count; i++) {
		const struct field_value value = sweep_value(sink, &report->layout[i], &cells);
		csv_value(&line, sweep_field(&report->layout[i]), &value);
	}
}

static void begin(struct report_sweep_document *document)
{
	const struct report_sweep *const report = document->report;
	struct csv_line line = {document->sink->file, false};
	for (size_t i = 0; i < report->layout_count; i++)
		csv_text(&line, sweep_field(&report->layout[i])->name);
	csv_end(&line);
}

static void add(struct report_sweep_document *document, const char *text, size_t length)
{
	fwrite(text, 1, length, document->sink->file);
	putc('\n', document->sink->file);
}

static void end(struct report_sweep_document *document)
{
	(void)document;
}

const struct report_sweep_lines csv_sweep = {sweep_usual, write_row, begin, add, end};
