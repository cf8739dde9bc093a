/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of switches: fat trees of two or three levels, rail-optimized leaves and spines, and the racks of ABCI.
 *
 * Fat tree. With two levels it is LEAVES x HOSTS, with `up` uplinks from each leaf, one to each of `up` spines (so the
 * oversubscription is HOSTS / up). With three levels it is PODS x LEAVES x HOSTS, with `up` uplinks from a leaf to the
 * pod's `up` middle switches and `core` uplinks from each middle switch to the core. Routing is D-mod-k: the
 * destination alone chooses the uplink of a level, so flows to one device never split, and flows to consecutive
 * devices spread.
 *     spine of a flow = destination mod up        core switch = (destination / up) mod core
 * With `bundle` the uplinks of a switch are one pipe of that width to one switch, so no flow is unevenly placed.
 * `split` spreads flows equally over all ways up (adaptive routing, packet spraying). A three-level tree of k-port
 * switches has k pods of k/2 leaves of k/2 hosts. Zahavi, D-Mod-K routing (2010).
 *
 * Rail-optimized leaves and spines: PODS x NODES x PORTS. Leaf k of a pod takes port k of every node of the pod, so
 * ports of the same number (rail) meet there. Each leaf has `up` uplinks, one to each of `up` spines, which join all
 * pods. Devices are network ports in the order of leaves, (pod * PORTS + rail) * NODES + node, as a machine's "rails"
 * {ports: PORTS, planes: PORTS, leaf: NODES} expects. The spine of a flow is destination mod up (D-mod-k); `split`
 * spreads flows equally over all spines (adaptive routing).
 *
 * The racks of ABCI (V nodes). A rack has 34 nodes of two ports, four leaves of 17 ports and three middle switches
 * ("FBB", full bisection inside the rack); the machine has two spines. Every leaf has six cables to each middle switch
 * of its rack, and each middle switch has four to each spine: 72 cables go up for 68 ports, 24 of them leave the rack
 * (1:3). Devices are ports in the order of leaves, leaf * 17 + place. A machine's "rails" {ports: 2, planes: 4, leaf:
 * 17} gives a pair of neighbouring nodes one port on each leaf. Routing is minimal, with middle switch = destination
 * mod 3 and spine = (destination / 3) mod 2 (D-mod-k). With `first` it takes always the first of each, as in the
 * simulations of Nguyen et al., where only one of three middle switches carries traffic.
 */
#include "base/error.h"
#include "network/graph/topology.h"

enum { KEY_UP, KEY_CORE, KEY_BUNDLE, KEY_SPLIT, PIPE_MAX = 65535 };

struct layout {
	unsigned hosts, leaves, pods;      /* hosts per leaf, leaves per pod, all pods */
	unsigned up, core;                 /* uplinks of a leaf, of a middle switch */
	unsigned up_width, core_width;     /* width of each such uplink */
	unsigned leaf_cables, core_cables; /* first uplink of leaves, of middle switches */
	bool split;
};

/* Returns the layout of a shape, before bundling. */
static struct layout sizes(const struct topology_spec *spec)
{
	struct layout layout = {.hosts = spec->extent[spec->extents - 1],
		.leaves = spec->extent[spec->extents - 2],
		.pods = spec->extents == 3 ? spec->extent[0] : 1,
		.up_width = 1,
		.core_width = 1,
		.split = spec->key[KEY_SPLIT] > 0};
	layout.up = spec->key[KEY_UP] > 0 ? (unsigned)spec->key[KEY_UP] : layout.hosts;
	layout.core = spec->key[KEY_CORE] > 0 ? (unsigned)spec->key[KEY_CORE] : layout.leaves;
	return layout;
}

static double fat_tree_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const struct layout layout = sizes(spec);
	const bool bundle = spec->key[KEY_BUNDLE] > 0;
	const double leaves = (double)layout.pods * layout.leaves, devices = leaves * layout.hosts;
	const double up = bundle ? 1 : layout.up, core = bundle ? 1 : layout.core;
	if (bundle && (double)layout.up * (layout.pods > 1 ? layout.core : 1) > PIPE_MAX) {
		error_set(error, PARADL_USAGE, "a bundle of uplinks of fat-tree has at most %d cables",
			PIPE_MAX);
		return 0;
	}
	const double cables = devices + leaves * up + (layout.pods > 1 ? layout.pods * up * core : 0);
	return topology_cables_fit(spec, cables, error) ? devices : 0;
}

