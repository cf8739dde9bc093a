/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "import/calculon.h"

enum { HALF_LENGTH_MOST = 8192 };

static bool point_read(const struct json *pair, struct calculon_curve *curve, struct paradl_error *error)
{
	static const struct json_field work = {.key = "work", .type = JSON_TO_DOUBLE, .min = 0, .max = 1e15};
	static const struct json_field efficiency = {
		.key = "efficiency", .type = JSON_TO_DOUBLE, .min = 1e-6, .max = 1};
	const unsigned i = curve->count++;
	if (pair->kind != JSON_ARRAY || pair->count != 2)
		return json_error(pair, error, "must be [work, efficiency]");
	return json_read_value(pair->child, &work, &curve->work[i], error) &&
	       json_read_value(pair->child->next, &efficiency, &curve->efficiency[i], error);
}

bool calculon_curve_read(const struct json *list, struct calculon_curve *curve, struct paradl_error *error)
{
	curve->count = 0;
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > CALCULON_POINTS_MAX)
		return json_error(list, error, "must be an array of 1 to %d pairs [work, efficiency]",
			CALCULON_POINTS_MAX);
	for (const struct json *pair = list->child; pair; pair = pair->next)
		if (!point_read(pair, curve, error))
			return false;
	return true;
}

double calculon_curve_best(const struct calculon_curve *curve)
{
	double best = 0;
	for (unsigned i = 0; i < curve->count; i++)
		best = fmax(best, curve->efficiency[i]);
	return best;
}

/* Returns the logarithm of the formula at point i, less that of the curve's efficiency relative to the best one. */
static double deviation(const struct calculon_curve *curve, unsigned i, double best, double half)
{
	const double side = cbrt(curve->work[i] * 1e9 / 2);
	return 3 * log(side / (side + half)) - log(curve->efficiency[i] / best);
}

/*
 * Tries all half-lengths up to HALF_LENGTH_MOST. A point without work is skipped: it gives the least efficiency, but
 * not the work that has it.
 */
double calculon_half_length(const struct calculon_curve *curve, double *worst)
{
	const double best = calculon_curve_best(curve);
	double least = HUGE_VAL, length = 0;
	for (unsigned half = 0; half <= HALF_LENGTH_MOST; half++) {
		double sum = 0;
		for (unsigned i = 0; i < curve->count; i++)
			if (curve->work[i] > 0)
				sum += pow(deviation(curve, i, best, half), 2);
		if (sum < least) {
			least = sum;
			length = half;
		}
	}
	*worst = 0;
	for (unsigned i = 0; i < curve->count; i++)
		if (curve->work[i] > 0)
			*worst = fmax(*worst, fabs(expm1(deviation(curve, i, best, length))));
	return length;
}
