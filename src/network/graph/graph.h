/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network is a directed multigraph with capacities, and a router. Vertices 0 .. devices - 1 are the devices (PEs).
 * In the graph of a node, the next `ports` vertices are its network ports (NICs). The other vertices are switches.
 *
 * A cable joins two vertices. A full-duplex cable is two links, one per direction; a half-duplex cable is one link
 * that both directions share. A cable from a vertex to itself is the inside of a switch, which limits throughput.
 * Loads, capacities and energy are per link. Routers name links; nothing else in the network knows a topology.
 */
#ifndef NETWORK_GRAPH_GRAPH_H
#define NETWORK_GRAPH_GRAPH_H

#include "base/arena.h"
#include "machine/machine.h"

enum { GRID_MAX = 8, CLASSES_MAX = 16, TURNS_MAX = 2 * GRID_MAX };

struct cable {
	unsigned from, to;
	unsigned short width; /* number of parallel cables that act as one pipe */
	unsigned char kind;   /* enum link_kind */
	unsigned char class_; /* index in `classes`: that of its kind, unless graph_class gave another */
	bool one_way;         /* carries data from `from` to `to` only */
	unsigned short hop;   /* index in `hops` of its links, once the graph is finished */
};

struct link {
	double s_per_byte;      /* 1 / the rate that all flows on it share */
	double flow_s_per_byte; /* least time per byte of one flow alone; 0: no such limit */
	double latency_s;
};

/* The links of one route, in scratch memory of the caller. */
struct path {
	unsigned count;
	unsigned *links; /* with room for graph->longest links */
	double *shares;  /* share of the flow's bytes on each link; read only if `split` */
	bool split;
	double latency_s, flow_s_per_byte;
	unsigned base; /* added to each link: where a node's links start in the whole machine's */
};

/* A device's own links on the way to its leaf, the switch at which it meets others. */
struct stem {
	unsigned leaf, links;
	unsigned node; /* the node that the device is in, whose devices need no leaf to reach each other */
};

struct graph {
	struct paradl_arena *arena;
	unsigned devices, ports, vertices;
	unsigned ways;                          /* links per cable: 2 in full duplex, 1 in half duplex */
	struct link_class classes[CLASSES_MAX]; /* the classes of the kinds, then those of graph_class */
	unsigned class_count;
	struct cable *cables;
	unsigned cable_count, cable_room;
	/* All kinds of links. A link has the number cable * ways + (against the cable's direction). */
	struct link *hops;
	unsigned hop_count;
	unsigned longest; /* entries of the longest route, counting all branches of splits */
	unsigned grid[GRID_MAX],
		grid_count; /* natural extents, innermost first, whose product is `devices` */
	unsigned domain[GRID_MAX],
		domain_count; /* devices below one switch of each level, innermost first; 0: flat */
	bool uniform;         /* shifting all devices by whole domains maps routes onto routes ... */
	unsigned cell;        /* ... as long as the shift is a multiple of this; 0: any shift does */
	/*
	 * Devices of one tile (a part of the network); 0: there are no tiles. Flows that are moved by whole tiles
	 * take like routes, and each cable of a route has an end in the tile where the route begins or in the one
	 * where it ends.
	 */
	unsigned tile;
	/*
	 * Digits of device numbers that turn. A turn adds 1 to one digit in all devices, its last value becoming its
	 * first; it maps routes onto routes, and the links of a route in their order. Digits begin and end at
	 * turns[0] < turns[1] < ...; nothing below the first one turns. If turns_in_parts, a part of a digit, of
	 * whatever number of devices, also turns if it begins and ends at a divisor or a multiple of all of these.
	 */
	unsigned turns[TURNS_MAX], turn_count;
	bool turns_in_parts;
	bool mirrored;  /* a route back takes the same cables in the other direction */
	bool wraps;     /* the grid is a torus; otherwise it is fully connected or a mesh */
	bool lattice;   /* the grid joins neighbours along each extent: a torus or a mesh */
	unsigned mesh;  /* width of the cable between any two devices of a node; 0: there is none */
	bool shortcuts; /* devices form a ring with shortcuts half, a quarter, ... around it */
	unsigned kautz; /* d of a Kautz graph K(d, 2), numbered as in kautz.c; else 0 */
	/*
	 * Fills in the stem of a device, its own links to a leaf. Routes between nodes on two leaves are the sender's
	 * stem, a trunk, and the receiver's stem; the trunk is the same for all devices of these leaves, and so are
	 * kinds and number of the stems' links. NULL: trunks depend on the devices, too.
	 */
	void (*stem)(const struct graph *graph, unsigned device, struct stem *stem);
	unsigned leaf; /* devices of a leaf, where graph_leaves was called */
	/* Appends the links from device (or port) `from` to `to`, from != to, and adds their latency. */
	void (*route)(const struct graph *graph, unsigned from, unsigned to, struct path *path);
	const void *layout;            /* data of the router */
	const struct level_tree *tree; /* the tree of levels that the graph was made from; NULL: none */
};

/* ---- for topologies: build --------------------------------------------------------------------------- */

