/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least cuts between two sets of devices. They equal the maximum flow between the sets (Ford and Fulkerson), which
 * is found with the algorithm of Dinic: shortest paths by levels, all paths of a length at once.
 */
#include <limits.h>
#include <string.h>

#include "network/graph/inventory.h"

/*
 * Vertices of the flow. All devices of one side are one vertex, the source or the sink; the others come after these
 * two.
 */
enum { SOURCE, SINK, FIRST };

static const unsigned far = UINT_MAX;

/* A network of arcs, in which arcs i and i ^ 1 are the two directions of a cable. */
struct flow {
	unsigned vertices, arcs;
	unsigned *first; /* of each vertex in `order`; one more at the end */
	unsigned *order; /* arcs by the vertex they leave */
	unsigned *to;
	double *room; /* capacity that is left on each arc */
	unsigned *level, *next, *queue, *path;
	double least; /* capacities below this count as none */
};

static unsigned vertex_of(const struct graph *graph, const unsigned char *side, unsigned vertex)
{
	return vertex >= graph->devices ? FIRST + vertex - graph->devices : side[vertex] ? SINK : SOURCE;
}

static bool cable_counts(const struct graph *graph, const unsigned char *side, const struct cable *cable)
{
	return vertex_of(graph, side, cable->from) != vertex_of(graph, side, cable->to);
}

static bool flow_create(
	struct paradl_arena *arena, const struct graph *graph, const unsigned char *side, struct flow *flow)
{
	unsigned arcs = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		arcs += 2 * cable_counts(graph, side, &graph->cables[i]);
	*flow = (struct flow){.vertices = FIRST + graph->vertices - graph->devices, .arcs = arcs};
	flow->first = arena_alloc(arena, flow->vertices + 1, sizeof *flow->first);
	flow->level = arena_alloc(arena, flow->vertices, sizeof *flow->level);
	flow->next = arena_alloc(arena, flow->vertices, sizeof *flow->next);
	flow->queue = arena_alloc(arena, flow->vertices, sizeof *flow->queue);
	flow->path = arena_alloc(arena, flow->vertices, sizeof *flow->path);
	flow->order = arena_alloc(arena, arcs + 1, sizeof *flow->order);
	flow->to = arena_alloc(arena, arcs + 1, sizeof *flow->to);
	flow->room = arena_alloc(arena, arcs + 1, sizeof *flow->room);
	return flow->first && flow->level && flow->next && flow->queue && flow->path && flow->order &&
	       flow->to && flow->room;
}

/*
 * Fills in the arcs and their capacities in bytes per second. A cable without a rate takes more than all that have
 * one; returns that capacity.
 */
static double arcs_fill(const struct graph *graph, const unsigned char *side, struct flow *flow)
{
	unsigned arc = 0;
	double sum = 0, most = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (!cable_counts(graph, side, cable))
			continue;
		const double s_per_byte = graph_hop(graph, graph_link(graph, i, false))->s_per_byte;
		const double rate = s_per_byte > 0 ? 1 / s_per_byte : -1;
		flow->to[arc] = vertex_of(graph, side, cable->to);
		flow->to[arc + 1] = vertex_of(graph, side, cable->from);
		flow->room[arc] = rate;
		flow->room[arc + 1] = cable->one_way ? 0 : rate;
		sum += rate > 0 ? rate : 0;
		most = rate > most ? rate : most;
		arc += 2;
	}
	const double unlimited = sum > 0 ? 2 * sum : 1;
	for (arc = 0; arc < flow->arcs; ++arc)
		if (flow->room[arc] < 0)
			flow->room[arc] = unlimited;
	flow->least = (most > 0 ? most : 1) * 1e-9;
	return unlimited;
}

/* Sorts the arcs by the vertex that they leave, by counting: where arc i ends, i ^ 1 starts. */
static void arcs_order(struct flow *flow)
{
	for (unsigned arc = 0; arc < flow->arcs; ++arc)
		++flow->first[flow->to[arc ^ 1] + 1];
	for (unsigned v = 0; v < flow->vertices; ++v)
		flow->first[v + 1] += flow->first[v];
	memcpy(flow->next, flow->first, flow->vertices * sizeof *flow->next);
	for (unsigned arc = 0; arc < flow->arcs; ++arc)
		flow->order[flow->next[flow->to[arc ^ 1]]++] = arc;
}

