/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of a message or collective as a function of its bytes. For a fixed group of devices and a fixed algorithm it
 * is piecewise affine, T(bytes) = a + b * bytes, so a group is compiled once and evaluated by one multiply-add.
 * `bytes` is always the whole vector; collective.h says what that is for each operation.
 */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "network/collective.h"
#include "network/graph.h"

/* ---- groups ----------------------------------------------------------------------------------------------- */

/* A stretch of neighbouring axes that a group spans: `degree` members, `stride` devices apart. */
struct run {
	unsigned stride, degree;
};

enum { RUNS_MAX = PARADL_AXIS_COUNT + 2 }; /* one may lie in two parts; copies may begin at domains */

/* Devices that communicate together. Groups of the same kind tile `devices` and are active at the same time. */
struct group {
	unsigned size;
	unsigned nodes;               /* that hold members */
	unsigned level;               /* the lowest level that joins all members */
	unsigned members[LEVELS_MAX]; /* inside one domain of each level; [0] is per node */
	unsigned devices;             /* of the plan; devices / size copies of the group run at once ... */
	unsigned concurrent;          /* ... or only the first so many; 0: all */
	struct run runs[RUNS_MAX];    /* innermost first; rank = its digits in them */
	struct run silent[RUNS_MAX];  /* only copies whose digits in these are 0 run: leaders */
	unsigned run_count, silent_count;
	const unsigned *placement; /* device of each of the plan's PEs, or NULL: in order */
};

/*
 * The group along a set of axes (bit mask) of a plan: its members' ranks differ in those axes only. Groups that
 * straddle a node boundary because a degree does not divide the node are taken at their worst placement; where domains are
 * larger than nodes, spread evenly over them.
 */
struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes);

/* Returns the group with only the members that its runs have: without the remainder of one that is spread over domains. */
struct group group_wired(const struct group *group);

/* Of the places along these axes only the first takes part: a leader for the others. Axes not of the group. */
void group_silence(struct group *group, const struct paradl_plan *plan, unsigned axes);

/* Place of a rank is that of the group's copy, base, plus that of the rank in it, offset. */
unsigned group_offset(const struct group *group, unsigned rank);
unsigned group_base(const struct group *group, unsigned sibling);
/* The bases, below `below`, of the copies that run at the same time; how many. Room for devices / size. */
unsigned group_copies(const struct group *group, unsigned below, unsigned *bases);

/* ---- libraries -------------------------------------------------------------------------------------------- */

/* Returns the algorithms that a library runs inside a node, by name with commas between; NULL where that is not known. */
const char *library_algorithms(const char *library, enum operation operation);
/* Returns the algorithms that a library has in a node or between nodes; NULL: all. */
const char *library_offers(const char *library, enum operation operation, bool in_node);
bool library_runs(const char *library, const struct collective *collective);
/* Whether there is a library of that name, and whether it has a collective, inside nodes or between them. */
bool library_exists(const char *name);
bool library_has(const char *library, const struct collective *collective);

/* Returns what the machine's library adds to a collective of the group whose steps take latency_s together. */
struct library_call group_library(const struct paradl_machine *machine, const struct group *group,
	enum operation operation, double latency_s);

/* ---- the network ------------------------------------------------------------------------------------------ */

struct network {
	const struct graph *graph;
	const struct machine_network *rules;       /* protocols, duplex, start-ups */
	const struct paradl_machine *machine;      /* NULL: a network on paper */
	unsigned devices, devices_per_node, ports; /* ports: NICs of a node */
	double memory_s_per_byte;                  /* of a device; 0: not known */
};

/*
 * The machine's routed network, or the tree of its levels with at least the first `devices` of its devices (0: all);
 * at most NETWORK_DEVICES_MAX of them; topologies have a limit of their own.
 */
enum { NETWORK_DEVICES_MAX = 1 << 17 };
struct network *network_for(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned devices, struct paradl_error *error);
/* Whether the machine's optical switches make a torus of its own of so many devices; then network_for has just that. */
bool network_is_sliced(const struct paradl_machine *machine, unsigned devices);
struct network *network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error);
/* A topology on paper: text as in topology.h, links and rules as given. */
struct network *network_on_paper(struct paradl_arena *arena, const char *topology,
	const struct machine_network *rules, struct paradl_error *error);

struct party party_of(const struct network *network, const struct group *group);

/* ---- curves ------------------------------------------------------------------------------------------------- */

enum { CURVE_MAX = 16 };

struct curve {
	unsigned count;
	bool measured; /* then no algorithm is known */
	struct segment segments[CURVE_MAX];
};

static inline double curve_s(const struct curve *curve, double bytes)
{
	return line_s(&curve->segments[segment_at(curve->segments, curve->count, bytes)].line, bytes);
}

/*
 * ParaDL's own (HPDC'21): alpha and beta of the level that joins the group, nothing shared.
 *     one trip around a ring (allgather) or two (allreduce)   T = trips (p - 1) (alpha + bytes / p beta)    Tag, Tar
 *     a message                                               T = alpha + bytes beta                             Tp2p
 */
void nominal_ring(
	const struct paradl_machine *machine, const struct group *group, double trips, struct curve *curve);
void nominal_message(const struct paradl_machine *machine, const struct group *group, struct curve *curve);

/* The segments of a host-staged message path. */
void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve);

#endif
