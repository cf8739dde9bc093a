/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds formats by their names, and writes the JSON Schema (draft 7) of a document, which follows from the
 * fields of its records.
 */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/report.h"

const struct report_format *const report_formats[] = {
#define X(id) &report_##id,
#include "report/list.def"
#undef X
	NULL,
};

const struct report_format *report_find(const char *name)
{
	for (size_t i = 0; report_formats[i]; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}

const struct report_format *report_of_file(const char *path)
{
	const char *const dot = strrchr(path, '.');
	for (size_t i = 0; dot && report_formats[i]; i++)
		if (strcmp(report_formats[i]->extension, dot) == 0)
			return report_formats[i];
	return NULL;
}

const char *report_reason(char text[REASON_BYTES], int reason)
{
	if (strerror_r(reason, text, REASON_BYTES) != 0)
		snprintf(text, REASON_BYTES, "error %d", reason);
	return text;
}

enum { RECORDS_MAX = 64, MEMBERS_MAX = 192 };

/* The members of a record, including those of its parts. */
struct members {
	const struct result_field *items[MEMBERS_MAX];
	size_t count;
};

static bool add_member(void *context, const struct result_field *field, const struct result_at *at)
{
	struct members *const members = context;
	(void)at;
	if ((field->use == FOR_ALL || field->use == FOR_JSON) && members->count < MEMBERS_MAX)
		members->items[members->count++] = field;
	return true;
}

static void list_members(const struct result_record *record, struct members *members)
{
	const struct result_at nowhere = {0};
	members->count = 0;
	record_visit(record, &nowhere, add_member, members);
}

/* Returns the length of the name of the object in a member's path; 0 if the path has no object. */
static size_t group_length(const struct result_field *field)
{
	const char *const dot = field->path ? strchr(field->path, '.') : NULL;
	return dot ? (size_t)(dot - field->path) : 0;
}

static const char *key_of(const struct result_field *field)
{
	const size_t length = group_length(field);
	return field->path ? field->path + length + (length > 0) : field->name;
}

/* Returns the end of the run of members that are in the same object as the member `first`. */
static size_t group_end(const struct members *members, size_t first)
{
	const size_t length = group_length(members->items[first]);
	size_t end = first + 1;
	while (end < members->count && group_length(members->items[end]) == length &&
		strncmp(members->items[end]->path, members->items[first]->path, length) == 0)
		end++;
	return end;
}

/* ---- one member ---- */

static void write_type(struct json_writer *writer, const char *type, bool nullable)
{
	if (!nullable) {
		json_write_text(writer, "type", type);
		return;
	}
	json_begin_array(writer, "type");
	json_write_text(writer, NULL, type);
	json_write_text(writer, NULL, "null");
	json_end_array(writer);
}

static void write_words(struct json_writer *writer, const struct result_field *field)
{
	json_begin_array(writer, "enum");
	const char *word;
	for (unsigned i = 0; (word = field->choice(i)); i++)
		json_write_text(writer, NULL, word);
	if (field->unknown)
		json_write_null(writer, NULL);
	json_end_array(writer);
}

static void write_reference(struct json_writer *writer, const char *key, const struct result_record *record)
{
	char text[96];
	snprintf(text, sizeof text, "#/definitions/%s", record->name);
	if (key)
		json_begin_object(writer, key);
	json_write_text(writer, "$ref", text);
	if (key)
		json_end_object(writer);
}

static void write_object_type(struct json_writer *writer, const struct result_field *field)
{
	if (!field->unknown) {
		write_reference(writer, NULL, field->record);
		return;
	}
	json_begin_array(writer, "anyOf");
	json_begin_object(writer, NULL);
	write_reference(writer, NULL, field->record);
	json_end_object(writer);
	json_begin_object(writer, NULL);
	json_write_text(writer, "type", "null");
	json_end_object(writer);
	json_end_array(writer);
}

static void write_items(struct json_writer *writer, const struct result_field *field)
{
	json_begin_object(writer, "items");
	if (field->record)
		write_reference(writer, NULL, field->record);
	else if (field->kind == FIELD_LIST)
		write_type(writer, "object", false);
	else if (field->kind == FIELD_TEXTS)
		write_type(writer, "string", false);
	else if (field->kind == FIELD_NUMBERS)
		write_type(writer, "number", false);
	json_end_object(writer);
}

static void write_kind(struct json_writer *writer, const struct result_field *field)
{
	if (field->kind == FIELD_CHOICE) {
		write_words(writer, field);
	} else if (field_is_text(field)) {
		write_type(writer, "string", field->unknown);
	} else if (field->kind == FIELD_FLAG) {
		write_type(writer, "boolean", field->unknown);
	} else if (field_is_number(field)) {
		write_type(writer, "number", field->unknown);
		if (!field->negative)
			json_write_number(writer, "minimum", 0);
	} else if (field->kind == FIELD_OBJECT) {
		write_object_type(writer, field);
	} else if (field->kind == FIELD_MAP) {
		write_type(writer, "object", false);
		write_reference(writer, "additionalProperties", field->record);
	} else {
		write_type(writer, "array", false);
		write_items(writer, field);
	}
}

static void write_member(struct json_writer *writer, const struct result_field *field)
{
	char text[512];
	json_begin_object(writer, key_of(field));
	if (field->unknown)
		snprintf(text, sizeof text, "%s null: %s.", field->doc, field->unknown);
	json_write_text(writer, "description", field->unknown ? text : field->doc);
	write_kind(writer, field);
	json_end_object(writer);
}

/* ---- objects ---- */

static bool any_required(const struct members *members, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (!members->items[i]->optional)
			return true;
	return false;
}

/* Writes an object with its members, from index `first` to before `end`, whose paths all name this object. */
static void write_group(struct json_writer *writer, const struct members *members, size_t first, size_t end)
{
	char key[64];
	snprintf(key, sizeof key, "%.*s", (int)group_length(members->items[first]),
		members->items[first]->path);
	json_begin_object(writer, key);
	write_type(writer, "object", false);
	json_begin_object(writer, "properties");
	for (size_t i = first; i < end; i++)
		write_member(writer, members->items[i]);
	json_end_object(writer);
	json_begin_array(writer, "required");
	for (size_t i = first; i < end; i++)
		if (!members->items[i]->optional)
			json_write_text(writer, NULL, key_of(members->items[i]));
	json_end_array(writer);
	json_write_bool(writer, "additionalProperties", false);
	json_end_object(writer);
}

/* Writes the type of a record with its members; `schema` is the value of a document's "schema", otherwise NULL. */
static void write_record(struct json_writer *writer, const struct members *members, const char *schema)
{
	write_type(writer, "object", false);
	json_begin_object(writer, "properties");
	if (schema) {
		json_begin_object(writer, "schema");
		json_write_text(writer, "const", schema);
		json_end_object(writer);
	}
	for (size_t i = 0, end; i < members->count; i = end) {
		end = group_length(members->items[i]) > 0 ? group_end(members, i) : i + 1;
		if (group_length(members->items[i]) > 0)
			write_group(writer, members, i, end);
		else
			write_member(writer, members->items[i]);
	}
	json_end_object(writer);
	json_begin_array(writer, "required");
	if (schema)
		json_write_text(writer, NULL, "schema");
	for (size_t i = 0, end; i < members->count; i = end) {
		const size_t length = group_length(members->items[i]);
		char key[64];
		end = length > 0 ? group_end(members, i) : i + 1;
		snprintf(key, sizeof key, "%.*s", (int)length, length > 0 ? members->items[i]->path : "");
		if (any_required(members, i, end))
			json_write_text(writer, NULL, length > 0 ? key : key_of(members->items[i]));
	}
	json_end_array(writer);
	json_write_bool(writer, "additionalProperties", false);
}

/* Adds the records that the members of a record refer to, directly or not, each once. */
static void collect(const struct result_record *record, const struct result_record *found[], size_t *count)
{
	struct members members;
	list_members(record, &members);
	for (size_t i = 0; i < members.count; i++) {
		const struct result_record *const other = members.items[i]->record;
		size_t known = 0;
		while (known < *count && found[known] != other)
			known++;
		if (!other || known < *count || *count == RECORDS_MAX)
			continue;
		found[(*count)++] = other;
		collect(other, found, count);
	}
}

void schema_write(FILE *file, const struct result_document *document)
{
	struct json_writer writer = {.file = file};
	const struct result_record *records[RECORDS_MAX];
	struct members members;
	size_t count = 0;
	collect(document->record, records, &count);
	list_members(document->record, &members);
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "$schema", "http://json-schema.org/draft-07/schema#");
	json_write_text(&writer, "title", document->title);
	json_write_text(&writer, "description", document->doc);
	write_record(&writer, &members, document->schema);
	json_begin_object(&writer, "definitions");
	for (size_t i = 0; i < count; i++) {
		list_members(records[i], &members);
		json_begin_object(&writer, records[i]->name);
		json_write_text(&writer, "description", records[i]->doc);
		write_record(&writer, &members, NULL);
		json_end_object(&writer);
	}
	json_end_object(&writer);
	json_end_object(&writer);
}
