/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segments a + b * bytes through measured points. Three are usual: protocols of libraries change twice over the sizes of
 * messages. Minimises the sum of squared relative errors over all ways to part the points; a, b >= 0.
 */
#ifndef NETWORK_SEGMENTS_H
#define NETWORK_SEGMENTS_H

enum { SEGMENTS_FIT_MAX = 4, SEGMENTS_USUAL = 3 };

struct segments {
	unsigned count;
	struct segment {
		unsigned first, last; /* points that it goes through */
		double a_s, b_s_per_byte;
		double residual; /* root of the mean squared relative error */
	} segments[SEGMENTS_FIT_MAX];
};

/*
 * `count` points ascending in bytes, none of them: no segments; at most SEGMENTS_POINTS_MAX are looked at. At most `most`
 * segments, of two points or more each.
 */
enum { SEGMENTS_POINTS_MAX = 512 };
void segments_fit(
	const double *bytes, const double *time_s, unsigned count, unsigned most, struct segments *segments);

double segment_s(const struct segment *segment, double bytes);
/* Between two segments: straight from the end of one to the start of the next. `bytes`: of the points. */
double segments_s(const struct segments *segments, const double *bytes, double at_bytes);

#endif
