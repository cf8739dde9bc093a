/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the times of cells by launch, and fits values to them with their intervals across launches. The estimate
 * rests on the median of each cell over launches. With four or more launches the whole fit is done again for 200
 * draws of launches with replacement, and the interval is the middle 95 %, widened as in cell_statistics.c. With fewer it is done for each launch
 * alone, and the interval is the whole range.
 */
#ifndef FIT_LAUNCH_TIMES_H
#define FIT_LAUNCH_TIMES_H

#include "fit/calibration.h"

enum { FITTED_MAX = 24 };

struct fitted_value {
	double value, low, high;
};

struct launch_times {
	const struct cell *const *cells;
	size_t rows;
	unsigned launches;
	double *median_s; /* median seconds, rows x launches; 0: the launch has no such point */
	const char *from; /* origin: "calibrate cpu, 5 launches, 2026-11-22" */
};

bool launch_times_make(struct paradl_arena *arena, const struct cell *const *cells, size_t rows,
	struct launch_times *times, struct paradl_error *error);

/*
 * A function that fits `values` to one time for each row. `first` is true for the estimate, whose values may be the
 * start of the later fits.
 */
typedef bool refit(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error);
bool launch_times_fit(struct paradl_arena *arena, const struct launch_times *times, refit *fit, void *context,
	size_t count, struct fitted_value *values, struct paradl_error *error);

/* The evidence for a number. */
struct fit_source {
	const struct launch_times *times;
	double residual; /* residual of the fit; negative: nothing was fitted */
};
bool number_put(struct calibration *calibration, enum paradl_fitted_file file, const char *path,
	const char *unit, const struct fitted_value *value, const struct fit_source *source,
	struct paradl_error *error);

#endif
