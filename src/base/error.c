/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void cut_to_characters(char *text, size_t size)
{
	const size_t length = strlen(text);
	if (length + 1 == size)
		text[utf8_prefix(text, length, length)] = '\0';
}

static void fill(struct paradl_error *error, enum paradl_status status, const char *format, va_list arguments)
	__attribute__((format(printf, 3, 0)));

static void fill(struct paradl_error *error, enum paradl_status status, const char *format, va_list arguments)
{
	/* The arguments may be parts of the old *error. */
	char message[sizeof error->message];
	vsnprintf(message, sizeof message, format, arguments);
	cut_to_characters(message, sizeof message);
	/* Messages quote what files and users wrote, and no part of them may drive a terminal. */
	utf8_make_printable(message);
	memset(error, 0, sizeof *error);
	error->status = status;
	memcpy(error->message, message, sizeof message);
}

bool error_set(struct paradl_error *error, enum paradl_status status, const char *format, ...)
{
	if (!error)
		return false;
	va_list arguments;
	va_start(arguments, format);
	fill(error, status, format, arguments);
	va_end(arguments);
	return false;
}

bool error_at(struct paradl_error *error, enum paradl_status status, const char *path, int line, int column,
	const char *format, ...)
{
	if (!error)
		return false;
	char place[sizeof error->path];
	snprintf(place, sizeof place, "%s", path ? path : "");
	cut_to_characters(place, sizeof place);
	va_list arguments;
	va_start(arguments, format);
	fill(error, status, format, arguments);
	va_end(arguments);
	memcpy(error->path, place, sizeof place);
	error->line = line;
	error->column = column;
	return false;
}

bool error_hint(struct paradl_error *error, const char *format, ...)
{
	if (!error)
		return false;
	char hint[sizeof error->hint];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(hint, sizeof hint, format, arguments);
	va_end(arguments);
	cut_to_characters(hint, sizeof hint);
	utf8_make_printable(hint);
	memcpy(error->hint, hint, sizeof hint);
	return false;
}

const char *error_quote(char *text, size_t size, const char *value)
{
	const size_t length = strlen(value);
	if (length + 3 <= size)
		snprintf(text, size, "\"%s\"", value);
	else if (size >= 8)
		snprintf(text, size, "\"%.*s...\"", (int)utf8_prefix(value, length, size - 6), value);
	else if (size > 0)
		text[0] = '\0';
	return text;
}

int paradl_error_format(const struct paradl_error *error, char *text, size_t size)
{
	const char *const path = strcmp(error->path, "-") == 0 ? "<stdin>" : error->path;
	char place[sizeof error->path + 32];
	if (error->line > 0)
		snprintf(place, sizeof place, "%s%s%d:%d: ", path, *path ? ":" : "", error->line,
			error->column);
	else
		snprintf(place, sizeof place, "%s%s", path, *path ? ": " : "");
	const int length = snprintf(
		text, size, "%s%s%s%s", place, error->pointer, *error->pointer ? ": " : "", error->message);
	if (size > 0)
		utf8_make_printable(text); /* pointers hold keys as they are */
	return length;
}
