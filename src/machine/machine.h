/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine: what one device computes and holds, the levels of links between devices, power and price.
 * Read once from hw-profiles/NAME.json (the device from hw-profiles/devices/), immutable after.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/json.h"
#include "base/piecewise.h"

/*
 * Lengths at which a product runs at half its rate, of each of its three: its work counts as
 * 2 (M + m) (N + n) (K + k). Hockney's n_1/2 (Hockney and Jesshope, Parallel Computers 2, 1988) for three lengths; 0: none.
 */
struct half_lengths {
	double m, n, k;
};

/*
 * How fast matrix products run, from their shape; contraction.c. Shares are of the peak in that number format.
 */
struct device_product {
	double units; /* multiprocessors: tiles that run at once; 0: not known, nothing comes in waves */
	double sustained[PARADL_PRECISION_COUNT]; /* of the peak, by a large product at this device's power */
	double half_tile; /* rate of 128 x 64 tiles / that of 128 x 256; 128 x 128: its root, 64 x 64: squared */
	double wave_s;    /* fixed time of one wave of 128 x 256 tiles: prologue and epilogue */
	double memory_share;      /* of the memory rate that products reach */
	double launch_s;          /* of one kernel, back to back */
	double wave_share;        /* how far waves are whole: 1 quantized, 0 filled up by what follows */
	double cast_bytes;        /* moved for each input item when it is cast to fp8 or fp4 */
	double misaligned;        /* time factor where head sizes are no multiple of 8 */
	struct half_lengths half; /* where units are not known: tiles and waves say the same */
};

/* Fused attention, shares of peak times sustained. */
struct device_attention {
	double forward, backward;
	double portable; /* rate of the portable kernel (flash-attention 2) / the vendor's; 0: 1 */
};

/* The device's own links to its neighbours, of which a node is made when no profile says more. */
struct device_link {
	double bytes_per_s;          /* one direction of one device, nominal */
	double share;                /* of it that large collectives reach */
	double start_s, start_log_s; /* of one collective: start_s + start_log_s log2(members) */
	double ramp_s;               /* at most this much more for messages that do not fill the links yet */
	unsigned devices;            /* that one domain joins, even of several nodes; 0: those of a node */
	double latency_s;            /* of a step, besides start */
	double host_bytes_per_s;     /* to host memory, for offload; 0: not known */
};

enum { TILE_SHAPES = 5, MEMORY_LEVELS_MAX = 8 };

/* A cache: passes over at most so many bytes run at its rate. */
struct memory_level {
	double up_to_bytes, bytes_per_s, s_per_byte;
};

/* What device_derive makes of device_product. */
struct product_rates {
	double s_per_flop[PARADL_PRECISION_COUNT]; /* of the whole device at full tiles; 0: it cannot */
	double s_per_byte, unit_share;             /* 1 / units */
	double slower[TILE_SHAPES];                /* full rate / rate, by shape of tile */
	double wave_s[TILE_SHAPES], reduce_s[TILE_SHAPES];
};

