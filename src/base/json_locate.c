/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cJSON keeps no positions, so an error looks for its value again in the text. The walk stays in bounds on any text;
 * the position that it finds has a meaning only in a text that json_scan accepts.
 */
#include "base/json.h"

#include <string.h>

#include "base/utf8.h"

struct cursor {
	const char *text;
	size_t length, offset;
};

static int peek(const struct cursor *cursor)
{
	return cursor->offset < cursor->length ? (unsigned char)cursor->text[cursor->offset] : -1;
}

static bool accept(struct cursor *cursor, char wanted)
{
	if (peek(cursor) != wanted)
		return false;
	cursor->offset++;
	return true;
}

static void skip_space(struct cursor *cursor)
{
	while (cursor->offset < cursor->length && strchr(" \t\n\r", cursor->text[cursor->offset]) &&
		cursor->text[cursor->offset])
		cursor->offset++;
}

static bool skip_string(struct cursor *cursor)
{
	if (!accept(cursor, '"'))
		return false;
	while (cursor->offset < cursor->length) {
		if (accept(cursor, '"'))
			return true;
		cursor->offset += peek(cursor) == '\\' ? 2 : 1;
	}
	return false;
}

static bool ends_scalar(int c)
{
	return c < 0 || c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool skip_scalar(struct cursor *cursor)
{
	const size_t start = cursor->offset;
	while (!ends_scalar(peek(cursor)))
		cursor->offset++;
	return cursor->offset > start;
}

static bool skip_value(struct cursor *cursor)
{
	size_t depth = 0;
	do {
		const int c = peek(cursor);
		if (c == '"') {
			if (!skip_string(cursor))
				return false;
		} else if (c == '{' || c == '[') {
			depth++;
			cursor->offset++;
		} else if (depth > 0 && (c == '}' || c == ']')) {
			depth--;
			cursor->offset++;
		} else if (depth > 0 && (c == ',' || c == ':')) {
			cursor->offset++;
		} else if (!skip_scalar(cursor)) {
			return false;
		}
		if (depth > 0)
			skip_space(cursor);
	} while (depth > 0);
	return true;
}

/* Moves past the comma after a value, to the next value or key; false: there is none. */
static bool go_on(struct cursor *cursor)
{
	skip_space(cursor);
	if (!accept(cursor, ','))
		return false;
	skip_space(cursor);
	return true;
}

/* Moves from a key to its value; false: there is no key with a value. */
static bool skip_key(struct cursor *cursor)
{
	if (!skip_string(cursor))
		return false;
	skip_space(cursor);
	if (!accept(cursor, ':'))
		return false;
	skip_space(cursor);
	return true;
}

/* Moves from a container to its first value or key; false: no container opens here. */
static bool enter(struct cursor *cursor, char open)
{
	if (!accept(cursor, open))
		return false;
	skip_space(cursor);
	return true;
}

static bool enter_child(struct cursor *cursor, size_t index)
{
	const bool is_object = peek(cursor) == '{';
	if (!enter(cursor, is_object ? '{' : '['))
		return false;
	for (size_t i = 0;; i++) {
		if (is_object ? !skip_key(cursor) : peek(cursor) == ']')
			return false;
		if (i == index)
			return true;
		if (!skip_value(cursor) || !go_on(cursor))
			return false;
	}
}

static int hexadecimal(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_code_unit(struct cursor *cursor, unsigned *unit)
{
	*unit = 0;
	for (int i = 0; i < 4; i++, cursor->offset++) {
		const int digit = hexadecimal(peek(cursor));
		if (digit < 0)
			return false;
		*unit = *unit * 16 + (unsigned)digit;
	}
	return true;
}

static size_t encode(unsigned code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	const size_t bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)((0xf00u >> bytes & 0xf0) | code);
	return bytes;
}

/* Reads one character of a string, escapes resolved, as UTF-8; returns its bytes, 0 at the end or at a fault. */
static size_t read_character(struct cursor *cursor, char out[4])
{
	static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const int c = peek(cursor);
	if (c < 0 || c == '"')
		return 0;
	cursor->offset++;
	if (c != '\\') {
		out[0] = (char)c;
		return 1;
	}
	const int escape = peek(cursor);
	if (escape < 0)
		return 0;
	cursor->offset++;
	if (escape != 'u') {
		const char *const known = escape ? strchr(escapes, escape) : NULL;
		out[0] = (char)escape;
		if (known)
			out[0] = meanings[known - escapes];
		return 1;
	}
	unsigned code, low;
	if (!read_code_unit(cursor, &code))
		return 0;
	if (code >= 0xd800 && code <= 0xdbff && accept(cursor, '\\') && accept(cursor, 'u') &&
		read_code_unit(cursor, &low))
		code = 0x10000 + ((code - 0xd800) << 10 | (low & 0x3ff));
	return encode(code, out);
}

/* Returns the next byte of a pointer's token, ~0 and ~1 resolved, and moves past it; -1 at its end. */
static int read_token_byte(const char **token)
{
	const char c = **token;
	if (c == '\0' || c == '/')
		return -1;
	(*token)++;
	if (c != '~' || (**token != '0' && **token != '1'))
		return (unsigned char)c;
	return *(*token)++ == '0' ? '~' : '/';
}

/* Reports whether the string at the cursor (which stays) reads as the token. */
static bool key_equals(struct cursor cursor, const char *token)
{
	char character[4];
	if (!accept(&cursor, '"'))
		return false;
	for (size_t bytes = read_character(&cursor, character); bytes > 0;
		bytes = read_character(&cursor, character))
		for (size_t i = 0; i < bytes; i++)
			if (read_token_byte(&token) != (unsigned char)character[i])
				return false;
	return peek(&cursor) == '"' && read_token_byte(&token) < 0;
}

static bool enter_member(struct cursor *cursor, const char *token)
{
	if (!enter(cursor, '{'))
		return false;
	for (;;) {
		const bool is_wanted = key_equals(*cursor, token);
		if (!skip_key(cursor))
			return false;
		if (is_wanted)
			return true;
		if (!skip_value(cursor) || !go_on(cursor))
			return false;
	}
}

/* Reads the index of an array (RFC 6901, section 4): "0" or digits without a leading zero. */
static bool read_index(const char *token, size_t *index)
{
	const size_t digits = strspn(token, "0123456789");
	if (digits == 0 || digits > 9 || (digits > 1 && *token == '0') ||
		(token[digits] && token[digits] != '/'))
		return false;
	*index = 0;
	for (size_t i = 0; i < digits; i++)
		*index = *index * 10 + (size_t)(token[i] - '0');
	return true;
}

static bool enter_token(struct cursor *cursor, const char *token)
{
	size_t index;
	if (peek(cursor) == '[')
		return read_index(token, &index) && enter_child(cursor, index);
	return enter_member(cursor, token);
}

static bool place(const struct cursor *cursor, bool is_found, int *line, int *column)
{
	*line = *column = 0;
	if (is_found && peek(cursor) >= 0)
		json_position(cursor->text, cursor->length, cursor->offset, line, column);
	return *line > 0;
}

static bool enter_pointer(struct cursor *cursor, const char *pointer)
{
	bool is_found = *pointer == '\0' || *pointer == '/';
	skip_space(cursor);
	while (is_found && *pointer == '/') {
		pointer++;
		is_found = enter_token(cursor, pointer);
		pointer += strcspn(pointer, "/");
	}
	return is_found;
}

bool json_locate(const char *text, size_t length, const char *pointer, int *line, int *column)
{
	struct cursor cursor = {text, length, 0};
	const bool is_found = enter_pointer(&cursor, pointer);
	return place(&cursor, is_found, line, column);
}

bool json_locate_text(const char *text, size_t length, const char *pointer, size_t *offset, size_t *size)
{
	struct cursor cursor = {text, length, 0};
	*offset = *size = 0;
	if (!enter_pointer(&cursor, pointer) || peek(&cursor) < 0)
		return false;
	*offset = cursor.offset;
	if (!skip_value(&cursor))
		return false;
	*size = cursor.offset - *offset;
	return true;
}

bool json_locate_child(
	const char *text, size_t length, const unsigned *indices, size_t depth, int *line, int *column)
{
	struct cursor cursor = {text, length, 0};
	bool is_found = true;
	skip_space(&cursor);
	for (size_t i = 0; i < depth && is_found; i++)
		is_found = enter_child(&cursor, indices[i]);
	return place(&cursor, is_found, line, column);
}

void json_position(const char *text, size_t length, size_t offset, int *line, int *column)
{
	const size_t end = offset < length ? offset : length;
	*line = *column = 1;
	for (size_t i = 0; i < end;) {
		const size_t bytes = utf8_character(text + i, length - i);
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else {
			++*column;
		}
		i += bytes > 0 ? bytes : 1;
	}
}
