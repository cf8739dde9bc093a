/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HyperX: routers on a grid, each joined by a cable to all others of its line in each dimension ("2-D fully
 * connected", and so on). Router = c0 + k0 (c1 + k1 (c2 + ...)). Routing corrects one coordinate after the other,
 * innermost first. `split` sends equal parts over the cyclic orders that begin with each of the coordinates that
 * differ.
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { KEY_HOSTS, KEY_SPLIT };

struct layout {
	unsigned extents, extent[GRID_MAX], hosts;
	unsigned first[GRID_MAX]; /* first cable of each dimension */
	unsigned below[GRID_MAX]; /* routers from one to the next of its line in each dimension */
	bool split;
};

static unsigned pairs(unsigned count)
{
	return (unsigned)((unsigned long long)count * (count - 1) / 2);
}

static double hyperx_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	double routers = 1, others = 0;
	for (unsigned d = 0; d < spec->extents; ++d) {
		routers *= spec->extent[d];
		others += spec->extent[d] - 1.0;
	}
	const double cables = routers * others / 2 + hosts_cables(spec);
	return topology_cables_fit(spec, cables, error) ? hosts_devices(spec, error) : 0;
}

/*
 * Returns the link from a router to one of its line in dimension d. The cable of i < j is j (j - 1) / 2 + i, declared
 * from i.
 */
static unsigned line_link(const struct graph *graph, unsigned d, unsigned router, unsigned to)
{
	const struct layout *layout = graph->layout;
	const unsigned below = layout->below[d], k = layout->extent[d];
	const unsigned from = router / below % k, line = router / (below * k) * below + router % below;
	const unsigned pair = from < to ? to * (to - 1) / 2 + from : from * (from - 1) / 2 + to;
	return graph_link(graph, layout->first[d] + line * pairs(k) + pair, from > to);
}

/*
 * Adds one way from router to router, with the whole flow or its share: it corrects the coordinates dims[0 .. count -
 * 1], beginning with dims[begin] and going on around.
 */
static void order_add(const struct graph *graph, unsigned at, unsigned to, const unsigned *dims,
	unsigned count, unsigned begin, struct path *path)
{
	const struct layout *layout = graph->layout;
	for (unsigned i = 0; i < count; ++i) {
		const unsigned d = dims[(begin + i) % count], below = layout->below[d], k = layout->extent[d];
		const unsigned there = to / below % k, link = line_link(graph, d, at, there);
		if (!layout->split || count == 1) {
			path_add(graph, path, link);
		} else {
			path_add_share(graph, path, link, 1.0 / count);
			path->latency_s += begin ? 0 : graph_hop(graph, link)->latency_s;
		}
		at = at - at / below % k * below + there * below;
	}
}

static void hyperx_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned hosts = layout->hosts;
	const unsigned out = hosts ? from / hosts : from, in = hosts ? to / hosts : to;
	unsigned dims[GRID_MAX], count = 0;
	for (unsigned d = 0; d < layout->extents; ++d)
		if (out / layout->below[d] % layout->extent[d] != in / layout->below[d] % layout->extent[d])
			dims[count++] = d;
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	for (unsigned begin = 0; begin < (layout->split ? count : count > 0); ++begin)
		order_add(graph, out, in, dims, count, begin, path);
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

/* Joins all pairs of `count` routers that are `apart` from each other, in the order of line_link. */
static void line_cable(struct graph *graph, unsigned first, unsigned apart, unsigned count)
{
	for (unsigned j = 1; j < count; ++j)
		for (unsigned i = 0; i < j; ++i)
			graph_cable(graph, first + i * apart, first + j * apart, LINK_SWITCH, 1);
}

static bool hyperx_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	unsigned routers = 1;
	if (!layout)
		return out_of_memory(error);
	layout->extents = spec->extents;
	layout->hosts = (unsigned)spec->key[KEY_HOSTS];
	layout->split = spec->key[KEY_SPLIT] > 0;
	for (unsigned d = 0; d < spec->extents; ++d) {
		layout->extent[d] = spec->extent[d];
		layout->below[d] = routers;
		routers *= spec->extent[d];
	}
	const unsigned first = hosts_add(graph, routers, layout->hosts);
	for (unsigned d = 0; d < layout->extents; ++d) {
		const unsigned below = layout->below[d], k = layout->extent[d];
		layout->first[d] = graph->cable_count;
		for (unsigned line = 0; line < routers / k; ++line)
			line_cable(graph, first + line / below * below * k + line % below, below, k);
	}
	hosts_grid(graph, layout->hosts, spec->extent, spec->extents);
	graph->turns_in_parts = true;
	graph_turns_at(graph, 1);
	for (unsigned d = 0; d < layout->extents; ++d)
		graph_turns_at(graph, layout->below[d] * (layout->hosts ? layout->hosts : 1));
	graph_turns_at(graph, graph->devices);
	graph->longest = layout->extents * (layout->split ? layout->extents : 1) + (layout->hosts ? 2U : 0U);
	graph->route = hyperx_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_hyperx = {
	.name = "hyperx",
	.summary = "all of a line joined, in each dimension (HyperX, 2-D fully connected)",
	.shape = "K x K or K x K x ... (up to 8 extents, innermost first)",
	.source = "Ahn et al., HyperX (SC 2009)",
	.least_extents = 2,
	.most_extents = GRID_MAX,
	.keys = {HOSTS_KEY,
		{"split", "1: equally over orders of dimensions that begin with each; 0: the first one first",
			0, 0, 1}},
	.devices = hyperx_devices,
	.build = hyperx_build,
};
