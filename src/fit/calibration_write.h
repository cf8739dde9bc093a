/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the parts of writing a calibration into profiles. */
#ifndef FIT_CALIBRATION_WRITE_H
#define FIT_CALIBRATION_WRITE_H

#include "fit/calibration.h"
#include "fit/edit.h"

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
 * Fills `was` and `was_from` of all numbers from the profile before (calibration_before.c); -1 and NULL where it has
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
