/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes any document as JSON, or its rows as one object per line; both follow from the fields of its records. */
#include <string.h>

#include "base/json.h"
#include "report/report.h"
#include "report/sweep_document.h"

static struct json_writer json_writer_for(const struct report_sink *sink, bool compact)
{
	return (struct json_writer){.file = sink->file, .compact = compact};
}

/* The members being written, and the object that the path of a member has opened. */
struct members {
	struct json_writer *writer;
	const char *open;
	size_t length;
};

static void close_object(struct members *members)
{
	if (members->length > 0)
		json_end_object(members->writer);
	members->length = 0;
}

/* Opens or closes objects so that a member with this path can follow; returns the member's key. */
static const char *enter(struct members *members, const struct result_field *field)
{
	const char *const path = field->path ? field->path : field->name;
	const char *const dot = strchr(path, '.');
	const size_t length = dot ? (size_t)(dot - path) : 0;
	if (length == members->length && (length == 0 || strncmp(path, members->open, length) == 0))
		return dot ? dot + 1 : path;
	close_object(members);
	if (dot) {
		char key[64];
		snprintf(key, sizeof key, "%.*s", (int)length, path);
		json_begin_object(members->writer, key);
		members->open = path;
		members->length = length;
	}
	return dot ? dot + 1 : path;
}

static void write_object(struct json_writer *writer, const char *key, const struct result_record *record,
	const struct result_at *at);

/* Writes a text, number or flag; null if it is not known. */
static void json_value(struct json_writer *writer, const char *key, const struct result_field *field,
	const struct field_value *value)
{
	if (field_unknown(field, value))
		json_write_null(writer, key);
	else if (field_is_text(field))
		json_write_text(writer, key, value->text);
	else if (field->kind == FIELD_FLAG)
		json_write_bool(writer, key, value->number > 0);
	else
		json_write_number(writer, key, value->number);
}

static void write_item(struct json_writer *writer, const struct result_field *field,
	const struct result_at *at, const struct field_value *value)
{
	if (field->record)
		write_object(writer, field->kind == FIELD_MAP ? value->text : NULL, field->record, at);
	else if (value->text)
		json_write_text(writer, NULL, value->text);
	else
		json_write_number(writer, NULL, value->number);
}

static void write_list(struct json_writer *writer, const char *key, const struct result_field *field,
	const struct result_at *at)
{
	struct result_at item = {.in = at->in, .parent = at};
	const bool is_map = field->kind == FIELD_MAP;
	if (is_map)
		json_begin_object(writer, key);
	else
		json_begin_array(writer, key);
	for (;; item.index++) {
		struct field_value value = {0};
		if (!field->item(at, item.index, &value))
			break;
		item.row = value.row;
		write_item(writer, field, &item, &value);
	}
	if (is_map)
		json_end_object(writer);
	else
		json_end_array(writer);
}

/* Returns whether the member is left out. */
static bool is_absent(const struct result_field *field, const struct field_value *value)
{
	return value->absent ||
	       (field->kind == FIELD_OBJECT && !value->row && field->optional && !field->unknown);
}

static void write_members(
	struct members *members, const struct result_record *record, const struct result_at *at);

static void write_member(
	struct members *members, const struct result_field *field, const struct result_at *at)
{
	const struct field_value value = field_read(field, at);
	struct result_at inner = {.in = at->in, .row = value.row, .parent = at};
	if (is_absent(field, &value))
		return;
	if (field->kind == FIELD_PART) {
		if (value.row)
			write_members(members, field->record, &inner);
		return;
	}
	const char *const key = enter(members, field);
	if (field_is_text(field) || field_is_number(field))
		json_value(members->writer, key, field, &value);
	else if (field->kind != FIELD_OBJECT)
		write_list(members->writer, key, field, at);
	else if (value.row)
		write_object(members->writer, key, field->record, &inner);
	else
		json_write_null(members->writer, key);
}

static void write_some(struct members *members, const struct result_record *record,
	const struct result_at *at, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (record->fields[i].use == FOR_ALL || record->fields[i].use == FOR_JSON)
			write_member(members, &record->fields[i], at);
}

static void write_members(
	struct members *members, const struct result_record *record, const struct result_at *at)
{
	write_some(members, record, at, 0, record->count);
}

static void write_object(struct json_writer *writer, const char *key, const struct result_record *record,
	const struct result_at *at)
{
	struct members members = {.writer = writer};
	json_begin_object(writer, key);
	write_members(&members, record, at);
	close_object(&members);
	json_end_object(writer);
}

