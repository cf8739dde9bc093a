/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep as one document, and as one object for each point. */
#include "report/json.h"
#include "report/sweep.h"

static void write_row(
	struct report_sink *sink, const struct report_sweep *report, const struct paradl_sweep_row *row)
{
	struct sweep_cells cells;
	struct json_writer writer = json_writer_for(sink, true);
	sweep_cells_fill(&cells, report, row);
	json_begin_object(&writer, NULL);
	for (size_t i = 0; i < report->layout_count; i++) {
		const struct field_value value = sweep_value(sink, &report->layout[i], &cells);
		const char *const name = sweep_column_name(&report->layout[i]);
		if (report->layout[i].look)
			json_value(&writer, name, report->layout[i].look, &value);
		else if (value.text)
			json_write_text(&writer, name, value.text);
		else
			json_positive(&writer, name, value.number);
	}
	json_end_object(&writer);
}

static void begin(struct report_sweep_document *document)
{
	const struct report_sweep *const report = document->report;
	struct json_writer writer = json_writer_for(document->sink, false);
	json_begin_document(&writer, "paradl-sweep-1", report->head);
	json_begin_array(&writer, "dimensions");
	for (size_t i = 0; i < report->key_count; i++) {
		const struct paradl_sweep_key *const key = &report->keys[i];
		json_begin_object(&writer, NULL);
		json_write_text(&writer, "key", key->key);
		json_write_text(&writer, "column", key->column);
		json_begin_array(&writer, "values");
		for (size_t j = 0; j < key->count; j++)
			if (key->numbers)
				json_write_number(&writer, NULL, key->numbers[j]);
			else
				json_write_text(&writer, NULL, key->texts[j]);
		json_end_array(&writer);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_begin_array(&writer, "points");
}

/* Each point is one line of the document. */
static void add(struct report_sweep_document *document, const char *text, size_t length)
{
	FILE *const file = document->sink->file;
	fputs(document->points > 0 ? ",\n    " : "\n    ", file);
	fwrite(text, 1, length, file);
}

static void end(struct report_sweep_document *document)
{
	struct json_writer writer = json_writer_for(document->sink, false);
	writer.depth = 2; /* where begin() has left it: in an array, in the document */
	writer.comma = document->points > 0;
	json_end_array(&writer);
	json_end_document(&writer, document->report->head);
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
