/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits profiles as text: values and their origins change, everything else stays as a person wrote it. */
#ifndef FIT_EDIT_H
#define FIT_EDIT_H

#include "base/json.h"
#include "base/quantity.h"

enum { EDIT_DIGITS = 4, EDIT_PATH_LENGTH = 160 };

struct edit {
	struct paradl_arena *arena;
	const char *path; /* path that the text will be written to */
	const char *text;
	size_t length;
};

/* Reads the text of `from`, which will be written to `path`. */
bool edit_load(struct edit *edit, struct paradl_arena *arena, const char *from, const char *path,
	struct paradl_error *error);
/* Writes the text to a temporary file and to the disk, then renames the file to `path`. */
bool edit_save(struct edit *edit, struct paradl_error *error);

/* Finds the text of the value at an RFC 6901 pointer; returns false when there is none. */
bool edit_locate(const struct edit *edit, const char *pointer, size_t *offset, size_t *size);
bool edit_splice(struct edit *edit, size_t offset, size_t size, const char *text, struct paradl_error *error);
/* Replaces the value at a pointer; adds it, with any missing objects and lists around it, where it is not there. */
bool edit_put(struct edit *edit, const char *pointer, const char *value, struct paradl_error *error);
/* Adds `added` at the end of the container of `size` bytes at `offset`, laid out as its other elements. */
bool edit_append(
	struct edit *edit, size_t offset, size_t size, const char *added, struct paradl_error *error);
/* Removes a member and its comma from its object; does nothing where it is not there. */
bool edit_remove(struct edit *edit, const char *pointer, struct paradl_error *error);

/*
 * Returns a number as JSON with `digits` significant digits: bare for DIMENSION_NONE, else a quantity in the unit of
 * `old`, a value of `size` bytes of JSON (NULL: a unit that suits the number). Returns NULL with an error where `old`
 * has no unit of that dimension, and NULL alone when out of memory.
 */
const char *edit_number(struct paradl_arena *arena, const char *old, size_t size, double value,
	enum dimension dimension, int digits, struct paradl_error *error);

const char *edit_rounded(char text[DECIMAL_LENGTH], double value, int digits);

/* Returns the origin in "from" of a number, or of the nearest block around it; NULL when it has none. */
const char *edit_origin(const struct json *root, const char *key);
/* Sets the origin of a key such as "levels/0/latency". */
bool edit_put_origin(struct edit *edit, const char *key, const char *said, struct paradl_error *error);
/* Removes the origins of `key` and of all members inside it. */
bool edit_remove_origins(struct edit *edit, const char *key, struct paradl_error *error);

/* Returns a text as JSON, in double quotes with escapes; NULL when out of memory. Control characters become blanks. */
const char *edit_quote(struct paradl_arena *arena, const char *text);

#endif
