/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What launches say of numbers that are fitted to several cells. */
#ifndef FIT_INTERVALS_H
#define FIT_INTERVALS_H

#include "fit/calibration.h"

enum { ESTIMATES_MAX = 4 };

/* Numbers > 0 from times of cells, in the cells' order; one that cannot be said is <= 0. False: out of memory. */
struct estimator {
	bool (*estimate)(
		struct paradl_arena *arena, const void *context, const double *seconds, double *values);
	const void *context;
	unsigned values;
};

struct interval {
	double value, low, high;
};

/*
 * Values of the cells' times, and the 95 % interval of each by drawing launches again (percentiles, widened as those of
 * cells are: cell_statistics.c). Fewer than 4 launches: the range over launches, *is_range.
 */
bool intervals_make(const struct cell *const *cells, unsigned count, const struct estimator *estimator,
	struct interval *intervals, bool *is_range, struct paradl_error *error);

/* "calibrate mpi, 5 launches, 2026-11-22"; the number of launches. NULL: out of memory. */
const char *cells_origin(
	struct paradl_arena *arena, const struct cell *const *cells, unsigned count, unsigned *launches);

#endif
