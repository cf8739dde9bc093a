/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles as text on their way: values and their origins change, everything else stays as a person wrote it. */
#ifndef FIT_EDIT_H
#define FIT_EDIT_H

#include "base/decimal.h"
#include "base/json.h"

enum { EDIT_DIGITS = 4, EDIT_PATH_LENGTH = 160 };

struct edit {
	struct paradl_arena *arena;
	const char *path; /* that the text will have */
	const char *text;
	size_t length;
};

/* Reads `from`, to be written to `path`. */
bool edit_load(struct edit *edit, struct paradl_arena *arena, const char *from, const char *path,
	struct paradl_error *error);
/* Writes to a temporary name, to the disk, then to `path`. */
bool edit_save(struct edit *edit, struct paradl_error *error);

/* The text of the value at an RFC 6901 pointer. */
bool edit_locate(const struct edit *edit, const char *pointer, size_t *offset, size_t *size);
bool edit_splice(struct edit *edit, size_t offset, size_t size, const char *text, struct paradl_error *error);
/* Replaces the value at a pointer; one that is not there is made, with what is missing around it. */
bool edit_put(struct edit *edit, const char *pointer, const char *value, struct paradl_error *error);
/* Adds to the end of the container at `offset`, in the way that its elements are laid out. */
bool edit_append(
	struct edit *edit, size_t offset, size_t size, const char *added, struct paradl_error *error);
/* Takes a member out of its object, with its comma; nothing where it is not there. */
bool edit_remove(struct edit *edit, const char *pointer, struct paradl_error *error);

/*
 * A number as JSON. DIMENSION_NONE: bare; else a quantity in the unit that `old`, `size` bytes of JSON, is written in
 * (NULL: one that suits it). `digits` significant ones. NULL: out of memory, or `old` has no unit: error is set.
 */
const char *edit_number(struct paradl_arena *arena, const char *old, size_t size, double value,
	enum dimension dimension, int digits, struct paradl_error *error);

const char *edit_rounded(char text[DECIMAL_LENGTH], double value, int digits);

/* What "from" says of a number: of itself, or of the nearest block around it; NULL: nothing. */
const char *edit_origin(const struct json *root, const char *key);
/* Sets the origin of "levels/0/latency". */
bool edit_put_origin(struct edit *edit, const char *key, const char *said, struct paradl_error *error);
/* Removes origins of `key` and of all that is in it. */
bool edit_remove_origins(struct edit *edit, const char *key, struct paradl_error *error);

/* A text as JSON: in double quotes, with escapes; NULL: out of memory. */
const char *edit_quote(struct paradl_arena *arena, const char *text);

#endif
