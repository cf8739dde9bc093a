/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far projections of sets are off that had no say in the fit, and whether their likely error holds them. */
#ifndef FIT_BANDS_H
#define FIT_BANDS_H

#include "fit/fit.h"

/* The fits to all sets but one. */
struct left_out {
	bool *is_free;    /* of each set: its times depend on constants */
	double *unit;     /* constants of the fit without each set, set after set */
	double *log_time; /* of each row, by the fit without its set */
};

/* Fills shares inside and widths of sets and of all, and what profiles are to say. Frameworks of the data are changed. */
bool bands_fill(struct paradl_arena *arena, struct fit_problem *problem, const struct left_out *left_out,
	struct paradl_fit_set *sets, struct paradl_fit *fit, struct paradl_error *error);

#endif
