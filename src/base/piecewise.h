/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities that are straight between knots, in two forms:
 *     points      y at ascending x, as measured: seconds over bytes or samples, rates over clients
 *     segments    a line for each range of x, as computed or fitted: seconds over bytes
 * Beyond the points each measured quantity has a law of its own: proportion is here, the others are where their data
 * are. A maximum of lines is neither: its knots follow from the lines, and its sums and maxima are maxima of lines,
 * too (network/cost/hull.h).
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

/* A line for a range of sizes, which begins where the range of the segment before it ends. */
struct segment {
	double upto_bytes;
	struct line line;
	unsigned algorithm; /* index in `collectives`; unused for messages */
};

/* Returns the index of the segment for a size; beyond the last one, the last. */
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

/* Returns the index of the last point whose x is not above `x`; UINT_MAX where all are above. */
unsigned points_below(const struct points *points, double x);
/* Returns y at x on the line through (x0, y0) and (x1, y1). */
static inline double straight(double x0, double y0, double x1, double y1, double x)
{
	const double along = (x - x0) / (x1 - x0);
	return y0 + (y1 - y0) * along;
}
/* Returns y at x on the line through points i and i + 1. */
static inline double points_between(const struct points *points, unsigned i, double x)
{
	return straight(points->x[i], points->y[i], points->x[i + 1], points->y[i + 1], x);
}
/*
 * Returns y at x: on the line between the points around it; before the first point and beyond the last in proportion
 * to x. There must be at least one point.
 */
double points_proportional(const struct points *points, double x);
/* Replaces the y of all points by copies, y * times / over; false: out of memory. */
bool points_scale(struct paradl_arena *arena, struct points *points, double times, double over);

#endif
