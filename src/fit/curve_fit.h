/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seconds over bytes: segments, how many of them, and how well they and the raw points predict sizes that were left out. */
#ifndef FIT_CURVE_FIT_H
#define FIT_CURVE_FIT_H

#include "base/piecewise.h"

enum { INTERPOLATION = 0, HELD_OUT_LEAST = 6 };

/*
 * Relative errors of what is fitted to every other point, at the points in between; of both halves together, in turn. With
 * `segments`, or straight between neighbours (INTERPOLATION: not of points beyond all others). `errors` has room for
 * all points; returns how many there are, 0 of fewer than HELD_OUT_LEAST points. UINT_MAX: out of memory.
 */
unsigned curve_held_out(
	struct paradl_arena *arena, const struct points *points, unsigned segments, double *errors);

/* Segments and errors of a curve, whose points are there. */
bool curve_fit(struct paradl_arena *arena, struct paradl_fitted_curve *curve, struct paradl_error *error);

#endif
