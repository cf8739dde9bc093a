/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of collectives from a machine's measured curves ("curves" of its profile), for groups with as many devices in
 * each node as were measured. Of several libraries, the one whose curve comes first in the profile.
 */
#ifndef NETWORK_MEASURED_H
#define NETWORK_MEASURED_H

#include "network/collective.h"
#include "network/network.h"

enum measured_origin {
	MEASURED,     /* a point of a curve */
	INTERPOLATED, /* between points, or between numbers of nodes */
	EXTRAPOLATED  /* outside of the sizes or beyond the nodes that were measured */
};

/*
 * Bus bandwidth falls slowly with the number of nodes: to less than this share of it from one count to the next, of this size or
 * larger, only where a run was slow as a whole.
 */
static const double measured_least_share = 0.6, measured_large_bytes = 4 << 20;

struct measured_time {
	double seconds;
	double band; /* relative error that half of such times are within; 0 of a point, whose spread is not known */
	enum measured_origin origin;
};

/*
 * `devices` of all `nodes` together. False: no curve has this operation and layout, the nodes are fewer than any
 * measured, or only one number of nodes was.
 */
bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, struct measured_time *time);

/* Whether such a time is of a point or between points: not EXTRAPOLATED. */
bool measured_covers(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes);

/* The same over all sizes, in CURVE_MAX segments. `algorithm` of a segment means nothing. */
bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve);

/* Where a curve is slower than those of fewer and more nodes leave room for; times between and beyond are not made of it there. */
struct measured_slow {
	unsigned sizes, slow_sizes; /* of measured_large_bytes and more; those where it is slow */
	double bytes, times;        /* where it takes the most times what the others say */
};
bool measured_slow(const struct paradl_machine *machine, unsigned curve, struct measured_slow *slow);

#endif
