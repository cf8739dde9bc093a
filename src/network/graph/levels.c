/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network of a profile that has only levels is a tree of switches.
 *
 * Inside a node every device has a cable of `ports` lanes to one switch; a collective's flow fills one lane at the
 * ring rate. A node has `ports` cables at the ring rate to its first-level switch. The switch of a domain has one
 * cable to the next level, with the nominal rate of its nodes' ports over the level's oversubscription. A route's
 * start-up is the latency of the highest level that it crosses.
 *
 * Where contention was measured, the ports of a node together carry each way
 *     C = ring max_k(k / slowdown of k pairs)
 * This is a limit of the inside of the node's switch, as flows to and from its ports see it. Where C is more than
 * the rings of the ports, the ports are that much faster. One flow alone still gets the ring rate.
 */
#include "base/error.h"
#include "network/graph/topology.h"
#include "network/machine_network.h"

/*
 * Finds a route. Latency and flow rate are those of the level, not of links, so links are written without path_add.
 */
static void levels_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct level_tree *tree = graph->tree;
	unsigned *link = path->links + path->count, level = 0;
	if (tree->domain[0][from] == tree->domain[0][to]) {
		*link++ = 2 * from;
		*link++ = 2 * to + 1;
	} else {
		if (tree->bus_bytes_per_s > 0)
			*link++ = 2 * (tree->bus_cables + tree->domain[0][from]);
		*link++ = 2 * tree->port[from];
		for (level = 1; tree->domain[level][from] != tree->domain[level][to]; ++level) {
			const unsigned trunks = tree->trunk_cables[level + 1];
			*link++ = 2 * (trunks + tree->domain[level][from]);
			*link++ = 2 * (trunks + tree->domain[level][to]) + 1;
		}
		*link++ = 2 * tree->port[to] + 1;
		if (tree->bus_bytes_per_s > 0)
			*link++ = 2 * (tree->bus_cables + tree->domain[0][to]) + 1;
	}
	path->count = (unsigned)(link - path->links);
	path->latency_s = tree->latency_s[level];
	path->flow_s_per_byte = tree->flow_s_per_byte[level];
}

static bool tables_fill(struct paradl_arena *arena, struct level_tree *tree)
{
	const struct level *levels = tree->machine->levels;
	tree->port = arena_alloc(arena, tree->devices, sizeof *tree->port);
	if (!tree->port)
		return false;
	for (unsigned l = 0; l < tree->machine->level_count; ++l) {
		tree->latency_s[l] = levels[l].latency_s;
		tree->flow_s_per_byte[l] = 1 / levels[l].ring_bytes_per_s;
		tree->domain[l] = arena_alloc(arena, tree->devices, sizeof(unsigned));
		for (unsigned i = 0; tree->domain[l] && i < tree->devices; ++i)
			tree->domain[l][i] = i / levels[l].devices;
		if (!tree->domain[l])
			return false;
	}
	for (unsigned i = 0; i < tree->devices; ++i)
		tree->port[i] = tree->port_cables + tree->domain[0][i] * tree->ports +
				i % levels[0].devices * tree->ports / levels[0].devices;
	return true;
}

/* Gives `count` cables, from the first on, this rate. False when out of memory. */
static bool rates_set(struct graph *graph, unsigned first, unsigned count, double bytes_per_s)
{
	for (unsigned i = 0; i < count; ++i) {
		struct link link = *graph_hop(graph, graph_link(graph, first + i, false));
		link.s_per_byte = 1 / bytes_per_s;
		if (!graph_set(graph, first + i, &link))
			return false;
	}
	return true;
}

/*
 * Sets the rates of the cables from each domain of level l - 1 to its switch of level l; domains below a level 1 are
 * nodes.
 */
static bool trunk_rates(struct graph *graph, const struct level_tree *tree)
{
	const struct paradl_machine *machine = tree->machine;
	for (unsigned l = 2; l < machine->level_count; ++l) {
		const struct level *level = &machine->levels[l], *below = level - 1;
		const double nodes = (double)below->devices / machine->devices_per_node;
		const double rate =
			nodes * level->ports * level->bandwidth_bytes_per_s / level->oversubscription;
		const unsigned count = (tree->devices - 1) / below->devices + 1;
		if (!rates_set(graph, tree->trunk_cables[l], count, rate))
			return false;
	}
	return true;
}

/* Adds the cables of the buses, after those of the ports; none where nothing was measured. */
static void buses_cable(struct graph *graph, struct level_tree *tree, unsigned switches)
{
	const unsigned nodes = (tree->devices - 1) / tree->machine->levels[0].devices + 1;
	if (!(tree->bus_bytes_per_s > 0))
		return;
	tree->bus_cables = graph->cable_count;
	for (unsigned i = 0; i < nodes; ++i)
		graph_cable(graph, switches + i, switches + i, LINK_BACKPLANE, 1);
}