struct graph *graph_create(struct paradl_arena *arena, const struct link_class *classes, bool half_duplex);
/*
 * Adds `count` vertices and returns the index of the first one. Devices are added first, then ports, then switches.
 */
unsigned graph_vertices(struct graph *graph, unsigned count);
/* Adds a cable and returns its index; UINT_MAX when out of memory, which graph_finish reports. */
unsigned graph_cable(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width);
/*
 * Makes room for `cables` more cables where that number is known: a list that grows leaves its shorter copies
 * behind.
 */
void graph_reserve(struct graph *graph, size_t cables);
unsigned graph_one_way(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width);
/*
 * Adds a class to those of the kinds, for cables of one kind with several rates, and returns its index for the
 * cable's `class_`. UINT_MAX: there are CLASSES_MAX already. Called before graph_finish.
 */
unsigned graph_class(struct graph *graph, const struct link_class *added);
/* Adds a place where digits of the device number that turn begin or end; 0 is no place. */
void graph_turns_at(struct graph *graph, unsigned devices);
/*
 * Lets each `devices` consecutive devices share a leaf, to which each has one link, and routes depend on leaves alone
 * (stem); 0: they do not.
 */
void graph_leaves(struct graph *graph, unsigned devices);
/* Sets the cable's kind, and its class to that of the kind. */
static inline void cable_kind(struct cable *cable, enum link_kind kind)
{
	cable->kind = cable->class_ = (unsigned char)kind;
}
/*
 * Computes the capacities of all links, after the last cable; a topology's build ends with it. False when out of
 * memory.
 */
bool graph_finish(struct graph *graph, struct paradl_error *error);

/* Replaces the links of a cable of a finished graph. False when out of memory, or with too many kinds of links. */
bool graph_set(struct graph *graph, unsigned cable, const struct link *link);

/* ---- for routers ---------------------------------------------------------------------------------------- */

static inline unsigned graph_link(const struct graph *graph, unsigned cable, bool against)
{
	return graph->ways == 2 ? 2 * cable + against : cable;
}

static inline const struct link *graph_hop(const struct graph *graph, unsigned link)
{
	return &graph->hops[graph->cables[graph->ways == 2 ? link / 2 : link].hop];
}

/* Adds a link that carries the whole flow, with its latency, to the path. */
static inline void path_add(const struct graph *graph, struct path *path, unsigned link)
{
	const struct link *hop = graph_hop(graph, link);
	if (path->split)
		path->shares[path->count] = 1;
	path->links[path->count++] = path->base + link;
	path->latency_s += hop->latency_s;
	if (hop->flow_s_per_byte > path->flow_s_per_byte)
		path->flow_s_per_byte = hop->flow_s_per_byte;
}

/* Marks that the flow divides from here on: the links so far carried all of the flow. */
static inline void path_split(struct path *path)
{
	for (unsigned i = 0; !path->split && i < path->count; ++i)
		path->shares[i] = 1;
	path->split = true;
}

/* Returns the share of the flow that is on one link of its path. */
static inline double path_share(const struct path *path, unsigned hop)
{
	return path->split ? path->shares[hop] : 1;
}

/* Adds a link that carries a share of the flow; the router itself adds the latency of one of the branches. */
static inline void path_add_share(const struct graph *graph, struct path *path, unsigned link, double share)
{
	const struct link *hop = graph_hop(graph, link);
	path_split(path);
	path->shares[path->count] = share;
	path->links[path->count++] = path->base + link;
	if (hop->flow_s_per_byte * share > path->flow_s_per_byte)
		path->flow_s_per_byte = hop->flow_s_per_byte * share;
}

/* Allocates the scratch for routes of a graph; false when out of memory. */
bool path_create(struct paradl_arena *arena, const struct graph *graph, struct path *path);
/* Empties the path and routes from `from` to `to`; the path stays empty where these are the same. */
static inline void graph_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	path->count = 0;
	path->split = false;
	path->latency_s = path->flow_s_per_byte = 0;
	path->base = 0;
	if (from != to)
		graph->route(graph, from, to, path);
}

/*
 * Routes any graph by fewest links, and keeps the first such route found: shortest.c. This takes vertices^2 memory,
 * so it is for small graphs only (SHORTEST_VERTICES_MAX). `order` is the sequence in which intermediate vertices are
 * tried (NULL: by index).
 */
enum { SHORTEST_VERTICES_MAX = 4096 };
bool graph_route_shortest(struct graph *graph, const unsigned *order, struct paradl_error *error);

/*
 * Builds nodes inside a cluster: `nodes` copies of `node` (devices and ports), whose ports are devices of `cluster`.
 * Port k of node j is the cluster's device given by `rails`; see hierarchy.c. NULL: they do not fit, or out of
 * memory; error is set.
 */
struct graph *graph_hierarchy(struct paradl_arena *arena, const struct graph *node,
	const struct graph *cluster, unsigned nodes, const struct rails *rails, struct paradl_error *error);

/*
 * Returns the graph, of whole nodes of `per_node` devices, with device order[i] of each node as its device i;
 * graph.c. `order` is a permutation. NULL when out of memory.
 */
struct graph *graph_ordered(
	const struct graph *graph, const unsigned *order, unsigned per_node, struct paradl_error *error);

#endif
