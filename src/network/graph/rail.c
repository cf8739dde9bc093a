/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rail-optimized leaves and spines: PODS x NODES x PORTS. Leaf k of a pod takes port k of every node of the pod, so
 * ports of the same number (rail) meet there. Each leaf has `up` uplinks, one to each of `up` spines, which join all
 * pods. Devices are network ports in the order of leaves, (pod * PORTS + rail) * NODES + node, as a machine's "rails"
 * {ports: PORTS, planes: PORTS, leaf: NODES} expects. The spine of a flow is destination mod up (D-mod-k); `split`
 * spreads flows equally over all spines (adaptive routing).
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { KEY_UP, KEY_SPLIT };

struct layout {
	unsigned nodes, up; /* ports and uplinks of a leaf */
	bool split;
};

static unsigned uplinks(const struct topology_spec *spec)
{
	return spec->key[KEY_UP] > 0 ? (unsigned)spec->key[KEY_UP] : spec->extent[1];
}

static double rail_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double leaves = (double)spec->extent[0] * spec->extent[2], nodes = spec->extent[1];
	return topology_cables_fit(spec, leaves * (nodes + uplinks(spec)), error) ? leaves * nodes : 0;
}

static void rail_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
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
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
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
	layout->split = spec->key[KEY_SPLIT] > 0;
	graph_turns_at(graph, 1);
	graph_turns_at(graph, layout->nodes);
	graph_turns_at(graph, graph->devices);
	graph_turns_at(graph, layout->split ? 0 : layout->up);
	graph->longest = layout->split ? 2 + 2 * layout->up : 4;
	graph->route = rail_route;
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
