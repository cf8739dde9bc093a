/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least of several times, each a hull: piecewise affine in the bytes, neither convex nor concave, and at every size
 * the time of one of the algorithms. Crossings are those of the lines, exactly.
 */
#ifndef NETWORK_ENVELOPE_H
#define NETWORK_ENVELOPE_H

#include <stdbool.h>

#include "network/hull.h"
#include "network/network.h"

enum { ENVELOPE_MAX = 192 };

struct envelope {
	unsigned count;
	struct segment segments[ENVELOPE_MAX]; /* ascending; the last one's upto_bytes is DBL_MAX */
};

void envelope_begin(struct envelope *envelope);
/* An equal time does not displace an earlier one. A hull without lines is the time 0. */
void envelope_add(struct envelope *envelope, const struct hull *hull, unsigned algorithm);
/* The envelope in CURVE_MAX segments, those missed least (relative to the time) left out; false: nothing was added. */
bool envelope_curve(const struct envelope *envelope, struct curve *curve);

#endif
