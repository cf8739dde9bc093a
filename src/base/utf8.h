/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text` (no overlong forms, no surrogates, at most U+10FFFF); 0 if there is none. */
size_t utf8_character(const char *text, size_t length);
/* The most bytes <= `most` of `text` that do not cut a character. */
size_t utf8_prefix(const char *text, size_t length, size_t most);

#endif
