/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes intervals across launches for numbers that are fitted to several cells. */
#ifndef FIT_INTERVALS_H
#define FIT_INTERVALS_H

#include "fit/calibration.h"

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
