/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The routed network of a machine, or of a topology on paper. */
#include "network/network.h"

#include <stdio.h>

#include "base/error.h"
#include "network/topology.h"

static void *out_of_memory(struct paradl_error *error)
{
	error_set(error, PARADL_NO_MEMORY, "out of memory");
	return NULL;
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
	if (!rules->cluster)
		return node;
	if (!(cluster = graph_of(arena, rules->cluster, rules, false, error)) || !node)
		return cluster;
	return graph_hierarchy(arena, node, cluster, devices / node->devices, &rules->rails, error);
}

static struct network *network_of(struct paradl_arena *arena, struct graph *graph,
	const struct machine_network *rules, struct paradl_error *error)
{
	struct network *network = arena_alloc(arena, 1, sizeof *network);
	if (!network)
		return out_of_memory(error);
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

/* The profile's own topologies, which must have the devices that its levels say. */
static struct graph *profile_graph(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned *per_node, struct paradl_error *error)
{
	const struct machine_network *rules = machine->network;
	struct graph *graph = routed_graph(arena, rules, machine->devices, per_node, error);
	if (graph && rules->node && *per_node != machine->devices_per_node)
		error_set(error, PARADL_SCHEMA, "node %s has %u devices, but levels say %u in a node",
			rules->node, *per_node, machine->devices_per_node);
	else if (graph && graph->devices != machine->devices)
		error_set(error, PARADL_SCHEMA, "%s has %u devices, but levels say %u",
			rules->cluster ? rules->cluster : rules->node, graph->devices, machine->devices);
	else if (graph)
		return graph;
	if (error && error->status != PARADL_NO_MEMORY) {
		error->status = PARADL_SCHEMA;
		snprintf(error->path, sizeof error->path, "%s", machine->path ? machine->path : "");
		snprintf(error->pointer, sizeof error->pointer, "/network");
	}
	return NULL;
}

struct network *network_for(struct paradl_arena *arena, const struct paradl_machine *machine,
	unsigned devices, struct paradl_error *error)
{
	const struct machine_network *rules = machine->network;
	unsigned per_node = machine->devices_per_node;
	const unsigned needed = rules || devices == 0 ? machine->devices : devices;
	if (needed > NETWORK_DEVICES_MAX) {
		error_set(error, PARADL_USAGE, "%u devices of %s are too many; at most %d can be routed",
			needed, machine->name, NETWORK_DEVICES_MAX);
		return NULL;
	}
	struct graph *graph = rules ? profile_graph(arena, machine, &per_node, error)
				    : graph_of_levels(arena, machine, needed, &rules, error);
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
