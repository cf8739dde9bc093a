/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stddef.h>

/*
 * Returns the candidate nearest to `word` by Damerau-Levenshtein distance (<= 2 and <= 1/3 of its length), or NULL.
 * Skips candidates that are NULL.
 */
const char *suggest(const char *word, const char *const *candidates, size_t count);

/* The end of a message about `word`: `; did you mean "x"?`, or nothing. */
struct suggestion {
	char clause[88];
};
struct suggestion suggestion_of(const char *word, const char *const *candidates, size_t count);

#endif
