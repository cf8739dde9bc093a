/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One non-blocking switch (NVSwitch, a single leaf): every device has one cable of `width` to it. */
#include "network/topology.h"

static double crossbar_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	(void)error;
	return spec->extent[0];
}

/* Cable i joins device i, as its first vertex, to the switch. */
static void crossbar_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	path_add(graph, path, graph_link(graph, from, false));
	path_add(graph, path, graph_link(graph, to, true));
}

static bool crossbar_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	graph->devices = spec->extent[0];
	graph_vertices(graph, graph->devices);
	const unsigned hub = graph_vertices(graph, 1);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, hub, LINK_PORT, (unsigned)spec->key[0]);
	graph->longest = 2;
	graph->route = crossbar_route;
	return graph_finish(graph, error);
}

const struct topology topology_crossbar = {
	.name = "switch",
	.summary = "one non-blocking switch",
	.shape = "DEVICES",
	.source = "NVSwitch nodes, single-leaf clusters",
	.least_extents = 1,
	.most_extents = 1,
	.keys = {{"width", "cables of each device, as one pipe", 1, 1, 64}},
	.devices = crossbar_devices,
	.build = crossbar_build,
};
