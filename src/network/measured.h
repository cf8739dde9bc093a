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
 * `devices` of all `nodes` together. *band is the expected relative error, which half of such times are off by less than;
 * 0 of a measured point, whose own spread the profile does not have. `origin` and `band` may be NULL. False: no curve
 * has this operation and layout, the nodes are fewer than any measured, or only one number of nodes was.
 */
bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, double *seconds, enum measured_origin *origin, double *band);

/* The same over all sizes, in CURVE_MAX segments. `algorithm` of a segment means nothing. */
bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve);

#endif
