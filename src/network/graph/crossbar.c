/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One non-blocking switch (NVSwitch, a single leaf), to which every device has one cable of `width`. With `ports` it
 * is a node: device i of g also has a PCIe cable to network port i * ports / g. A device reaches another device's port
 * over the switch and a device of that port, which relays (PXN in NCCL, since 2.12).
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { KEY_WIDTH, KEY_PORTS };

struct layout {
	unsigned devices, each; /* each: devices on one port; 0: no ports */
};

static double crossbar_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const unsigned ports = (unsigned)spec->key[KEY_PORTS];
	if (ports > 0 && spec->extent[0] % ports) {
		error_set(error, PARADL_USAGE, "%u ports do not serve the %u devices of a switch evenly",
			ports, spec->extent[0]);
		error_hint(error, "ports must divide the number of devices");
		return 0;
	}
	return spec->extent[0];
}

/*
 * Appends the links between devices or ports. Cable i joins device i, as its first vertex, to the switch; cable
 * devices + i joins it to its port.
 */
static void crossbar_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned devices = layout->devices;
	const bool from_port = from >= devices, to_port = to >= devices;
	unsigned out = from, in = to;
	if (from_port || to_port) {
		/* the device that relays for a port has the same place among the port's devices as the other end */
		const unsigned place = (from_port ? (to_port ? 0 : to) : from) % layout->each;
		out = from_port ? (from - devices) * layout->each + place : from;
		in = to_port ? (to - devices) * layout->each + place : to;
	}
	if (from_port)
		path_add(graph, path, graph_link(graph, devices + out, true));
	if (out != in) {
		path_add(graph, path, graph_link(graph, out, false));
		path_add(graph, path, graph_link(graph, in, true));
	}
	if (to_port)
		path_add(graph, path, graph_link(graph, devices + in, false));
}

static bool crossbar_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	graph->devices = layout->devices = spec->extent[0];
	graph->ports = (unsigned)spec->key[KEY_PORTS];
	layout->each = graph->ports ? graph->devices / graph->ports : 0;
	graph_vertices(graph, graph->devices);
	const unsigned ports = graph_vertices(graph, graph->ports);
	const unsigned hub = graph_vertices(graph, 1);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, hub, LINK_PORT, (unsigned)spec->key[KEY_WIDTH]);
	for (unsigned i = 0; graph->ports && i < graph->devices; ++i)
		graph_cable(graph, i, ports + i * graph->ports / graph->devices, LINK_PCIE, 1);
	graph->uniform = graph->turns_in_parts = true;
	graph_turns_at(graph, 1);
	graph_turns_at(graph, layout->each);
	graph_turns_at(graph, graph->devices);
	graph->longest = graph->ports ? 4 : 2;
	graph->route = crossbar_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_crossbar = {
	.name = "switch",
	.summary = "one non-blocking switch",
	.shape = "DEVICES",
	.source = "NVSwitch nodes, single-leaf clusters",
	.least_extents = 1,
	.most_extents = 1,
	.keys = {{"width", "cables of each device, as one pipe", 1, 1, 64},
		{"ports", "network ports of the node, each joined to its devices by PCIe; 0: none", 0, 0,
			1024}},
	.devices = crossbar_devices,
	.build = crossbar_build,
};
