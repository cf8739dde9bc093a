/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of a message or collective as a function of its bytes. For a fixed group of devices and a fixed algorithm it
 * is piecewise affine, T(bytes) = a + b * bytes, so a group is compiled once per plan and evaluated per layer by one
 * multiply-add. `bytes` is always the whole vector: what each member starts with (allreduce, reduce-scatter) or ends
 * with (allgather); for a message, the message.
 *
 * Here the network is levels with a latency, a bandwidth per port and an oversubscription; a routed engine
 * fills the same curves.
 */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "machine/framework.h"
#include "machine/machine.h"

struct curve {
	unsigned count;
	struct curve_segment {
		double upto_bytes, a_s, b_s_per_byte;
	} segments[SEGMENTS_MAX];
};

static inline double curve_s(const struct curve *curve, double bytes)
{
	unsigned i = 0;
	while (i + 1 < curve->count && bytes > curve->segments[i].upto_bytes)
		++i;
	return curve->segments[i].a_s + curve->segments[i].b_s_per_byte * bytes;
}

/* Devices that communicate together. Groups of the same kind tile the machine and are active at the same time. */
struct group {
	unsigned size;
	unsigned nodes;               /* that hold members */
	unsigned level;               /* the lowest level that joins all members */
	unsigned members[LEVELS_MAX]; /* inside one domain of each level; [0] is per node */
};

/*
 * The group along a set of axes (bit mask) of a plan: its members' ranks differ in those axes only. Groups that
 * straddle a node boundary because a degree does not divide the node are taken at their worst placement.
 */
struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes);

/* What a curve is asked for. */
struct exchange {
	struct group group;
	unsigned rings; /* concurrent rings of the library's collective */
	bool ideal;     /* one nominal alpha and beta, no sharing */
};

/* A collective is one algorithm for one operation: one file, one line in collective/list.def. */
enum operation { ALLREDUCE, ALLGATHER, POINT_TO_POINT };
struct collective {
	const char *name, *summary;
	enum operation operation;
	void (*compile)(
		const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve);
};

#define X(id) extern const struct collective collective_##id;
#include "network/collective/list.def"
#undef X

/*
 * Bytes per second of one group's collective. Inside a node: its rings on the device's links. Across nodes, at every
 * level up to the group's: min(rings, ports) rings of the library, ports shared by all groups with members on the
 * node, and the oversubscribed uplinks of a domain shared by all groups that leave it.
 */
double group_bytes_per_s(const struct paradl_machine *machine, const struct group *group, unsigned rings);

/* The segments of a host-staged message path. */
void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve);

#endif
