/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as a directed multigraph with capacities, and a router. Vertices 0 .. devices - 1 are the devices (PEs);
 * of a graph that is a node, the next `ports` vertices are its network ports (NICs); the rest are switches.
 *
 * A cable joins two vertices. Full-duplex it is two links, one per direction; half-duplex one link that both
 * directions share. A cable of a vertex to itself is the inside of a switch that limits throughput. Loads, capacities,
 * energy are per link. Routers name links; nothing else in the network knows a topology.
 */
#ifndef NETWORK_GRAPH_H
#define NETWORK_GRAPH_H

#include "base/arena.h"
#include "machine/machine.h"

enum { GRID_MAX = 8, CLASSES_MAX = 16, TURNS_MAX = 2 * GRID_MAX };

struct cable {
	unsigned from, to;
	unsigned short width; /* parallel cables that act as one pipe */
	unsigned char kind;   /* enum link_kind */
	unsigned char class_; /* in the graph's classes: that of its kind, unless graph_class gave another */
	bool one_way;         /* from -> to only */
	unsigned short hop;   /* in the graph's hops: its links, once the graph is finished */
};

struct link {
	double s_per_byte;      /* 1 / what all flows together get */
	double flow_s_per_byte; /* at least this for one flow alone; 0: no such limit */
	double latency_s;
};

/* The links of one route; the caller's scratch. */
struct path {
	unsigned count;
	unsigned *links; /* room for graph->longest */
	double *shares;  /* of the flow's bytes on each; read only if `split` */
	bool split;
	double latency_s, flow_s_per_byte;
	unsigned base; /* added to each link: where a node's links start in the whole machine's */
};

struct graph {
	struct paradl_arena *arena;
	unsigned devices, ports, vertices;
	unsigned ways;                          /* links per cable: 2 full duplex, 1 half duplex */
	struct link_class classes[CLASSES_MAX]; /* those of the kinds, then those of graph_class */
	unsigned class_count;
	struct cable *cables;
	unsigned cable_count, cable_room;
	struct link *hops; /* all kinds of links; link = cable * ways + (against the cable's direction) */
	unsigned hop_count;
	unsigned longest; /* entries of the longest route, splits counted */
	unsigned grid[GRID_MAX],
		grid_count; /* natural extents when devices = their product, innermost first */
	unsigned domain[GRID_MAX],
		domain_count; /* devices below one switch of each level, innermost first; 0: flat */
	bool uniform;         /* shifting devices by whole domains maps routes onto routes ... */
	unsigned cell;        /* ... as long as it is by a multiple of this; 0: by any number */
	unsigned tile;        /* devices of a part: flows moved by whole parts take like routes, and each
				 cable of a route ends in the part that it begins or ends in; 0: no parts */
	/*
	 * Device numbers have digits that turn: adding 1 to one of them in all devices, its last value becoming its first, maps routes
	 * onto routes, and the links of a route in their order. Digits begin and end at turns[0] < turns[1] ..; below the first,
	 * nothing turns. In parts: so does any part of a digit that begins and ends at a divisor or a multiple of all of these,
	 * of whatever number of devices.
	 */
	unsigned turns[TURNS_MAX], turn_count;
	bool turns_in_parts;
	bool mirrored;  /* a route back takes the same cables the other way */
	bool wraps;     /* the grid is a torus; else fully connected or a mesh */
	bool lattice;   /* the grid has cables to the next along each extent: a torus or a mesh */
	bool shortcuts; /* devices are a ring with shortcuts half, a quarter .. around it */
	unsigned kautz; /* d of a Kautz graph K(d, 2), numbered as in topology/kautz.c; else 0 */
	unsigned
		*racks; /* of each vertex, or NULL: devices in order, switches by their neighbours; floor.c */
	/* Appends the links from device (or port) `from` to `to`, from != to, and the latency. */
	void (*route)(const struct graph *graph, unsigned from, unsigned to, struct path *path);
	const void *layout;            /* of the router */
	const struct level_tree *tree; /* NULL: the graph is none of levels */
};

/* ---- for topologies: build --------------------------------------------------------------------------- */

struct graph *graph_create(struct paradl_arena *arena, const struct link_class *classes, bool half_duplex);
/* Adds `count` vertices; the index of the first. Devices first, then ports, then switches. */
unsigned graph_vertices(struct graph *graph, unsigned count);
/* Index of the new cable; UINT_MAX when out of memory, which graph_finish reports. */
unsigned graph_cable(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width);
/* Makes room for so many more, where that is known: a list that grows leaves its shorter ones behind. */
void graph_reserve(struct graph *graph, size_t cables);
unsigned graph_one_way(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width);
/*
 * A class besides those of the kinds, for cables of one kind with several rates: its index, for the cable's `class_`.
 * Before graph_finish. UINT_MAX: there are CLASSES_MAX already.
 */
unsigned graph_class(struct graph *graph, const struct link_class *added);
/* Digits of the device number end here, too, that turn; 0 is no place. */
void graph_turns_at(struct graph *graph, unsigned devices);
/* The cable's kind becomes this, its class that of the kind. */
static inline void cable_kind(struct cable *cable, enum link_kind kind)
{
	cable->kind = cable->class_ = (unsigned char)kind;
}
/* Capacities of all links; after the last cable. A topology's build ends with it. */
bool graph_finish(struct graph *graph, struct paradl_error *error);

/* The links of a cable become such; of a finished graph. */
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

/* The whole flow goes over this link. */
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

/* The flow divides from here on: what it went over so far carried all of it. */
static inline void path_split(struct path *path)
{
	for (unsigned i = 0; !path->split && i < path->count; ++i)
		path->shares[i] = 1;
	path->split = true;
}

/* Of the flow, on one link of its path. */
static inline double path_share(const struct path *path, unsigned hop)
{
	return path->split ? path->shares[hop] : 1;
}

/* A share of the flow goes over this link; the router adds the latency of one of the ways itself. */
static inline void path_add_share(const struct graph *graph, struct path *path, unsigned link, double share)
{
	const struct link *hop = graph_hop(graph, link);
	path_split(path);
	path->shares[path->count] = share;
	path->links[path->count++] = path->base + link;
	if (hop->flow_s_per_byte * share > path->flow_s_per_byte)
		path->flow_s_per_byte = hop->flow_s_per_byte * share;
}

/* Scratch for the routes of a graph; false when out of memory. */
bool path_create(struct paradl_arena *arena, const struct graph *graph, struct path *path);
/* Empties the path and routes; from == to is the empty path. */
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
 * Routes of any graph by fewest links, first found kept: shortest.c. Takes vertices^2 memory, so small graphs only
 * (SHORTEST_VERTICES_MAX). `order`: the sequence in which intermediate vertices are tried (NULL: by index).
 */
enum { SHORTEST_VERTICES_MAX = 4096 };
bool graph_route_shortest(struct graph *graph, const unsigned *order, struct paradl_error *error);

/*
 * A node inside a cluster: `nodes` copies of `node` (devices and ports), whose ports are the devices of `cluster`.
 * Port k of node j is the cluster's device given by `rails`; see hierarchy.c. NULL when out of memory.
 */
struct graph *graph_hierarchy(struct paradl_arena *arena, const struct graph *node,
	const struct graph *cluster, unsigned nodes, const struct rails *rails, struct paradl_error *error);

/*
 * The graph, of whole nodes of `per_node` devices, with device order[i] of each node as its device i; order.c. `order` is
 * a permutation. NULL when out of memory.
 */
struct graph *graph_ordered(
	const struct graph *graph, const unsigned *order, unsigned per_node, struct paradl_error *error);

#endif
