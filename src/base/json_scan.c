/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "base/utf8.h"

enum { LONGEST_WORD = 24 }; /* characters of a word that a message quotes */

struct scanner {
	const char *text;
	size_t length, offset;
	unsigned depth;
	size_t values;
	struct json_fault *fault;
};

static bool fail(const struct scanner *scanner, size_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool fail(const struct scanner *scanner, size_t offset, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	scanner->fault->offset = offset;
	vsnprintf(scanner->fault->message, sizeof scanner->fault->message, format, arguments);
	va_end(arguments);
	return false;
}

/* Returns the byte at the offset, or -1 at the end. */
static int peek(const struct scanner *scanner)
{
	return scanner->offset < scanner->length ? (unsigned char)scanner->text[scanner->offset] : -1;
}

static bool accept(struct scanner *scanner, char wanted)
{
	if (peek(scanner) != wanted)
		return false;
	scanner->offset++;
	return true;
}

static void skip_space(struct scanner *scanner)
{
	int c = peek(scanner);
	while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
		scanner->offset++;
		c = peek(scanner);
	}
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool refuse(const struct scanner *scanner, const char *expected)
{
	const char *const at = scanner->text + scanner->offset;
	const size_t left = scanner->length - scanner->offset;
	const size_t bytes = utf8_character(at, left);
	size_t word = 0;
	while (word < left && word < LONGEST_WORD && (is_letter(at[word]) || is_digit(at[word])))
		word++;
	if (left == 0)
		return fail(scanner, scanner->offset, "expected %s, found the end of the text", expected);
	if (bytes == 0 || (bytes == 1 && ((unsigned char)*at < 0x20 || *at == 0x7f)))
		return fail(scanner, scanner->offset, "expected %s, found the byte 0x%02x", expected,
			(unsigned)(unsigned char)*at);
	return fail(scanner, scanner->offset, "expected %s, found '%.*s'", expected,
		(int)(word > 0 ? word : bytes), at);
}

static bool skip_digits(struct scanner *scanner, const char *expected)
{
	if (!is_digit(peek(scanner)))
		return refuse(scanner, expected);
	while (is_digit(peek(scanner)))
		scanner->offset++;
	return true;
}

static bool scan_number(struct scanner *scanner)
{
	const size_t start = scanner->offset;
	accept(scanner, '-');
	if (accept(scanner, '0')) {
		if (is_digit(peek(scanner)))
			return fail(scanner, start, "a number must not start with a superfluous 0");
	} else if (!skip_digits(scanner, "a digit after '-'")) {
		return false;
	}
	if (accept(scanner, '.') && !skip_digits(scanner, "a digit after '.'"))
		return false;
	if (accept(scanner, 'e') || accept(scanner, 'E')) {
		if (!accept(scanner, '+'))
			accept(scanner, '-');
		if (!skip_digits(scanner, "a digit in the exponent"))
			return false;
	}
	/* cJSON copies numbers into 64 bytes and takes the rest for another token. */
	if (scanner->offset - start >= DECIMAL_LENGTH)
		return fail(scanner, start, "a number of more than %d characters", DECIMAL_LENGTH - 1);
	return true;
}

/* Reads the four hexadecimal digits after \u; returns -1 if they are not that. */
static int read_code_unit(struct scanner *scanner)
{
	int unit = 0;
	for (int i = 0; i < 4; i++) {
		const int c = peek(scanner);
		if (is_digit(c))
			unit = unit * 16 + c - '0';
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			unit = unit * 16 + (c | 0x20) - 'a' + 10;
		else
			return -1;
		scanner->offset++;
	}
	return unit;
}

static bool scan_unicode_escape(struct scanner *scanner, size_t start)
{
	const int unit = read_code_unit(scanner);
	if (unit < 0)
		return fail(scanner, start, "\\u needs four hexadecimal digits");
	if (unit == 0)
		return fail(scanner, start, "\\u0000 is not allowed in text");
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	if (unit <= 0xdbff && accept(scanner, '\\') && accept(scanner, 'u')) {
		const int second = read_code_unit(scanner);
		if (second >= 0xdc00 && second <= 0xdfff)
			return true;
	}
	return fail(scanner, start, "\\u%04x is half of a surrogate pair", (unsigned)unit);
}

static bool scan_escape(struct scanner *scanner)
{
	const size_t start = scanner->offset++;
	const int c = peek(scanner);
	if (c > 0 && strchr("\"\\/bfnrt", c)) {
		scanner->offset++;
		return true;
	}
	if (accept(scanner, 'u'))
		return scan_unicode_escape(scanner, start);
	return fail(scanner, start, "an unknown escape in a string; a backslash itself is written \\\\");
}

/* Sets the fault that a string holds a control character, which must be escaped; returns false. */
static bool refuse_control(struct scanner *scanner, int c)
{
	if (c == '\n' || c == '\r')
		return fail(
			scanner, scanner->offset, "a line break in a string; write \\n or close the string");
	if (c == '\t')
		return fail(scanner, scanner->offset, "a tab in a string; write \\t");
	if (c == 0)
		return fail(scanner, scanner->offset, "a NUL byte in a string");
	return fail(scanner, scanner->offset, "the control character 0x%02x in a string; write \\u%04x",
		(unsigned)c, (unsigned)c);
}

static bool scan_string(struct scanner *scanner)
{
	const size_t start = scanner->offset++;
	for (int c = peek(scanner); c != '"'; c = peek(scanner)) {
		if (c >= 0x20 && c < 0x80 && c != '\\') { /* nearly all characters of any file */
			scanner->offset++;
			continue;
		}
		if (c < 0)
			return fail(scanner, start, "a string without its closing '\"'");
		if (c < 0x20)
			return refuse_control(scanner, c);
		if (c == '\\') {
			if (!scan_escape(scanner))
				return false;
			continue;
		}
		const size_t bytes =
			utf8_character(scanner->text + scanner->offset, scanner->length - scanner->offset);
		if (bytes == 0)
			return fail(scanner, scanner->offset, "the byte 0x%02x is not UTF-8", (unsigned)c);
		scanner->offset += bytes;
	}
	scanner->offset++;
	return true;
}

static bool scan_word(struct scanner *scanner)
{
	static const char *const words[] = {"true", "false", "null"};
	const char *const at = scanner->text + scanner->offset;
	size_t length = 0;
	while (scanner->offset + length < scanner->length && (is_letter(at[length]) || is_digit(at[length])))
		length++;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == length && memcmp(at, words[i], length) == 0) {
			scanner->offset += length;
			return true;
		}
	return false;
}

