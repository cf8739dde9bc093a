/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine: what one device computes and holds, the levels of links between devices, power and price.
 * Read once from hw-profiles/NAME.json (the device from hw-profiles/devices/), immutable after.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/piecewise.h"
#include "machine/device.h"

/* Links between the domains of the level below; levels[0] joins the devices of one node. */
struct level {
	const char *name;
	unsigned devices;             /* in one domain of this level */
	double latency_s;             /* one step from device to device across this level */
	double bandwidth_bytes_per_s; /* nominal, of one port, one direction */
	double ring_bytes_per_s;      /* what one ring of the collective library sustains through one port */
	unsigned ports;               /* of one node towards this level (level 0: of one device) */
	double oversubscription;      /* capacity below / capacity into this level; 1 = full bisection */
	double pairs_together; /* what many pairs of a node carry / what one pair carries; 0: as ports say */
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
	double bytes_per_s; /* nominal, of one cable and direction (half duplex: of both); 0: no limit */
	double sustained_bytes_per_s; /* what flows together get of it */
	double flow_bytes_per_s;      /* what one flow gets of a bundle of cables; 0: all of it */
	double latency_s;
	double idle_watt, peak_watt; /* of both ends together; 0: not known */
	bool bundled;                /* watts are of all parallel cables together, not of each */
	double price; /* of one cable with both ends, in the machine's currency; 0: not known */
};

/* Messages from `from_bytes` on: start-ups are multiplied, and one flow gets this share of its slowest link. */
struct protocol {
	double from_bytes, latency_factor, flow_factor;
};

/* Which leaf each port of a node is cabled to; network/hierarchy.c. */
struct rails {
	unsigned ports; /* of a node */
	unsigned
		planes; /* leaves that the ports of neighbouring nodes are dealt out to in turn; 1: ports in order */
	unsigned leaf; /* ports that one leaf takes; 0: all */
};

enum { PROTOCOLS_MAX = 16 };

/* The routed network of a profile ("network"); without one, the levels are taken as a tree of switches. */
/* A cable between two of the devices and, after them, the switches of a network. */
struct network_cable {
	unsigned from, to, count;                             /* count: parallel ones, as one pipe */
	double bytes_per_s, sustained_bytes_per_s, latency_s; /* 0, latency below 0: as its kind's */
};

struct machine_network {
	const char *node, *cluster; /* topologies, network/topology.h; node NULL: devices are the cluster's */
	const struct network_cable *cables; /* in place of a topology as cluster; NULL: there is one */
	unsigned cable_count, cable_devices, cable_switches;
	const struct json *node_at, *cluster_at; /* where the file has them; NULL: no file does */
	unsigned
		slice; /* fewer devices get a torus of their own, of extents that are multiples of it; 0: they do not */
	struct rails rails;
	const unsigned *order;    /* place i of a node is its topology's device order[i] */
	unsigned order_count;     /* devices of a node; 0: in order */
	bool half_duplex;         /* both directions share a cable's rate, as in simulators' default links */
	bool fewest_links;        /* routes by fewest links, devices relay; else the topologies' own routes */
	bool synchronous;         /* a ring pays its start-up every step (MPI); else once per trip (NCCL) */
	double usable;            /* share of a cable's rate that payload gets */
	double return_share;      /* of a flow's bytes that come back on its route, as acknowledgements */
	double message_s;         /* software start-up of every message, besides the route's latency */
	double reduce_s_per_byte; /* combining one byte that arrived with one's own; 0: hidden */
	struct protocol protocols[PROTOCOLS_MAX]; /* ascending */
	unsigned protocol_count;
	struct link_class links[LINK_KINDS];
	double nvls_start_s, nvls_efficiency, sharp_start_s, sharp_efficiency; /* efficiency 0: not there */
	double switch_watt, switch_price, port_watt; /* of one switch, one NIC; 0: not known */
	unsigned devices_per_rack;                   /* for cable lengths; 0: as the topology says */
};

/* One measured curve: raw points, seconds over bytes. */
struct measured_curve {
	const char *operation, *library; /* "allreduce"; "nccl 2.8.4" */
	unsigned nodes, devices;
	struct points points;
};

/* Rates are of one node or of the whole system, whatever reads there; 0: not known. */
struct storage_tier {
	const char *name;
	int scope; /* enum storage_scope */
	double capacity_bytes, read_bytes_per_s, write_bytes_per_s, client_bytes_per_s, random_reads_per_s;
	double opens_per_s;      /* files opened in a second, of all clients together */
	double open_s, create_s; /* of one small file, by one client */
	/* Standard deviation / mean of the time of a read, as other jobs and busy servers make it; negative: not known. */
	double variation;
	struct points
		by_clients; /* bytes in a second over clients that read at the same time, of all together */
};
enum storage_scope { STORAGE_NODE, STORAGE_SYSTEM };

enum { HOST_ENCODINGS = 5 }; /* as many as enum dataset_encoding has */

/* What a host has besides its devices; 0: not known. */
struct host {
	unsigned devices;          /* 0: those of a node */
	double cores, input_cores; /* input_cores: of them, free to prepare input; 0: all */
	double memory_bytes, memory_bytes_per_s;
	double cache_share;         /* of memory_bytes, that may hold samples */
	double network_bytes_per_s; /* of all its ports, one direction; 0: as the levels say */
	double decode_bytes_per_s
		[HOST_ENCODINGS]; /* stored bytes, by one core, by enum dataset_encoding; 0: usual */
};

