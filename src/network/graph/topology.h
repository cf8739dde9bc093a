/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A topology is one file: it builds the vertices and cables of a graph from a shape and a few keys, and it routes.
 * Its text is NAME:SHAPE[:KEY=VALUE]..., for example "fat-tree:8x8:up=2", "torus:4x4x4", "dragonfly:17x16:hosts=0".
 */
#ifndef NETWORK_GRAPH_TOPOLOGY_H
#define NETWORK_GRAPH_TOPOLOGY_H

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

/* Builds a network of the cables that a profile lists: cables.c. NULL: error is set. */
struct graph *cables_build(
	struct paradl_arena *arena, const struct machine_network *rules, struct paradl_error *error);

/*
 * Builds the tree of a machine's levels, of that many devices in whole nodes, with rules for it: levels.c. NULL:
 * error is set.
 */
struct graph *levels_build(struct paradl_arena *arena, const struct paradl_machine *machine, unsigned devices,
	const struct machine_network **rules, struct paradl_error *error);

#endif
