/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network of a machine, or of a topology on paper. Profiles without a routed network have a tree of switches:
 * levels.c.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "network/graph/topology.h"
#include "network/machine_network.h"

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
 * Divides `left` blocks over the extents from d on, each of which is no shorter than the one before, so that the
 * longest is as short as possible, and then the shortest as long as possible. Returns the length of the longest in blocks; 0: there is no way.
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
		if (longest == 0 || (best > 0 && longest > best))
			continue;
		best = longest;
		for (unsigned i = d; i < count; ++i)
			extents[i] = found[i];
	}
	return best;
}

/*
 * Sets *spec to the box of less than a block: a mesh, since optical switches close only whole blocks around. False:
 * other numbers than powers of two have none.
 */
static bool box_of(const struct machine_network *rules, unsigned devices, struct topology_spec *spec)
{
	unsigned extent[GRID_MAX] = {0}, extents = 0;
	if (devices < 2 || devices & (devices - 1) ||
		extents_divide(devices, 1, 0, spec->extents, extent) > rules->slice)
		return false;
	for (unsigned d = 0; d < spec->extents; ++d)
		if (extent[d] > 1)
			spec->extent[extents++] = extent[d];
	spec->extents = extents;
	spec->topology = &topology_mesh;
	return true;
}

/* Sets *spec to the torus or box of that many devices. False: there is none. */
static bool slice_of(const struct machine_network *rules, unsigned devices, struct topology_spec *spec)
{
	unsigned blocks = devices;
	for (unsigned d = 0; d < spec->extents; ++d) {
		if (blocks % rules->slice)
			return box_of(rules, devices, spec);
		blocks /= rules->slice;
	}
	if (blocks == 0 || !extents_divide(blocks, 1, 0, spec->extents, spec->extent))
		return false;
	for (unsigned d = 0; d < spec->extents; ++d)
		spec->extent[d] *= rules->slice;
	return true;
}

/* Returns the rate of a cable's link in one direction. */
static double cable_bytes_per_s(const struct graph *graph, unsigned cable)
{
	const double s_per_byte = graph_hop(graph, graph_link(graph, cable, false))->s_per_byte;
	return s_per_byte > 0 ? 1 / s_per_byte : HUGE_VAL;
}

/* Returns whether a cable goes out of the first node, from one of its devices or of its ports, which come after all devices. */
static bool leaves_first_node(const struct network *network, const struct cable *cable, unsigned ports)
{
	const unsigned ends[] = {cable->from, cable->to}, devices = network->graph->devices;
	bool leaves = false;
	for (unsigned i = 0; i < 2; ++i)
		leaves = leaves || ends[i] < network->devices_per_node ||
			 (ends[i] >= devices && ends[i] < devices + ports);
	return cable->kind == LINK_PORT && leaves;
}

/* Adds up the links of the first device, and of the ports of the first node; nodes of a tree of levels are alike. */
static void rates_fill(struct network *network)
{
	const struct graph *graph = network->graph;
	const unsigned nodes = (network->devices - 1) / network->devices_per_node + 1;
	double device = 0, ports = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->from != cable->to && (cable->from == 0 || cable->to == 0))
			device += cable_bytes_per_s(graph, i);
		if (graph->tree ? cable->kind == LINK_PORT
				: leaves_first_node(network, cable, graph->ports / nodes))
			ports += cable_bytes_per_s(graph, i) / (graph->tree ? nodes : 1);
	}
	network->device_bytes_per_s = device < HUGE_VAL ? device : 0;
	if (network->devices_per_node == 1 && !graph->tree) /* the device is its own node and switch */
		network->node_bytes_per_s = network->device_bytes_per_s;
	else
		network->node_bytes_per_s = ports < HUGE_VAL ? ports : 0;
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

/* Adds the place of the topology in its file to an error about that topology. */
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

/* Builds the profile's own topologies, which must have the devices that its levels say. NULL: error is set. */
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
				      : levels_build(arena, machine, needed, &rules, error);
	if (sliced)
		per_node = 1;
	struct network *network = graph ? network_of(arena, graph, rules, error) : NULL;
	if (!network)
		return NULL;
	network->machine = machine;
	network->devices_per_node = per_node;
	rates_fill(network);
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
	if (!network)
		return NULL;
	network->devices_per_node = 1;
	rates_fill(network);
	return network;
}
