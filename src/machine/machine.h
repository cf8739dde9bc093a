/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine: the speed and memory of one device, the levels of links between devices, power and price. It is read
 * once from hw-profiles/NAME.json (the device from hw-profiles/devices/), and is immutable after.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/piecewise.h"
#include "machine/device.h"
#include "paradl/files.h"

/* Links between the domains of the level below; levels[0] joins the devices of one node. */
struct level {
	const char *name;
	unsigned devices;             /* devices in one domain of this level */
	double latency_s;             /* time of one step from device to device across this level */
	double bandwidth_bytes_per_s; /* nominal rate of one port in one direction */
	double ring_bytes_per_s; /* rate that one ring of the collective library sustains through one port */
	unsigned ports;          /* ports of one node towards this level (level 0: of one device) */
	bool mesh; /* level 0: ports are cables to the other devices, as many to each; false: to a switch */
	double oversubscription; /* capacity below / capacity into this level; 1 = full bisection */
	double pairs_together;   /* rate of many pairs of a node / rate of one pair; 0: as ports say */
};

enum { LEVELS_MAX = 8 };

/* Classes of cables of a routed network. */
enum link_kind {
	LINK_DEVICE,    /* between devices of a node, or a device and its node's switch */
	LINK_PCIE,      /* from a device to its network port */
	LINK_PORT,      /* from a port (or a device without one) to the first switch */
	LINK_SWITCH,    /* between switches, or between devices that are their own switches */
	LINK_GLOBAL,    /* between groups of switches */
	LINK_BACKPLANE, /* inside a switch, where that limits throughput */
	LINK_KINDS
};

struct link_class {
	double bytes_per_s; /* nominal rate of one cable and direction (half duplex: of both); 0: no limit */
	double sustained_bytes_per_s; /* rate that all flows together get */
	double flow_bytes_per_s;      /* rate of one flow in a bundle of cables; 0: as the bundle */
	double latency_s;
	double idle_watt, peak_watt; /* power of both ends together; 0: not known */
	bool bundled;                /* watts are those of all parallel cables together, not of each */
	double price; /* price of one cable with both ends, in the machine's currency; 0: not known */
};

/* Messages from `from_bytes` on: start-ups are multiplied, and one flow gets this share of its slowest link. */
struct protocol {
	double from_bytes, latency_factor, flow_factor;
};

/* Cabling of the ports of a node to leaf switches; network/graph/hierarchy.c. */
struct rails {
	unsigned ports; /* ports of a node */
	unsigned
		planes; /* leaves that the ports of neighbouring nodes are dealt out to in turn; 1: ports in order */
	unsigned leaf; /* ports that one leaf takes; 0: all */
};

enum { PROTOCOLS_MAX = 16 };

/* A cable between two of a network's devices and, numbered after them, switches. */
struct network_cable {
	unsigned from, to, count;                             /* count: parallel ones, as one pipe */
	double bytes_per_s, sustained_bytes_per_s, latency_s; /* 0, latency below 0: as its kind's */
};

/* The routed network of a profile ("network"); without one, the levels are taken as a tree of switches. */
struct machine_network {
	const char *node,
		*cluster; /* topologies, network/graph/topology.h; node NULL: devices are the cluster's */
	const struct network_cable *cables; /* cables in place of a topology as cluster; NULL: there is one */
	unsigned cable_count, cable_devices, cable_switches;
	const struct json *node_at, *cluster_at; /* where they stand in the file; NULL: in none */
	unsigned
		slice; /* fewer devices get a torus of their own, with extents in multiples of this; 0: they do not */
	struct rails rails;
	const unsigned *order; /* place i of a node is its topology's device order[i] */
	unsigned order_count;  /* devices of a node; 0: in order */
	bool half_duplex;      /* both directions share a cable's rate, as in simulators' default links */
	bool fewest_links;     /* routes by fewest links, devices relay; else the topologies' own routes */
	bool synchronous;      /* a ring pays its start-up every step (MPI); else once per trip (NCCL) */
	double usable;         /* share of a cable's rate that payload gets */
	double return_share;   /* share of a flow's bytes that comes back on its route, as acknowledgements */
	double message_s;      /* software start-up of every message, on top of the route's latency */
	double reduce_s_per_byte; /* time to combine one byte that arrived with one's own; 0: hidden */
	struct protocol protocols[PROTOCOLS_MAX]; /* ascending in from_bytes */
	unsigned protocol_count;
	struct link_class links[LINK_KINDS];
	double nvls_start_s, nvls_efficiency, sharp_start_s, sharp_efficiency; /* efficiency 0: not there */
	double switch_watt, switch_price, port_watt; /* those of one switch, one NIC; 0: not known */
	unsigned devices_per_rack;                   /* for cable lengths; 0: as the topology says */
};

