/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits a line by iteratively reweighted least squares on relative errors r = (a + b x) / t - 1, in three stages:
 *     1. the least sum of |r| (weights 1 / |r|); or, where points that are too fast have drawn that line away (its
 *        scale s is more than twice as large), the line through two of the points with the least median of
 *        |log((a + b x) / t)|;
 *     2. bisquare weights (1 - (r / 4.685 s)^2)^2 of residuals relative to the measured time, where s is the median of
 *        |r| / 0.6745 without the two least, which a line goes through anyway;
 *     3. the same once more with residuals relative to the fitted time, since 1 / t favours times that were measured
 *        too low.
 * a and b stay >= 0: the least under these constraints is the free one, or lies on one of the axes.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_fit.h>

#include "base/error.h"
#include "fit/calibration.h"

enum { ABSOLUTE_ROUNDS = 30, BISQUARE_ROUNDS = 50, PAIRED_POINTS = 32 };
static const double bisquare = 4.685, normal_mad = 0.6745, exact = 1e-10;
static const double near =
	0.4; /* log error below which no point is far enough off to have drawn the line away */

/* The arrays of one fit, each of `count` numbers. */
struct work {
	const double *x, *t, *weight;
	size_t count;
	double *w, *sizes;
};

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

double robust_median(double *values, size_t count)
{
	if (!count)
		return 0;
	qsort(values, count, sizeof *values, compare);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static double weighted_mean(const struct work *work)
{
	double sum = 0, weights = 0;
	for (size_t i = 0; i < work->count; ++i) {
		sum += work->w[i] * work->t[i];
		weights += work->w[i];
	}
	return sum / weights;
}

/* Solves weighted least squares of a + b x to t under a, b >= 0. */
static void line_solve(const struct work *work, struct robust_line *line)
{
	double c00, c01, c11, squares;
	double first = DBL_MAX, last = -1;
	for (size_t i = 0; i < work->count; ++i)
		if (work->w[i] > 0) {
			first = fmin(first, work->x[i]);
			last = fmax(last, work->x[i]);
		}
	const bool varied = last > first;
	if (varied)
		gsl_fit_wlinear(work->x, 1, work->w, 1, work->t, 1, work->count, &line->a, &line->b, &c00,
			&c01, &c11, &squares);
	if (!varied || !(line->b > 0)) {
		line->a = weighted_mean(work);
		line->b = 0;
	} else if (line->a < 0) {
		line->a = 0;
		gsl_fit_wmul(work->x, 1, work->w, 1, work->t, 1, work->count, &line->b, &c11, &squares);
	}
}

static double fitted(const struct work *work, const struct robust_line *line, size_t i)
{
	return line->a + line->b * work->x[i];
}

/* Fills the sizes of errors, ascending, relative to the measured times or, with `of_fit`, to the fitted ones. */
static void sizes_fill(const struct work *work, const struct robust_line *line, bool of_fit)
{
	for (size_t i = 0; i < work->count; ++i) {
		const double at = fitted(work, line, i);
		work->sizes[i] = fabs(at - work->t[i]) / (of_fit && at > 0 ? at : work->t[i]);
	}
	qsort(work->sizes, work->count, sizeof *work->sizes, compare);
}

static double scale_of(const struct work *work)
{
	const size_t skipped = work->count > 2 ? 2 : 0, kept = work->count - skipped;
	const double *sizes = work->sizes + skipped;
	return (sizes[(kept - 1) / 2] + sizes[kept / 2]) / 2 / normal_mad;
}

static double log_scale(const struct work *work, const struct robust_line *line)
{
	for (size_t i = 0; i < work->count; ++i)
		work->sizes[i] = fabs(log(fitted(work, line, i) / work->t[i]));
	qsort(work->sizes, work->count, sizeof *work->sizes, compare);
	return scale_of(work);
}

static void absolute_weights(const struct work *work, const struct robust_line *line)
{
	for (size_t i = 0; i < work->count; ++i) {
		const double t = work->t[i], r = fabs(fitted(work, line, i) - t) / t;
		work->w[i] = work->weight[i] / (t * t) / fmax(r, exact);
	}
}

/* Computes bisquare weights. Returns false, and leaves the weights, where the points are exact but for rounding. */
static bool bisquare_weights(const struct work *work, const struct robust_line *line, bool of_fit)
{
	sizes_fill(work, line, of_fit);
	const double scale = scale_of(work);
	if (scale < exact)
		return false;
	for (size_t i = 0; i < work->count; ++i) {
		const double at = fitted(work, line, i), base = of_fit && at > 0 ? at : work->t[i];
		const double u = (at - work->t[i]) / base / (bisquare * scale);
		const double kept = fabs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0;
		work->w[i] = work->weight[i] * kept / (base * base);
	}
	return true;
}

static bool moved(const struct robust_line *before, const struct robust_line *after)
{
	return fabs(after->a - before->a) > exact * after->a || fabs(after->b - before->b) > exact * after->b;
}

/* Tries lines through two points, of many points only some pairs; takes the best one with less than half the scale. */
static void pairs_try(struct work *work, struct robust_line *best)
{
	const size_t step = 1 + work->count / PAIRED_POINTS;
	double least = log_scale(work, best) / 2;
	if (work->sizes[work->count - 1] < near)
		return;
	for (size_t i = 0; i < work->count; i += step)
		for (size_t j = i + step; j < work->count; j += step) {
			struct robust_line line = {
				.b = (work->t[j] - work->t[i]) / (work->x[j] - work->x[i])};
			line.a = work->t[i] - line.b * work->x[i];
			if (!(line.b >= 0 && line.b < DBL_MAX && line.a >= 0))
				continue;
			const double scale = log_scale(work, &line);
			if (scale < least) {
				least = scale;
				*best = line;
			}
		}
}

static void rounds(struct work *work, struct robust_line *line, bool of_fit)
{
	for (unsigned round = 0; round < BISQUARE_ROUNDS; ++round) {
		const struct robust_line before = *line;
		if (!bisquare_weights(work, line, of_fit))
			return;
		line_solve(work, line);
		if (!moved(&before, line))
			return;
	}
}

static void line_search(struct work *work, struct robust_line *line)
{
	for (size_t i = 0; i < work->count; ++i)
		work->w[i] = work->weight[i] / (work->t[i] * work->t[i]);
	line_solve(work, line);
	if (work->count > 2) {
		for (unsigned round = 0; round < ABSOLUTE_ROUNDS; ++round) {
			const struct robust_line before = *line;
			absolute_weights(work, line);
			line_solve(work, line);
			if (!moved(&before, line))
				break;
		}
		pairs_try(work, line);
		rounds(work, line, false);
		rounds(work, line, true);
	}
	sizes_fill(work, line, false);
	line->residual = robust_median(work->sizes, work->count);
}

static bool checked(const struct work *work)
{
	bool fine = work->count > 0;
	for (size_t i = 0; i < work->count; ++i)
		fine = fine && work->x[i] >= 0 && work->x[i] < DBL_MAX && work->t[i] > 0 &&
		       work->t[i] < DBL_MAX && work->weight[i] > 0 && work->weight[i] < DBL_MAX;
	return fine;
}

bool robust_line_fit(struct paradl_arena *arena, const double *x, const double *t, const double *weight,
	size_t count, struct robust_line *line, struct paradl_error *error)
{
	double *ones = arena_alloc(arena, count, sizeof *ones);
	struct work work = {x, t, weight ? weight : ones, count, arena_alloc(arena, count, sizeof(double)),
		arena_alloc(arena, count, sizeof(double))};
	if (!ones || !work.w || !work.sizes)
		return out_of_memory(error);
	for (size_t i = 0; i < count; ++i)
		ones[i] = 1;
	*line = (struct robust_line){0};
	if (!checked(&work))
		return error_set(error, PARADL_USAGE,
			"a line needs points with sizes >= 0, times > 0 and weights > 0");
	line_search(&work, line);
	return true;
}
