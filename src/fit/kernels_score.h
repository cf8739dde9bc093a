/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit of kernels says: errors by kind, number format and size, numbers of device files, and each kernel as a point. */
#ifndef FIT_KERNELS_SCORE_H
#define FIT_KERNELS_SCORE_H

#include "fit/kernels.h"

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

/* Seconds of rows that were left out, row by row for each draw of those; 0: the row was not left out. */
struct kernel_predictions {
	double *seconds;
	size_t draws; /* 0: nothing was left out */
};

/*
 * Adds errors of all groups of rows, and their points; where rows are of several devices, also those of all together. `fitted`
 * may be NULL.
 */
bool kernel_scores_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted,
	const struct kernel_predictions *predictions);
/* kernels_points.c: adds all rows as points, and the roofs of their devices; by the first draw that leaves them out. */
bool kernel_points_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted,
	const struct kernel_predictions *predictions);
/* Adds the numbers of a fit of one device. */
bool kernel_numbers_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct kernel_fit *fit, const struct device *fitted, const struct device *file);

#endif
