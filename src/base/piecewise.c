/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/piecewise.h"

unsigned points_below(const struct points *points, double x)
{
	unsigned i = 0;
	while (i < points->count && points->x[i] <= x)
		++i;
	return i - 1;
}

double points_proportional(const struct points *points, double x)
{
	const double *const xs = points->x, *const ys = points->y;
	unsigned i = 0;
	while (i < points->count && xs[i] < x)
		++i;
	if (i > 0 && i < points->count)
		return ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
	const unsigned end = i > 0 ? i - 1 : 0;
	return ys[end] * x / xs[end];
}

bool points_scale(struct paradl_arena *arena, struct points *points, double times, double over)
{
	double *const y = arena_alloc(arena, points->count, sizeof *y);
	for (unsigned i = 0; y && i < points->count; ++i)
		y[i] = points->y[i] * times / over;
	points->y = y;
	return y;
}
