/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits the values of a model of times, none negative, by the least sum of w rho(ln model - ln measured), so that
 * errors are relative, and too fast counts like too slow. Weights are bisquare, 0 beyond 4.685 robust standard
 * deviations. The method is Levenberg-Marquardt (GSL) in the square roots of the values, iteratively reweighted.
 */
#ifndef FIT_RELATIVE_FIT_H
#define FIT_RELATIVE_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "paradl.h"

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

#endif
