/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of collectives from a machine's measured curves ("curves" of its profile), for groups with as many devices
 * in each node as were measured. Where several libraries were measured, the one whose curve comes first in the
 * profile counts.
 */
#ifndef NETWORK_COST_MEASURED_CURVES_H
#define NETWORK_COST_MEASURED_CURVES_H

#include "network/algorithm/collective.h"
#include "network/machine_network.h"

enum measured_origin {
	MEASURED,     /* a point of a curve */
	INTERPOLATED, /* between points, or between numbers of nodes */
	EXTRAPOLATED  /* outside the sizes or beyond the nodes that were measured */
};

/*
 * Limits for a curve that is slow as a whole. Bus bandwidth falls slowly with the number of nodes. At this size or
 * larger, it falls to less than this share from one count of nodes to the next only where a run was slow.
 */
static const double measured_least_share = 0.6, measured_large_bytes = 4 << 20;

struct measured_time {
	double seconds;
	double band; /* relative error within which times are expected; 0 of a point, whose spread is not known */
	enum measured_origin origin;
};

/*
 * Finds the time of an operation with `devices` devices in all `nodes` together. False: no curve has this operation
 * and layout, the nodes are fewer than any measured, or only one other number of nodes was measured.
 */
bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, struct measured_time *time);

/* Returns whether such a time is that of a point or between points: not EXTRAPOLATED. */
bool measured_covers(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes);

/* Fills a curve with such times over all sizes, in CURVE_MAX segments, whose `algorithm` means nothing. */
bool measured_curve(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, struct curve *curve);

/*
 * Sizes at which a curve is slower than those of fewer and more nodes leave room for. At such sizes no times between
 * and beyond numbers of nodes are derived from it.
 */
struct measured_slow {
	unsigned sizes, slow_sizes; /* of measured_large_bytes and more; those where it is slow */
	double bytes, times;        /* the size at which it exceeds the others' time most; by what factor */
};
bool measured_slow(const struct paradl_machine *machine, unsigned curve, struct measured_slow *slow);

#endif
