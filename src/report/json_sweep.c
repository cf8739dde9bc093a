/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a sweep as one JSON document, or as one object per line for each point. */
#include "report/format_json.h"
#include "report/sweep_columns.h"

static void write_row(
	struct report_sink *sink, const struct report_sweep *report, const struct paradl_sweep_row *row)
{
	struct sweep_cells cells;
	struct json_writer writer = json_writer_for(sink, true);
	sweep_cells_fill(&cells, report, row);
	json_begin_object(&writer, NULL);
	for (size_t i = 0; i < report->layout_count; i++) {
		const struct result_field *const field = sweep_field(&report->layout[i]);
		const struct field_value value = sweep_value(sink, &report->layout[i], &cells);
		json_value(&writer, field->name, field, &value);
	}
	json_end_object(&writer);
}

static void begin(struct report_sweep_document *document)
{
	json_put_before(document->sink, &document_sweep, document->report->head, document->report, "points");
}

/* Adds a point as one line of the document. */
static void add(struct report_sweep_document *document, const char *text, size_t length)
{
	FILE *const file = document->sink->file;
	fputs(document->points > 0 ? ",\n    " : "\n    ", file);
	fwrite(text, 1, length, file);
}

static void end(struct report_sweep_document *document)
{
	json_put_behind(document->sink, &document_sweep, document->report->head, document->report, "points",
		document->points > 0);
}

static void begin_lines(struct report_sweep_document *document)
{
	(void)document;
}

static void add_line(struct report_sweep_document *document, const char *text, size_t length)
{
	fwrite(text, 1, length, document->sink->file);
	putc('\n', document->sink->file);
}

const struct report_sweep_lines json_sweep = {sweep_usual, write_row, begin, add, end};
const struct report_sweep_lines jsonl_sweep = {sweep_usual, write_row, begin_lines, add_line, begin_lines};
