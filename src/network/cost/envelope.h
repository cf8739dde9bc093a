/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An envelope is the least of several times, each a hull. It is piecewise affine in the bytes, neither convex nor
 * concave, and at every size the time of one of the algorithms. Crossings are those of the lines, exactly.
 */
#ifndef NETWORK_COST_ENVELOPE_H
#define NETWORK_COST_ENVELOPE_H

#include <stdbool.h>

#include "network/cost/hull.h"
#include "network/machine_network.h"

enum { ENVELOPE_MAX = 192 };

struct envelope {
	unsigned count;
	struct segment segments[ENVELOPE_MAX]; /* ascending; upto_bytes of the last one is DBL_MAX */
};

void envelope_begin(struct envelope *envelope);
/*
 * Adds the hull of an algorithm. An equal time does not displace an earlier one. A hull without lines is the time 0.
 */
void envelope_add(struct envelope *envelope, const struct hull *hull, unsigned algorithm);
/*
 * Stores the envelope in CURVE_MAX segments and leaves out those missed least (relative to the time); false: nothing
 * was added.
 */
bool envelope_curve(const struct envelope *envelope, struct curve *curve);

#endif
