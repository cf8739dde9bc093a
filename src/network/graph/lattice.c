/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grids of routers: torus, ring and mesh. Extents are innermost first: router = c0 + k0 (c1 + k1 (c2 + ...)). A
 * cable joins neighbours at distance 1 in one coordinate. Routing corrects one coordinate after the other, innermost
 * first, the shorter way round. A tie at k / 2 goes the + way (SimGrid does the same, except for one of the k
 * routers); with `split` half of the flow goes either way. An extent of 2 has one cable, not two.
 */
#include "base/error.h"
#include "network/graph/topology.h"

struct layout {
	unsigned extents, extent[GRID_MAX];
	unsigned steps[GRID_MAX]; /* cables on a line: as many as routers when it is closed, else one less */
	unsigned first[GRID_MAX]; /* first cable of each dimension */
	unsigned hosts;
	bool split;
};

/* A line of routers: cable `base + c * below` joins coordinates c and c + 1. */
struct lattice_line {
	unsigned base, below, extent;
};

static void walk(const struct graph *graph, const struct lattice_line *line, unsigned at, unsigned steps,
	bool down, struct path *path)
{
	for (; steps > 0; --steps) {
		if (down)
			at = at ? at - 1 : line->extent - 1;
		path_add(graph, path, graph_link(graph, line->base + at * line->below, down));
		if (!down)
			at = at + 1 < line->extent ? at + 1 : 0;
	}
}

/* Adds both ways round, which are equally long, with half of the flow on each. */
static void walk_both(
	const struct graph *graph, const struct lattice_line *line, unsigned from, struct path *path)
{
	unsigned up = from, down = from;
	for (unsigned steps = line->extent / 2; steps > 0; --steps) {
		const unsigned link = graph_link(graph, line->base + up * line->below, false);
		path->latency_s += graph_hop(graph, link)->latency_s;
		path_add_share(graph, path, link, 0.5);
		up = up + 1 < line->extent ? up + 1 : 0;
		down = down ? down - 1 : line->extent - 1;
		path_add_share(graph, path, graph_link(graph, line->base + down * line->below, true), 0.5);
	}
}

/* Adds the way along one line, the shorter one where there are two. */
static void correct(const struct graph *graph, const struct lattice_line *line, unsigned from, unsigned to,
	bool closed, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned k = line->extent;
	if (!closed) {
		walk(graph, line, from, to > from ? to - from : from - to, to < from, path);
		return;
	}
	const unsigned up = to > from ? to - from : to + k - from;
	if (layout->split && 2 * up == k)
		walk_both(graph, line, from, path);
	else
		walk(graph, line, from, 2 * up <= k ? up : k - up, 2 * up > k, path);
}

static void lattice_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned hosts = layout->hosts;
	unsigned from_rest = hosts ? from / hosts : from, to_rest = hosts ? to / hosts : to;
	unsigned low = 0, below = 1;
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	for (unsigned d = 0; from_rest != to_rest; ++d) {
		const unsigned k = layout->extent[d], steps = layout->steps[d];
		const unsigned here = from_rest % k, there = to_rest % k;
		from_rest /= k;
		to_rest /= k;
		if (here != there) {
			const struct lattice_line line = {
				layout->first[d] + low + below * steps * from_rest, below, k};
			correct(graph, &line, here, there, steps == k, path);
		}
		low += there * below;
		below *= k;
	}
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

/* Adds the cables of one dimension, in the order that struct lattice_line expects. */
static void dimension_cable(struct graph *graph, struct layout *layout, unsigned d, unsigned below,
	unsigned routers, unsigned first)
{
	const unsigned k = layout->extent[d], steps = layout->steps[d];
	layout->first[d] = graph->cable_count;
	for (unsigned high = 0; high < routers / (below * k); ++high)
		for (unsigned c = 0; c < steps; ++c)
			for (unsigned low = 0; low < below; ++low) {
				const unsigned base = first + low + below * k * high;
				graph_cable(graph, base + below * c, base + below * ((c + 1) % k),
					LINK_SWITCH, 1);
			}
}

/*
 * Builds a torus (`wraps`) or mesh of any dimension with `hosts` devices on each router; `split`: flows with two
 * equally long ways around go half each way. False when out of memory.
 */
static bool lattice_build(struct graph *graph, const struct topology_spec *spec, bool wraps, unsigned hosts,
	bool split, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	unsigned routers = 1, below = 1;
	if (!layout)
		return out_of_memory(error);
	layout->extents = spec->extents;
	layout->hosts = hosts;
	layout->split = split;
	graph->longest = hosts ? 2 : 0;
	for (unsigned d = 0; d < spec->extents; ++d)
		routers *= spec->extent[d];
	const unsigned first = hosts_add(graph, routers, hosts);
	for (unsigned d = 0; d < spec->extents; ++d) {
		const unsigned k = layout->extent[d] = spec->extent[d];
		layout->steps[d] = wraps && k > 2 ? k : k - 1;
		dimension_cable(graph, layout, d, below, routers, first);
		graph->longest += layout->steps[d] == k ? (split && k % 2 == 0 ? k : k / 2) : k - 1;
		below *= k;
	}
	hosts_grid(graph, hosts, spec->extent, spec->extents);
	below = hosts ? hosts : 1;
	graph_turns_at(graph, wraps ? below : 0);
	for (unsigned d = 0; wraps && d < spec->extents; ++d)
		graph_turns_at(graph, below *= spec->extent[d]);
	graph->wraps = wraps;
	graph->lattice = true;
	graph->route = lattice_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

enum { KEY_HOSTS, KEY_SPLIT };

static bool wrapped_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	return lattice_build(
		graph, spec, true, (unsigned)spec->key[KEY_HOSTS], spec->key[KEY_SPLIT] > 0, error);
}

const struct topology topology_torus = {
	.name = "torus",
	.summary = "neighbours along each coordinate, wrapped around; dimension-order routing",
	.shape = "K or K x K or ... (up to 8 extents, innermost first)",
	.source = "Dally, Performance analysis of k-ary n-cube networks (1990); TPU pods",
	.least_extents = 1,
	.most_extents = GRID_MAX,
	.keys = {HOSTS_KEY,
		{"split", "1: a tie at half way round goes half each way; 0: the + way", 0, 0, 1}},
	.devices = hosts_devices,
	.build = wrapped_build,
};

const struct topology topology_ring = {
	.name = "ring",
	.summary = "each joined to the next, the shorter way round",
	.shape = "N",
	.source = "the torus of one dimension",
	.least_extents = 1,
	.most_extents = 1,
	.keys = {HOSTS_KEY,
		{"split", "1: a tie at half way round goes half each way; 0: the + way", 0, 0, 1}},
	.devices = hosts_devices,
	.build = wrapped_build,
};

static bool mesh_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	return lattice_build(graph, spec, false, (unsigned)spec->key[0], false, error);
}

const struct topology topology_mesh = {
	.name = "mesh",
	.summary = "neighbours along each coordinate, without wrap-around; dimension-order routing",
	.shape = "K or K x K or ... (up to 8 extents, innermost first)",
	.source = "Dally, Performance analysis of k-ary n-cube networks (1990)",
	.least_extents = 1,
	.most_extents = GRID_MAX,
	.keys = {HOSTS_KEY},
	.devices = hosts_devices,
	.build = mesh_build,
};
