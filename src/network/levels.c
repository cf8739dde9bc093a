/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine's levels as a tree of switches, for profiles without a routed network. Inside a node every device has a
 * cable of `ports` lanes to one switch; a collective's flow fills one lane at the ring rate. A node has `ports` cables at the
 * ring rate to its first-level switch; the switch of a domain one cable to the next level, with the nominal rate of its
 * nodes' ports over the level's oversubscription. A route's start-up is the latency of the highest level it crosses.
 */
#include <string.h>

#include "base/error.h"
#include "network/network.h"

struct layout {
	const struct paradl_machine *machine;
	unsigned ports; /* of a node */
	unsigned port_cables, trunk_cables[LEVELS_MAX];
	double latency_s[LEVELS_MAX];
};

static void levels_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const struct level *levels = layout->machine->levels;
	const unsigned g = levels[0].devices, from_node = from / g, to_node = to / g;
	unsigned level = 0;
	if (from_node == to_node) {
		path_add(graph, path, graph_link(graph, from, false));
		path_add(graph, path, graph_link(graph, to, true));
		path->latency_s = layout->latency_s[0];
		return;
	}
	const unsigned out = layout->port_cables + from_node * layout->ports + from % g * layout->ports / g;
	const unsigned in = layout->port_cables + to_node * layout->ports + to % g * layout->ports / g;
	path_add(graph, path, graph_link(graph, out, false));
	for (level = 1; from / levels[level].devices != to / levels[level].devices; ++level) {
		const unsigned trunks = layout->trunk_cables[level + 1];
		path_add(graph, path, graph_link(graph, trunks + from / levels[level].devices, false));
		path_add(graph, path, graph_link(graph, trunks + to / levels[level].devices, true));
	}
	path_add(graph, path, graph_link(graph, in, true));
	path->latency_s = layout->latency_s[level];
	path->flow_s_per_byte = 1 / levels[level].ring_bytes_per_s;
}

/* Of each domain of level l - 1 to its switch of level l; domains below a level 1 are nodes. */
static void trunk_rates(struct graph *graph, const struct layout *layout)
{
	const struct paradl_machine *machine = layout->machine;
	for (unsigned l = 2; l < machine->level_count; ++l) {
		const struct level *level = &machine->levels[l], *below = level - 1;
		const double nodes = (double)below->devices / machine->devices_per_node;
		const double rate =
			nodes * level->ports * level->bandwidth_bytes_per_s / level->oversubscription;
		for (unsigned i = 0; i < machine->devices / below->devices; ++i)
			for (unsigned way = 0; way < graph->ways; ++way)
				graph->links[(layout->trunk_cables[l] + i) * graph->ways + way].s_per_byte =
					1 / rate;
	}
}

static void levels_cable(struct graph *graph, struct layout *layout)
{
	const struct paradl_machine *machine = layout->machine;
	const struct level *levels = machine->levels;
	const unsigned nodes = machine->devices / levels[0].devices;
	unsigned below = graph_vertices(graph, nodes);
	for (unsigned i = 0; i < machine->devices; ++i)
		graph_cable(graph, i, below + i / levels[0].devices, LINK_DEVICE, 1);
	for (unsigned l = 1; l < machine->level_count; ++l) {
		const unsigned domains = machine->devices / levels[l].devices;
		const unsigned here = graph_vertices(graph, domains);
		const unsigned each = levels[l].devices / levels[l - 1].devices;
		const unsigned cables = l == 1 ? layout->ports : 1;
		*(l == 1 ? &layout->port_cables : &layout->trunk_cables[l]) = graph->cable_count;
		for (unsigned i = 0; i < domains * each; ++i)
			for (unsigned k = 0; k < cables; ++k)
				graph_cable(graph, below + i, here + i / each,
					l == 1 ? LINK_PORT : LINK_SWITCH, 1);
		below = here;
	}
}

static struct machine_network *rules_of(struct paradl_arena *arena, const struct paradl_machine *machine)
{
	struct machine_network *rules = arena_alloc(arena, 1, sizeof *rules);
	if (!rules)
		return NULL;
	const struct level *node = &machine->levels[0];
	const struct level *port = &machine->levels[machine->level_count > 1];
	rules->usable = 1;
	rules->rails.ports = machine->level_count > 1 ? port->ports : 1;
	rules->links[LINK_DEVICE] = (struct link_class){.bytes_per_s = node->bandwidth_bytes_per_s,
		.sustained_bytes_per_s = node->ports * node->ring_bytes_per_s,
		.flow_bytes_per_s = node->ring_bytes_per_s};
	rules->links[LINK_PORT] = (struct link_class){
		.bytes_per_s = port->bandwidth_bytes_per_s, .sustained_bytes_per_s = port->ring_bytes_per_s};
	rules->links[LINK_SWITCH].bytes_per_s = port->bandwidth_bytes_per_s;
	return rules;
}

struct graph *graph_of_levels(struct paradl_arena *arena, const struct paradl_machine *machine,
	const struct machine_network **rules, struct paradl_error *error)
{
	struct machine_network *own = rules_of(arena, machine);
	struct layout *layout = arena_alloc(arena, 1, sizeof *layout);
	struct graph *graph = own ? graph_create(arena, own->links, false) : NULL;
	if (!graph || !layout) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	layout->machine = machine;
	layout->ports = own->rails.ports;
	for (unsigned l = 0; l < machine->level_count; ++l)
		layout->latency_s[l] = machine->levels[l].latency_s;
	graph->devices = machine->devices;
	graph_vertices(graph, machine->devices);
	levels_cable(graph, layout);
	graph->longest = 2 + 2 * machine->level_count;
	graph->layout = layout;
	graph->route = levels_route;
	*rules = own;
	if (!graph_finish(graph, error))
		return NULL;
	trunk_rates(graph, layout);
	return graph;
}
