/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far apart devices are, in links of the router's own routes. A split route counts the links of its ways by share. */
#include "network/inventory.h"

enum { SOURCES_ALL = 2048, ROUTES_MAX = 1 << 21, SOURCES_LEAST = 16 };

static double hops_of(const struct graph *graph, const struct path *path, bool backplanes)
{
	if (!backplanes && !path->split)
		return path->count;
	double hops = 0;
	for (unsigned i = 0; i < path->count; ++i)
		if (!backplanes || graph->cables[path->links[i] / graph->ways].kind != LINK_BACKPLANE)
			hops += path->split ? path->shares[i] : 1;
	return hops;
}

static bool has_backplanes(const struct graph *graph)
{
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (graph->cables[i].kind == LINK_BACKPLANE)
			return true;
	return false;
}

/* The first and the last device (corners of a mesh), and one in each stretch between, never at the same place of it. */
static unsigned source(unsigned index, unsigned sources, unsigned devices)
{
	const double golden = 0.6180339887498949, stretch = (double)devices / sources;
	const double turn = index * golden - (unsigned)(index * golden);
	const unsigned at = (unsigned)((index + turn) * stretch);
	return index + 1 == sources || at >= devices ? devices - 1 : at;
}

bool distances_of(struct paradl_arena *arena, const struct graph *graph, struct distances *distances)
{
	const unsigned n = graph->devices;
	const bool sample = n > SOURCES_ALL, backplanes = has_backplanes(graph);
	unsigned sources = sample ? ROUTES_MAX / n : n;
	struct path path;
	double sum = 0;
	*distances = (struct distances){0};
	if (sources < SOURCES_LEAST && sample)
		sources = SOURCES_LEAST;
	if (!path_create(arena, graph, &path))
		return false;
	for (unsigned i = 0; i < sources; ++i) {
		const unsigned from = sample ? source(i, sources, n) : i;
		for (unsigned to = 0; to < n; ++to) {
			graph_route(graph, from, to, &path);
			const double hops = hops_of(graph, &path, backplanes);
			sum += hops;
			distances->most_hops = hops > distances->most_hops ? hops : distances->most_hops;
		}
	}
	distances->mean_hops = n > 1 ? sum / ((double)sources * (n - 1)) : 0;
	distances->sampled = sample ? sources : 0;
	return true;
}
