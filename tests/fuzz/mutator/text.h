/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a file or question on their way through mutations. */
#ifndef TESTS_FUZZ_MUTATOR_TEXT_H
#define TESTS_FUZZ_MUTATOR_TEXT_H

#include "chance.h"

enum { TEXT_MOST = 256 << 10 }; /* a mutation that would make a text longer does nothing */

struct text {
	char *bytes; /* with a NUL after `length` of them */
	size_t length, room;
};

void text_free(struct text *text);
void text_set(struct text *text, const char *bytes, size_t length);
/* Puts `added` bytes in place of `removed` ones at `at`. */
void text_splice(struct text *text, size_t at, size_t removed, const char *added, size_t length);
void text_add(struct text *text, const char *added);
/* Adds the text as a JSON string. */
void text_add_quoted(struct text *text, const struct text *quoted);

/* A part of a text. */
struct span {
	size_t begin, end;
};

#endif
