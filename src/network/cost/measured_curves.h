/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of collectives from a machine's measured curves ("curves" of its profile), for groups with as many devices
 * in each node as were measured. Where several libraries were measured, the one whose curve comes first in the
 * profile counts, in any version.
 */
#ifndef NETWORK_COST_MEASURED_CURVES_H
#define NETWORK_COST_MEASURED_CURVES_H

#include "base/piecewise.h"
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
 * Finds the time of an operation with `devices` devices in all `nodes` together, of the library `library`: "nccl" is
 * any version of it, NULL the library whose curve comes first. False: no curve has this operation, library and
 * layout, the nodes are fewer than any measured, or only one other number of nodes was measured.
 */
bool measured_s(const struct paradl_machine *machine, enum operation operation, unsigned nodes,
	unsigned devices, double bytes, const char *library, struct measured_time *time);

/* Returns the length of the name of a library without its version: 8 of "open mpi 4.0.5". */
size_t library_name_length(const char *library);
/* Returns whether two are versions of one library: curves of both are of that library. */
bool libraries_agree(const char *a, const char *b);

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

/* ---- segments through points: segments.c -------------------------------------------------------------- */

/*
 * Segments a + b * bytes that are fitted to measured points. Three are usual, since protocols of libraries change
 * twice over the sizes of messages. The fit minimises the sum of squared relative errors over all ways to part the
 * points; a, b >= 0.
 */
enum { SEGMENTS_FIT_MAX = 4, SEGMENTS_USUAL = 3 };

struct segments {
	unsigned count;
	struct fitted_segment {
		unsigned first, last; /* points that it is fitted to */
		struct line line;
		double residual; /* root of the mean squared relative error */
	} segments[SEGMENTS_FIT_MAX];
};

/*
 * Fits at most `most` segments, of two points or more each, to seconds over bytes. Without points there are no
 * segments. At most SEGMENTS_POINTS_MAX points are looked at.
 */
enum { SEGMENTS_POINTS_MAX = 512 };
void segments_fit(const struct points *points, unsigned most, struct segments *segments);

/*
 * Returns the seconds at a size; between two segments the line is straight from the end of one to the start of the
 * next.
 */
double segments_s(const struct segments *segments, const struct points *points, double bytes);

/* ---- curves of one operation over numbers of nodes: measured_nodes.c ---------------------------------- */

enum { COUNTS_MAX = 32 };

/* Curves of one operation, layout and library, in ascending order of nodes. */
struct set {
	const struct measured_curve *curves[COUNTS_MAX];
	unsigned count;
	enum operation operation;
	double node_rate, rate; /* best bus bandwidth inside a node, and beyond it */
};

/*
 * Gathers all curves of one library, in any version, and layout for the set's operation; library NULL: that of the
 * curve that comes first.
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
