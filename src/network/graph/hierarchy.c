/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes inside a cluster. A device reaches the network by the port that belongs to it: device i of g by port i *
 * ports / g. The leaf that a port is cabled to depends on the planes:
 *     planes = 1          port k of node j is the cluster's device j * ports + k: ports of a node on one leaf
 *     planes = R          the ports of R / ports neighbouring nodes go to R leaves in turn (rails, planes): port k of
 *                         node j to leaf  group * R + (j mod (R / ports)) * ports + k,  where a group is as many nodes
 *                         as fill R leaves of `leaf` ports
 */
#include "network/graph/graph.h"

#include <string.h>

#include "base/error.h"

/*
 * The place of a device: its node and its number there, its port as a vertex of the node and as a device of the
 * cluster.
 */
struct place {
	unsigned node, local, port, slot;
};

struct layout {
	const struct graph *node, *cluster;
	struct rails rails;
	struct place *places;   /* of each device, so that routing divides by nothing */
	unsigned cluster_links; /* where the cluster's links start; those of node j start at j * node_links */
	unsigned node_links;
	unsigned stem_links; /* links from a device of a node to its port, where they are alike for all */
};

static unsigned slot_of(const struct rails *rails, unsigned node, unsigned port)
{
	if (rails->planes < 2)
		return node * rails->ports + port;
	const unsigned turn = rails->planes / rails->ports; /* nodes before the same leaves are taken again */
	const unsigned group = node / (turn * rails->leaf), place = node / turn % rails->leaf;
	const unsigned leaf = group * rails->planes + node % turn * rails->ports + port;
	return leaf * rails->leaf + place;
}

static void hierarchy_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const struct graph *node = layout->node;
	const struct place *out = &layout->places[from], *in = &layout->places[to];
	path->base = out->node * layout->node_links;
	if (out->node == in->node) {
		node->route(node, out->local, in->local, path);
		return;
	}
	if (node->ports)
		node->route(node, out->local, out->port, path);
	path->base = layout->cluster_links;
	layout->cluster->route(layout->cluster, out->slot, in->slot, path);
	path->base = in->node * layout->node_links;
	if (node->ports)
		node->route(node, in->port, in->local, path);
}

static bool places_fill(struct graph *graph, struct layout *layout)
{
	const unsigned g = layout->node->devices;
	layout->places = arena_alloc(graph->arena, graph->devices, sizeof *layout->places);
	for (unsigned i = 0; layout->places && i < graph->devices; ++i) {
		const unsigned port = i % g * layout->rails.ports / g;
		layout->places[i] =
			(struct place){i / g, i % g, g + port, slot_of(&layout->rails, i / g, port)};
	}
	return layout->places;
}

/*
 * Returns the vertex of the whole graph for a vertex of node j: devices come first, then all nodes' ports, then
 * their switches.
 */
static unsigned node_vertex(
	const struct graph *graph, const struct layout *layout, unsigned j, unsigned vertex)
{
	const struct graph *node = layout->node;
	const unsigned g = node->devices, p = node->ports;
	if (vertex < g)
		return j * g + vertex;
	if (vertex < g + p)
		return graph->devices + j * p + (vertex - g);
	return graph->devices + graph->ports + j * (node->vertices - g - p) + (vertex - g - p);
}

static void nodes_copy(struct graph *graph, const struct layout *layout, unsigned nodes)
{
	const struct graph *node = layout->node;
	for (unsigned j = 0; j < nodes; ++j)
		for (unsigned i = 0; i < node->cable_count; ++i) {
			const struct cable *cable = &node->cables[i];
			const unsigned from = node_vertex(graph, layout, j, cable->from);
			const unsigned to = node_vertex(graph, layout, j, cable->to);
			const unsigned copy =
				graph_cable(graph, from, to, (enum link_kind)cable->kind, cable->width);
			if (copy != (unsigned)-1)
				graph->cables[copy].one_way = cable->one_way;
		}
}

/*
 * Copies the cluster's cables. A slot of the cluster is a port of a node; a slot that no node takes keeps a vertex
 * of its own. False when out of memory.
 */
