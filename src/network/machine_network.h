/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a message or collective is a function of its bytes. For a fixed group of devices and a fixed algorithm
 * it is piecewise affine, T(bytes) = a + b * bytes, so a group is compiled once and evaluated by one multiply-add.
 * `bytes` is always the size of the whole vector; collective.h says what that is for each operation.
 */
#ifndef NETWORK_MACHINE_NETWORK_H
#define NETWORK_MACHINE_NETWORK_H

#include "machine/framework.h"
#include "machine/machine.h"
#include "network/algorithm/collective.h"
#include "network/graph/graph.h"

/* ---- groups ----------------------------------------------------------------------------------------------- */

/* A stretch of neighbouring axes that a group spans: `degree` members, `stride` devices apart. */
struct run {
	unsigned stride, degree;
};

enum { RUNS_MAX = PARADL_AXIS_COUNT + 2 }; /* a run may be split in two; copies may begin at domains */

/* Devices that communicate together. Groups of the same kind tile `devices` and are active at the same time. */
struct group {
	unsigned size;
	unsigned nodes;               /* number of nodes that hold members */
	unsigned level;               /* the lowest level that joins all members */
	unsigned members[LEVELS_MAX]; /* members inside one domain of each level; [0] is per node */
	unsigned devices;    /* devices of the plan; devices / size copies of the group run at once ... */
	unsigned concurrent; /* ... or only this many, the first ones; 0: all */
	struct run runs[RUNS_MAX];   /* innermost first; the rank's digits count along them */
	struct run silent[RUNS_MAX]; /* only copies whose digits in these are 0 run: leaders */
	unsigned run_count, silent_count;
	const unsigned *placement; /* device of each of the plan's PEs, or NULL: in order */
};

/*
 * Returns the group along a set of axes (bit mask) of a plan: its members' ranks differ in those axes only. Groups
 * that straddle a node boundary because a degree does not divide the node are taken at their worst placement. Where
 * domains are larger than nodes, groups are spread evenly over them.
 */
struct group group_of(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned axes);

/*
 * Spreads a group that does not tile the machine's first domains over as few as have room, among those that its
 * devices take. Does nothing where the devices' own links do not join domains.
 */
void group_pack(struct group *group, const struct paradl_machine *machine);

/*
 * Returns the group with only the members that its runs have: without the remainder of a group that is spread over
 * domains.
 */
struct group group_wired(const struct group *group);

/*
 * Silences all but the first place along these axes, which takes part as a leader for the others. The axes must not
 * be the group's own.
 */
void group_silence(struct group *group, const struct paradl_plan *plan, unsigned axes);

/*
 * Returns the offset of a rank in its copy of the group. The place of a rank is the base of its copy plus this
 * offset.
 */
unsigned group_offset(const struct group *group, unsigned rank);
unsigned group_base(const struct group *group, unsigned sibling);
/*
 * Stores the bases, below `below`, of the copies that run at the same time, and returns how many there are. `bases`
 * has room for devices / size.
 */
unsigned group_copies(const struct group *group, unsigned below, unsigned *bases);

/* ---- libraries -------------------------------------------------------------------------------------------- */

/*
 * Returns the names of the algorithms that a library runs inside a node, with commas between; NULL where they are
 * not known.
 */
const char *library_algorithms(const char *library, enum operation operation);
/* Returns the names of the algorithms that a library has in a node or between nodes; NULL: all. */
const char *library_offers(const char *library, enum operation operation, bool in_node);
bool library_runs(const char *library, const struct collective *collective);
/*
 * Returns whether there is a library of that name; library_has: whether it has a collective, inside nodes or between
 * them.
 */
bool library_exists(const char *name);
bool library_has(const char *library, const struct collective *collective);

/* Returns what the machine's library adds to a collective of the group, whose steps take latency_s together. */
struct library_call group_library(const struct paradl_machine *machine, const struct group *group,
	enum operation operation, double latency_s);

/* ---- protocols by which a library sends the messages of a collective between nodes: protocols.c ------------- */

