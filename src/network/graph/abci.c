/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The racks of ABCI (V nodes). A rack has 34 nodes of two ports, four leaves of 17 ports and three middle switches
 * ("FBB", full bisection inside the rack); the machine has two spines. Every leaf has six cables to each middle switch
 * of its rack, and each middle switch has four to each spine: 72 cables go up for 68 ports, 24 of them leave the rack
 * (1:3). Devices are ports in the order of leaves, leaf * 17 + place. A machine's "rails" {ports: 2, planes: 4,
 * leaf: 17} gives a pair of neighbouring nodes one port on each leaf. Routing is minimal, with middle switch =
 * destination mod 3 and spine = (destination / 3) mod 2 (D-mod-k). With `first` it takes always the first of each, as
 * in the simulations of Nguyen et al., where only one of three middle switches carries traffic.
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { LEAF_PORTS = 17, LEAVES = 4, MIDDLES = 3, SPINES = 2, RACK_PORTS = LEAVES * LEAF_PORTS };
enum { LEAF_CABLES = 6, MIDDLE_CABLES = 4, SPINE_PORTS = 648 };
enum { RACKS_MAX = SPINE_PORTS / (MIDDLES * MIDDLE_CABLES) };

struct layout {
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
	const struct layout *layout = graph->layout;
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
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
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