static bool cluster_copy(
	struct graph *graph, const struct layout *layout, unsigned nodes, unsigned first_port)
{
	const struct graph *cluster = layout->cluster;
	unsigned *vertex = arena_alloc(graph->arena, cluster->vertices, sizeof *vertex);
	if (!vertex)
		return false;
	const unsigned own = graph_vertices(graph, cluster->vertices);
	for (unsigned i = 0; i < cluster->vertices; ++i)
		vertex[i] = own + i;
	for (unsigned j = 0; j < nodes; ++j)
		for (unsigned k = 0; k < layout->rails.ports; ++k) {
			const unsigned slot = slot_of(&layout->rails, j, k);
			/* without port vertices the device is its own port */
			vertex[slot] = layout->node->ports
					       ? first_port + j * layout->rails.ports + k
					       : j * layout->node->devices +
							 k * layout->node->devices / layout->rails.ports;
		}
	for (unsigned i = LINK_KINDS; i < cluster->class_count; ++i)
		graph_class(
			graph, &cluster->classes[i]); /* a node's graph has the classes of the kinds alone */
	for (unsigned i = 0; i < cluster->cable_count; ++i) {
		const struct cable *cable = &cluster->cables[i];
		const unsigned copy = graph_cable(graph, vertex[cable->from], vertex[cable->to],
			(enum link_kind)cable->kind, cable->width);
		if (copy == (unsigned)-1)
			continue;
		graph->cables[copy].one_way = cable->one_way;
		graph->cables[copy].class_ = cable->class_;
	}
	return true;
}

static bool fits(const struct graph *node, const struct graph *cluster, unsigned nodes,
	const struct rails *rails, struct paradl_error *error)
{
	if (rails->ports < 1 || node->devices % rails->ports || (node->ports && node->ports != rails->ports))
		return error_set(error, PARADL_SCHEMA, "%u ports do not serve %u devices evenly",
			rails->ports, node->devices);
	if (rails->planes > 1 && (rails->planes % rails->ports || rails->leaf < 1))
		return error_set(error, PARADL_SCHEMA, "%u planes are no multiple of the node's %u ports",
			rails->planes, rails->ports);
	for (unsigned j = 0; j < nodes; ++j)
		for (unsigned k = 0; k < rails->ports; ++k)
			if (slot_of(rails, j, k) >= cluster->devices)
				return error_set(error, PARADL_SCHEMA,
					"%u nodes of %u ports need more than the %u ports of the network",
					nodes, rails->ports, cluster->devices);
	return true;
}

/*
 * Fills in the domains, in devices: the node, then as many nodes as fill a leaf (with planes: a set of leaves), and
 * all nodes.
 */
static void domains_fill(struct graph *graph, const struct layout *layout)
{
	const struct graph *cluster = layout->cluster;
	const struct rails *rails = &layout->rails;
	const unsigned g = layout->node->devices;
	graph->uniform = cluster->uniform;
	graph->mesh = layout->node->mesh;
	graph->cell = layout->node->uniform && !layout->node->domain_count ? 0 : g;
	const unsigned turn = rails->planes >= 2 ? rails->planes * rails->leaf : rails->ports;
	if (cluster->tile % turn == 0)
		graph->tile = cluster->tile / rails->ports * g;
	graph->domain[graph->domain_count++] = g;
	if (rails->planes >= 2)
		graph->domain[graph->domain_count++] = rails->planes / rails->ports * rails->leaf * g;
	for (unsigned i = 0; rails->planes < 2 && i < cluster->domain_count && i + 2 < GRID_MAX; ++i) {
		graph->uniform = graph->uniform && cluster->domain[i] % rails->ports == 0;
		graph->domain[graph->domain_count++] = cluster->domain[i] / rails->ports * g;
	}
	graph->domain[graph->domain_count++] = graph->devices;
}

/* Returns the number of devices up to a place in the cluster where a digit ends; 0: there is no such place. */
static unsigned turn_of(const struct layout *layout, unsigned slots)
{
	const struct rails *rails = &layout->rails;
	const unsigned g = layout->node->devices;
	if (rails->planes < 2)
		return !layout->cluster->turns_in_parts && slots % rails->ports ? 0
										: slots * (g / rails->ports);
	if (rails->leaf % slots == 0)
		return slots * (rails->planes / rails->ports) * g;
	const bool ends = slots % (rails->leaf * rails->planes) == 0;
	return ends ? slots / rails->planes * g : 0;
}

/*
 * Fills in the digits that turn: those of the node, where its own devices turn, and those of the cluster, in
 * devices. Where nodes go to leaves in turn, a place on a leaf and a leaf are digits of their own.
 */
