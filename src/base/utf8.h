/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the bytes of the UTF-8 character at `text` (no overlong forms, no surrogates, at most U+10FFFF); 0 if there
 * is none.
 */
size_t utf8_character(const char *text, size_t length);
/* Returns the longest prefix of `text`, at most `most` bytes, that does not cut a character. */
size_t utf8_prefix(const char *text, size_t length, size_t most);
/* Returns the code point of a character that utf8_character has found. */
unsigned long utf8_code(const char *character, size_t bytes);
/*
 * Reports whether a character drives a terminal instead of being shown: C0, DEL, C1, characters that end lines, and
 * those that turn the direction of the text around them, so that it reads as something else (CVE-2021-42574).
 */
bool utf8_is_control(const char *character, size_t bytes);
/* Replaces control characters and bytes that are not UTF-8 by '?', in place. */
void utf8_make_printable(char *text);

#endif