/* The state of writing one document. */
struct writing {
	struct report_sink *sink;
	struct json_writer writer;
	const struct result_document *document;
	const struct report_head *head;
	const void *data;
};

/* Writes the members of a document from index `first` to before `end`. */
static void put_some(struct writing *writing, size_t first, size_t end)
{
	char scratch[SCRATCH_BYTES];
	struct result_context context = {.document = writing->data,
		.head = writing->head,
		.arena = writing->sink->arena,
		.scratch = scratch};
	const struct result_at at = {.in = &context, .row = writing->data};
	struct members members = {.writer = &writing->writer};
	write_some(&members, writing->document->record, &at, first, end);
	close_object(&members);
	writing->sink->out_of_memory |= context.out_of_memory;
}

static void put_begin(struct writing *writing, size_t end)
{
	json_begin_object(&writing->writer, NULL);
	json_write_text(&writing->writer, "schema", writing->document->schema);
	put_some(writing, 0, end);
}

static void put_document(struct writing *writing)
{
	put_begin(writing, writing->document->record->count);
	json_end_object(&writing->writer);
}

static void json_put_document(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data)
{
	put_document(&(struct writing){sink, json_writer_for(sink, false), document, head, data});
}

static size_t place_of(const struct result_document *document, const char *list)
{
	return (size_t)(record_field(document->record, list) - document->record->fields);
}

/*
 * Writes a document whose list comes item by item: json_put_before() all up to the first item, json_put_behind() all
 * after the last; `any` says whether there were items.
 */
static void json_put_before(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data, const char *list)
{
	struct writing writing = {sink, json_writer_for(sink, false), document, head, data};
	put_begin(&writing, place_of(document, list));
	json_begin_array(&writing.writer, list);
}

static void json_put_behind(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data, const char *list, bool any)
{
	struct writing writing = {sink, json_writer_for(sink, false), document, head, data};
	writing.writer.depth = 2; /* the depth that json_put_before() has left: a list in the document */
	writing.writer.comma = any;
	json_end_array(&writing.writer);
	put_some(&writing, place_of(document, list) + 1, document->record->count);
	json_end_object(&writing.writer);
}

void report_error_json(FILE *file, bool compact, const struct paradl_error *error)
{
	struct report_sink sink = {.file = file};
	put_document(&(struct writing){&sink, json_writer_for(&sink, compact), &document_error, NULL, error});
}

/* Writes the rows of a document, one object per line. */
static void json_put_rows(struct report_sink *sink, const struct result_document *document,
	const struct report_head *head, const void *data)
{
	char scratch[SCRATCH_BYTES];
	struct result_context context = {
		.document = data, .head = head, .arena = sink->arena, .scratch = scratch};
	const struct result_rows rows = document->rows(data, false);
	const struct result_at at = {.in = &context, .row = rows.row};
	struct result_at item = {.in = &context, .parent = &at};
	for (;; item.index++) {
		struct json_writer writer = json_writer_for(sink, true);
		struct field_value value = {0};
		if (!rows.list->item(&at, item.index, &value))
			break;
		item.row = value.row;
		write_object(&writer, NULL, rows.list->record, &item);
	}
	sink->out_of_memory |= context.out_of_memory;
}

/* ---- sweeps, as one JSON document, or as one object per line for each point ---- */

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

static const struct report_sweep_lines json_sweep = {sweep_usual, write_row, begin, add, end};
static const struct report_sweep_lines jsonl_sweep = {
	sweep_usual, write_row, begin_lines, add_line, begin_lines};

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		json_put_document(sink, &document_##document, head, report);                                 \
	}
#include "report/written.def"
#undef X

const struct report_format report_json = {
	.name = "json",
	.extension = ".json",
	.summary = "one JSON document, SI units, every digit",
	.names_inputs = true,
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &json_sweep,
};

/* ---- JSON Lines, with one object per row and line; a plan that cannot run is a row too ---- */

#define X(member, type, document, head)                                                                      \
	static void lines_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		json_put_rows(sink, &document_##document, head, report);                                     \
	}
#include "report/written.def"
#undef X

const struct report_format report_jsonl = {
	.name = "jsonl",
	.extension = ".jsonl",
	.summary = "one JSON object per row and line",
#define X(member, ...) .member = lines_##member,
#include "report/written.def"
#undef X
	.sweep = &jsonl_sweep,
};
