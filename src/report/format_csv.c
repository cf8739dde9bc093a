/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV output is one rectangular table (RFC 4180, but lines end in LF). It has a header, SI units and every digit;
 * unknown values are empty fields.
 */
#include <string.h>

#include "base/quantity.h"
#include "report/report.h"
#include "report/sweep_document.h"

struct csv_line {
	FILE *file;
	bool has_field;
};

static void begin_field(struct csv_line *line)
{
	if (line->has_field)
		putc(',', line->file);
	line->has_field = true;
}

static void csv_end(struct csv_line *line)
{
	putc('\n', line->file);
	line->has_field = false;
}

/*
 * Returns whether spreadsheets would run the text as a formula, which they do even within quotes: it begins with
 * =, @, a tab, CR, + or -. A number (or percentage) with a sign and a lone sign are no formulas.
 */
static bool is_formula(const char *text)
{
	double number;
	const char *end;
	if (*text == '\0' || !strchr("=@\t\r+-", *text))
		return false;
	if (*text != '+' && *text != '-')
		return true;
	return text[1] && !(decimal_read(text + 1, 0, &number, &end) && end[*end == '%'] == '\0');
}

static void csv_text(struct csv_line *line, const char *text)
{
	begin_field(line);
	const char *const mark = text && is_formula(text) ? "'" : "";
	if (!text || !text[strcspn(text, ",\"\r\n")]) {
		fprintf(line->file, "%s%s", mark, text ? text : "");
		return;
	}
	fprintf(line->file, "\"%s", mark);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', line->file);
		putc(*text, line->file);
	}
	putc('"', line->file);
}

static void csv_number(struct csv_line *line, double value)
{
	char digits[DECIMAL_LENGTH];
	begin_field(line);
	fprintf(line->file, "%s%s", value < 0 ? "-" : "",
		decimal_shortest(digits, sizeof digits, value < 0 ? -value : value));
}

static bool write_name(void *context, const struct result_field *field, const struct result_at *at)
{
	(void)at;
	if (field_is_column(field))
		csv_text(context, field->name);
	return true;
}

static void csv_value(
	struct csv_line *line, const struct result_field *field, const struct field_value *value)
{
	if (field_unknown(field, value))
		csv_text(line, NULL);
	else if (field_is_text(field))
		csv_text(line, value->text);
	else if (field->kind == FIELD_FLAG)
		csv_text(line, value->number > 0 ? "true" : "false");
	else
		csv_number(line, value->number);
}

static void csv_field(struct csv_line *line, const struct result_field *field, const struct result_at *at)
{
	const struct field_value value =
		at->row ? field_read(field, at) : (struct field_value){.absent = true};
	csv_value(line, field, &value);
}

static bool write_cell(void *context, const struct result_field *field, const struct result_at *at)
{
	if (field_is_column(field))
		csv_field(context, field, at);
	return true;
}

/* Writes the chosen columns, after the fields of the record that has the ranking's row as a part. */
static void write_chosen(
	struct csv_line *line, const struct result_rows *rows, const struct result_at *at, bool is_header)
{
	const struct result_record *const record = rows->list->record;
	struct result_at part = *at;
	for (size_t i = 0; record != &record_result && i < record->count; i++) {
		const struct result_field *const field = &record->fields[i];
		if (field->kind == FIELD_PART)
			part.row = at->row ? field_read(field, at).row : NULL;
		else if (is_header)
			csv_text(line, field->name);
		else
			csv_field(line, field, at);
	}
	for (size_t i = 0; i < rows->column_count; i++)
		if (is_header)
			csv_text(line, rows->columns[i]->name);
		else
			csv_field(line, rows->columns[i], &part);
}

static void write_line(
	struct csv_line *line, const struct result_rows *rows, const struct result_at *at, bool is_header)
{
	if (rows->column_count > 0)
		write_chosen(line, rows, at, is_header);
	else
		record_visit(rows->list->record, at, is_header ? write_name : write_cell, line);
	csv_end(line);
}

static void csv_put_document(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data)
{
	char scratch[SCRATCH_BYTES];
	struct result_context context = {
		.document = data, .head = head, .arena = sink->arena, .scratch = scratch};
	const struct result_rows rows = document->rows(data, true);
	const struct result_at at = {.in = &context, .row = rows.row};
	struct result_at item = {.in = &context, .parent = &at};
	struct csv_line line = {sink->file, false};
	write_line(&line, &rows, &item, true);
	for (;; item.index++) {
		struct field_value value = {0};
		if (!rows.list->item(&at, item.index, &value))
			break;
		item.row = value.row;
		write_line(&line, &rows, &item, false);
	}
	sink->out_of_memory |= context.out_of_memory;
}

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

static void sweep_begin(struct report_sweep_document *document)
{
	const struct report_sweep *const report = document->report;
	struct csv_line line = {document->sink->file, false};
	for (size_t i = 0; i < report->layout_count; i++)
		csv_text(&line, sweep_field(&report->layout[i])->name);
	csv_end(&line);
}

static void sweep_add(struct report_sweep_document *document, const char *text, size_t length)
{
	fwrite(text, 1, length, document->sink->file);
	putc('\n', document->sink->file);
}

static void sweep_end(struct report_sweep_document *document)
{
	(void)document;
}

static const struct report_sweep_lines csv_sweep = {
	sweep_usual, write_row, sweep_begin, sweep_add, sweep_end};

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		csv_put_document(sink, &document_##document, head, report);                                  \
	}
#include "report/written.def"
#undef X

const struct report_format report_csv = {
	.name = "csv",
	.extension = ".csv",
	.summary = "one table, SI units, every digit",
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &csv_sweep,
};
