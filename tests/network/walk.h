/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of a route, whatever the topology; and distances by breadth-first search over the cables alone. */
#ifndef TESTS_NETWORK_WALK_H
#define TESTS_NETWORK_WALK_H

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "network/graph/topology.h"

/* Links of different kinds with latencies that no sum of others equals. */
static inline void walk_classes(struct link_class *classes)
{
	static const double latencies[LINK_KINDS] = {1, 1.25, 1.0625, 1.015625, 1.00390625, 1.5};
	for (unsigned kind = 0; kind < LINK_KINDS; ++kind)
		classes[kind] = (struct link_class){
			.bytes_per_s = 1e9, .sustained_bytes_per_s = 1e9, .latency_s = latencies[kind]};
}

static inline struct graph *walk_build(
	struct paradl_arena *arena, const char *text, struct paradl_error *error)
{
	struct link_class classes[LINK_KINDS];
	struct topology_spec spec;
	walk_classes(classes);
	if (!topology_parse(text, &spec, error))
		return NULL;
	return topology_build(arena, &spec, classes, false, false, error);
}

/* Ends of a link of a full-duplex graph; false when there is no such link. */
static inline bool walk_ends(const struct graph *graph, unsigned link, unsigned *from, unsigned *to)
{
	const struct cable *cable = &graph->cables[link / 2];
	if (link / 2 >= graph->cable_count || (cable->one_way && link % 2))
		return false;
	*from = link % 2 ? cable->to : cable->from;
	*to = link % 2 ? cable->from : cable->to;
	return *from < graph->vertices && *to < graph->vertices;
}

static inline const char *walk_single(
	const struct graph *graph, unsigned from, unsigned to, const struct path *path)
{
	double latency_s = 0;
	unsigned at = from;
	for (unsigned i = 0; i < path->count; ++i) {
		unsigned begin = 0, end = 0;
		if (!walk_ends(graph, path->links[i], &begin, &end))
			return "goes over a link that is not there";
		if (begin != at)
			return "is not connected";
		latency_s += graph_hop(graph, path->links[i])->latency_s;
		at = end;
	}
	if (at != to)
		return "ends elsewhere";
	return fabs(latency_s - path->latency_s) <= 1e-12 * latency_s ? NULL : "has another latency";
}

/* What enters a vertex leaves it: then shares sum to 1 at every cut. `balance`: a zero for each vertex. */
static inline const char *walk_split(
	const struct graph *graph, unsigned from, unsigned to, const struct path *path, double *balance)
{
	const char *problem = NULL;
	double hops = 0;
	balance[from] += 1;
	balance[to] -= 1;
	for (unsigned i = 0; i < path->count; ++i) {
		unsigned begin = 0, end = 0;
		if (!walk_ends(graph, path->links[i], &begin, &end))
			return "goes over a link that is not there";
		if (!(path->shares[i] > 0 && path->shares[i] <= 1 + 1e-9))
			problem = "has a share out of (0, 1]";
		balance[begin] -= path->shares[i];
		balance[end] += path->shares[i];
		hops += path->shares[i];
		for (unsigned j = 0; j < i; ++j)
			if (path->links[j] == path->links[i])
				problem = "has a link in two entries";
	}
	for (unsigned v = 0; v < graph->vertices; ++v) {
		if (fabs(balance[v]) > 1e-9)
			problem = "loses or gains flow on the way";
		balance[v] = 0;
	}
	/* the longest of the ways is no shorter than their mean, every link being at least 1 */
	return !problem && path->latency_s < hops * (1 - 1e-9) ? "has too short a latency" : problem;
}

/* NULL: the path is a way from `from` to `to`; otherwise what is wrong with it. */
static inline const char *walk_check(
	const struct graph *graph, unsigned from, unsigned to, const struct path *path, double *balance)
{
	if (path->count > graph->longest)
		return "is longer than the longest";
	if (path->split)
		return walk_split(graph, from, to, path, balance);
	return walk_single(graph, from, to, path);
}

/* Links on the way, each share of it. */
static inline double walk_hops(const struct path *path)
{
	double hops = 0;
	for (unsigned i = 0; i < path->count; ++i)
		hops += path_share(path, i);
	return hops;
}

/* Fewest links from `from` to every vertex, by relaxing all cables until nothing changes. */
static inline void walk_distances(const struct graph *graph, unsigned from, unsigned *distance)
{
	bool changed = true;
	for (unsigned v = 0; v < graph->vertices; ++v)
		distance[v] = v == from ? 0 : 1U << 30;
	while (changed) {
		changed = false;
		for (unsigned link = 0; link < 2 * graph->cable_count; ++link) {
			unsigned begin = 0, end = 0;
			if (!walk_ends(graph, link, &begin, &end) || distance[begin] + 1 >= distance[end])
				continue;
			distance[end] = distance[begin] + 1;
			changed = true;
		}
	}
}

#endif
