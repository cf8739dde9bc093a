/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descends from a start to a least sum of squares (descent.c). */
#ifndef FIT_DESCENT_H
#define FIT_DESCENT_H

#include "fit/fitting.h"

struct descent; /* memory for one descent after another */

/* Allocates the memory of descents of a problem; returns NULL with an error when out of memory. */
struct descent *descent_create(
	struct paradl_arena *arena, struct fit_problem *problem, struct paradl_error *error);
/*
 * Descends from `unit`, moved within its bounds: to the end, or only while steps gain much without new derivatives.
 * Puts the point reached into `unit`, and half the sum of squares there into *cost. Returns false with an error.
 */
bool descent_run(
	struct descent *descent, bool to_the_end, double *unit, double *cost, struct paradl_error *error);

#endif
