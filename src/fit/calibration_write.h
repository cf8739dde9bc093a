/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of writing a calibration into profiles. */
#ifndef FIT_CALIBRATION_WRITE_H
#define FIT_CALIBRATION_WRITE_H

#include "fit/calibration.h"
#include "fit/edit.h"

/* "s", "B/s", ... of fitted numbers. */
enum dimension fitted_dimension(const char *unit);
/* "3.8 us to 4.4 us" or, of shares, "0.61 to 0.64"; NULL: not known, or out of memory. */
const char *fitted_interval(struct paradl_arena *arena, const struct paradl_fitted_number *number);

/* calibration_origin.c: how origins of all of its numbers begin: "measured: ", or that they are of a fit that was refused. */
const char *calibration_origin(struct paradl_arena *arena, const struct paradl_calibration *calibration);

/* calibration_numbers.c: all numbers of a file, with their origins. */
bool calibration_put_numbers(struct edit *edit, const struct paradl_calibration *calibration,
	enum paradl_fitted_file file, struct paradl_error *error);

/* calibration_curves.c: curves of profiles, in place of those of the same operation, library, nodes and devices. */
bool calibration_put_curves(
	struct edit *edit, const struct paradl_calibration *calibration, struct paradl_error *error);

/* calibration_new.c: profiles with nothing but what was fitted and what they cannot do without. */
bool calibration_new_device(struct edit *edit, const struct paradl_calibration *calibration, const char *name,
	struct paradl_error *error);
bool calibration_new_machine(struct edit *edit, const struct paradl_calibration *calibration,
	const char *name, struct paradl_error *error);

/* calibration_before.c: `was` and `was_from` of all numbers, out of the profile before; NULL: there was none. */
bool calibration_compare(struct calibration *calibration, struct paradl_error *error);

/* calibration_origin.c: "sha256 3fb2..." of files; NULL: error is set. */
const char *files_digests(
	struct paradl_arena *arena, const char *const *paths, size_t count, struct paradl_error *error);

/* calibration_origin.c: result->samples and result->hosts. */
bool calibration_describe(
	struct calibration *calibration, const char *const *paths, size_t count, struct paradl_error *error);

#endif