/* Adds an equal share of the flow on each cable up and, in mirror image, on each cable down. */
static void climb_all(const struct graph *graph, unsigned leaf, unsigned far_leaf, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned up = layout->up, core = layout->core, stride = up * core;
	const unsigned out = layout->leaf_cables + leaf * up, in = layout->leaf_cables + far_leaf * up;
	const unsigned pod = leaf / layout->leaves, far_pod = far_leaf / layout->leaves;
	for (unsigned i = 0; i < up; ++i) {
		path_add_share(graph, path, graph_link(graph, out + i, false), 1.0 / up);
		path_add_share(graph, path, graph_link(graph, in + i, true), 1.0 / up);
	}
	path->latency_s += 2 * graph_hop(graph, graph_link(graph, out, false))->latency_s;
	if (pod == far_pod)
		return;
	const unsigned first = layout->core_cables + pod * stride,
		       last = layout->core_cables + far_pod * stride;
	for (unsigned i = 0; i < stride; ++i) {
		path_add_share(graph, path, graph_link(graph, first + i, false), 1.0 / stride);
		path_add_share(graph, path, graph_link(graph, last + i, true), 1.0 / stride);
	}
	path->latency_s += 2 * graph_hop(graph, graph_link(graph, first, false))->latency_s;
}

static void climb(const struct graph *graph, unsigned leaf, unsigned far_leaf, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned up = to % layout->up;
	const unsigned pod = leaf / layout->leaves, far_pod = far_leaf / layout->leaves;
	path_add(graph, path, graph_link(graph, layout->leaf_cables + leaf * layout->up + up, false));
	if (pod != far_pod) {
		const unsigned core = to / layout->up % layout->core;
		const unsigned row = layout->core_cables + up * layout->core + core;
		const unsigned stride = layout->up * layout->core;
		path_add(graph, path, graph_link(graph, row + pod * stride, false));
		path_add(graph, path, graph_link(graph, row + far_pod * stride, true));
	}
	path_add(graph, path, graph_link(graph, layout->leaf_cables + far_leaf * layout->up + up, true));
}

static void fat_tree_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned leaf = from / layout->hosts, far_leaf = to / layout->hosts;
	path_add(graph, path, graph_link(graph, from, false));
	if (leaf != far_leaf && layout->split)
		climb_all(graph, leaf, far_leaf, path);
	else if (leaf != far_leaf)
		climb(graph, leaf, far_leaf, to, path);
	path_add(graph, path, graph_link(graph, to, true));
}

/*
 * Adds all cables. Middle switch m of pod p is vertex middles + p * up + m; core switch c above it, cores + m * core +
 * c.
 */
static void switches_cable(struct graph *graph, const struct layout *layout)
{
	const unsigned leaf_count = layout->leaves * layout->pods;
	const unsigned leaves = graph_vertices(graph, leaf_count);
	const unsigned middles = graph_vertices(graph, layout->pods * layout->up);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, leaves + i / layout->hosts, LINK_PORT, 1);
	for (unsigned leaf = 0; leaf < leaf_count; ++leaf)
		for (unsigned up = 0; up < layout->up; ++up)
			graph_cable(graph, leaves + leaf, middles + leaf / layout->leaves * layout->up + up,
				LINK_SWITCH, layout->up_width);
	if (layout->pods < 2)
		return;
	const unsigned cores = graph_vertices(graph, layout->up * layout->core);
	for (unsigned middle = 0; middle < layout->pods * layout->up; ++middle)
		for (unsigned core = 0; core < layout->core; ++core)
			graph_cable(graph, middles + middle,
				cores + middle % layout->up * layout->core + core, LINK_GLOBAL,
				layout->core_width);
}

/*
 * Sets where digits of device numbers turn (graph.h): leaves and pods turn in any part; the digits that choose the way
 * up must turn alike, unless all ways are taken.
 */
static void turns_set(struct graph *graph, const struct layout *layout)
{
	graph->turns_in_parts = true;
	graph_turns_at(graph, 1);
	graph_turns_at(graph, layout->hosts);
	graph_turns_at(graph, layout->hosts * layout->leaves);
	graph_turns_at(graph, graph->devices);
	graph_turns_at(graph, layout->split ? 0 : layout->up);
	graph_turns_at(graph, layout->split || layout->pods < 2 ? 0 : layout->up * layout->core);
}

