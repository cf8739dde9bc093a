/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of cells by launch, and what is fitted to them with its interval across launches. The estimate rests on the median
 * of each cell over launches. Of four launches and more the whole fit is done again for 200 draws of launches with
 * replacement, and the middle 95 % count; of fewer it is done for each launch alone, and all of the range counts.
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
	double *median_s; /* rows x launches; 0: that launch has no such point */
	const char *from; /* "calibrate cpu, 5 launches, 2026-11-22" */
};

bool launch_times_make(struct paradl_arena *arena, const struct cell *const *cells, size_t rows,
	struct launch_times *times, struct paradl_error *error);

/* Makes `values` of one time for each row. `first`: the estimate; what it finds may be where the others begin. */
typedef bool refit(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error);
bool launch_times_fit(struct paradl_arena *arena, const struct launch_times *times, refit *fit, void *context,
	size_t count, struct fitted_value *values, struct paradl_error *error);

/* What a number rests on. */
struct fit_source {
	const struct launch_times *times;
	double residual; /* negative: nothing was fitted */
};
bool number_put(struct calibration *calibration, enum paradl_fitted_file file, const char *path,
	const char *unit, const struct fitted_value *value, const struct fit_source *source,
	struct paradl_error *error);

#endif
