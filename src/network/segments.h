/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segments a + b * bytes through measured points. Three are usual: protocols of libraries change twice over the sizes of
 * messages. Minimises the sum of squared relative errors over all ways to part the points; a, b >= 0.
 */
#ifndef NETWORK_SEGMENTS_H
#define NETWORK_SEGMENTS_H

#include "base/piecewise.h"

enum { SEGMENTS_FIT_MAX = 4, SEGMENTS_USUAL = 3 };

struct segments {
	unsigned count;
	struct fitted_segment {
		unsigned first, last; /* points that it goes through */
		struct line line;
		double residual; /* root of the mean squared relative error */
	} segments[SEGMENTS_FIT_MAX];
};

/*
 * Seconds over bytes; no points: no segments; at most SEGMENTS_POINTS_MAX are looked at. At most `most`
 * segments, of two points or more each.
 */
enum { SEGMENTS_POINTS_MAX = 512 };
void segments_fit(const struct points *points, unsigned most, struct segments *segments);

/* Between two segments: straight from the end of one to the start of the next. */
double segments_s(const struct segments *segments, const struct points *points, double bytes);

#endif
