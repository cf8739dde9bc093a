/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RFC 4180 is read in two passes over the text: the first checks it and counts the rows, the second takes the cells
 * out of a copy, in place, as a cell is never longer than its text.
 */
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { SIZE_LIMIT = 64 << 20, COLUMN_LIMIT = 4096 };

struct reader {
	const char *text, *path;
	size_t length, offset;
	int line;
	struct paradl_error *error;
};

static int peek(const struct reader *reader)
{
	return reader->offset < reader->length ? (unsigned char)reader->text[reader->offset] : -1;
}

/* Reports whether a line ends at the offset, and in how many bytes: LF, CRLF or the end of the text (0 bytes). */
static bool is_line_end(const struct reader *reader, size_t *bytes)
{
	const int c = peek(reader);
	const bool is_crlf =
		c == '\r' && reader->offset + 1 < reader->length && reader->text[reader->offset + 1] == '\n';
	*bytes = c < 0 ? 0 : is_crlf ? 2 : 1;
	return c < 0 || c == '\n' || is_crlf;
}

static bool fail(const struct reader *reader, int line, const char *message)
{
	return error_at(reader->error, PARADL_SYNTAX, reader->path, line, 1, "%s", message);
}

static void put(char **out, int c)
{
	if (*out)
		*(*out)++ = (char)c;
}

static bool read_quoted(struct reader *reader, char **out)
{
	const int start = reader->line;
	size_t bytes;
	for (reader->offset++;; reader->offset++) {
		const int c = peek(reader);
		if (c < 0)
			return fail(reader, start, "a quoted field without its closing '\"'");
		if (c == '"') {
			reader->offset++;
			if (peek(reader) != '"')
				break;
		}
		reader->line += c == '\n';
		put(out, c);
	}
	if (peek(reader) != ',' && !is_line_end(reader, &bytes))
		return fail(reader, reader->line,
			"text after the closing '\"' of a field; write \"\" for a quote inside it");
	return true;
}

/* Reads one field, without the separator behind it; its text goes to *out (NULL: the field is only checked). */
static bool read_field(struct reader *reader, char **out)
{
	size_t bytes;
	if (peek(reader) == '"')
		return read_quoted(reader, out);
	for (; peek(reader) != ',' && !is_line_end(reader, &bytes); reader->offset++) {
		const int c = peek(reader);
		if (c == '"')
			return fail(reader, reader->line,
				"a '\"' inside a field: write the field in quotes and \"\" for it");
		if (c == '\r')
			return fail(reader, reader->line, "a carriage return that no line feed follows");
		put(out, c);
	}
	return true;
}

/* Skips the end of a line and the empty lines after it. */
static void skip_line_ends(struct reader *reader)
{
	size_t bytes;
	while (peek(reader) >= 0 && is_line_end(reader, &bytes)) {
		reader->offset += bytes;
		reader->line++;
	}
}

static void skip_comments(struct reader *reader)
{
	skip_line_ends(reader);
	while (peek(reader) == '#') {
		while (peek(reader) >= 0 && peek(reader) != '\n')
			reader->offset++;
		skip_line_ends(reader);
	}
}

/* Reads one row: counts its fields, and writes them from *out on and into cells (NULL: they are only counted). */
static bool read_row(struct reader *reader, size_t *count, const char **cells, char *out)
{
	for (*count = 0;; reader->offset++) {
		if (cells)
			cells[*count] = out;
		++*count;
		if (!read_field(reader, &out))
			return false;
		if (out)
			*out++ = '\0';
		if (peek(reader) != ',')
			break;
	}
	skip_line_ends(reader);
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool refuse_equal_names(const struct csv *csv, int line, struct paradl_error *error)
{
	const char *names[COLUMN_LIMIT];
	memcpy(names, csv->header, csv->columns * sizeof *names);
	qsort(names, csv->columns, sizeof *names, compare_names);
	for (size_t i = 1; i < csv->columns; i++) {
		if (!*names[i] || strcmp(names[i - 1], names[i]) != 0)
			continue;
		char quoted[80];
		return error_at(error, PARADL_SYNTAX, csv->path, line, 1, "the column %s is there twice",
			error_quote(quoted, sizeof quoted, names[i]));
	}
	return true;
}

/* Checks the rest of the text and counts its rows. */
static bool count_rows(struct reader reader, struct csv *csv)
{
	for (csv->rows = 0; peek(&reader) >= 0; csv->rows++) {
		const int line = reader.line;
		size_t fields;
		if (!read_row(&reader, &fields, NULL, NULL))
			return false;
		if (fields != csv->columns)
			return error_at(reader.error, PARADL_SYNTAX, csv->path, line, 1,
				"a row of %zu field%s under a header of %zu", fields, fields == 1 ? "" : "s",
				csv->columns);
	}
	return true;
}

static bool read_header(struct paradl_arena *arena, struct reader *reader, char *copy, struct csv *csv)
{
	const int line = reader->line;
	struct reader ahead = *reader;
	if (peek(reader) < 0)
		return fail(reader, line, "the file is empty; expected a line of column names");
	if (!read_row(&ahead, &csv->columns, NULL, NULL))
		return false;
	if (csv->columns > COLUMN_LIMIT)
		return fail(reader, line, "more columns than can be read");
	const char **const header = arena_alloc(arena, csv->columns, sizeof *header);
	if (!header)
		return out_of_memory(reader->error);
	read_row(reader, &csv->columns, header, copy + reader->offset);
	csv->header = header;
	return refuse_equal_names(csv, line, reader->error);
}

static bool read_cells(struct paradl_arena *arena, struct reader *reader, char *copy, struct csv *csv)
{
	if (!count_rows(*reader, csv))
		return false;
	const char **const cells = arena_alloc(arena, csv->rows * csv->columns, sizeof *cells);
	int *const lines = arena_alloc(arena, csv->rows, sizeof *lines);
	if (!cells || !lines)
		return out_of_memory(reader->error);
	for (size_t row = 0; row < csv->rows; row++) {
		size_t fields;
		lines[row] = reader->line;
		read_row(reader, &fields, cells + row * csv->columns, copy + reader->offset);
	}
	csv->cells = cells;
	csv->lines = lines;
	return true;
}

bool csv_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path, struct csv *csv,
	struct paradl_error *error)
{
	struct reader reader = {text, path ? path : "", length, 0, 1, error};
	memset(csv, 0, sizeof *csv);
	csv->path = arena_text(arena, reader.path);
	char *const copy = arena_alloc(arena, length + 1, 1);
	if (!csv->path || !copy)
		return out_of_memory(error);
	if (memchr(text, '\0', length))
		return fail(&reader, 0, "is not text: it has NUL bytes");
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* spreadsheets write a byte order mark */
		reader.offset = 3;
	skip_comments(&reader);
	return read_header(arena, &reader, copy, csv) && read_cells(arena, &reader, copy, csv);
}

bool csv_load(struct paradl_arena *arena, const char *path, struct csv *csv, struct paradl_error *error)
{
	size_t length;
	const char *const text = file_read(arena, path, SIZE_LIMIT, &length, error);
	return text && csv_parse(arena, text, length, path, csv, error);
}

const char *csv_cell(const struct csv *csv, size_t row, const char *column)
{
	for (size_t i = 0; i < csv->columns; i++)
		if (strcmp(csv->header[i], column) == 0)
			return row < csv->rows ? csv->cells[row * csv->columns + i] : "";
	return "";
}
