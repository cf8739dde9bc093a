/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the UTF-8 character at `text` (no overlong forms, no surrogates, at most U+10FFFF); 0 if there is none. */
size_t utf8_character(const char *text, size_t length);
/* The most bytes <= `most` of `text` that do not cut a character. */
size_t utf8_prefix(const char *text, size_t length, size_t most);
/* The code point of a character that utf8_character has found. */
unsigned long utf8_code(const char *character, size_t bytes);
/*
 * Whether a character drives a terminal instead of being shown: C0, DEL, C1, what ends lines, and what turns the direction of the text
 * around it, so that it reads as what it is not (CVE-2021-42574).
 */
bool utf8_is_control(const char *character, size_t bytes);

#endif
