/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes of any graph by the algorithm of Floyd and Warshall. They have the fewest links. Among equally short routes,
 * the one found first is taken, with intermediate vertices tried by ascending index, or in a given order. Every vertex
 * relays. A vertex with a backplane (a cable to itself) is crossed by it whenever a route enters or leaves the vertex
 * over a cable declared towards it (its `to` end); this is a hop of two. SimGrid's "Floyd" zones (3.19), with which the
 * studies of the collectives were simulated, route in this way.
 *
 * A network of cables that a machine's profile lists one by one. Routes are the shortest by links. Rates and latency of
 * a cable are those of "links" (port: cables to devices; switch: cables between switches), unless the cable has its
 * own.
 */
#include <limits.h>

#include "base/error.h"
#include "network/graph/graph.h"
#include "network/graph/topology.h"

enum { FAR = 60000 };

struct layout {
	unsigned short *via; /* [from * vertices + to]: an intermediate vertex; NONE: they are neighbours */
	unsigned *cable;     /* [from * vertices + to] of neighbours; UINT_MAX: none */
	unsigned *backplane; /* of each vertex; UINT_MAX: none */
	unsigned vertices;
};
enum { NONE = 65535 };

static void hop_add(
	const struct graph *graph, const struct layout *layout, unsigned from, unsigned to, struct path *path)
{
	const unsigned index = layout->cable[from * layout->vertices + to];
	const struct cable *cable = &graph->cables[index];
	const unsigned inside = layout->backplane[cable->to];
	const bool against = cable->from != from;
	if (against && inside != UINT_MAX)
		path_add(graph, path, graph_link(graph, inside, true));
	path_add(graph, path, graph_link(graph, index, against));
	if (!against && inside != UINT_MAX)
		path_add(graph, path, graph_link(graph, inside, false));
}

/* Appends the links between two vertices. Recursion is as deep as there are links, so below `longest`. */
static void between(
	const struct graph *graph, const struct layout *layout, unsigned from, unsigned to, struct path *path)
{
	const unsigned via = layout->via[from * layout->vertices + to];
	if (via == NONE) {
		hop_add(graph, layout, from, to, path);
		return;
	}
	between(graph, layout, from, via, path);
	between(graph, layout, via, to, path);
}

static void shortest_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	between(graph, graph->layout, from, to, path);
}

static void neighbours_fill(const struct graph *graph, struct layout *layout, unsigned short *distance)
{
	const unsigned n = layout->vertices;
	for (unsigned i = 0; i < n * n; ++i) {
		layout->via[i] = NONE;
		layout->cable[i] = UINT_MAX;
		distance[i] = FAR;
	}
	for (unsigned i = 0; i < n; ++i)
		layout->backplane[i] = UINT_MAX;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (graph->cables[i].from == graph->cables[i].to)
			layout->backplane[graph->cables[i].from] = i;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->from == cable->to)
			continue;
		const unsigned short hops = layout->backplane[cable->to] == UINT_MAX ? 1 : 2;
		layout->cable[cable->from * n + cable->to] = i;
		distance[cable->from * n + cable->to] = hops;
		if (cable->one_way)
			continue;
		layout->cable[cable->to * n + cable->from] = i;
		distance[cable->to * n + cable->from] = hops;
	}
}

static void relax(struct layout *layout, unsigned via, unsigned short *distance)
{
	const unsigned n = layout->vertices;
	for (unsigned from = 0; from < n; ++from) {
		const unsigned first = distance[from * n + via];
		if (first == FAR || from == via)
			continue;
		for (unsigned to = 0; to < n; ++to)
			if (first + distance[via * n + to] < distance[from * n + to] && to != from) {
				distance[from * n + to] = (unsigned short)(first + distance[via * n + to]);
				layout->via[from * n + to] = (unsigned short)via;
			}
	}
}

/* Returns the longest distance between devices, in links. */
static unsigned longest_of(
	const struct graph *graph, const struct layout *layout, const unsigned short *distance)
{
	const unsigned n = layout->vertices;
	unsigned longest = 0;
	for (unsigned from = 0; from < graph->devices; ++from)
		for (unsigned to = 0; to < graph->devices; ++to)
			if (from != to && distance[from * n + to] > longest)
				longest = distance[from * n + to];
	return longest;
}

