/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values, none negative, of a model of times: the least of the sum of w rho(ln model - ln measured), so that errors are
 * relative and too fast counts like too slow; bisquare beyond 4.685 robust standard deviations. Levenberg-Marquardt (GSL)
 * in the square roots of the values, reweighted.
 */
#ifndef FIT_RELATIVE_FIT_H
#define FIT_RELATIVE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "paradl.h"

struct relative_fit {
	void (*model)(void *context, const double *values, double *seconds); /* of all rows */
	void *context;
	const double *seconds; /* measured, above 0 */
	size_t rows, count;    /* count: of values */
	double tolerance;      /* of values and of the sum; 0: 1e-9 */
	double residual;       /* found: the median relative error */
};

/* `values`: where to begin (0 stays 0), then the result. False where there are fewer rows than values, or no end. */
bool relative_fit(struct relative_fit *fit, double *values, struct paradl_error *error);

#endif