/* One protocol of a library, as a group on a machine has it. */
struct library_protocol {
	const char *name;        /* as in "LL128"; NULL: the network's own steps */
	double start_s;          /* seconds beyond the library's start */
	double inside, inside_s; /* hops inside nodes one after another, and seconds of each */
	double between_s;        /* seconds of every other step */
	/*
	 * The network's own latencies in the place of these steps, for algorithms that the library does not have: how
	 * much longer they are than those, apart from what the transport adds to each; 0: not so.
	 */
	double longer, transport_s;
	double share; /* share of the links' rate */
};

/* Returns the name of the library that runs the machine's collectives, as in "nccl". */
const char *machine_library(const struct paradl_machine *machine);

/*
 * Finds the protocols by which that library sends the messages of a collective among a communicator of several nodes.
 * Returns how many there are; 0 where the network's own steps count.
 */
enum { LIBRARY_PROTOCOLS = 3 };
unsigned library_protocols(const struct paradl_machine *machine, const struct communicator *comm,
	const struct collective *collective, struct library_protocol protocols[LIBRARY_PROTOCOLS]);

struct hull;
/* Replaces the network's latencies and rate by those of the protocol, in an algorithm of `steps` steps. */
void protocol_apply(const struct library_protocol *protocol, double steps, struct hull *hull);

/*
 * Sets in *call what the library adds to an operation between nodes: its start, and the ramp of its messages where
 * that is measured.
 */
void protocols_account(
	const struct paradl_machine *machine, enum operation operation, struct library_call *call);

/* ---- the network ------------------------------------------------------------------------------------------ */

struct network {
	const struct graph *graph;
	const struct machine_network *rules;       /* protocols, duplex, start-ups */
	const struct paradl_machine *machine;      /* NULL: a network on paper */
	unsigned devices, devices_per_node, ports; /* ports: NICs of a node */
	double memory_s_per_byte;                  /* of a device's memory; 0: not known */
	/* Rates in one direction of all links of a device, and of all ports of a node; 0: not known. */
	double device_bytes_per_s, node_bytes_per_s;
};

/*
 * Builds the machine's routed network, or the tree of its levels with at least the first `devices` of its devices
 * (0: all). It has at most NETWORK_DEVICES_MAX devices; topologies have a limit of their own. NULL: error is set.
 */
enum { NETWORK_DEVICES_MAX = 1 << 17 };
struct network *network_for(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned devices, struct paradl_error *error);
/*
 * Returns whether the machine's optical switches make a separate torus of that many devices, or a box of less than one
 * block; network_for then builds just that.
 */
bool network_is_sliced(const struct paradl_machine *machine, unsigned devices);
struct network *network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error);
/* Builds a topology on paper, with text as in topology.h, and links and rules as given. NULL: error is set. */
struct network *network_on_paper(struct paradl_arena *arena, const char *topology,
	const struct machine_network *rules, struct paradl_error *error);

struct communicator communicator_of(const struct network *network, const struct group *group);

/* ---- curves ------------------------------------------------------------------------------------------------- */

enum { CURVE_MAX = 16 };

struct curve {
	unsigned count;
	bool measured; /* made from measured times: no algorithm is known */
	struct segment segments[CURVE_MAX];
};

static inline double curve_s(const struct curve *curve, double bytes)
{
	return line_s(&curve->segments[segment_at(curve->segments, curve->count, bytes)].line, bytes);
}

/*
 * Fills a curve by ParaDL's own formulas (HPDC'21), with alpha and beta of the level that joins the group and
 * nothing shared:
 *     one trip around a ring (allgather) or two (allreduce)   T = trips (p - 1) (alpha + bytes / p beta)    Tag, Tar
 *     a message                                               T = alpha + bytes beta                             Tp2p
 */
void nominal_ring(
	const struct paradl_machine *machine, const struct group *group, double trips, struct curve *curve);
void nominal_message(const struct paradl_machine *machine, const struct group *group, struct curve *curve);

/* Fills a curve from the segments of a host-staged message path. */
void curve_of_segments(const struct message_segment *segments, unsigned count, struct curve *curve);

#endif
