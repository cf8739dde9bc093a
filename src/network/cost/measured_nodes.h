/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured curves of one operation over numbers of nodes: which of them are in line, and the law between and beyond
 * them.
 */
#ifndef NETWORK_COST_MEASURED_NODES_H
#define NETWORK_COST_MEASURED_NODES_H

#include "network/cost/measured_curves.h"

enum { COUNTS_MAX = 32 };

/* Curves of one operation, layout and library, in ascending order of nodes. */
struct set {
	const struct measured_curve *curves[COUNTS_MAX];
	unsigned count;
	enum operation operation;
	double node_rate, rate; /* best bus bandwidth inside a node, and beyond it */
};

/*
 * Gathers all curves of one library and layout for the set's operation; library NULL: that of the curve that comes
 * first.
 */
void set_gather(
	const struct paradl_machine *machine, const char *library, unsigned node_devices, struct set *set);
void set_drop(struct set *set, unsigned i);
/* Leaves the counts that are in line at a size: drops the one farthest off until none is. */
void set_straighten(struct set *set, double bytes);

/*
 * Returns the time at a size. Outside the points, *residual is the relative error by which the fit misses its own
 * points, which grows with the distance; otherwise it is not set.
 */
double time_at(const struct points *points, double bytes, enum measured_origin *origin, double *residual);
double curve_at(const struct measured_curve *curve, double bytes);

/*
 * Returns the growth of the rest (start-up and software) per doubling of the nodes at one size, relative to the time
 * at the most nodes.
 */
double growth_at(const struct set *set, double bytes);
/*
 * Returns the time at a number of nodes, from counts that are in line, beyond which it grows by `growth`. *gap is
 * the relative change from the nearest count.
 */
double nodes_s(const struct set *set, unsigned nodes, double bytes, double growth, double *gap);

#endif
