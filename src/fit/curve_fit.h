/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits segments to seconds over bytes, chooses their number, and scores them and the raw points at sizes that were
 * left out.
 */
#ifndef FIT_CURVE_FIT_H
#define FIT_CURVE_FIT_H

#include "base/piecewise.h"
#include "paradl/fit.h"

enum { INTERPOLATION = 0, HELD_OUT_LEAST = 6 };

/*
 * Fits every other point, and fills the relative errors at the points in between; then the same with the halves
 * swapped. The fit has `segments` segments; or, for INTERPOLATION, it goes straight from neighbour to neighbour, and
 * skips points outside all others. `errors` has room for all points. Returns the number of errors, 0 for fewer than
 * HELD_OUT_LEAST points; UINT_MAX when out of memory.
 */
unsigned curve_held_out(
	struct paradl_arena *arena, const struct points *points, unsigned segments, double *errors);

/* Fills the segments and errors of a curve whose points are set. Returns false with an error when out of memory. */
bool curve_fit(struct paradl_arena *arena, struct paradl_fitted_curve *curve, struct paradl_error *error);

#endif