/* Finds the distance of each vertex from the source over arcs with room; false when the sink is cut off. */
static bool levels_fill(struct flow *flow)
{
	unsigned head = 0, tail = 0;
	for (unsigned v = 0; v < flow->vertices; ++v)
		flow->level[v] = far;
	flow->level[SOURCE] = 0;
	flow->queue[tail++] = SOURCE;
	while (head < tail && flow->level[SINK] == far) {
		const unsigned v = flow->queue[head++];
		for (unsigned i = flow->first[v]; i < flow->first[v + 1]; ++i) {
			const unsigned arc = flow->order[i], to = flow->to[arc];
			if (flow->room[arc] > flow->least && flow->level[to] == far) {
				flow->level[to] = flow->level[v] + 1;
				flow->queue[tail++] = to;
			}
		}
	}
	return flow->level[SINK] != far;
}

/* Sends as much as fits along the path; returns the path's length up to the first arc that is now full. */
static unsigned path_send(struct flow *flow, unsigned length, double *sent)
{
	double least = flow->room[flow->path[0]];
	unsigned full = length;
	for (unsigned i = 1; i < length; ++i)
		least = flow->room[flow->path[i]] < least ? flow->room[flow->path[i]] : least;
	for (unsigned i = length; i-- > 0;) {
		flow->room[flow->path[i]] -= least;
		flow->room[flow->path[i] ^ 1] += least;
		if (!(flow->room[flow->path[i]] > flow->least))
			full = i;
	}
	*sent += least;
	return full;
}

/* Returns an arc with room to a vertex of the next level; UINT_MAX: none is left at this vertex. */
static unsigned step_on(struct flow *flow, unsigned vertex)
{
	for (unsigned *i = &flow->next[vertex]; *i < flow->first[vertex + 1]; ++*i) {
		const unsigned arc = flow->order[*i];
		if (flow->room[arc] > flow->least && flow->level[flow->to[arc]] == flow->level[vertex] + 1)
			return arc;
	}
	return UINT_MAX;
}

/* Sends all that fits over paths as long as the sink's level; returns how much that is. */
static double level_send(struct flow *flow)
{
	unsigned vertex = SOURCE, length = 0;
	double sent = 0;
	memcpy(flow->next, flow->first, flow->vertices * sizeof *flow->next);
	for (;;) {
		const unsigned arc = step_on(flow, vertex);
		if (arc != UINT_MAX) {
			flow->path[length++] = arc;
			vertex = flow->to[arc];
		} else if (length) { /* a dead end */
			vertex = flow->to[flow->path[--length] ^ 1];
			++flow->next[vertex];
		} else {
			return sent;
		}
		if (vertex == SINK) {
			length = path_send(flow, length, &sent);
			vertex = flow->to[flow->path[length] ^ 1];
		}
	}
}

bool cut_bytes_per_s(
	struct paradl_arena *arena, const struct graph *graph, const unsigned char *side, double *bytes_per_s)
{
	struct flow flow;
	double sum = 0;
	if (!flow_create(arena, graph, side, &flow))
		return false;
	const double unlimited = arcs_fill(graph, side, &flow);
	arcs_order(&flow);
	while (sum < unlimited && levels_fill(&flow))
		sum += level_send(&flow);
	*bytes_per_s = sum < unlimited ? sum : -1;
	return true;
}

/* Returns the lower of two rates, where a negative one is unlimited. */
static double lower(double a, double b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

bool bisection_bytes_per_s(struct paradl_arena *arena, const struct network *network, double *bytes_per_s)
{
	const struct graph *graph = network->graph;
	const unsigned n = graph->devices,
		       node = network->devices_per_node > 1 ? network->devices_per_node : 1;
	const unsigned half = n > node ? n / node / 2 * node : n / 2;
	unsigned char *side = arena_alloc(arena, n + 1, sizeof *side);
	unsigned stride = 1;
	double cut = 0;
	*bytes_per_s = 0;
	if (n < 2)
		return true;
	if (!side)
		return false;
	for (unsigned v = 0; v < n; ++v)
		side[v] = v >= half;
	if (!cut_bytes_per_s(arena, graph, side, bytes_per_s))
		return false;
	for (unsigned i = 0; i < graph->grid_count; stride *= graph->grid[i++]) {
		if (graph->grid[i] < 2)
			continue;
		for (unsigned v = 0; v < n; ++v)
			side[v] = v / stride % graph->grid[i] >= graph->grid[i] / 2;
		if (!cut_bytes_per_s(arena, graph, side, &cut))
			return false;
		*bytes_per_s = lower(*bytes_per_s, cut);
	}
	return true;
}
