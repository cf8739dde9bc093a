/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured curves of one operation over numbers of nodes: which are in line, and the law between and beyond them. */
#ifndef NETWORK_MEASURED_NODES_H
#define NETWORK_MEASURED_NODES_H

#include "network/measured.h"

enum { COUNTS_MAX = 32 };

/* Curves of one operation, layout and library, ascending in nodes. */
struct set {
	const struct measured_curve *curves[COUNTS_MAX];
	unsigned count;
	enum operation operation;
	double node_rate, rate; /* the best bus bandwidth inside a node, and beyond it */
};

/* Finds all of one library and layout; NULL: of the library whose curve comes first. `set` has the operation. */
void set_gather(
	const struct paradl_machine *machine, const char *library, unsigned node_devices, struct set *set);
void set_drop(struct set *set, unsigned i);
/* Leaves the counts that are in line at a size: the farthest off is dropped until none is. */
void set_straighten(struct set *set, double bytes);

/* The time at a size; outside of the points, what the fit misses its own by. */
double time_at(const struct points *points, double bytes, enum measured_origin *origin, double *residual);
double curve_at(const struct measured_curve *curve, double bytes);

/* Returns the growth of the rest per doubling of the nodes at one size, relative to the time at the most nodes. */
double growth_at(const struct set *set, double bytes);
/* The time at a number of nodes, from counts that are in line, beyond which it grows; `gap` is what it adds to the nearest, relative. */
double nodes_s(const struct set *set, unsigned nodes, double bytes, double growth, double *gap);

#endif
