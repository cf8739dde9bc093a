/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A topology builds the vertices and cables of a graph from a shape and a few keys, and it routes. It is one struct,
 * and one line in list.def; those that are alike share a file. Its text is NAME:SHAPE[:KEY=VALUE]..., for example
 * "fat-tree:8x8:up=2", "torus:4x4x4", "dragonfly:17x16:hosts=0".
 */
#ifndef NETWORK_GRAPH_TOPOLOGY_H
#define NETWORK_GRAPH_TOPOLOGY_H

#include "machine/machine.h"
#include "network/graph/graph.h"

enum { TOPOLOGY_KEYS_MAX = 8 };

struct topology_spec {
	const struct topology *topology;
	unsigned extent[GRID_MAX], extents; /* "8x4" is {8, 4}, in the order of the topology's `shape` */
	double key[TOPOLOGY_KEYS_MAX];      /* values by the topology's keys, defaults filled in */
};

struct topology_key {
	const char *name, *summary;
	double initial, min, max; /* whole numbers */
};

struct topology {
	const char *name, *summary;
	const char *shape;  /* names of the extents: "LEAVES x HOSTS" */
	const char *source; /* paper or machine; "our reading" where the paper's detail was not available */
	unsigned least_extents, most_extents;
	struct topology_key keys[TOPOLOGY_KEYS_MAX]; /* ends with the first key without a name */
	/*
	 * Returns how many devices the shape has, before anything is built; 0: the shape is impossible, and *error
	 * says why.
	 */
	double (*devices)(const struct topology_spec *spec, struct paradl_error *error);
	/* Fills in vertices, cables, route, layout, longest and grid of an empty graph; ends with graph_finish. */
	bool (*build)(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error);
};

#define X(id) extern const struct topology topology_##id;
#include "network/graph/list.def"
#undef X
extern const struct topology *const topologies[]; /* NULL-terminated, in the order of list.def */

enum { TOPOLOGY_DEVICES_MAX = 1 << 17 };

/*
 * Refuses more cables than memory should be spent on; `devices` of dense topologies calls it. False: error is set.
 */
enum { TOPOLOGY_CABLES_MAX = 1 << 22 };
bool topology_cables_fit(const struct topology_spec *spec, double cables, struct paradl_error *error);

/*
 * Parses the text of a topology. Errors name the text and what it may be, with suggestions for names. More than
 * TOPOLOGY_DEVICES_MAX devices are refused.
 */
bool topology_parse(const char *text, struct topology_spec *spec, struct paradl_error *error);
/*
 * Builds the graph of a topology. `inside_node`: cables to and between switches become those of a node
 * (LINK_DEVICE). NULL: error is set.
 */
struct graph *topology_build(struct paradl_arena *arena, const struct topology_spec *spec,
	const struct link_class *classes, bool half_duplex, bool inside_node, struct paradl_error *error);

/* ---- routers with hosts ------------------------------------------------------------------------------- */

/*
 * Routers and the devices on them. With hosts = 0 a device is its own router. Otherwise cable i (LINK_PORT) joins
 * device i to router i / hosts, and the routers are numbered after the devices.
 */
enum { HOSTS_LIMIT = 4096 };
#define HOSTS_KEY                                                                                            \
	{                                                                                                    \
		"hosts", "devices on each router; 0: every device is a router", 0, 0, HOSTS_LIMIT            \
	}

/*
 * Returns the devices of a topology whose extents' product is the number of routers and whose first key is HOSTS_KEY.
 */
static inline double hosts_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	double devices = spec->key[0] > 0 ? spec->key[0] : 1;
	(void)error;
	for (unsigned i = 0; i < spec->extents; ++i)
		devices *= spec->extent[i];
	return devices;
}

/* Returns the number of cables between those devices and their routers. */
static inline double hosts_cables(const struct topology_spec *spec)
{
	return spec->key[0] > 0 ? hosts_devices(spec, NULL) : 0;
}

/* Adds devices and routers to an empty graph, and the cables between them; returns the vertex of the first router. */
static inline unsigned hosts_add(struct graph *graph, unsigned routers, unsigned hosts)
{
	graph->devices = hosts ? routers * hosts : routers;
	graph_vertices(graph, graph->devices);
	if (!hosts)
		return 0;
	const unsigned first = graph_vertices(graph, routers);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, first + i / hosts, LINK_PORT, 1);
	if (hosts > 1)
		graph->domain[graph->domain_count++] = hosts;
	return first;
}

/* Makes the grid of the routers one of the devices, if there is one device on each. */
static inline void hosts_grid(struct graph *graph, unsigned hosts, const unsigned *extents, unsigned count)
{
	if (hosts > 1)
		return;
	graph->grid_count = count;
	for (unsigned i = 0; i < count; ++i)
		graph->grid[i] = extents[i];
}

/* ---- networks that profiles list or have levels of ---------------------------------------------------- */

/* Builds a network of the cables that a profile lists: shortest.c. NULL: error is set. */
struct graph *cables_build(
	struct paradl_arena *arena, const struct machine_network *rules, struct paradl_error *error);

/*
 * The tree of switches of a profile that has only levels: levels.c builds it, and level_loads.c puts steps on its
 * links. Its cables of one kind are alike and numbered in order: device i has cable i.
 */
struct level_tree {
	const struct paradl_machine *machine;
	unsigned devices; /* devices built: in whole nodes, unless those exceed NETWORK_DEVICES_MAX */
	unsigned ports;   /* ports of a node */
	/*
	 * The first cable of all ports, and at each level from 2 on the first of those that come from the domains
	 * below.
	 */
	unsigned port_cables, trunk_cables[LEVELS_MAX];
	unsigned bus_cables; /* first cable from a node's switch to itself: what its ports carry together */
	double bus_bytes_per_s; /* rate of each bus cable; 0: there are none */
	double latency_s[LEVELS_MAX], flow_s_per_byte[LEVELS_MAX];
	unsigned *domain[LEVELS_MAX], *port; /* each device's domain of a level; the cable of its port */
};

/*
 * Builds the tree of a machine's levels, of that many devices in whole nodes, with rules for it: levels.c. NULL:
 * error is set.
 */
struct graph *levels_build(struct paradl_arena *arena, const struct paradl_machine *machine, unsigned devices,
	const struct machine_network **rules, struct paradl_error *error);

#endif
