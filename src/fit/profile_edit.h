/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits profiles as text: values and their origins change, everything else stays as a person wrote it. Puts the numbers
 * and curves of calibrations into them.
 */
#ifndef FIT_PROFILE_EDIT_H
#define FIT_PROFILE_EDIT_H

#include "base/json.h"
#include "base/quantity.h"
#include "fit/calibration.h"

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

/* ---- calibrations ---- */

/* Returns the dimension of a fitted number's unit: "s", "B", "B/s", "flop/s" or "W"; DIMENSION_NONE for any other. */
enum dimension fitted_dimension(const char *unit);
/*
 * Returns "3.8 us to 4.4 us" or, for a share, "0.61 to 0.64"; NULL when there is no interval, or when out of memory.
 */
const char *fitted_interval(struct paradl_arena *arena, const struct paradl_fitted_number *number);

/*
 * Returns how the origins of all numbers of a calibration begin (calibration_origin.c): "measured: ", or that a
 * verdict refused the fit; NULL when out of memory.
 */
const char *calibration_origin(struct paradl_arena *arena, const struct paradl_calibration *calibration);

/* Puts all numbers of a file into its text, with their origins (calibration_numbers.c). */
bool calibration_put_numbers(struct edit *edit, const struct paradl_calibration *calibration,
	enum paradl_fitted_file file, struct paradl_error *error);

/*
 * Puts curves into a profile, in place of those of the same operation, library, nodes and devices
 * (calibration_curves.c).
 */
bool calibration_put_curves(
	struct edit *edit, const struct paradl_calibration *calibration, struct paradl_error *error);

/*
 * Makes the text of a new profile, with only the members that it must have (calibration_new.c). A device is refused
 * where its peak/fp32 or its memory_rate was not measured.
 */
bool calibration_new_device(struct edit *edit, const struct paradl_calibration *calibration, const char *name,
	struct paradl_error *error);
bool calibration_new_machine(struct edit *edit, const struct paradl_calibration *calibration,
	const char *name, struct paradl_error *error);

/*
 * Fills `was` and `was_from` of all numbers from the profile before (calibration_origin.c); -1 and NULL where it has
 * no such number.
 */
bool calibration_compare(struct calibration *calibration, struct paradl_error *error);

/*
 * Returns "sha256 3fb2..." for files, of which the first four are named, "" for standard input alone
 * (calibration_origin.c); NULL with an error.
 */
const char *files_digests(
	struct paradl_arena *arena, const char *const *paths, size_t count, struct paradl_error *error);

/* Fills result->samples and result->hosts (calibration_origin.c). */
bool calibration_describe(
	struct calibration *calibration, const char *const *paths, size_t count, struct paradl_error *error);

#endif
