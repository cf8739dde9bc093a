/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "base/utf8.h"

enum { INDENT = 2 };

static void write_character(FILE *file, const char *character, size_t bytes)
{
	static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *const escape = *character ? strchr(named, *character) : NULL;
	if (bytes == 0)
		fputs("\xef\xbf\xbd", file); /* U+FFFD for each byte that is not UTF-8 */
	else if (escape)
		fprintf(file, "\\%c", letters[escape - named]);
	else if (utf8_is_control(character, bytes))
		fprintf(file, "\\u%04lx", utf8_code(character, bytes));
	else
		fwrite(character, 1, bytes, file);
}

/* Returns how many characters at the start of a text stand for themselves: ASCII that needs no escape. */
static size_t plain_length(const char *text)
{
	size_t length = 0;
	while (text[length] >= ' ' && text[length] < 0x7f && text[length] != '"' && text[length] != '\\')
		length++;
	return length;
}

static void write_string(FILE *file, const char *text)
{
	size_t left = strlen(text);
	fputc('"', file);
	while (left > 0) {
		const size_t plain = plain_length(text);
		const size_t bytes = plain > 0 ? plain : utf8_character(text, left),
			     step = bytes > 0 ? bytes : 1;
		if (plain > 0)
			fwrite(text, 1, plain, file);
		else
			write_character(file, text, bytes);
		text += step;
		left -= step;
	}
	fputc('"', file);
}

static void break_line(const struct json_writer *writer)
{
	static const char blanks[] = "                ";
	if (writer->compact) {
		if (writer->spaced)
			fputc(' ', writer->file);
		return;
	}
	fputc('\n', writer->file);
	for (size_t left = (size_t)writer->depth * INDENT, some; left > 0; left -= some) {
		some = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
		fwrite(blanks, 1, some, writer->file);
	}
}

/* Writes the text before a value: a comma, a line break, its key. */
static void begin_value(struct json_writer *writer, const char *key)
{
	if (writer->comma)
		fputc(',', writer->file);
	if (writer->depth > 0)
		break_line(writer);
	if (key) {
		write_string(writer->file, key);
		fputs(writer->compact && !writer->spaced ? ":" : ": ", writer->file);
	}
	writer->comma = true;
}

/* Finishes the line after a whole document; the next document may follow. */
static void end_value(struct json_writer *writer)
{
	if (writer->depth > 0)
		return;
	fputc('\n', writer->file);
	writer->comma = false;
}

static void begin(struct json_writer *writer, const char *key, char open)
{
	begin_value(writer, key);
	fputc(open, writer->file);
	writer->depth++;
	writer->comma = false;
}

static void end(struct json_writer *writer, char close)
{
	writer->depth--;
	if (writer->comma)
		break_line(writer);
	fputc(close, writer->file);
	writer->comma = true;
	end_value(writer);
}

void json_begin_object(struct json_writer *writer, const char *key)
{
	begin(writer, key, '{');
}

void json_end_object(struct json_writer *writer)
{
	end(writer, '}');
}

void json_begin_array(struct json_writer *writer, const char *key)
{
	begin(writer, key, '[');
}

void json_end_array(struct json_writer *writer)
{
	end(writer, ']');
}

static void write_literal(struct json_writer *writer, const char *key, const char *literal)
{
	begin_value(writer, key);
	fputs(literal, writer->file);
	end_value(writer);
}

void json_write_text(struct json_writer *writer, const char *key, const char *value)
{
	if (!value) {
		json_write_null(writer, key);
		return;
	}
	begin_value(writer, key);
	write_string(writer->file, value);
	end_value(writer);
}

void json_write_number(struct json_writer *writer, const char *key, double value)
{
	char text[DECIMAL_LENGTH];
	write_literal(writer, key, isfinite(value) ? decimal_shortest(text, sizeof text, value) : "null");
}

void json_write_bool(struct json_writer *writer, const char *key, bool value)
{
	write_literal(writer, key, value ? "true" : "false");
}

void json_write_raw(struct json_writer *writer, const char *key, const char *value)
{
	begin_value(writer, key);
	fputs(value, writer->file);
}

void json_write_null(struct json_writer *writer, const char *key)
{
	write_literal(writer, key, "null");
}
