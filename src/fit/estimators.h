/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates curves and values from measured times, and the intervals that they may lie in. */
#ifndef FIT_ESTIMATORS_H
#define FIT_ESTIMATORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/piecewise.h"
#include "fit/calibration.h"
#include "paradl.h"
#include "paradl/fit.h"

/*
 * Fits segments to seconds over bytes, chooses their number, and scores them and the raw points at sizes that were
 * left out.
 */

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

/*
 * Fits the values of a model of times, none negative, by the least sum of w rho(ln model - ln measured), so that
 * errors are relative, and too fast counts like too slow. Weights are bisquare, 0 beyond 4.685 robust standard
 * deviations. The method is Levenberg-Marquardt (GSL) in the square roots of the values, iteratively reweighted.
 */

struct relative_fit {
	void (*model)(void *context, const double *values, double *seconds); /* computes times of all rows */
	void *context;
	const double *seconds; /* measured times, above 0 */
	size_t rows, count;    /* numbers of rows and of values */
	double tolerance;      /* relative change of values and of the sum that ends the search; 0: 1e-9 */
	double residual;       /* result: median size of the relative errors */
};

/*
 * Finds the values, beginning at those given (0 stays 0). Returns false with an error where there are fewer rows than
 * values, or where the search begins or ends at times that are not above 0.
 */
bool relative_fit(struct relative_fit *fit, double *values, struct paradl_error *error);

/* Computes intervals across launches for numbers that are fitted to several cells. */

enum { ESTIMATES_MAX = 4 };

/*
 * A function that estimates numbers > 0 from the seconds of cells, in the cells' order. A number that they do not
 * determine is <= 0. The function returns false when out of memory.
 */
struct estimator {
	bool (*estimate)(
		struct paradl_arena *arena, const void *context, const double *seconds, double *values);
	const void *context;
	unsigned values; /* number of values, at most ESTIMATES_MAX */
};

struct interval {
	double value, low, high;
};

/*
 * Estimates values from the cells' times, and the 95 % interval of each by drawing launches again (percentiles,
 * widened as those of cells in cell_statistics.c). With fewer than 4 launches it sets *is_range, and gives the range
 * over launches. Returns false with an error.
 */
bool intervals_make(const struct cell *const *cells, unsigned count, const struct estimator *estimator,
	struct interval *intervals, bool *is_range, struct paradl_error *error);

/*
 * Returns "calibrate mpi, 5 launches, 2026-11-22" for the cells, and counts their launches; NULL when out of memory.
 */
const char *cells_origin(
	struct paradl_arena *arena, const struct cell *const *cells, unsigned count, unsigned *launches);

#endif