static bool refuse_value(const struct scanner *scanner)
{
	const int c = peek(scanner);
	if (c == '\'')
		return fail(scanner, scanner->offset, "strings are written in double quotes");
	if (c == '/' || c == '#')
		return fail(scanner, scanner->offset,
			"JSON has no comments; use a key that starts with '_', such as \"_comment\"");
	if (c == '.' || c == '+')
		return refuse(scanner, "a number that starts with a digit or '-'");
	return refuse(scanner, "a value");
}

static bool scan_value(struct scanner *scanner);

/* Returns the bracket that opens what `close` closes: in ASCII '[' and '{' are 2 below their ']' and '}'. */
static char opening(char close)
{
	return (char)(close - 2);
}

/*
 * Reads the comma or bracket after an element; true: another element follows, false: the end or a fault (*is_good).
 */
static bool scan_separator(struct scanner *scanner, char close, size_t start, bool *is_good)
{
	skip_space(scanner);
	*is_good = true;
	if (accept(scanner, ',')) {
		skip_space(scanner);
		if (peek(scanner) == close)
			*is_good = fail(scanner, scanner->offset, "a ',' before '%c'", close);
		return *is_good;
	}
	if (accept(scanner, close))
		return false;
	if (peek(scanner) < 0)
		*is_good = fail(scanner, start, "'%c' without its '%c'", opening(close), close);
	else
		*is_good = refuse(scanner, close == ']' ? "',' or ']'" : "',' or '}'");
	return false;
}

static bool scan_member(struct scanner *scanner)
{
	if (peek(scanner) != '"')
		return refuse(scanner, "a key in double quotes");
	if (!scan_string(scanner))
		return false;
	skip_space(scanner);
	if (!accept(scanner, ':'))
		return refuse(scanner, "':' after a key");
	skip_space(scanner);
	return scan_value(scanner);
}

static bool scan_container(struct scanner *scanner, char close, bool (*scan_element)(struct scanner *scanner))
{
	const size_t start = scanner->offset++;
	bool is_good = true;
	if (scanner->depth == 0)
		return fail(scanner, start, "arrays and objects nest too deep here");
	scanner->depth--;
	skip_space(scanner);
	if (!accept(scanner, close)) {
		if (peek(scanner) < 0)
			return fail(scanner, start, "'%c' without its '%c'", opening(close), close);
		do {
			if (!scan_element(scanner))
				return false;
		} while (scan_separator(scanner, close, start, &is_good));
	}
	scanner->depth++;
	return is_good;
}

static bool scan_value(struct scanner *scanner)
{
	const int c = peek(scanner);
	if (scanner->values == 0)
		return fail(scanner, scanner->offset, "too many values");
	scanner->values--;
	if (c == '{')
		return scan_container(scanner, '}', scan_member);
	if (c == '[')
		return scan_container(scanner, ']', scan_value);
	if (c == '"')
		return scan_string(scanner);
	if (is_digit(c) || c == '-')
		return scan_number(scanner);
	return scan_word(scanner) || refuse_value(scanner);
}

bool json_scan(const char *text, size_t length, unsigned depth, size_t values, struct json_fault *fault)
{
	struct scanner scanner = {text, length, 0, depth, values, fault};
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return fail(&scanner, 0, "a byte order mark; save the file as UTF-8 without one");
	skip_space(&scanner);
	if (peek(&scanner) < 0)
		return fail(&scanner, 0, "the file is empty; expected a JSON value");
	if (!scan_value(&scanner))
		return false;
	skip_space(&scanner);
	return peek(&scanner) < 0 || refuse(&scanner, "nothing after the value");
}
