/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network of a machine, or of a topology on paper. Profiles without a routed network have a tree of switches by levels.
 *
 * Inside a node every device has a cable of `ports` lanes to one switch; a collective's flow fills one lane at the ring rate. A node
 * has `ports` cables at the ring rate to its first-level switch; the switch of a domain one cable to the next level, with the nominal
 * rate of its nodes' ports over the level's oversubscription. A route's start-up is the latency of the highest level it crosses.
 *
 * Where contention was measured, the ports of a node together carry  C = ring max_k(k / slowdown of k pairs)  each way: the
 * inside of the node's switch, as flows to and from its ports see it, and ports are that much faster where C is more than
 * their rings. One flow alone still gets the ring rate.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "network/network.h"
#include "network/topology.h"

struct layout {
	const struct paradl_machine *machine;
	unsigned devices; /* that are built: whole nodes, as many as asked for; of a huge node only so many */
	unsigned ports;   /* of a node */
	unsigned port_cables, trunk_cables[LEVELS_MAX];
	unsigned bus_cables;    /* of each node, from its switch to itself: what its ports carry together */
	double bus_bytes_per_s; /* 0: there are none */
	double latency_s[LEVELS_MAX], flow_s_per_byte[LEVELS_MAX];
	unsigned *domain[LEVELS_MAX], *port; /* of each device: its domain of a level, its port's cable */
};

/* Latency and flow rate are those of the level, not of links, so links are written without path_add. */
static void levels_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	unsigned *link = path->links + path->count, level = 0;
	if (layout->domain[0][from] == layout->domain[0][to]) {
		*link++ = 2 * from;
		*link++ = 2 * to + 1;
	} else {
		if (layout->bus_bytes_per_s > 0)
			*link++ = 2 * (layout->bus_cables + layout->domain[0][from]);
		*link++ = 2 * layout->port[from];
		for (level = 1; layout->domain[level][from] != layout->domain[level][to]; ++level) {
			const unsigned trunks = layout->trunk_cables[level + 1];
			*link++ = 2 * (trunks + layout->domain[level][from]);
			*link++ = 2 * (trunks + layout->domain[level][to]) + 1;
		}
		*link++ = 2 * layout->port[to] + 1;
		if (layout->bus_bytes_per_s > 0)
			*link++ = 2 * (layout->bus_cables + layout->domain[0][to]) + 1;
	}
	path->count = (unsigned)(link - path->links);
	path->latency_s = layout->latency_s[level];
	path->flow_s_per_byte = layout->flow_s_per_byte[level];
}

static bool tables_fill(struct paradl_arena *arena, struct layout *layout)
{
	const struct level *levels = layout->machine->levels;
	layout->port = arena_alloc(arena, layout->devices, sizeof *layout->port);
	if (!layout->port)
		return false;
	for (unsigned l = 0; l < layout->machine->level_count; ++l) {
		layout->latency_s[l] = levels[l].latency_s;
		layout->flow_s_per_byte[l] = 1 / levels[l].ring_bytes_per_s;
		layout->domain[l] = arena_alloc(arena, layout->devices, sizeof(unsigned));
		for (unsigned i = 0; layout->domain[l] && i < layout->devices; ++i)
			layout->domain[l][i] = i / levels[l].devices;
		if (!layout->domain[l])
			return false;
	}
	for (unsigned i = 0; i < layout->devices; ++i)
		layout->port[i] = layout->port_cables + layout->domain[0][i] * layout->ports +
				  i % levels[0].devices * layout->ports / levels[0].devices;
	return true;
}

/* Gives `count` cables from the first on this rate. */
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

/* Of each domain of level l - 1 to its switch of level l; domains below a level 1 are nodes. */
static bool trunk_rates(struct graph *graph, const struct layout *layout)
{
	const struct paradl_machine *machine = layout->machine;
	for (unsigned l = 2; l < machine->level_count; ++l) {
		const struct level *level = &machine->levels[l], *below = level - 1;
		const double nodes = (double)below->devices / machine->devices_per_node;
		const double rate =
			nodes * level->ports * level->bandwidth_bytes_per_s / level->oversubscription;
		const unsigned count = (layout->devices - 1) / below->devices + 1;
		if (!rates_set(graph, layout->trunk_cables[l], count, rate))
			return false;
	}
	return true;
}

/* After the ports, so that there are none where nothing was measured. */
static void buses_cable(struct graph *graph, struct layout *layout, unsigned switches)
{
	const unsigned nodes = (layout->devices - 1) / layout->machine->levels[0].devices + 1;
	if (!(layout->bus_bytes_per_s > 0))
		return;
	layout->bus_cables = graph->cable_count;
	for (unsigned i = 0; i < nodes; ++i)
		graph_cable(graph, switches + i, switches + i, LINK_BACKPLANE, 1);
}

static bool bus_rates(struct graph *graph, const struct layout *layout)
{
	const unsigned nodes = (layout->devices - 1) / layout->machine->levels[0].devices + 1;
	return !(layout->bus_bytes_per_s > 0) ||
	       rates_set(graph, layout->bus_cables, nodes, layout->bus_bytes_per_s);
}

