/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/measured/trace.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "base/utf8.h"

enum { END = -1 };

void stream_begin(struct json_stream *stream, FILE *file, const char *path, struct paradl_error *error)
{
	stream->file = file;
	stream->path = path;
	stream->error = error;
	stream->at = stream->end = 0;
	stream->offset = stream->line_offset = 0;
	stream->line = 1;
	stream->depth = 0;
	stream->failed = false;
	stream->first = true;
}

bool stream_fail(struct json_stream *stream, const char *format, ...)
{
	char message[256];
	va_list arguments;
	if (stream->failed)
		return false;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	stream->failed = true;
	const double column = stream->offset + (double)stream->at - stream->line_offset + 1;
	return error_at(stream->error, PARADL_SYNTAX, stream->path, stream->line,
		column < INT_MAX ? (int)column : 0, "%s", message);
}

/* Returns the next character, which stays; END after the last. */
static int peek(struct json_stream *stream)
{
	if (stream->at == stream->end) {
		stream->offset += (double)stream->end;
		stream->at = 0;
		stream->end =
			stream->failed ? 0 : fread(stream->buffer, 1, sizeof stream->buffer, stream->file);
		if (!stream->end && ferror(stream->file)) {
			stream->failed = true;
			error_at(stream->error, PARADL_IO, stream->path, 0, 0, "cannot be read");
		}
	}
	return stream->at < stream->end ? stream->buffer[stream->at] : END;
}

static int take(struct json_stream *stream)
{
	const int character = peek(stream);
	if (character != END)
		++stream->at;
	if (character == '\n') {
		++stream->line;
		stream->line_offset = stream->offset + (double)stream->at;
	}
	return character;
}

static int peek_value(struct json_stream *stream)
{
	int character = peek(stream);
	while (character == ' ' || character == '\t' || character == '\n' || character == '\r') {
		take(stream);
		character = peek(stream);
	}
	return character;
}

static bool unexpected(struct json_stream *stream, const char *wanted)
{
	const int character = peek(stream);
	if (character == END)
		return stream_fail(stream, "ends in the middle, where %s should be: was it cut off?", wanted);
	if (character < ' ' || character > '~')
		return stream_fail(stream, "byte 0x%02x where %s should be", (unsigned)character, wanted);
	return stream_fail(stream, "'%c' where %s should be", character, wanted);
}

bool stream_kind(struct json_stream *stream, enum json_kind *kind)
{
	const int character = peek_value(stream);
	switch (character) {
	case '{':
		*kind = JSON_OBJECT;
		break;
	case '[':
		*kind = JSON_ARRAY;
		break;
	case '"':
		*kind = JSON_STRING;
		break;
	case 't':
	case 'f':
		*kind = JSON_BOOL;
		break;
	case 'n':
		*kind = JSON_NULL;
		break;
	default:
		*kind = JSON_NUMBER;
		return character == '-' || (character >= '0' && character <= '9') ||
		       unexpected(stream, "a value");
	}
	return !stream->failed;
}

/* Reads four hexadecimal digits. */
static bool hexadecimal(struct json_stream *stream, unsigned *code)
{
	*code = 0;
	for (unsigned i = 0; i < 4; ++i) {
		const int c = peek(stream);
		const int digit = c >= '0' && c <= '9'   ? c - '0'
				  : c >= 'a' && c <= 'f' ? c - 'a' + 10
				  : c >= 'A' && c <= 'F' ? c - 'A' + 10
							 : -1;
		if (digit < 0)
			return unexpected(stream, "a hexadecimal digit");
		take(stream);
		*code = *code * 16 + (unsigned)digit;
	}
	return true;
}

/*
 * Reads an escape, behind its backslash, as one byte: characters outside of ASCII become '?', since names need no
 * more.
 */
static bool escaped(struct json_stream *stream, int *byte)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	unsigned code;
	const int letter = peek(stream);
	const char *found = letter != END && letter ? strchr(letters, letter) : NULL;
	if (letter == 'u') {
		take(stream);
		if (!hexadecimal(stream, &code))
			return false;
		*byte = code >= ' ' && code <= '~' ? (int)code : '?';
		return true;
	}
	if (!found)
		return unexpected(stream, "an escape");
	take(stream);
	*byte = (unsigned char)bytes[found - letters];
	return true;
}

