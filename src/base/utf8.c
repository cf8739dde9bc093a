/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 is checked by RFC 3629, section 4: the second bytes that a first byte allows decide everything. */
#include "base/utf8.h"

#include <string.h>

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

static size_t expected_bytes(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

static bool second_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0: /* below: overlong */
		return second >= 0xa0;
	case 0xed: /* above: surrogates */
		return second <= 0x9f;
	case 0xf0: /* below: overlong */
		return second >= 0x90;
	case 0xf4: /* above: beyond U+10FFFF */
		return second <= 0x8f;
	default:
		return true;
	}
}

size_t utf8_character(const char *text, size_t length)
{
	if (length == 0)
		return 0;
	const unsigned char first = (unsigned char)text[0];
	const size_t bytes = expected_bytes(first);
	if (bytes == 0 || bytes > length)
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if (!is_continuation((unsigned char)text[i]))
			return 0;
	return bytes == 1 || second_fits(first, (unsigned char)text[1]) ? bytes : 0;
}

size_t utf8_prefix(const char *text, size_t length, size_t most)
{
	size_t end = most < length ? most : length;
	size_t start = end;
	for (int back = 0; back < 4 && start > 0; back++) {
		start--;
		if (is_continuation((unsigned char)text[start]))
			continue;
		const size_t bytes = expected_bytes((unsigned char)text[start]);
		if (start + bytes > end)
			end = start;
		break;
	}
	return end;
}

unsigned long utf8_code(const char *character, size_t bytes)
{
	static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	unsigned long code = (unsigned char)character[0] & masks[bytes];
	for (size_t i = 1; i < bytes; i++)
		code = code << 6 | ((unsigned char)character[i] & 0x3fU);
	return code;
}

bool utf8_is_control(const char *character, size_t bytes)
{
	static const struct {
		unsigned long first, last;
	} blocks[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
		{0x2066, 0x2069}};
	const unsigned long code = utf8_code(character, bytes);
	bool is_control = false;
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		is_control |= code >= blocks[i].first && code <= blocks[i].last;
	return is_control;
}

void utf8_make_printable(char *text)
{
	size_t left = strlen(text);
	char *out = text;
	while (left > 0) {
		const size_t bytes = utf8_character(text, left), step = bytes == 0 ? 1 : bytes;
		if (bytes == 0 || utf8_is_control(text, bytes))
			*out++ = '?';
		else
			for (size_t i = 0; i < bytes; i++)
				*out++ = text[i];
		text += step;
		left -= step;
	}
	*out = '\0';
}