static void levels_cable(struct graph *graph, struct layout *layout)
{
	const struct paradl_machine *machine = layout->machine;
	const struct level *levels = machine->levels;
	unsigned domains = (layout->devices - 1) / levels[0].devices + 1;
	unsigned below = graph_vertices(graph, domains);
	for (unsigned i = 0; i < layout->devices; ++i)
		graph_cable(graph, i, below + i / levels[0].devices, LINK_DEVICE, 1);
	for (unsigned l = 1; l < machine->level_count; ++l) {
		const unsigned each = levels[l].devices / levels[l - 1].devices;
		const unsigned cables = l == 1 ? layout->ports : 1;
		const unsigned here = graph_vertices(graph, (domains + each - 1) / each);
		*(l == 1 ? &layout->port_cables : &layout->trunk_cables[l]) = graph->cable_count;
		for (unsigned i = 0; i < domains; ++i)
			for (unsigned k = 0; k < cables; ++k)
				graph_cable(graph, below + i, here + i / each,
					l == 1 ? LINK_PORT : LINK_SWITCH, 1);
		if (l == 1)
			buses_cable(graph, layout, below);
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

/* Returns the devices of one of the tree's like parts: domains below its root, several together where they are small. */
static unsigned part_of_levels(const struct paradl_machine *machine)
{
	unsigned part = machine->level_count > 1 ? machine->levels[machine->level_count - 2].devices : 1;
	while (part < 1 << 8)
		part *= 2;
	return part;
}

/* The tree of a machine's levels, with rules for it. */
static struct graph *graph_of_levels(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned devices, const struct machine_network **rules, struct paradl_error *error)
{
	struct machine_network *own = rules_of(arena, machine);
	struct layout *layout = arena_alloc(arena, 1, sizeof *layout);
	struct graph *graph = own ? graph_create(arena, own->links, false) : NULL;
	if (!graph || !layout)
		return out_of_memory_null(error);
	const unsigned g = machine->devices_per_node;
	layout->machine = machine;
	layout->ports = own->rails.ports;
	if (machine->level_count > 1)
		layout->bus_bytes_per_s =
			machine->levels[1].ring_bytes_per_s * machine->levels[1].pairs_together;
	const unsigned nodes = (devices - 1) / g + 1;
	const double whole = (double)nodes * g;
	layout->devices = graph->devices = whole <= NETWORK_DEVICES_MAX ? (unsigned)whole : devices;
	graph_vertices(graph, graph->devices);
	levels_cable(graph, layout);
	if (!tables_fill(arena, layout))
		return out_of_memory_null(error);
	graph->uniform = graph->mirrored = true;
	graph->tile = part_of_levels(machine);
	graph->domain_count = machine->level_count;
	for (unsigned l = 0; l < machine->level_count; ++l)
		graph->domain[l] = machine->levels[l].devices;
	graph->longest = 4 + 2 * machine->level_count;
	graph->layout = layout;
	graph->route = levels_route;
	*rules = own;
	if (!graph_finish(graph, error))
		return NULL;
	return trunk_rates(graph, layout) && bus_rates(graph, layout) ? graph : out_of_memory_null(error);
}

static struct graph *graph_of(struct paradl_arena *arena, const char *text,
	const struct machine_network *rules, bool inside_node, struct paradl_error *error)
{
	struct topology_spec spec;
	if (!topology_parse(text, &spec, error))
		return NULL;
	return topology_build(arena, &spec, rules->links, rules->half_duplex, inside_node, error);
}

static struct graph *routed_graph(struct paradl_arena *arena, const struct machine_network *rules,
	unsigned devices, unsigned *per_node, struct paradl_error *error)
{
	struct graph *node = NULL, *cluster = NULL;
	*per_node = 1;
	if (rules->node && !(node = graph_of(arena, rules->node, rules, true, error)))
		return NULL;
	if (node)
		*per_node = node->devices;
	if (!rules->cluster && !rules->cables)
		return node;
	cluster = rules->cables ? cables_build(arena, rules, error)
				: graph_of(arena, rules->cluster, rules, false, error);
	if (!cluster || !node)
		return cluster;
	return graph_hierarchy(arena, node, cluster, devices / node->devices, &rules->rails, error);
}

static struct network *network_of(struct paradl_arena *arena, struct graph *graph,
	const struct machine_network *rules, struct paradl_error *error)
{
	struct network *network = arena_alloc(arena, 1, sizeof *network);
	if (!network)
		return out_of_memory_null(error);
	if (rules->fewest_links && !graph_route_shortest(graph, NULL, error))
		return NULL;
	if (rules->order_count && !(graph = graph_ordered(graph, rules->order, rules->order_count, error)))
		return NULL;
	network->graph = graph;
	network->rules = rules;
	network->devices = graph->devices;
	network->ports = rules->rails.ports ? rules->rails.ports : 1;
	return network;
}

/*
 * Divides `left` blocks over the extents from d on, each of which is no shorter than the one before, so that the longest is as short as
 * possible; returns how long it is, in blocks. 0: there is no way.
 */
static unsigned extents_divide(unsigned left, unsigned least, unsigned d, unsigned count, unsigned *extents)
{
	unsigned best = 0, found[GRID_MAX];
	if (d + 1 == count) {
		extents[d] = left;
		return left >= least ? left : 0;
	}
	for (unsigned extent = least; extent <= left; ++extent) {
		if (left % extent)
			continue;
		found[d] = extent;
		const unsigned longest = extents_divide(left / extent, extent, d + 1, count, found);
		if (longest == 0 || (best > 0 && longest >= best))
			continue;
		best = longest;
		for (unsigned i = d; i < count; ++i)
			extents[i] = found[i];
	}
	return best;
}

/* The torus of so many devices, in place of the extents of *spec. */
static bool slice_of(const struct machine_network *rules, unsigned devices, struct topology_spec *spec)
{
	unsigned blocks = devices;
	for (unsigned d = 0; d < spec->extents; ++d) {
		if (blocks % rules->slice)
			return false;
		blocks /= rules->slice;
	}
	if (blocks == 0 || !extents_divide(blocks, 1, 0, spec->extents, spec->extent))
		return false;
	for (unsigned d = 0; d < spec->extents; ++d)
		spec->extent[d] *= rules->slice;
	return true;
}

bool network_is_sliced(const struct paradl_machine *machine, unsigned devices)
{
	const struct machine_network *rules = machine->network;
	struct topology_spec spec;
	return rules && rules->slice > 0 && !rules->node && rules->cluster && devices > 0 &&
	       devices < machine->devices && topology_parse(rules->cluster, &spec, NULL) &&
	       slice_of(rules, devices, &spec);
}

static struct graph *slice_graph(struct paradl_arena *arena, const struct machine_network *rules,
	unsigned devices, struct paradl_error *error)
{
	struct topology_spec spec;
	if (!topology_parse(rules->cluster, &spec, error) || !slice_of(rules, devices, &spec))
		return NULL;
	return topology_build(arena, &spec, rules->links, rules->half_duplex, false, error);
}

/* Says where in its file the topology is that an error is about. */
static void topology_error_place(const struct json *at, struct paradl_error *error)
{
	const struct paradl_error reason = *error;
	error->status = PARADL_SCHEMA;
	if (!at)
		return;
	json_error(at, error, "%s", reason.message);
	if (*reason.hint)
		error_hint(error, "%s", reason.hint);
}

/* The profile's own topologies, which must have the devices that its levels say. */
static struct graph *profile_graph(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned *per_node, struct paradl_error *error)
{
	const struct machine_network *rules = machine->network;
	struct topology_spec spec;
	struct graph *graph = routed_graph(arena, rules, machine->devices, per_node, error);
	const bool is_node = graph && rules->node && *per_node != machine->devices_per_node;
	const struct json *at =
		is_node || (rules->node && !topology_parse(rules->node, &spec, NULL)) || !rules->cluster_at
			? rules->node_at
			: rules->cluster_at;
	if (is_node)
		error_set(error, PARADL_SCHEMA, "node %s has %u devices, but levels say %u in a node",
			rules->node, *per_node, machine->devices_per_node);
	else if (graph && graph->devices != machine->devices)
		error_set(error, PARADL_SCHEMA, "%s has %u devices, but levels say %u",
			rules->cluster  ? rules->cluster
			: rules->cables ? "the list of cables"
					: rules->node,
			graph->devices, machine->devices);
	else if (graph)
		return graph;
	if (error && error->status != PARADL_NO_MEMORY)
		topology_error_place(at, error);
	return NULL;
}

struct network *network_for(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned devices, struct paradl_error *error)
{
	const struct machine_network *rules = machine->network;
	unsigned per_node = machine->devices_per_node;
	const bool sliced = network_is_sliced(machine, devices);
	const unsigned needed = (rules && !sliced) || devices == 0 ? machine->devices : devices;
	if (needed > NETWORK_DEVICES_MAX) {
		error_set(error, PARADL_USAGE, "%u devices of %s are too many; at most %d can be routed",
			needed, machine->name, NETWORK_DEVICES_MAX);
		return NULL;
	}
	struct graph *graph = sliced  ? slice_graph(arena, rules, devices, error)
			      : rules ? profile_graph(arena, machine, &per_node, error)
				      : graph_of_levels(arena, machine, needed, &rules, error);
	if (sliced)
		per_node = 1;
	struct network *network = graph ? network_of(arena, graph, rules, error) : NULL;
	if (!network)
		return NULL;
	network->machine = machine;
	network->devices_per_node = per_node;
	network->memory_s_per_byte = machine->device.s_per_byte;
	return network;
}

struct network *network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error)
{
	return network_for(arena, machine, 0, error);
}

struct network *network_on_paper(struct paradl_arena *arena, const char *topology,
	const struct machine_network *rules, struct paradl_error *error)
{
	struct graph *graph = graph_of(arena, topology, rules, false, error);
	struct network *network = graph ? network_of(arena, graph, rules, error) : NULL;
	if (network)
		network->devices_per_node = 1;
	return network;
}