/* One measured curve: raw points, seconds over bytes. */
struct measured_curve {
	const char *operation, *library; /* "allreduce"; "nccl 2.8.4" */
	unsigned nodes, devices;
	struct points points;
};

/* A tier of storage. Rates are those of one node or of the whole system, whatever reads there; 0: not known. */
struct storage_tier {
	const char *name;
	int scope; /* enum storage_scope */
	double capacity_bytes, read_bytes_per_s, write_bytes_per_s, client_bytes_per_s, random_reads_per_s;
	double opens_per_s;      /* files opened in a second, by all clients together */
	double open_s, create_s; /* time for one small file, by one client */
	/*
	 * Standard deviation / mean of the time of a read, as other jobs and busy servers make it; negative: not
	 * known.
	 */
	double variation;
	struct points
		by_clients; /* bytes in a second of all clients together, over the number that read at the same time */
};
enum storage_scope { STORAGE_NODE, STORAGE_SYSTEM };

enum { HOST_ENCODINGS = 5 }; /* as many as enum dataset_encoding has */

/* Parts of a host other than its devices; 0: not known. */
struct host {
	unsigned devices;          /* devices of the host; 0: those of a node */
	double cores, input_cores; /* input_cores: those free to prepare input; 0: all */
	double memory_bytes, memory_bytes_per_s;
	double cache_share;         /* share of memory_bytes that may hold samples */
	double network_bytes_per_s; /* rate of all its ports in one direction; 0: as the levels say */
	double decode_bytes_per_s
		[HOST_ENCODINGS]; /* stored bytes per second of one core, by enum dataset_encoding; 0: usual */
};

/* Rent of a node, or all that it takes to own one; 0: nothing of that. */
struct machine_price {
	bool owned, has_both; /* has_both: its profile has prices of the other kind, which do not count */
	const char *path; /* path of the first number that counts, "price/node"; NULL: there is no price */
	double rent_per_node_hour;
	double node, network;  /* price to buy one node, and the network of the whole machine */
	double years;          /* time until what was bought is worth nothing */
	double utilisation;    /* share of those years in which the machine works; 0 to 1 */
	double maintenance;    /* cost of a year as a share of the purchase */
	double staff;          /* cost of a year for the whole machine */
	double energy_per_kwh; /* only of machines that are bought; rent includes it */
};

/*
 * Transport of messages from node to node, where that is not InfiniBand, for which the constants of libraries hold.
 */
struct transport {
	double latency_s; /* extra latency of each message over InfiniBand's */
	bool unordered;   /* data may arrive in another order than it was written in */
};

/* The programs that a machine runs unless another is asked for: names of framework profiles. */
struct machine_programs {
	const char *tokens;  /* program that trains networks whose input is tokens */
	const char *serving; /* program that answers prompts */
	const char *other;   /* program that trains other networks, and runs those that generate nothing */
};