static bool bus_rates(struct graph *graph, const struct level_tree *tree)
{
	const unsigned nodes = (tree->devices - 1) / tree->machine->levels[0].devices + 1;
	return !(tree->bus_bytes_per_s > 0) ||
	       rates_set(graph, tree->bus_cables, nodes, tree->bus_bytes_per_s);
}

static void levels_cable(struct graph *graph, struct level_tree *tree)
{
	const struct paradl_machine *machine = tree->machine;
	const struct level *levels = machine->levels;
	unsigned domains = (tree->devices - 1) / levels[0].devices + 1;
	unsigned below = graph_vertices(graph, domains);
	for (unsigned i = 0; i < tree->devices; ++i)
		graph_cable(graph, i, below + i / levels[0].devices, LINK_DEVICE, 1);
	for (unsigned l = 1; l < machine->level_count; ++l) {
		const unsigned each = levels[l].devices / levels[l - 1].devices;
		const unsigned cables = l == 1 ? tree->ports : 1;
		const unsigned here = graph_vertices(graph, (domains + each - 1) / each);
		*(l == 1 ? &tree->port_cables : &tree->trunk_cables[l]) = graph->cable_count;
		for (unsigned i = 0; i < domains; ++i)
			for (unsigned k = 0; k < cables; ++k)
				graph_cable(graph, below + i, here + i / each,
					l == 1 ? LINK_PORT : LINK_SWITCH, 1);
		if (l == 1)
			buses_cable(graph, tree, below);
		domains = (domains + each - 1) / each;
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
	const double lanes = node->ports * node->ring_bytes_per_s;
	const double together =
		machine->level_count > 1 ? port->ring_bytes_per_s * port->pairs_together / port->ports : 0;
	rules->usable = 1;
	rules->rails.ports = machine->level_count > 1 ? port->ports : 1;
	rules->links[LINK_DEVICE] = (struct link_class){.bytes_per_s = node->bandwidth_bytes_per_s,
		.sustained_bytes_per_s =
			lanes > node->bandwidth_bytes_per_s ? lanes : node->bandwidth_bytes_per_s,
		.flow_bytes_per_s = node->ring_bytes_per_s};
	rules->links[LINK_PORT] = (struct link_class){.bytes_per_s = port->bandwidth_bytes_per_s,
		.sustained_bytes_per_s =
			together > port->ring_bytes_per_s ? together : port->ring_bytes_per_s};
	rules->links[LINK_SWITCH].bytes_per_s = port->bandwidth_bytes_per_s;
	return rules;
}

/*
 * Returns the devices of one of the tree's like parts (tiles): domains below its root, several together where they
 * are small.
 */
static unsigned part_of_levels(const struct paradl_machine *machine)
{
	unsigned part = machine->level_count > 1 ? machine->levels[machine->level_count - 2].devices : 1;
	while (part < 1 << 8)
		part *= 2;
	return part;
}

/* Sets the digits that turn: devices of a port, ports of a node, and domains, in any part. */
static void turns_set(struct graph *graph, const struct level_tree *tree)
{
	const struct paradl_machine *machine = tree->machine;
	const unsigned node = machine->levels[0].devices;
	graph->turns_in_parts = true;
	if (node % tree->ports == 0) {
		graph_turns_at(graph, 1);
		graph_turns_at(graph, node / tree->ports);
	}
	for (unsigned l = 0; l < machine->level_count; ++l)
		graph_turns_at(graph, machine->levels[l].devices);
}

struct graph *levels_build(struct paradl_arena *arena, const struct paradl_machine *machine, unsigned devices,
	const struct machine_network **rules, struct paradl_error *error)
{
	struct machine_network *own = rules_of(arena, machine);
	struct level_tree *tree = arena_alloc(arena, 1, sizeof *tree);
	struct graph *graph = own ? graph_create(arena, own->links, false) : NULL;
	if (!graph || !tree)
		return out_of_memory_null(error);
	const unsigned g = machine->devices_per_node;
	tree->machine = machine;
	tree->ports = own->rails.ports;
	if (machine->level_count > 1)
		tree->bus_bytes_per_s =
			machine->levels[1].ring_bytes_per_s * machine->levels[1].pairs_together;
	const unsigned nodes = (devices - 1) / g + 1;
	const double whole = (double)nodes * g;
	tree->devices = graph->devices = whole <= NETWORK_DEVICES_MAX ? (unsigned)whole : devices;
	graph_vertices(graph, graph->devices);
	levels_cable(graph, tree);
	if (!tables_fill(arena, tree))
		return out_of_memory_null(error);
	graph->uniform = graph->mirrored = true;
	graph->tile = part_of_levels(machine);
	turns_set(graph, tree);
	graph->domain_count = machine->level_count;
	for (unsigned l = 0; l < machine->level_count; ++l)
		graph->domain[l] = machine->levels[l].devices;
	graph->longest = 4 + 2 * machine->level_count;
	graph->layout = graph->tree = tree;
	graph->route = levels_route;
	*rules = own;
	if (!graph_finish(graph, error))
		return NULL;
	return trunk_rates(graph, tree) && bus_rates(graph, tree) ? graph : out_of_memory_null(error);
}
