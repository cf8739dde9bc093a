/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hull is a time that is a maximum of lines a + b * bytes: convex and piecewise affine. Steps of a schedule have
 * such times, and sums and maxima of hulls are hulls again, exactly. So lines are kept, and no knots
 * (base/piecewise.h).
 */
#ifndef NETWORK_COST_HULL_H
#define NETWORK_COST_HULL_H

#include "base/piecewise.h"
#include "network/machine_network.h"

enum { HULL_MAX = 12 };

/*
 * Lines that ascend in b and descend in a; without lines the time is 0. Beyond HULL_MAX lines, the one that is
 * missed least is left out.
 */
struct hull {
	unsigned count;
	struct line lines[HULL_MAX];
};

void hull_insert(struct hull *hull, const struct line *line);
static inline void hull_include(struct hull *hull, struct line line)
{
	for (unsigned i = 0; i < hull->count; ++i) /* the usual case: the line adds nothing */
		if (hull->lines[i].a_s >= line.a_s && hull->lines[i].b_s_per_byte >= line.b_s_per_byte)
			return;
	hull_insert(hull, &line);
}
void hull_add(struct hull *sum, const struct hull *term, double times);
/* Scales a hull to `scale` times the bytes. */
void hull_scale(struct hull *hull, double scale);
void hull_max(struct hull *hull, const struct hull *other);
double hull_s(const struct hull *hull, double bytes);

/* ---- envelopes ---------------------------------------------------------------------------------------- */

/*
 * An envelope is the least of several times, each a hull. It is piecewise affine in the bytes, neither convex nor
 * concave, and at every size the time of one of the algorithms. Crossings are those of the lines, exactly.
 */
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
