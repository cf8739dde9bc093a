/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of Calculon, an analytical model of training transformers: models and systems. */
#ifndef IMPORT_CALCULON_H
#define IMPORT_CALCULON_H

#include "import/importer.h"

/* The file's name without its ending. NULL: out of memory. */
const char *calculon_name(struct paradl_arena *arena, const char *path);

/* Rates of a unit in a number format: efficiencies of operations of at least so much work, most work first. */
enum { CALCULON_POINTS_MAX = 64 };
struct calculon_curve {
	double work[CALCULON_POINTS_MAX], efficiency[CALCULON_POINTS_MAX];
	unsigned count;
};
/* "[[128, 0.99], [16, 0.9], [0, 0.5]]" */
bool calculon_curve_read(const struct json *list, struct calculon_curve *curve, struct paradl_error *error);
double calculon_curve_best(const struct calculon_curve *curve);
/*
 * The half-length h for which (s / (s + h))^3 of cubes with side s comes closest to the efficiencies, of the best, of Gflop of
 * work: least squares of logarithms. *worst: the largest relative deviation at a point.
 */
double calculon_half_length(const struct calculon_curve *curve, double *worst);

#endif