struct device {
	const char *name, *path;
	const struct json *from;                        /* likewise */
	double peak_flop_per_s[PARADL_PRECISION_COUNT]; /* 0: the device cannot */
	double memory_bytes;
	double memory_bytes_per_s; /* sustained by streaming kernels, reads and writes counted */
	struct memory_level memory_levels[MEMORY_LEVELS_MAX]; /* ascending in bytes, descending in rate */
	unsigned memory_level_count;
	double efficiency; /* contraction rate / peak once tiles are counted, of formats not below */
	double contraction_share[PARADL_PRECISION_COUNT]; /* efficiency of each number format */
	double tile, depth_tile;  /* a contraction's output channels and depth are rounded up to these */
	double winograd;          /* speed-up of 3x3 stride-1 two-dimensional convolutions */
	double launch_s;          /* floor of one kernel */
	struct half_lengths half; /* of contractions */
	double patches; /* passes over the matrix of patches that convolutions make first; 0: they make none */
	double busy_watt, idle_watt;      /* 0: not known */
	double memory_watt, waiting_watt; /* while memory limits its kernels; while it waits for others */
	bool memory_is_given, waiting_is_given; /* else as device_power_derive has them */
	struct device_product product;
	struct device_attention attention;
	struct device_link link;
	/* Derived by device_derive, so that the hot path divides by nothing. */
	double s_per_byte, s_per_flop[PARADL_PRECISION_COUNT], tiles_per_item, tiles_per_depth;
	struct product_rates product_rates;
};

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
struct machine_network {
	const char *node, *cluster; /* topologies, network/topology.h; node NULL: devices are the cluster's */
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

/* What a node has besides its devices; 0: not known. */
struct host {
	double cores, input_cores; /* input_cores: of them, free to prepare input; 0: all */
	double memory_bytes, memory_bytes_per_s;
	double cache_share;         /* of memory_bytes, that may hold samples */
	double network_bytes_per_s; /* of all its ports, one direction; 0: as the levels say */
	double decode_bytes_per_s
		[HOST_ENCODINGS]; /* stored bytes, by one core, by enum dataset_encoding; 0: usual */
};

/* What a node is rented for, or all that it takes to have one; 0: nothing of that. */
struct machine_price {
	double rent_per_node_hour;
	double node, network;  /* to buy: one node, and the network of the whole machine */
	double years;          /* until what was bought is worth nothing */
	double utilisation;    /* of those years, the share in which the machine works; 0 to 1 */
	double maintenance;    /* a year, as a share of the purchase */
	double staff;          /* a year, of the whole machine */
	double energy_per_kwh; /* of what is bought; rent has it in it */
};

struct paradl_machine {
	const char *name, *path;
	const struct json *from;              /* origins of its numbers; NULL: none given */
	const char *const *directories;       /* of shipped files, besides its own folder; may be NULL */
	const struct paradl_changes *changes; /* that it was read with; NULL: none */
	struct device device;
	const char *framework; /* the default one, a name */
	struct level levels[LEVELS_MAX];
	unsigned level_count;
	const struct machine_network *network; /* NULL: none given */
	const struct measured_curve *curves;
	unsigned curve_count;
	const struct storage_tier *storage;
	unsigned storage_count;
	struct host host;
	unsigned devices; /* of the whole machine */
	unsigned devices_per_node;
	double node_watt;    /* per node, besides its devices */
	double storage_watt; /* of all storage that the machine shares */
	double pue;          /* facility / machine */
	struct machine_price price;
	double price_per_node_hour; /* rent; bought: without energy and what an inventory says of the network. 0: not known */
	const char *currency;
	const char *const *assumed; /* "levels/1/latency": numbers whose origin is "assumed" */
	unsigned assumed_count;
	const struct paradl_findings *imported; /* NULL: a native file */
};

/* DIR/folder/name.json for a profile DIR/x.json; NULL when out of memory. */
const char *beside(struct paradl_arena *arena, const char *path, const char *folder, const char *name);
/* The same; one that is not there, but in DIRECTORY/hw-profiles/folder/ of a directory (NULL-terminated; may be NULL). */
const char *beside_or_shipped(struct paradl_arena *arena, const char *path, const char *folder,
	const char *name, const char *const *directories);

/* Of each byte of a pass over `bytes` of memory; the time of passes never shrinks when they grow. */
static inline double device_s_per_byte(const struct device *device, double bytes)
{
	double s_per_byte = device->s_per_byte;
	for (unsigned i = device->memory_level_count;
		i-- > 0 && bytes <= device->memory_levels[i].up_to_bytes;)
		s_per_byte = device->memory_levels[i].s_per_byte;
	return s_per_byte;
}

/*
 * What a share of a year costs to have, by the hour that a node works: purchase / years + maintenance, over the hours worked.
 */
double owned_per_hour(const struct machine_price *price, double purchase);

/* An hour's part of what is paid every year. */
double hours_of_year(const struct machine_price *price, double a_year);

/* Fills the derived fields of a device; device_load has done so. */
void device_derive(struct device *device);
void device_product_derive(struct device *device);
/* Of a tree: a file's, or the part of a profile that stands for one; then there is no path. */
bool device_build(const struct json *root, struct device *device, struct paradl_error *error);
bool device_build_changed(struct paradl_arena *arena, const struct json *file,
	const struct paradl_changes *changes, struct device *device, struct paradl_error *error);
bool device_load(
	struct paradl_arena *arena, const char *path, struct device *device, struct paradl_error *error);
bool device_load_changed(struct paradl_arena *arena, const char *path, const struct paradl_changes *changes,
	struct device *device, struct paradl_error *error);

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
bool device_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);
bool framework_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/*
 * Time of one contraction M x N x K on one device (roofline):
 *     max( 2 (M + m) (ceil(N / tile) tile + n) (ceil(K / depth) depth + k) / (peak efficiency speed_up),
 *          bytes / memory rate, launch ) + patches patch_bytes / memory rate
 * N and K are the channel-like dimensions, which kernels pad to their tiles; M (samples * positions) is long and
 * counts as it is. tile_m: M is channel-like too (backward-weight). m, n, k: half-lengths; n once for each group.
 */
struct contraction {
	double m, n, k, groups;
	double bytes, speed_up;
	double patch_bytes; /* of the matrix of patches; 0: it is not made */
	bool tile_m;
};
double device_contraction_s(
	const struct device *device, enum paradl_precision precision, const struct contraction *contraction);

/*
 * Time of `count` equal products M x N x K in one launch, moving `bytes`:
 *     launch + max( min over tiles of waves (2 tm tn K / (rate per unit) + wave_s tm tn / 2^15), bytes / memory )
 * contraction.c says more. Casts to narrow formats and head sizes that are not aligned are the caller's to add.
 */
double device_gemm_s(const struct device *device, enum paradl_precision precision, double m, double n,
	double k, double count, double bytes);

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

double precision_activation_bytes(enum paradl_precision precision); /* of one activation or gradient item */
double precision_weight_bytes(enum paradl_precision precision);
/* Of a weight that is stored for products only, as inference does. */
double precision_stored_bytes(enum paradl_precision precision);
/* Narrow formats are for products with weights only: what else there is runs in bf16. */
static inline enum paradl_precision precision_wide(enum paradl_precision precision)
{
	return precision == PARADL_FP8_MIXED || precision == PARADL_MXFP8_MIXED ||
			       precision == PARADL_FP4_MIXED
		       ? PARADL_BF16_MIXED
		       : precision;
}
/* Of the fp32 copy that mixed precision keeps; else 0. */
double precision_master_bytes(enum paradl_precision precision);

#endif
