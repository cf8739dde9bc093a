/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the table of any document as CSV; header and cells follow from the fields of its record. */
#include "report/format_csv.h"

static bool write_name(void *context, const struct result_field *field, const struct result_at *at)
{
	(void)at;
	if (field_is_column(field))
		csv_text(context, field->name);
	return true;
}

void csv_value(struct csv_line *line, const struct result_field *field, const struct field_value *value)
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

void csv_put_document(struct report_sink *sink, const struct result_document *document,
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
