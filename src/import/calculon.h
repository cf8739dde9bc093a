/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of Calculon, an analytical model of training transformers: models and systems. */
#ifndef IMPORT_CALCULON_H
#define IMPORT_CALCULON_H

#include "import/importer.h"

/* Returns the file's name without its extension, cut to 200 characters. NULL: out of memory. */
const char *calculon_name(struct paradl_arena *arena, const char *path);

/*
 * Efficiencies of a unit in one number format: operations of at least work[i] reach efficiency[i], largest work
 * first. Work is in Gflop for rates of products, in MB for a memory.
 */
enum { CALCULON_POINTS_MAX = 64 };
struct calculon_curve {
	double work[CALCULON_POINTS_MAX], efficiency[CALCULON_POINTS_MAX];
	unsigned count;
};
/* Reads pairs [work, efficiency] such as "[[128, 0.99], [16, 0.9], [0, 0.5]]". False: error is set. */
bool calculon_curve_read(const struct json *list, struct calculon_curve *curve, struct paradl_error *error);
double calculon_curve_best(const struct calculon_curve *curve);
/*
 * Returns the half-length h for which (s / (s + h))^3 of cubes with side s comes closest to the efficiencies relative
 * to the best one: least squares of logarithms. A cube has 2 s^3 flop of work. *worst: the largest relative deviation
 * at a point.
 */
double calculon_half_length(const struct calculon_curve *curve, double *worst);

#endif