bool stream_text(struct json_stream *stream, char *text, size_t size)
{
	size_t length = 0;
	if (peek_value(stream) != '"')
		return unexpected(stream, "a text in double quotes");
	take(stream);
	for (;;) {
		int character = peek(stream);
		if (character < ' ') /* or END */
			return unexpected(stream, "the rest of a text");
		take(stream);
		if (character == '"')
			break;
		if (character == '\\' && !escaped(stream, &character))
			return false;
		if (length + 1 < size)
			text[length++] = (char)character;
	}
	text[utf8_prefix(text, length, length)] = '\0';
	return true;
}

bool stream_number(struct json_stream *stream, double *number)
{
	char digits[DECIMAL_LENGTH];
	size_t length = 0;
	const char *end;
	const bool negative = peek_value(stream) == '-';
	if (negative)
		take(stream);
	for (int c = peek(stream);
		(c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
		c = peek(stream)) {
		if (length + 1 >= sizeof digits)
			return stream_fail(stream, "a number of more than %d characters", DECIMAL_LENGTH - 1);
		digits[length++] = (char)take(stream);
	}
	digits[length] = '\0';
	if (!length)
		return unexpected(stream, "a number");
	if ((digits[0] == '0' && length > 1 && digits[1] >= '0' && digits[1] <= '9') ||
		!decimal_read(digits, 0, number, &end) || *end)
		return stream_fail(stream, "\"%.40s\" is no number", digits);
	if (!isfinite(*number))
		return stream_fail(stream, "the number %.40s is too large", digits);
	*number = negative ? -*number : *number;
	return true;
}

static bool word(struct json_stream *stream)
{
	static const char *const words[] = {"true", "false", "null"};
	const int first = peek(stream);
	const char *text = words[first == 't' ? 0 : first == 'f' ? 1 : 2];
	for (; *text; ++text) {
		if (peek(stream) != *text)
			return unexpected(stream, "true, false or null");
		take(stream);
	}
	return true;
}

bool stream_enter(struct json_stream *stream, char bracket)
{
	if (peek_value(stream) != bracket)
		return unexpected(stream, bracket == '{' ? "an object" : "an array");
	if (stream->depth == JSON_DEPTH)
		return stream_fail(stream, "is nested more than %d levels deep", JSON_DEPTH);
	take(stream);
	++stream->depth;
	stream->first = true;
	return true;
}

bool stream_next(struct json_stream *stream, char closing)
{
	const int character = peek_value(stream);
	if (stream->failed)
		return false;
	if (character == closing) {
		take(stream);
		--stream->depth;
		stream->first = false;
		return false;
	}
	if (!stream->first) {
		if (character != ',')
			return unexpected(stream, closing == '}' ? "',' or '}'" : "',' or ']'");
		take(stream);
	}
	stream->first = false;
	return true;
}

bool stream_next_key(struct json_stream *stream, char *key, size_t size)
{
	if (!stream_next(stream, '}') || !stream_text(stream, key, size))
		return false;
	if (peek_value(stream) != ':')
		return unexpected(stream, "':'");
	take(stream);
	return true;
}

static bool skip_plain(struct json_stream *stream, enum json_kind kind)
{
	double number;
	if (kind == JSON_STRING) {
		char text[8];
		return stream_text(stream, text, sizeof text);
	}
	return kind == JSON_NUMBER ? stream_number(stream, &number) : word(stream);
}

/* Begins the next member of an array or object at this depth: false at its end, and at an error. */
static bool next_member(struct json_stream *stream, bool object)
{
	char key[8];
	return object ? stream_next_key(stream, key, sizeof key) : stream_next(stream, ']');
}

/* Skips a value, or begins it if it is an array or object; *object says which of the two it is. */
static bool skip_begin(struct json_stream *stream, bool *object)
{
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	*object = kind == JSON_OBJECT;
	if (kind != JSON_OBJECT && kind != JSON_ARRAY)
		return skip_plain(stream, kind);
	return stream_enter(stream, *object ? '{' : '[');
}

/* Skips a value without recursion: a bit for each level says whether it is an object. */
bool stream_skip(struct json_stream *stream)
{
	unsigned long long objects = 0;
	const unsigned outside = stream->depth;
	do {
		const unsigned inside = stream->depth - outside;
		bool object = inside && objects >> (inside - 1) & 1;
		const bool more = !inside || next_member(stream, object);
		if (stream->failed || (more && !skip_begin(stream, &object)))
			return false;
		if (stream->depth - outside > inside) {
			objects &= ~(1ULL << inside);
			objects |= (unsigned long long)object << inside;
		}
	} while (stream->depth > outside);
	return true;
}

bool stream_finish(struct json_stream *stream)
{
	if (peek_value(stream) != END)
		return unexpected(stream, "the end of the file");
	return !stream->failed;
}