/* What a node is rented for, or all that it takes to have one; 0: nothing of that. */
struct machine_price {
	bool owned, has_both; /* has_both: its profile has prices of the other kind, which do not count */
	const char *path;     /* of the first number that counts, "price/node"; NULL: there is no price */
	double rent_per_node_hour;
	double node, network;  /* to buy: one node, and the network of the whole machine */
	double years;          /* until what was bought is worth nothing */
	double utilisation;    /* of those years, the share in which the machine works; 0 to 1 */
	double maintenance;    /* a year, as a share of the purchase */
	double staff;          /* a year, of the whole machine */
	double energy_per_kwh; /* of what is bought; rent has it in it */
};

/* How messages get from node to node, where not over InfiniBand, which the constants of libraries are of. */
struct transport {
	double latency_s; /* more than InfiniBand's, of each message */
	bool unordered;   /* data may arrive in another order than it was written in */
};

/* The programs that a machine runs unless another is asked for: names of framework profiles. */
struct machine_programs {
	const char *tokens;  /* that trains networks whose input is tokens */
	const char *serving; /* that answers prompts */
	const char *other;   /* that trains other networks, and runs those that generate nothing */
};

struct paradl_machine {
	const char *name, *path;
	const struct json *from;              /* origins of its numbers; NULL: none given */
	const char *const *directories;       /* of shipped files, besides its own folder; may be NULL */
	const struct paradl_changes *changes; /* that it was read with; NULL: none */
	struct device device;
	struct machine_programs programs;
	const char *framework; /* the same in one text, for people */
	const char *library;   /* of collectives: "nccl"; NULL: not said, so that of its devices, or NCCL */
	struct transport transport;
	struct level levels[LEVELS_MAX];
	unsigned level_count;
	const struct machine_network *network; /* NULL: none given */
	const struct measured_curve *curves;
	unsigned curve_count;
	const struct storage_tier *storage;
	unsigned storage_count;
	struct host host;
	unsigned devices;          /* of the whole machine */
	unsigned devices_per_node; /* that links inside a node join: of the innermost level */
	unsigned
		devices_per_host; /* of one operating system, to start, rent, power and feed; several hosts may share a node's links */
	double node_watt;    /* per node, besides its devices */
	double storage_watt; /* of all storage that the machine shares */
	double pue;          /* facility / machine */
	struct machine_price price;
	double price_per_node_hour; /* rent; bought: without energy and what an inventory says of the network. 0: not known */
	const char *currency;
	double node_mtbf_s,
		restart_s; /* from a failure of a node to the next; until loading begins. 0: not known */
	const char *const *assumed; /* "levels/1/latency": numbers whose origin is "assumed" */
	unsigned assumed_count;
	const char *const *device_assumed; /* the same of its device's file */
	unsigned device_assumed_count;
	const struct paradl_findings
		*imported; /* what is to be warned of; NULL: nothing, as of most native files */
};

/* DIR/folder/name.json for a profile DIR/x.json; NULL when out of memory. */
const char *beside(struct paradl_arena *arena, const char *path, const char *folder, const char *name);
/* The same; one that is not there, but in DIRECTORY/hw-profiles/folder/ of a directory (NULL-terminated; may be NULL). */
const char *beside_or_shipped(struct paradl_arena *arena, const char *path, const char *folder,
	const char *name, const char *const *directories);

/*
 * What a share of a year costs to have, by the hour that a node works: purchase / years + maintenance, over the hours worked.
 */
double owned_per_hour(const struct machine_price *price, double purchase);

/* An hour's part of what is paid every year. */
double hours_of_year(const struct machine_price *price, double a_year);

/* The machine runs one program, `name`, whatever it is asked to do. */
void programs_set(struct paradl_machine *machine, const char *name);

/* A profile without its device. */
bool machine_read(struct paradl_arena *arena, const struct json *root, struct paradl_machine *machine,
	struct paradl_error *error);

/* With its device, which is looked up beside it or in `directories`. */
struct paradl_machine *machine_build(struct paradl_arena *arena, const struct json *file,
	const char *const *directories, const struct paradl_changes *changes, struct paradl_error *error);

/* Clients of federated training: paradl-clients(5). */
bool clients_read(struct paradl_arena *arena, const struct json *root,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error);
bool clients_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/* Lint: numbers without an origin, levels that do not nest, rings faster than their port. */
bool machine_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);
bool framework_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * Devices that nobody has put together yet: nodes of `devices_per_node` joined by the device's own links, with a network
 * port of port_bytes_per_s for each device, `devices` in all. network_share: of the port, what collectives reach.
 */
struct paper_machine {
	const char *device_path, *framework;
	unsigned devices, devices_per_node;
	double port_bytes_per_s, network_share, link_share; /* shares 0: default, the device's own */
	double latency_s;
};
const struct paradl_machine *machine_on_paper(
	struct paradl_arena *arena, const struct paper_machine *paper, struct paradl_error *error);

#endif
