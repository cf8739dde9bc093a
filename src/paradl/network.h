/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks, and operations of groups of devices on them.
 * It may change with every version of the library.
 */
#ifndef PARADL_NETWORK_H
#define PARADL_NETWORK_H

#include "paradl/files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- networks ---------------------------------------------------------------------------------- */

/*
 * Inventory of a network: counts, distances as routed, cables laid out on a floor of racks, standing power, price. A
 * bundle of parallel cables counts as that many. Where the profile does not give a price or a power, it is negative.
 */
struct paradl_inventory {
	/* Whether the profile has no routed network: it is the tree of its levels, one switch for each domain. */
	bool schematic;
	unsigned devices;
	unsigned nics; /* ports of nodes (or of devices without nodes) towards the network's first switches */
	unsigned switches;      /* switches of the network */
	unsigned node_switches; /* switches inside nodes */
	double switch_ports;    /* ports used on all switches of the network together */
	double most_ports;      /* most ports used on one switch, or on one device where devices relay */
	double cables;          /* all cables: the sum of the following four */
	double node_cables;     /* cables between devices of a node, to its switch, to its NICs */
	double port_cables;     /* cables from NICs to the first switches */
	double switch_cables;   /* cables between switches, or between devices that relay */
	double global_cables;   /* cables between groups of switches */
	double one_way_links;   /* one-way links: two for each full-duplex cable */
	/* Links on the longest route between two devices, the insides of switches left out. */
	double diameter_hops;
	double mean_hops; /* mean number of links over all ordered pairs of devices */
	/*
	 * Number of devices whose routes to all others the two values above rest on; 0: all. The diameter is then a
	 * bound.
	 */
	unsigned sampled;
	/* Rate from one half of the devices to the other; negative: no link on the way has a rate. */
	double bisection_bytes_per_s;
	unsigned racks;
	double cable_m, longest_cable_m; /* length of all cables outside nodes, and of the longest */
	double rack_cables;              /* cables outside nodes that stay inside a rack */
	double copper_cables;            /* cables between racks, no longer than copper reaches */
	double optical_cables;           /* longer cables between racks, with two transceivers each */
	double cables_watt, switches_watt, nics_watt; /* power when nothing is sent */
	double static_watt;                           /* sum of those that are known */
	/* Prices of the network outside nodes, in the machine's currency. */
	double cables_price, switches_price, price;
};

/* ---- collectives: one operation of a group of devices, by every algorithm ---------------------- */

/*
 * Collective operations. Their sizes ("bytes") are always those of the whole vector; all-to-all: what each rank sends
 * in total.
 */
enum paradl_operation {
	PARADL_ALLREDUCE,
	PARADL_ALLGATHER,
	PARADL_REDUCE_SCATTER,
	PARADL_BROADCAST,
	PARADL_REDUCE,
	PARADL_ALL_TO_ALL,
	PARADL_POINT_TO_POINT,
	PARADL_OPERATION_COUNT
};
/* Returns the name of an operation: "allreduce". */
PARADL_API const char *paradl_operation_name(enum paradl_operation operation);
/* Parses an operation's name, or an alias in use: all_reduce, alltoall, ar, bcast, sendrecv ... */
PARADL_API bool paradl_operation_parse(
	const char *text, enum paradl_operation *operation, struct paradl_error *error);

struct paradl_network; /* cables and routes; holds scratch, so it belongs to one thread */

PARADL_API struct paradl_network *paradl_network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error);

/* Network that nobody has built: "torus:8x8x8". */
struct paradl_paper {
	const char *topology;
	/* Machine with the cables and start-up times to use; NULL: the next two alone count. */
	const struct paradl_machine *machine;
	/* Rate and latency of every cable, instead of the machine's; 0: the machine's. */
	double cable_bytes_per_s, cable_latency_s;
	/* Whether cables between routers share the rate at which the router's devices can send; see `share`. */
	bool equal_ports;
	double rate; /* factor of all cables' rates; 0 is 1 */
};
PARADL_API struct paradl_network *paradl_network_on_paper(
	struct paradl_arena *arena, const struct paradl_paper *paper, struct paradl_error *error);