static bool fat_tree_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	*layout = sizes(spec);
	if (spec->key[KEY_BUNDLE] > 0) {
		layout->up_width = layout->up;
		layout->core_width = layout->up * layout->core;
		layout->up = layout->core = 1;
	}
	graph->devices = layout->hosts * layout->leaves * layout->pods;
	graph_vertices(graph, graph->devices);
	layout->leaf_cables = graph->devices;
	layout->core_cables = layout->leaf_cables + layout->leaves * layout->pods * layout->up;
	switches_cable(graph, layout);
	graph->domain[0] = layout->hosts;
	graph->domain[1] = layout->hosts * layout->leaves;
	graph->domain[2] = graph->devices;
	graph->domain_count = spec->extents;
	turns_set(graph, layout);
	graph->uniform = layout->pods < 2 || layout->hosts % layout->up == 0;
	graph->longest = layout->pods > 1 ? 6 : 4;
	if (layout->split)
		graph->longest = 2 + 2 * layout->up + (layout->pods > 1 ? 2 * layout->up * layout->core : 0);
	graph->route = fat_tree_route;
	graph_leaves(graph, layout->split || layout->up * layout->core == 1 ? layout->hosts : 0);
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_fat_tree = {
	.name = "fat-tree",
	.summary = "leaves and spines, or pods with a core, D-mod-k routing",
	.shape = "LEAVES x HOSTS or PODS x LEAVES x HOSTS",
	.source = "Leiserson (1985); D-mod-k: Zahavi et al. (2010)",
	.least_extents = 2,
	.most_extents = 3,
	.keys = {{"up", "uplinks of a leaf; 0: as many as hosts (full bisection)", 0, 0, 4096},
		{"core", "uplinks of a pod's middle switch; 0: as many as leaves in the pod", 0, 0, 4096},
		{"bundle", "1: the uplinks of a switch are one pipe to one switch above; 0: one to each", 0,
			0, 1},
		{"split", "1: equally over all ways up; 0: D-mod-k", 0, 0, 1}},
	.devices = fat_tree_devices,
	.build = fat_tree_build,
};

enum { RAIL_UP, RAIL_SPLIT };

struct rail_layout {
	unsigned nodes, up; /* ports and uplinks of a leaf */
	bool split;
};

static unsigned uplinks(const struct topology_spec *spec)
{
	return spec->key[RAIL_UP] > 0 ? (unsigned)spec->key[RAIL_UP] : spec->extent[1];
}

static double rail_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double leaves = (double)spec->extent[0] * spec->extent[2], nodes = spec->extent[1];
	return topology_cables_fit(spec, leaves * (nodes + uplinks(spec)), error) ? leaves * nodes : 0;
}

static void rail_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct rail_layout *layout = graph->layout;
	const unsigned leaf = from / layout->nodes, far_leaf = to / layout->nodes;
	path_add(graph, path, graph_link(graph, from, false));
	if (leaf != far_leaf && layout->split) {
		const unsigned out = graph->devices + leaf * layout->up;
		const unsigned in = graph->devices + far_leaf * layout->up;
		for (unsigned i = 0; i < layout->up; ++i) {
			path_add_share(graph, path, graph_link(graph, out + i, false), 1.0 / layout->up);
			path_add_share(graph, path, graph_link(graph, in + i, true), 1.0 / layout->up);
		}
		path->latency_s += 2 * graph_hop(graph, graph_link(graph, out, false))->latency_s;
	} else if (leaf != far_leaf) {
		const unsigned first = graph->devices + to % layout->up;
		path_add(graph, path, graph_link(graph, first + leaf * layout->up, false));
		path_add(graph, path, graph_link(graph, first + far_leaf * layout->up, true));
	}
	path_add(graph, path, graph_link(graph, to, true));
}

static bool rail_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct rail_layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	const unsigned leaf_count = spec->extent[0] * spec->extent[2];
	layout->nodes = spec->extent[1];
	layout->up = uplinks(spec);
	graph->devices = leaf_count * layout->nodes;
	graph_vertices(graph, graph->devices);
	const unsigned leaves = graph_vertices(graph, leaf_count);
	const unsigned spines = graph_vertices(graph, layout->up);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, leaves + i / layout->nodes, LINK_PORT, 1);
	for (unsigned leaf = 0; leaf < leaf_count; ++leaf)
		for (unsigned up = 0; up < layout->up; ++up)
			graph_cable(graph, leaves + leaf, spines + up, LINK_SWITCH, 1);
	graph->domain[0] = layout->nodes;
	graph->domain[1] = layout->nodes * spec->extent[2];
	graph->domain[2] = graph->devices;
	graph->domain_count = 3;
	graph->uniform = graph->turns_in_parts = true;
	layout->split = spec->key[RAIL_SPLIT] > 0;
	graph_turns_at(graph, 1);
	graph_turns_at(graph, layout->nodes);
	graph_turns_at(graph, graph->devices);
	graph_turns_at(graph, layout->split ? 0 : layout->up);
	graph->longest = layout->split ? 2 + 2 * layout->up : 4;
	graph->route = rail_route;
	graph_leaves(graph, layout->split || layout->up == 1 ? layout->nodes : 0);
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_rail = {
	.name = "rail",
	.summary = "rail-optimized: ports of one number on one leaf of the pod, spines above; D-mod-k",
	.shape = "PODS x NODES x PORTS",
	.source = "NVIDIA DGX SuperPOD reference architecture",
	.least_extents = 3,
	.most_extents = 3,
	.keys = {{"up", "uplinks of a leaf; 0: as many as nodes (full bisection)", 0, 0, 4096},
		{"split", "1: equally over all spines; 0: D-mod-k", 0, 0, 1}},
	.devices = rail_devices,
	.build = rail_build,
};

