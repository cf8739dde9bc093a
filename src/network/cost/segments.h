/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits segments a + b * bytes to measured points. Three segments are usual, since protocols of libraries change
 * twice over the sizes of messages. The fit minimises the sum of squared relative errors over all ways to part the
 * points; a, b >= 0.
 */
#ifndef NETWORK_COST_SEGMENTS_H
#define NETWORK_COST_SEGMENTS_H

#include "base/piecewise.h"

enum { SEGMENTS_FIT_MAX = 4, SEGMENTS_USUAL = 3 };

struct segments {
	unsigned count;
	struct fitted_segment {
		unsigned first, last; /* points that it is fitted to */
		struct line line;
		double residual; /* root of the mean squared relative error */
	} segments[SEGMENTS_FIT_MAX];
};

/*
 * Fits at most `most` segments, of two points or more each, to seconds over bytes. Without points there are no
 * segments. At most SEGMENTS_POINTS_MAX points are looked at.
 */
enum { SEGMENTS_POINTS_MAX = 512 };
void segments_fit(const struct points *points, unsigned most, struct segments *segments);

/*
 * Returns the seconds at a size; between two segments the line is straight from the end of one to the start of the
 * next.
 */
double segments_s(const struct segments *segments, const struct points *points, double bytes);

#endif