static void turns_fill(struct graph *graph, const struct layout *layout)
{
	const struct graph *node = layout->node, *cluster = layout->cluster;
	const struct rails *rails = &layout->rails;
	const bool in_parts = cluster->turns_in_parts, spread = rails->planes >= 2;
	const bool nodes_turn = in_parts && node->turns_in_parts;
	if (!cluster->turn_count || (spread && !in_parts))
		return;
	graph->turns_in_parts = in_parts;
	for (unsigned i = 0; nodes_turn && i < node->turn_count; ++i)
		graph_turns_at(graph, node->turns[i]);
	graph_turns_at(graph, in_parts ? node->devices : 0);
	graph_turns_at(graph, spread ? rails->planes / rails->ports * node->devices : 0);
	for (unsigned i = 0; i < cluster->turn_count; ++i) {
		const unsigned devices = turn_of(layout, cluster->turns[i]);
		if (!devices || (!nodes_turn && devices < node->devices && node->devices % devices)) {
			graph->turn_count = 0;
			return;
		}
		graph_turns_at(graph, nodes_turn || devices >= node->devices ? devices : 0);
	}
}

static void hierarchy_stem(const struct graph *graph, unsigned device, struct stem *stem)
{
	const struct layout *layout = graph->layout;
	layout->cluster->stem(layout->cluster, layout->places[device].slot, stem);
	stem->links += layout->stem_links;
	stem->node = layout->places[device].node;
}

/* Returns whether two routes in a node are of as many links, of the same kinds. */
static bool are_alike(const struct graph *node, const struct path *a, const struct path *b)
{
	bool alike = a->count == b->count && !a->split && !b->split;
	for (unsigned i = 0; alike && i < a->count; ++i)
		alike = graph_hop(node, a->links[i]) == graph_hop(node, b->links[i]);
	return alike;
}

/*
 * Lets devices have stems (graph.h) where ports do in the cluster, and where all devices of a node reach their ports
 * alike. False when out of memory.
 */
static bool stems_fill(struct graph *graph, struct layout *layout)
{
	const struct graph *node = layout->node;
	struct path first[2], path;
	if (!layout->cluster->stem)
		return true;
	graph->stem = hierarchy_stem;
	if (!node->ports)
		return true;
	if (!path_create(graph->arena, node, &first[0]) || !path_create(graph->arena, node, &first[1]) ||
		!path_create(graph->arena, node, &path))
		return false;
	for (unsigned i = 0; i < node->devices; ++i) {
		const unsigned port = layout->places[i].port;
		for (unsigned back = 0; back < 2; ++back) {
			struct path *const here = i ? &path : &first[back];
			graph_route(node, back ? port : i, back ? i : port, here);
			if (!are_alike(node, &first[back], here) || here->count != first[0].count)
				graph->stem = NULL;
		}
	}
	layout->stem_links = first[0].count;
	return true;
}

struct graph *graph_hierarchy(struct paradl_arena *arena, const struct graph *node,
	const struct graph *cluster, unsigned nodes, const struct rails *rails, struct paradl_error *error)
{
	if (!fits(node, cluster, nodes, rails, error))
		return NULL;
	struct graph *graph = graph_create(arena, node->classes, node->ways == 1);
	struct layout *layout = arena_alloc(arena, 1, sizeof *layout);
	if (!graph || !layout)
		return out_of_memory_null(error);
	*layout = (struct layout){.node = node,
		.cluster = cluster,
		.rails = *rails,
		.cluster_links = nodes * node->cable_count * node->ways,
		.node_links = node->cable_count * node->ways};
	graph->devices = nodes * node->devices;
	graph_vertices(graph, graph->devices);
	graph->ports = nodes * rails->ports;
	const unsigned first_port = graph_vertices(graph, graph->ports);
	graph_vertices(graph, nodes * (node->vertices - node->devices - node->ports));
	graph_reserve(graph, (size_t)nodes * node->cable_count + cluster->cable_count);
	nodes_copy(graph, layout, nodes);
	if (!cluster_copy(graph, layout, nodes, first_port) || !places_fill(graph, layout))
		return out_of_memory_null(error);
	domains_fill(graph, layout);
	turns_fill(graph, layout);
	graph->longest = 2 * node->longest + cluster->longest;
	graph->route = hierarchy_route;
	graph->layout = layout;
	if (!stems_fill(graph, layout))
		return out_of_memory_null(error);
	return graph_finish(graph, error) ? graph : NULL;
}
