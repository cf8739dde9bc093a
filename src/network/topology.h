/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A topology is one file: it builds the vertices and cables of a graph from a shape and a few keys, and routes. Its
 * text is NAME:SHAPE[:KEY=VALUE]..., for example "fat-tree:8x8:up=2", "torus:4x4x4", "dragonfly:17x16:hosts=0".
 */
#ifndef NETWORK_TOPOLOGY_H
#define NETWORK_TOPOLOGY_H

#include "network/graph.h"

enum { TOPOLOGY_KEYS_MAX = 8 };

struct topology_spec {
	const struct topology *topology;
	unsigned extent[GRID_MAX], extents; /* "8x4" is {8, 4}: as the topology's `shape` says */
	double key[TOPOLOGY_KEYS_MAX];      /* by its keys, defaults filled in */
};

struct topology_key {
	const char *name, *summary;
	double initial, min, max; /* whole numbers */
};

struct topology {
	const char *name, *summary;
	const char *shape;  /* "LEAVES x HOSTS" */
	const char *source; /* paper or machine; "our reading" where the paper's detail was not available */
	unsigned least_extents, most_extents;
	struct topology_key keys[TOPOLOGY_KEYS_MAX]; /* up to the first without a name */
	/* Devices the shape has, before anything is built; 0: the shape is impossible, and *error says why. */
	double (*devices)(const struct topology_spec *spec, struct paradl_error *error);
	/* Vertices, cables, route, layout, longest, grid of an empty graph; ends with graph_finish. */
	bool (*build)(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error);
};

#define X(id) extern const struct topology topology_##id;
#include "network/topology/list.def"
#undef X
extern const struct topology *const topologies[]; /* NULL-terminated, order of list.def */

enum { TOPOLOGY_DEVICES_MAX = 1 << 17 };

/* For `devices` of dense topologies: refuses more cables than memory should be spent on. */
enum { TOPOLOGY_CABLES_MAX = 1 << 22 };
bool topology_cables_fit(const struct topology_spec *spec, double cables, struct paradl_error *error);

/* Errors name the text and what it may be; suggestions for names. Refuses more than TOPOLOGY_DEVICES_MAX devices. */
bool topology_parse(const char *text, struct topology_spec *spec, struct paradl_error *error);
/* `inside_node`: cables to and between switches are those of a node (LINK_DEVICE). */
struct graph *topology_build(struct paradl_arena *arena, const struct topology_spec *spec,
	const struct link_class *classes, bool half_duplex, bool inside_node, struct paradl_error *error);

/* cables.c: a network of cables that a profile lists. */
struct graph *cables_build(
	struct paradl_arena *arena, const struct machine_network *rules, struct paradl_error *error);

/* levels.c: the tree of a machine's levels, of so many devices in whole nodes, with rules for it. */
struct graph *levels_build(struct paradl_arena *arena, const struct paradl_machine *machine, unsigned devices,
	const struct machine_network **rules, struct paradl_error *error);

#endif