struct paradl_network_info {
	const char *name; /* text of the topology, or name of the machine */
	unsigned devices, devices_per_node;
	/* Whether it has a simulator's factors, so that a band of error against NCCL does not apply. */
	bool calibrated;
	bool schematic; /* whether it is a tree of the levels of a profile without a routed network */
	double cable_bytes_per_s; /* rate of the cables that leave a device (or its node's port) */
	/* Latency of such a cable; time of every message beyond its route's. */
	double cable_latency_s, message_s;
	double share;            /* equal_ports: share of that rate on a cable between routers; 1: all */
	double waiting_watt;     /* power of a device that waits; negative: not known */
	bool waiting_is_assumed; /* whether it is a share of the busy power, because no idle power is given */
};
PARADL_API struct paradl_network_info paradl_network_info(const struct paradl_network *network);
PARADL_API bool paradl_network_inventory(struct paradl_arena *arena, const struct paradl_network *network,
	struct paradl_inventory *inventory, struct paradl_error *error);

enum paradl_placement { PARADL_IN_ORDER, PARADL_SCATTERED, PARADL_RANDOM };

struct paradl_collective_request {
	enum paradl_operation operation;
	unsigned ranks;      /* number of ranks; 0: as many as there are places for */
	unsigned concurrent; /* number of groups that run it at the same time; 0 is 1 */
	/* Devices from a rank to the next; 0: as many as groups run at the same time. */
	unsigned stride;
	enum paradl_placement placement; /* scattered: ranks go to the nodes in turn */
	unsigned seed;                   /* seed of a random placement: a shuffle of all devices */
	/* Density of sparse vectors, 0: dense; overlap: how much supports coincide, 0 to 1. */
	double density, overlap;
	/* Algorithms as a comma list, "ring" for "allreduce-ring"; "all"; NULL: the library's, or all. */
	const char *algorithms;
	/*
	 * Library whose algorithms alone count: "nccl", "rccl", "openmpi", "mpich", "mpi", "xla", "fpga"; "any": all.
	 * NULL: as for `algorithms`.
	 */
	const char *library;
	const double *bytes; /* sizes, ascending */
	size_t count;
	/* Whether all times are those of steps one after another: no messages are followed. */
	bool steps;
	/*
	 * Whether to leave out the effect of choices on links, which takes longer to find out; those values are then
	 * as for "not known".
	 */
	bool brief;
};

enum paradl_time_origin { PARADL_MODELLED, PARADL_MEASURED, PARADL_INTERPOLATED, PARADL_EXTRAPOLATED };

struct paradl_collective_row {
	double bytes;
	/*
	 * Time: measured where it was, else that of the best algorithm, followed message by message, or its steps one
	 * after another.
	 */
	double time_s;
	/* Least of both times, and of steps in which no link ever idles; = time_s where that makes no difference. */
	double least_s;
	double most_s; /* larger of both times */
	enum paradl_time_origin origin;
	double error_share; /* error of times from measurements; negative: not known */
	size_t choice;      /* index of the best algorithm in the table's choices */
	double model_s;     /* time of that algorithm by the model */
	size_t next;        /* index of the second best; = choice: there is none */
	double margin;      /* share by which the second best takes longer */
	/* Rates as in nccl-tests: bytes / time; times the operation's factor. */
	double bytes_per_s, bus_bytes_per_s;
	/*
	 * Power and energy of all groups together: links in use (as studies of collectives count), all gear, devices
	 * that wait; negative: not known.
	 */
	double links_watt, links_joule, gear_watt, gear_joule, waiting_watt, waiting_joule;
};

/* Algorithm, at each size in the variant that is best there. */
struct paradl_collective_choice {
	const char *algorithm, *summary, *source;
	bool sparse;
	const double *time_s, *least_s, *most_s;  /* times by row */
	const char *const *variants;              /* variants by row; "" where there is only one */
	double steps, links_watt, joule_per_byte; /* values of the variant at the largest size */
	double traffic;      /* bytes over all links / bytes of the vector; negative: not known */
	const char *hottest; /* link with the most bytes: "port of device 3"; "": none */
	double hottest_s_per_byte;
};

struct paradl_crossover {
	double bytes;
	size_t from, to; /* indices of choices */
};