struct paradl_machine {
	const char *name, *path;
	const struct json *from;        /* origins of its numbers; NULL: none given */
	const char *const *directories; /* folders of shipped files, after its own folder; may be NULL */
	const struct paradl_changes *changes; /* changes that it was read with; NULL: none */
	struct device device;
	struct machine_programs programs;
	const char *framework; /* programs in one text, for people */
	const char *library;   /* library of collectives: "nccl"; NULL: that of its devices, or NCCL */
	struct transport transport;
	struct level levels[LEVELS_MAX];
	unsigned level_count;
	const struct machine_network *network; /* NULL: none given */
	const struct measured_curve *curves;
	unsigned curve_count;
	const struct storage_tier *storage;
	unsigned storage_count;
	struct host host;
	unsigned devices;          /* devices of the whole machine */
	unsigned devices_per_node; /* devices that links inside a node join: those of the innermost level */
	unsigned
		devices_per_host; /* devices of one OS, to start, rent, power and feed; hosts may share node links */
	double node_watt;         /* power of a node without its devices */
	double storage_watt; /* power of all storage that the machine shares */
	double pue;          /* power of the facility / power of the machine */
	struct machine_price price;
	double price_per_node_hour; /* rent; bought: without energy and an inventory's network cost. 0: not known */
	const char *currency;
	double node_mtbf_s,
		restart_s; /* time from a failure of a node to the next; time until loading begins. 0: not known */
	const char *const *assumed; /* "levels/1/latency": numbers whose origin is "assumed" */
	unsigned assumed_count;
	const char *const *device_assumed; /* assumed numbers of its device's file */
	unsigned device_assumed_count;
	const struct paradl_findings
		*imported; /* warnings about the file; NULL: none, as for most native files */
};

/*
 * Returns DIR/folder/name.json for a profile DIR/x.json; NULL when out of memory. Options of a framework stay at the
 * end.
 */
const char *beside(struct paradl_arena *arena, const char *path, const char *folder, const char *name);
/*
 * Returns the same; for a file that is not there, the one in DIRECTORY/hw-profiles/folder/ of a directory that has it
 * (NULL-terminated; may be NULL).
 */
const char *beside_or_shipped(struct paradl_arena *arena, const char *path, const char *folder,
	const char *name, const char *const *directories);

/*
 * Returns the cost of owning `purchase`, by the hour that a node works: purchase / years + maintenance, over the
 * hours worked in a year.
 */
double owned_per_hour(const struct machine_price *price, double purchase);

/* Returns the part of an hour worked in what is paid every year. */
double hours_of_year(const struct machine_price *price, double a_year);

/* Makes the machine run one program, `name`, whatever it is asked to do. */
void programs_set(struct paradl_machine *machine, const char *name);

/* Reads a profile, without the file of its device. False: error is set. */
bool machine_read(struct paradl_arena *arena, const struct json *root, struct paradl_machine *machine,
	struct paradl_error *error);

/* Builds a machine with its device, which is looked up beside it or in `directories`. NULL: error is set. */
struct paradl_machine *machine_build(struct paradl_arena *arena, const struct json *file,
	const char *const *directories, const struct paradl_changes *changes, struct paradl_error *error);

/* Reads clients of federated training: paradl-clients(5). `usual` has what a group leaves out. */
bool clients_read(struct paradl_arena *arena, const struct json *root,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error);
bool clients_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * Adds findings: numbers without an origin, rings faster than their port. False: error is set, as for levels that do
 * not nest.
 */
bool machine_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);
bool framework_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * Devices that nobody has put together yet: nodes of `devices_per_node` joined by the device's own links, with a
 * network port of port_bytes_per_s for each device, `devices` in all. network_share: share of the port that
 * collectives reach.
 */
struct paper_machine {
	const char *device_path, *framework;
	unsigned devices, devices_per_node;
	double port_bytes_per_s, network_share, link_share; /* shares 0: default, the device's own */
	double latency_s;
};
const struct paradl_machine *machine_on_paper(
	struct paradl_arena *arena, const struct paper_machine *paper, struct paradl_error *error);

struct json;

/*
 * Adds to an error about the machine how --set changes its size: by the devices of its last level, and by the network, which
 * grows with them. Returns false.
 */
bool size_hint(const struct paradl_changes *changes, struct paradl_error *error);

/*
 * Measured numbers of a machine are carried over when --set changes a number that they depend on: they change in
 * proportion, unless --set changes them as well. A link of twice the bandwidth sustains twice as much.
 */

/*
 * Returns the changed tree `root` with the numbers that follow from its changes; `file` is the tree before them.
 * NULL: error is set.
 */
const struct json *carried_apply(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_error *error);
/* Carries over the measured curves of the machine that was read from the changed tree. False: error is set. */
bool carried_curves(struct paradl_arena *arena, const struct json *file, const struct json *root,
	struct paradl_machine *machine, struct paradl_error *error);

#endif
