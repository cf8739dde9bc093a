/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/json.h"

struct json_writer json_writer_for(const struct report_sink *sink, bool compact)
{
	return (struct json_writer){.file = sink->file, .compact = compact};
}

void json_positive(struct json_writer *writer, const char *key, double value)
{
	if (value < 0)
		json_write_null(writer, key);
	else
		json_write_number(writer, key, value);
}

const char *report_error_code(enum paradl_status status)
{
	switch (status) {
	case PARADL_OK:
		break;
	case PARADL_NO_MEMORY:
		return "no-memory";
	case PARADL_IO:
		return "io";
	case PARADL_SYNTAX:
		return "syntax";
	case PARADL_SCHEMA:
		return "schema";
	case PARADL_USAGE:
		return "usage";
	case PARADL_INFEASIBLE:
		return "infeasible";
	case PARADL_NO_TOOL:
		return "no-tool";
	}
	return "internal";
}

static void write_error(struct json_writer *writer, const char *key, const struct paradl_error *error)
{
	json_begin_object(writer, key);
	json_write_text(writer, "code", report_error_code(error->status));
	json_write_text(writer, "message", error->message);
	json_write_text(writer, "file", *error->path ? error->path : NULL);
	json_positive(writer, "line", error->line > 0 ? error->line : -1);
	json_positive(writer, "column", error->column > 0 ? error->column : -1);
	json_write_text(writer, "pointer", error->line > 0 ? error->pointer : NULL);
	json_write_text(writer, "hint", *error->hint ? error->hint : NULL);
	json_end_object(writer);
}

void report_error_json(FILE *file, bool compact, const struct paradl_error *error)
{
	struct json_writer writer = {.file = file, .compact = compact};
	json_begin_object(&writer, NULL);
	json_write_text(&writer, "schema", "paradl-error-1");
	write_error(&writer, "error", error);
	json_end_object(&writer);
}

void json_checked_file(struct json_writer *writer, const struct checked_file *file)
{
	json_begin_object(writer, NULL);
	json_write_text(writer, "path", file->path);
	json_write_bool(writer, "valid", file->valid);
	json_write_text(writer, "format", file->valid ? file->findings.format : NULL);
	json_begin_array(writer, "warnings");
	for (size_t i = 0; i < file->findings.count; i++)
		json_write_text(writer, NULL, file->findings.warnings[i]);
	json_end_array(writer);
	if (file->valid)
		json_write_null(writer, "error");
	else
		write_error(writer, "error", &file->error);
	json_end_object(writer);
}
