/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities that are straight between knots, in the two forms that there are:
 *     points      y at ascending x, as measured: seconds over bytes or samples, rates over clients
 *     segments    a line for each range of x, as computed or fitted: seconds over bytes
 * What holds beyond the points is a law of what was measured: proportion is here, the others are where their data are. A maximum
 * of lines is neither: its knots follow from the lines, and sums and maxima of it are again such (network/hull.h).
 */
#ifndef BASE_PIECEWISE_H
#define BASE_PIECEWISE_H

#include "base/arena.h"

struct line {
	double a_s, b_s_per_byte;
};

static inline double line_s(const struct line *line, double bytes)
{
	return line->a_s + line->b_s_per_byte * bytes;
}

/* Begins where the one before it ends. */
struct segment {
	double upto_bytes;
	struct line line;
	unsigned algorithm; /* index in `collectives`; meaningless for messages */
};

/* Returns the index of the segment that holds at a size; beyond the last, that. */
static inline unsigned segment_at(const struct segment *segments, unsigned count, double bytes)
{
	unsigned i = 0;
	while (i + 1 < count && bytes > segments[i].upto_bytes)
		++i;
	return i;
}

struct points {
	const double *x, *y;
	unsigned count;
};

/* Returns the last point that is not above; UINT_MAX where all are. */
unsigned points_below(const struct points *points, double x);
/* Returns y at x on the line through (x0, y0) and (x1, y1). */
static inline double straight(double x0, double y0, double x1, double y1, double x)
{
	const double along = (x - x0) / (x1 - x0);
	return y0 + (y1 - y0) * along;
}
/* On the line through points i and i + 1. */
static inline double points_between(const struct points *points, unsigned i, double x)
{
	return straight(points->x[i], points->y[i], points->x[i + 1], points->y[i + 1], x);
}
/* Before the first point and beyond the last in proportion to x. There is a point. */
double points_proportional(const struct points *points, double x);
/* Replaces each y by a copy, y * times / over; false: out of memory. */
bool points_scale(struct paradl_arena *arena, struct points *points, double times, double over);

#endif
