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

/* The same over all sizes, in CURVE_MAX segments. `algorithm` of a segment means nothing. */
bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve);

#endif
