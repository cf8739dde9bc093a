/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/cost/measured_curves.h"

#include <float.h>
#include <math.h>

/* Sums over points of a segment, for the least of  sum ((a + b x) / t - 1)^2. */
struct sums {
	double count, ww, wx, xx, w, x; /* of 1, 1 / t^2, x / t^2, x^2 / t^2, 1 / t, x / t */
};

static void sums_add(struct sums *sums, double bytes, double time_s)
{
	const double w = 1 / time_s, x = bytes / time_s;
	sums->count += 1;
	sums->ww += w * w;
	sums->wx += w * x;
	sums->xx += x * x;
	sums->w += w;
	sums->x += x;
}

/* Finds a and b, and returns the squared error; a time neither starts below 0 nor falls with the size. */
static double sums_solve(const struct sums *sums, double *a, double *b)
{
	const double determinant = sums->ww * sums->xx - sums->wx * sums->wx;
	if (sums->count > 1 && determinant > 0) {
		*a = (sums->w * sums->xx - sums->x * sums->wx) / determinant;
		*b = (sums->ww * sums->x - sums->wx * sums->w) / determinant;
	} else {
		*a = sums->w / sums->ww;
		*b = 0;
	}
	if (*b < 0) {
		*a = sums->w / sums->ww;
		*b = 0;
	} else if (*a < 0) {
		*a = 0;
		*b = sums->x / sums->xx;
	}
	const double error = *a * *a * sums->ww + 2 * *a * *b * sums->wx + *b * *b * sums->xx -
			     2 * *a * sums->w - 2 * *b * sums->x + sums->count;
	return error > 0 ? error : 0;
}

static void part_fit(
	const struct points *points, unsigned first, unsigned last, struct fitted_segment *segment)
{
	struct sums sums = {0};
	for (unsigned i = first; i <= last; ++i)
		sums_add(&sums, points->x[i], points->y[i]);
	*segment = (struct fitted_segment){.first = first, .last = last};
	const double error = sums_solve(&sums, &segment->line.a_s, &segment->line.b_s_per_byte);
	segment->residual = sqrt(error / sums.count);
}

/*
 * Finds the least error of points 0 .. j in one more segment than `before` has, and where that segment starts, with
 * two points or more in each.
 */
static void split(const struct points *points, unsigned count, const double *before, double *error,
	unsigned short *start)
{
	for (unsigned j = 0; j < count; ++j) {
		error[j] = DBL_MAX;
		start[j] = 0;
	}
	for (unsigned i = 2; i + 1 < count; ++i) {
		struct sums sums = {0};
		double a, b;
		sums_add(&sums, points->x[i], points->y[i]);
		for (unsigned j = i + 1; j < count; ++j) {
			sums_add(&sums, points->x[j], points->y[j]);
			if (!(before[i - 1] < DBL_MAX))
				continue;
			const double sum = before[i - 1] + sums_solve(&sums, &a, &b);
			if (sum < error[j]) {
				error[j] = sum;
				start[j] = (unsigned short)i;
			}
		}
	}
}

void segments_fit(const struct points *points, unsigned most, struct segments *segments)
{
	double error[SEGMENTS_FIT_MAX][SEGMENTS_POINTS_MAX];
	unsigned short start[SEGMENTS_FIT_MAX][SEGMENTS_POINTS_MAX];
	unsigned count = points->count;
	segments->count = 0;
	if (count < 1)
		return;
	if (count > SEGMENTS_POINTS_MAX)
		count = SEGMENTS_POINTS_MAX;
	if (most > SEGMENTS_FIT_MAX)
		most = SEGMENTS_FIT_MAX;
	const unsigned parts = count < 4 ? 1 : count / 2 < most ? count / 2 : most;
	struct sums sums = {0};
	for (unsigned i = 0; i < count; ++i) {
		double a, b;
		sums_add(&sums, points->x[i], points->y[i]);
		error[0][i] = i ? sums_solve(&sums, &a, &b) : DBL_MAX;
		start[0][i] = 0;
	}
	for (unsigned part = 0; part + 1 < parts; ++part)
		split(points, count, error[part], error[part + 1], start[part + 1]);
	segments->count = parts;
	unsigned last = count - 1;
	for (unsigned part = parts; part-- > 0;) {
		const unsigned first = start[part][last];
		part_fit(points, first, last, &segments->segments[part]);
		last = first ? first - 1 : 0;
	}
}

double segments_s(const struct segments *segments, const struct points *points, double bytes)
{
	const double *const sizes = points->x;
	unsigned i = 0;
	while (i + 1 < segments->count && bytes >= sizes[segments->segments[i + 1].first])
		++i;
	const struct fitted_segment *const segment = &segments->segments[i], *const next = segment + 1;
	const double end = sizes[segment->last];
	if (i + 1 == segments->count || bytes <= end)
		return line_s(&segment->line, bytes);
	const double start = sizes[next->first];
	return straight(end, line_s(&segment->line, end), start, line_s(&next->line, start), bytes);
}
