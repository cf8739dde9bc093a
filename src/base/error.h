/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "paradl.h"

/* Fills *error (NULL is fine) and returns false, so a caller can `return error_set(...)`. */
bool error_set(struct paradl_error *error, enum paradl_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Fills *error like error_set, at a place in a file; line 0 is the file as a whole. */
bool error_at(struct paradl_error *error, enum paradl_status status, const char *path, int line, int column,
	const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Sets the hint of an error that is already filled; returns false. */
bool error_hint(struct paradl_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Sets the error that memory ran out; returns false (out_of_memory_null: NULL, for functions that return a pointer).
 */
static inline bool out_of_memory(struct paradl_error *error)
{
	error_set(error, PARADL_NO_MEMORY, "out of memory");
	return false;
}

static inline void *out_of_memory_null(struct paradl_error *error)
{
	out_of_memory(error);
	return NULL;
}

/*
 * Writes `value`, text of a user, for a message: in double quotes, shortened to fit `size` (at least 8). Returns
 * `text`.
 */
const char *error_quote(char *text, size_t size, const char *value);

#endif
