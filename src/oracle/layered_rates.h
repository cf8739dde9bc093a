/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What layered_floor.c and layered_floor_tokens.c share. */
#ifndef ORACLE_LAYERED_RATES_H
#define ORACLE_LAYERED_RATES_H

#include "oracle/layered_floor.h"

enum { FLOOR_POINTS_MAX = 512 };

/* Numbers of weights at which time / weights may be least. */
struct floor_points {
	double items[FLOOR_POINTS_MAX];
	unsigned count;
	double most; /* all that the way could have */
};
void floor_point_add(struct floor_points *points, double weights);
/* The ends of a curve's segments; NULL: none. */
void floor_curve_add(struct floor_points *points, const struct curve *curve, double bytes_per_weight);
double floor_rate(double (*time_s)(const struct evaluation *evaluation, double weights),
	const struct evaluation *evaluation, const struct floor_points *points);

/* Networks of tokens. */
struct floor_point tokens_point_at(const struct way *way);
struct way_floor tokens_way_floor(const struct way *way);
void tokens_floor(const struct way *way, const struct way_floor *floor, const struct floor_point *point,
	unsigned unit, struct layer_floor *result);
double tokens_fixed_s(const struct way *way, const struct floor_point *point);

#endif
