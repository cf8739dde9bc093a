/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of values, and of the members of families. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "paradl.h"

#include <stddef.h>

/* Defines a function that returns the name of each value of an enumeration, "" for anything else. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define NAME_FUNCTION(function, type, ...)                                                                   \
	const char *function(type value)                                                                     \
	{                                                                                                    \
		static const char *const names[] = {__VA_ARGS__};                                            \
		return (size_t)value < sizeof names / sizeof *names ? names[value] : "";                     \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/* Returns the index of a name, or `count` if it is not in the list. A NULL in the list is a value without a name. */
size_t name_index(const char *name, const char *const *names, size_t count);
/* Sets the hint with the name that was meant, or `otherwise` (NULL: none) where no name is near; returns false. */
bool name_hint(struct paradl_error *error, const char *typed, const char *const *names, size_t count,
	const char *otherwise);
/* Writes the names as "a, b, c", without the values that have no name. */
void names_join(const char *const *names, size_t count, char *text, size_t size);

/*
 * Returns the candidate nearest to `word` by Damerau-Levenshtein distance (<= 2 and <= 1/3 of its length), else the only
 * one that `word` (3 characters and more) is the beginning of, or NULL. Skips candidates that are NULL.
 */
const char *suggest(const char *word, const char *const *candidates, size_t count);

/* The end of a message about `word`: `; did you mean "x"?`, or nothing. */
struct suggestion {
	char clause[88];
};
struct suggestion suggestion_of(const char *word, const char *const *candidates, size_t count);

#endif
