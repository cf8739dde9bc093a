/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares from one place downhill, descent.c. */
#ifndef FIT_DESCENT_H
#define FIT_DESCENT_H

#include "fit/fit.h"

struct descent; /* room for one after another */

/* NULL: out of memory, error is set. */
struct descent *descent_create(
	struct paradl_arena *arena, struct fit_problem *problem, struct paradl_error *error);
/*
 * Goes down from `unit`, moved within its bounds: to the end, or only for as long as that is cheap. The place reached goes
 * to `unit`, half the sum of squares there to *cost.
 */
bool descent_run(
	struct descent *descent, bool to_the_end, double *unit, double *cost, struct paradl_error *error);

#endif