bool graph_route_shortest(struct graph *graph, const unsigned *order, struct paradl_error *error)
{
	const size_t n = graph->vertices;
	if (n > SHORTEST_VERTICES_MAX)
		return error_set(error, PARADL_USAGE,
			"routing by fewest links takes at most %d devices and switches; there are %zu",
			SHORTEST_VERTICES_MAX, n);
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	unsigned short *distance = arena_alloc(graph->arena, n * n, sizeof *distance);
	if (layout) {
		layout->vertices = (unsigned)n;
		layout->via = arena_alloc(graph->arena, n * n, sizeof *layout->via);
		layout->cable = arena_alloc(graph->arena, n * n, sizeof *layout->cable);
		layout->backplane = arena_alloc(graph->arena, n, sizeof *layout->backplane);
	}
	if (!layout || !distance || !layout->via || !layout->cable || !layout->backplane)
		return out_of_memory(error);
	neighbours_fill(graph, layout, distance);
	for (unsigned i = 0; i < n; ++i)
		relax(layout, order ? order[i] : i, distance);
	graph->longest = longest_of(graph, layout, distance);
	if (graph->longest >= FAR)
		return error_set(error, PARADL_SCHEMA, "not every device can be reached");
	graph->layout = layout;
	graph->route = shortest_route;
	graph->turn_count = 0;
	graph->uniform = false; /* the route that is found first depends on the numbers */
	return true;
}

static bool is_same(const struct link_class *a, const struct link_class *b)
{
	const double off[] = {a->bytes_per_s - b->bytes_per_s,
		a->sustained_bytes_per_s - b->sustained_bytes_per_s, a->latency_s - b->latency_s};
	for (unsigned i = 0; i < sizeof off / sizeof *off; ++i)
		if (off[i] > 0 || off[i] < 0)
			return false;
	return true;
}

/*
 * Returns the class of a cable: that of its kind, or one with the cable's own rates; UINT_MAX: there are too many
 * classes.
 */
static unsigned class_of(
	struct graph *graph, const struct network_cable *cable, enum link_kind kind, double usable)
{
	struct link_class own = graph->classes[kind];
	if (cable->bytes_per_s > 0) {
		own.bytes_per_s = cable->bytes_per_s;
		own.sustained_bytes_per_s = cable->sustained_bytes_per_s > 0 ? cable->sustained_bytes_per_s
									     : cable->bytes_per_s * usable;
	}
	if (!(cable->latency_s < 0))
		own.latency_s = cable->latency_s;
	if (is_same(&own, &graph->classes[kind]))
		return kind;
	for (unsigned i = LINK_KINDS; i < graph->class_count; ++i)
		if (is_same(&own, &graph->classes[i]))
			return i;
	return graph_class(graph, &own);
}

struct graph *cables_build(
	struct paradl_arena *arena, const struct machine_network *rules, struct paradl_error *error)
{
	struct graph *graph = graph_create(arena, rules->links, rules->half_duplex);
	if (!graph)
		return out_of_memory_null(error);
	graph->devices = rules->cable_devices;
	graph_vertices(graph, rules->cable_devices + rules->cable_switches);
	for (unsigned i = 0; i < rules->cable_count; ++i) {
		const struct network_cable *cable = &rules->cables[i];
		const bool is_port = cable->from < graph->devices || cable->to < graph->devices;
		const enum link_kind kind = is_port ? LINK_PORT : LINK_SWITCH;
		const unsigned number = class_of(graph, cable, kind, rules->usable);
		if (number == UINT_MAX) {
			error_set(error, PARADL_SCHEMA,
				"cables have more than %d different rates and latencies",
				CLASSES_MAX - LINK_KINDS);
			return NULL;
		}
		const unsigned added = graph_cable(graph, cable->from, cable->to, kind, cable->count);
		if (added != UINT_MAX)
			graph->cables[added].class_ = (unsigned char)number;
	}
	return graph_finish(graph, error) && graph_route_shortest(graph, NULL, error) ? graph : NULL;
}
