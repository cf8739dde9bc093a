/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For targets of parsers of files and plans: what must hold of their errors, and inputs in the form they take. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <string.h>

#include "base/arena.h"
#include "fuzz.h"

/* A failure says what is wrong, in one line. */
static inline void require_explained(const struct paradl_error *error)
{
	char text[2048];

	REQUIRE(error->status != PARADL_OK && error->message[0] != '\0');
	REQUIRE(paradl_error_format(error, text, sizeof(text)) > 0 && strchr(text, '\n') == NULL);
}

/* The input as a file, for readers that take a path; remove() it. */
static inline void input_write(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

#endif
