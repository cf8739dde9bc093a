/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Up to three segments a + b * bytes through measured points: protocols of libraries change twice over the sizes of
 * messages. Minimises the sum of squared relative errors over all ways to part the points; a, b >= 0.
 */
#ifndef NETWORK_SEGMENTS_H
#define NETWORK_SEGMENTS_H

enum { SEGMENTS_FIT_MAX = 3 };

struct segments {
	unsigned count;
	struct segment {
		unsigned first, last; /* points that it goes through */
		double a_s, b_s_per_byte;
		double residual; /* root of the mean squared relative error */
	} segments[SEGMENTS_FIT_MAX];
};

/* `count` points ascending in bytes, none of them: no segments; at most SEGMENTS_POINTS_MAX are looked at. */
enum { SEGMENTS_POINTS_MAX = 512 };
void segments_fit(const double *bytes, const double *time_s, unsigned count, struct segments *segments);

#endif