struct paradl_collective_table {
	enum paradl_operation operation;
	unsigned ranks, nodes, concurrent, stride;
	double bus_factor;
	/* Library that adds its own times within a node to all but measured ones, "nccl"; NULL: none does. */
	const char *library;
	const struct paradl_collective_row *rows;
	size_t row_count;
	/* Algorithms, the fastest at the largest size first. */
	const struct paradl_collective_choice *choices;
	size_t choice_count;
	const struct paradl_crossover *crossovers; /* crossovers between the least and the largest size */
	size_t crossover_count;
	/*
	 * Fastest algorithm at the largest size that the request's library does not have; NULL: none is faster, or no
	 * library was named.
	 */
	const char *outside;
	double outside_s;
	/*
	 * Library of the machine, where the request names none, times are those of wires alone, and what it adds is
	 * known; the algorithm that it takes at the largest size, and its time. NULL: none.
	 */
	const char *own, *own_algorithm;
	double own_s;
};
/* Returns the number of ranks of each group when the request does not give it; 0: the request does not fit. */
PARADL_API unsigned paradl_collective_ranks(const struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_error *error);
PARADL_API bool paradl_collective(struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_arena *arena,
	struct paradl_collective_table *table, struct paradl_error *error);

/* Step of an algorithm; the messages of a step start together. */
struct paradl_step {
	const char *phase;              /* phase: "reduce-scatter"; "" */
	const char *messages;           /* messages: "r -> r + 1 mod 64", with ranks of the group */
	double first, repeat;           /* number of the step, from 1; times that it is done */
	unsigned depth;                 /* number of forks around it: it runs beside something else */
	double count;                   /* messages of one group in one step */
	double least_bytes, most_bytes; /* size of one message */
	double combined_bytes, memory_bytes, wait_s; /* further work of the busiest rank */
};
struct paradl_schedule {
	const char *algorithm, *variant;
	const struct paradl_step *steps;
	size_t count;
	double total;  /* number of steps */
	bool complete; /* whether it is complete; else there are more kinds of steps than are kept */
};
/*
 * Fills the steps of the best algorithm for this size, among those that the request names; the sizes in the request
 * play no part.
 */
PARADL_API bool paradl_collective_schedule(struct paradl_network *network,
	const struct paradl_collective_request *request, double bytes, struct paradl_arena *arena,
	struct paradl_schedule *schedule, struct paradl_error *error);

/* Time that nccl-tests or the OSU benchmarks printed; sizes are, as everywhere here, those of the whole vector. */
struct paradl_timing {
	double bytes, time_s;
	int line;
};
struct paradl_timings {
	const char *tool; /* tool that printed them: "nccl-tests", "OSU" */
	const struct paradl_timing *items;
	size_t count;
	unsigned ranks; /* ranks that the file names; 0: it names none */
	size_t torn;    /* number of rows that a crash broke off, which are passed over */
};
PARADL_API bool paradl_timings_load(struct paradl_arena *arena, const struct paradl_source *source,
	enum paradl_operation operation, unsigned ranks, struct paradl_timings *timings,
	struct paradl_error *error);

struct paradl_algorithm_info {
	const char *name, *summary, *source;
	enum paradl_operation operation;
	bool sparse;
};
/* Returns the index-th algorithm; name NULL past the last. */
PARADL_API struct paradl_algorithm_info paradl_algorithm(size_t index);

struct paradl_topology_info {
	const char *name, *summary, *shape, *source;
	struct paradl_topology_key {
		const char *name, *summary;
		double initial, least, most;
	} keys[8]; /* keys up to the first without a name */
};
/* Returns the index-th topology; name NULL past the last. */
PARADL_API struct paradl_topology_info paradl_topology(size_t index);

/* ---- SimGrid: networks and collectives as files for that simulator ----------------------------- */

/*
 * Writes a platform: every device is a host, every cable one or two links, and routes are ours; it has all pairs of
 * devices, or those between which the best algorithm of `only` sends (NULL: all). False also when the network is too
 * large or splits flows.
 */
PARADL_API bool paradl_simgrid_platform(struct paradl_network *network,
	const struct paradl_collective_request *only, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);
/*
 * Writes the messages of the request's best algorithm at its one size as a trace for "smpirun -replay": process p is
 * device p, up to the last that takes part. The lines before the first action say what the trace is and how long it
 * takes by our estimate.
 */
PARADL_API bool paradl_simgrid_trace(struct paradl_network *network,
	const struct paradl_collective_request *request, paradl_write *write, void *context,
	struct paradl_arena *arena, struct paradl_error *error);

#ifdef __cplusplus
}
#endif

#endif