enum { LEAF_PORTS = 17, LEAVES = 4, MIDDLES = 3, SPINES = 2, RACK_PORTS = LEAVES * LEAF_PORTS };
enum { LEAF_CABLES = 6, MIDDLE_CABLES = 4, SPINE_PORTS = 648 };
enum { RACKS_MAX = SPINE_PORTS / (MIDDLES * MIDDLE_CABLES) };

struct abci_layout {
	unsigned leaf_cables, middle_cables; /* first cable up from leaves, up from middle switches */
	bool first;                          /* only the first middle switch and spine carry traffic */
};

static double abci_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	if (spec->extent[0] <= RACKS_MAX)
		return (double)spec->extent[0] * RACK_PORTS;
	error_set(error, PARADL_USAGE, "%u racks do not fit the spines of abci", spec->extent[0]);
	error_hint(error, "a spine has %d ports, a rack takes %d of them: at most %d racks", SPINE_PORTS,
		MIDDLES * MIDDLE_CABLES, RACKS_MAX);
	return 0;
}

static void abci_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct abci_layout *layout = graph->layout;
	const unsigned leaf = from / LEAF_PORTS, far_leaf = to / LEAF_PORTS;
	path_add(graph, path, graph_link(graph, from, false));
	if (leaf != far_leaf) {
		const unsigned rack = leaf / LEAVES, far_rack = far_leaf / LEAVES;
		const unsigned middle = layout->first ? 0 : to % MIDDLES;
		const unsigned up = layout->leaf_cables + middle;
		path_add(graph, path, graph_link(graph, up + leaf * MIDDLES, false));
		if (rack != far_rack) {
			const unsigned spine = layout->first ? 0 : to / MIDDLES % SPINES;
			const unsigned over = layout->middle_cables + middle * SPINES + spine;
			path_add(graph, path, graph_link(graph, over + rack * MIDDLES * SPINES, false));
			path_add(graph, path, graph_link(graph, over + far_rack * MIDDLES * SPINES, true));
		}
		path_add(graph, path, graph_link(graph, up + far_leaf * MIDDLES, true));
	}
	path_add(graph, path, graph_link(graph, to, true));
}

static bool abci_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct abci_layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	const unsigned racks = spec->extent[0];
	graph->devices = racks * RACK_PORTS;
	graph_vertices(graph, graph->devices);
	const unsigned leaves = graph_vertices(graph, racks * LEAVES);
	const unsigned middles = graph_vertices(graph, racks * MIDDLES);
	const unsigned spines = graph_vertices(graph, SPINES);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, leaves + i / LEAF_PORTS, LINK_PORT, 1);
	layout->leaf_cables = graph->cable_count;
	for (unsigned leaf = 0; leaf < racks * LEAVES; ++leaf)
		for (unsigned m = 0; m < MIDDLES; ++m)
			graph_cable(graph, leaves + leaf, middles + leaf / LEAVES * MIDDLES + m, LINK_SWITCH,
				LEAF_CABLES);
	layout->middle_cables = graph->cable_count;
	for (unsigned middle = 0; middle < racks * MIDDLES; ++middle)
		for (unsigned s = 0; s < SPINES; ++s)
			graph_cable(graph, middles + middle, spines + s, LINK_GLOBAL, MIDDLE_CABLES);
	layout->first = spec->key[0] > 0;
	graph->domain[0] = LEAF_PORTS;
	graph->domain[1] = RACK_PORTS;
	graph->domain[2] = graph->devices;
	graph->domain_count = 3;
	graph->longest = 6;
	graph->route = abci_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_abci = {
	.name = "abci",
	.summary = "racks of ABCI as they are cabled: 34 nodes, 4 leaves, 3 middle switches; 2 spines",
	.shape = "RACKS",
	.source = "ABCI (AIST); platform files of Nguyen et al.'s simulations",
	.least_extents = 1,
	.most_extents = 1,
	.keys = {{"first", "1: only the first middle switch and spine carry traffic; 0: D-mod-k", 0, 0, 1}},
	.devices = abci_devices,
	.build = abci_build,
};
