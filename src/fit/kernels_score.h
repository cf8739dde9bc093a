/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the results of a fit of kernels: errors by kind, number format and size, numbers of device files, and
 * points.
 */
#ifndef FIT_KERNELS_SCORE_H
#define FIT_KERNELS_SCORE_H

#include "fit/kernels_profile.h"

struct kernel_scores {
	struct paradl_arena *arena;
	struct paradl_kernel_errors *errors;
	size_t error_count;
	struct paradl_kernel_number *numbers;
	size_t number_count;
	struct paradl_kernel_point *points;
	size_t point_count;
	struct paradl_kernel_roof *roofs;
	size_t roof_count;
	struct paradl_error *error;
};

/* Predicted seconds of rows that were left out, draws x rows; 0: the row was not left out. */
struct kernel_predictions {
	double *seconds;
	size_t draws; /* number of draws; 0: nothing was left out */
};

/*
 * Adds the errors of all groups of rows, and all rows as points; where rows are of several devices, also the errors
 * of all devices together. `fitted` is NULL where nothing was fitted. Returns false with an error.
 */
bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted,
	const struct kernel_predictions *predictions);
/*
 * Adds all rows as points, and the roofs of their devices (kernels_points.c). The modelled time is that of the first
 * draw that leaves the row out, else that of the fitted device. Returns false with an error.
 */
bool kernel_points_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted,
	const struct kernel_predictions *predictions);
/* Adds the numbers of a fit of one device. Returns false with an error. */
bool kernel_numbers_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct kernel_fit *fit, const struct device *fitted, const struct device *file);

#endif
