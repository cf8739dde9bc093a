/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "import/original.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts off the field that begins at *text at '|' or the end, trims it and returns it. *text: the rest; NULL: none. */
static const char *take_field(char **text, const char *line, int *column)
{
	char *const start = *text + strspn(*text, " \t\r");
	char *end = start + strcspn(start, "|");
	*text = *end == '|' ? end + 1 : NULL;
	while (end > start && is_blank(end[-1]))
		end--;
	*end = '\0';
	*column = (int)(start - line) + 1;
	return start;
}

static bool split_line(char *text, struct import_line *line)
{
	char *rest = text;
	line->count = 0;
	while (rest && line->count < FIELDS_MAX) {
		line->fields[line->count] = take_field(&rest, text, &line->columns[line->count]);
		line->count++;
	}
	return !rest || rest[strspn(rest, " \t\r|")] == '\0';
}

static bool split_lines(char *text, size_t length, struct import_line *lines, struct import_file *file)
{
	int number = 0;
	for (char *start = text, *next = NULL; start && start < text + length; start = next) {
		struct import_line *const line = &lines[file->count];
		char *const end = strchr(start, '\n');
		if (end)
			*end = '\0';
		next = end ? end + 1 : NULL;
		line->number = ++number;
		if (start[strspn(start, " \t\r")] == '\0' || start[strspn(start, " \t\r")] == '#')
			continue;
		if (!split_line(start, line))
			return error_at(file->error, PARADL_SYNTAX, file->path, number, 1,
				"has more than %d fields", FIELDS_MAX);
		file->count++;
	}
	return true;
}

static bool split_text(struct paradl_arena *arena, const char *path, char *text, size_t length,
	struct import_file *file, struct paradl_error *error)
{
	size_t line_count = 1;
	*file = (struct import_file){.path = path, .error = error};
	if (memchr(text, '\0', length))
		return error_at(error, PARADL_SYNTAX, path, 0, 0, "has a NUL byte: not a text file");
	for (size_t i = 0; i < length; i++)
		line_count += text[i] == '\n';
	struct import_line *const lines = arena_alloc(arena, line_count, sizeof(*lines));
	if (!lines)
		return out_of_memory(error);
	file->lines = lines;
	return split_lines(text, length, lines, file);
}

bool import_file_read(
	struct paradl_arena *arena, const char *path, struct import_file *file, struct paradl_error *error)
{
	size_t length = 0;
	char *const text = file_read(arena, path, IMPORT_SIZE_LIMIT, &length, error);
	return text && split_text(arena, path, text, length, file, error);
}

bool import_lines(struct importing *importing, struct import_file *file)
{
	size_t length = 0;
	char *const text = import_text(importing, &length);
	return text &&
	       split_text(importing->arena, importing->source.path, text, length, file, importing->error);
}

bool import_is_named(const struct import_source *source, const char *extension)
{
	return !source->root && strstr(import_file_name(source->path), extension);
}

bool import_error(const struct import_file *file, const struct import_line *line, unsigned field,
	const char *format, ...)
{
	char message[400];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	const unsigned last = line->count > 0 ? line->count - 1 : 0;
	return error_at(file->error, PARADL_SYNTAX, file->path, line->number,
		line->columns[field < last ? field : last], "%s", message);
}

bool import_number(
	const struct import_file *file, const struct import_line *line, unsigned field, double *value)
{
	char quoted[64];
	const char *end = NULL;
	if (decimal_read(line->fields[field], 0, value, &end) && *end == '\0' && *value <= 1e300)
		return true;
	return import_error(file, line, field, "%s is not a number",
		error_quote(quoted, sizeof(quoted), line->fields[field]));
}
