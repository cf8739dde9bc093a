/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the errors of projections of sets that were left out of the fit, and whether their likely error covers
 * them.
 */
#ifndef FIT_BANDS_H
#define FIT_BANDS_H

#include "fit/fitting.h"
#include "paradl/fit.h"

/* The fits to all sets but one. */
struct left_out {
	bool *is_free; /* for each set, whether its times depend on free constants */
	double *unit;  /* constants of the fit without each set, as shares of their ranges, set after set */
	double *log_time; /* logarithm of each row's seconds, by the fit without its set */
};

/*
 * Fills the share of rows within their likely error and the median half-width of that, for each set and for all, and
 * lists the knowledge to put into profiles (fit->knowledge). Changes the frameworks of the data. Returns false with an
 * error.
 */
bool bands_fill(struct paradl_arena *arena, struct fit_problem *problem, const struct left_out *left_out,
	struct paradl_fit_set *sets, struct paradl_fit *fit, struct paradl_error *error);

#endif
