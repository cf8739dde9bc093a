/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distances between devices, in links of the router's own routes; a split route counts by the shares of its
 * branches.
 */
#include "network/graph/inventory.h"

enum { SOURCES_ALL = 2048, ROUTES_MAX = 1 << 21, SOURCES_LEAST = 16 };
/* Limits on the links that are walked: of all routes, and of a sample. */
static const double hops_all = 1 << 27, hops_sample = 1 << 26;

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

/*
 * Returns a source of the sample: the first and the last device (corners of a mesh), and one in each stretch
 * between, never at the same place of its stretch.
 */
static unsigned source(unsigned index, unsigned sources, unsigned devices)
{
	const double golden = 0.6180339887498949, stretch = (double)devices / sources;
	const double turn = index * golden - (unsigned)(index * golden);
	const unsigned at = (unsigned)((index + turn) * stretch);
	return index + 1 == sources || at >= devices ? devices - 1 : at;
}

/* The routes that are walked: from `sources` devices, to every `stride`th device. */
struct sample {
	unsigned sources, stride;
	bool all;
};

static struct sample sample_of(const struct graph *graph)
{
	const unsigned n = graph->devices;
	const double hops = graph->longest / 2.0 + 1;
	struct sample sample = {.sources = n, .stride = 1};
	sample.all = n <= SOURCES_ALL && (double)n * n * hops <= hops_all;
	if (sample.all)
		return sample;
	sample.sources = ROUTES_MAX / n < n ? ROUTES_MAX / n : n;
	sample.sources = sample.sources > SOURCES_LEAST ? sample.sources : SOURCES_LEAST;
	while ((double)sample.sources * n * hops / sample.stride > hops_sample && sample.stride < n / 2)
		sample.stride *= 2;
	return sample;
}

static double route_hops(
	const struct graph *graph, unsigned from, unsigned to, bool backplanes, struct path *path)
{
	graph_route(graph, from, to, path);
	return hops_of(graph, path, backplanes);
}

bool distances_of(struct paradl_arena *arena, const struct graph *graph, struct distances *distances)
{
	const unsigned n = graph->devices;
	const bool backplanes = has_backplanes(graph);
	const struct sample sample = sample_of(graph);
	double sum = 0;
	struct path path;
	*distances = (struct distances){0};
	if (!path_create(arena, graph, &path))
		return false;
	if (n > 1) /* corners of a mesh */
		distances->most_hops = route_hops(graph, 0, n - 1, backplanes, &path);
	for (unsigned i = 0; i < sample.sources; ++i) {
		const unsigned from = sample.all ? i : source(i, sample.sources, n);
		for (unsigned ahead = sample.stride; ahead < n; ahead += sample.stride) {
			const unsigned to = ahead < n - from ? from + ahead : from + ahead - n;
			const double hops = route_hops(graph, from, to, backplanes, &path);
			sum += hops;
			distances->most_hops = hops > distances->most_hops ? hops : distances->most_hops;
		}
	}
	/* an offset of 0 devices is one of the multiples of the stride, but it is no pair */
	const unsigned ends = (n + sample.stride - 1) / sample.stride;
	distances->mean_hops = n > 1 ? sum / ((double)sample.sources * ends) * (n / (n - 1.0)) : 0;
	distances->sampled = sample.all ? 0 : sample.sources;
	return true;
}
