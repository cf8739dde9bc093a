/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A node of GPUs cabled to each other by NVLink (LINK_DEVICE), without a switch:
 *     kind 0   every pair                                                        any number
 *     kind 1   P100 node of Tsubame3: pairs 0-2 and 1-3 of double width          4
 *     kind 2   DGX-1 V100, hybrid cube mesh                                      8
 *     kind 3   two full quads and 0-5, 1-4, 2-7, 3-6                             8
 *     kind 4   four full quads and 0-13, 1-4, 2-7, 3-14, 5-8, 6-11, 9-12, 10-15  16
 * Kinds 1, 3, 4 are those of the allreduce simulations of Nguyen et al. (CCPE 2021). GPUs that are no neighbours reach
 * each other by NVLink relays: over the fewest hops, each to the nearer neighbour of lowest index. With `ports` each
 * port is a PCIe switch (PLX) with its network card. GPU i of g has a PCIe cable to port i * ports / g and reaches
 * another port by NVLink to the nearest GPU there.
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { KEY_KIND, KEY_WIDTH, KEY_PORTS, GPUS_MAX = 64, FAR = 255 };

static const struct wiring {
	unsigned gpus, count; /* GPUs of the node (0: any), listed pairs */
	bool quads;           /* each four GPUs are fully joined, in addition to the pairs */
	struct pair {
		unsigned char from, to, width;
	} pairs[16];
} wirings[] = {
	{0},
	{4, 6, false, {{0, 1, 1}, {0, 2, 2}, {0, 3, 1}, {1, 2, 1}, {1, 3, 2}, {2, 3, 1}}},
	{8, 16, false,
		{{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
			{2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1},
			{6, 7, 2}}},
	{8, 4, true, {{0, 5, 1}, {1, 4, 1}, {2, 7, 1}, {3, 6, 1}}},
	{16, 8, true,
		{{0, 13, 1}, {1, 4, 1}, {2, 7, 1}, {3, 14, 1}, {5, 8, 1}, {6, 11, 1}, {9, 12, 1},
			{10, 15, 1}}},
};
enum { KINDS = sizeof wirings / sizeof wirings[0] };

struct layout {
	unsigned gpus, each, port_cables;         /* each: GPUs on one port; port_cables: first PCIe cable */
	unsigned short cable[GPUS_MAX][GPUS_MAX]; /* cable between neighbours */
	unsigned char distance[GPUS_MAX][GPUS_MAX]; /* hops between GPUs */
	unsigned char next[GPUS_MAX][GPUS_MAX];     /* neighbour to go to first */
};

static double nvlink_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const unsigned gpus = spec->extent[0], kind = (unsigned)spec->key[KEY_KIND];
	const unsigned ports = (unsigned)spec->key[KEY_PORTS];
	if (gpus > GPUS_MAX)
		error_set(error, PARADL_USAGE, "nvlink joins at most %d GPUs, not %u", GPUS_MAX, gpus);
	else if (wirings[kind].gpus && wirings[kind].gpus != gpus)
		error_set(error, PARADL_USAGE, "nvlink of kind %u has %u GPUs, not %u", kind,
			wirings[kind].gpus, gpus);
	else if (ports > 0 && gpus % ports)
		error_set(error, PARADL_USAGE, "%u ports do not serve %u GPUs evenly", ports, gpus);
	else
		return gpus;
	return 0;
}

static void relay(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	while (from != to) {
		const unsigned next = layout->next[from][to];
		path_add(graph, path, graph_link(graph, layout->cable[from][next], from > next));
		from = next;
	}
}

/* Returns the GPU of a port that is nearest to `gpu`; the lowest index among equals. */
static unsigned nearest(const struct layout *layout, unsigned port, unsigned gpu)
{
	unsigned found = port * layout->each;
	for (unsigned i = found + 1; i < (port + 1) * layout->each; ++i)
		if (layout->distance[gpu][i] < layout->distance[gpu][found])
			found = i;
	return found;
}

/* Returns the GPU of a port that is nearest to any GPU of another port. */
static unsigned exit_towards(const struct layout *layout, unsigned port, unsigned other)
{
	unsigned found = other * layout->each;
	for (unsigned i = found + 1; i < (other + 1) * layout->each; ++i)
		if (layout->distance[i][nearest(layout, port, i)] <
			layout->distance[found][nearest(layout, port, found)])
			found = i;
	return nearest(layout, port, found);
}

static void nvlink_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned gpus = layout->gpus;
	unsigned out = from, in = to;
	if (from >= gpus)
		out = to < gpus ? nearest(layout, from - gpus, to)
				: exit_towards(layout, from - gpus, to - gpus);
	if (to >= gpus)
		in = nearest(layout, to - gpus, out);
	if (from >= gpus)
		path_add(graph, path, graph_link(graph, layout->port_cables + out, true));
	relay(graph, out, in, path);
	if (to >= gpus)
		path_add(graph, path, graph_link(graph, layout->port_cables + in, false));
}

static void join(struct graph *graph, struct layout *layout, unsigned from, unsigned to, unsigned width)
{
	layout->distance[from][to] = layout->distance[to][from] = 1;
	layout->cable[from][to] = layout->cable[to][from] =
		(unsigned short)graph_cable(graph, from, to, LINK_DEVICE, width);
}

static void gpus_cable(struct graph *graph, struct layout *layout, unsigned kind, unsigned width)
{
	const struct wiring *wiring = &wirings[kind];
	const unsigned clique = kind == 0 ? layout->gpus : wiring->quads ? 4 : 1;
	for (unsigned i = 0; i < layout->gpus; ++i)
		for (unsigned j = i + 1; j < layout->gpus && j / clique == i / clique; ++j)
			join(graph, layout, i, j, width);
	for (unsigned i = 0; i < wiring->count; ++i)
		join(graph, layout, wiring->pairs[i].from, wiring->pairs[i].to,
			wiring->pairs[i].width * width);
}

/* Fills in all distances from those between neighbours, by the algorithm of Floyd and Warshall. */
static void distances_fill(struct layout *layout)
{
	const unsigned n = layout->gpus;
	for (unsigned via = 0; via < n; ++via)
		for (unsigned i = 0; i < n; ++i)
			for (unsigned j = 0; j < n; ++j) {
				const unsigned hops = layout->distance[i][via] + layout->distance[via][j];
				if (hops < layout->distance[i][j])
					layout->distance[i][j] = (unsigned char)hops;
			}
}

/* Returns the first neighbour of `from` that is nearer to `to`. */
static unsigned next_towards(const struct layout *layout, unsigned from, unsigned to)
{
	unsigned next = 0;
	while (layout->distance[from][next] != 1 ||
		layout->distance[next][to] + 1 != layout->distance[from][to])
		++next;
	return next;
}

/* Fills in distances and next hops, and returns the longest distance. */
static unsigned routes_fill(struct layout *layout)
{
	unsigned longest = 0;
	distances_fill(layout);
	for (unsigned i = 0; i < layout->gpus; ++i)
		for (unsigned j = 0; j < layout->gpus; ++j) {
			if (i != j)
				layout->next[i][j] = (unsigned char)next_towards(layout, i, j);
			longest = layout->distance[i][j] > longest ? layout->distance[i][j] : longest;
		}
	return longest;
}

static bool nvlink_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	layout->gpus = graph->devices = spec->extent[0];
	graph->ports = (unsigned)spec->key[KEY_PORTS];
	layout->each = graph->ports ? layout->gpus / graph->ports : 0;
	for (unsigned i = 0; i < layout->gpus; ++i)
		for (unsigned j = 0; j < layout->gpus; ++j)
			layout->distance[i][j] = i == j ? 0 : FAR;
	graph_vertices(graph, graph->devices);
	gpus_cable(graph, layout, (unsigned)spec->key[KEY_KIND], (unsigned)spec->key[KEY_WIDTH]);
	layout->port_cables = graph->cable_count;
	const unsigned ports = graph_vertices(graph, graph->ports);
	for (unsigned i = 0; graph->ports && i < layout->gpus; ++i)
		graph_cable(graph, i, ports + i * graph->ports / layout->gpus, LINK_PCIE, 1);
	graph->uniform = spec->key[KEY_KIND] < 1; /* every pair has its own cable */
	graph->mesh = graph->uniform ? (unsigned)spec->key[KEY_WIDTH] : 0;
	graph->longest = routes_fill(layout) + (graph->ports ? 2 : 0);
	graph->route = nvlink_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_nvlink = {
	.name = "nvlink",
	.summary = "GPUs of a node cabled to each other, ports on PCIe switches",
	.shape = "GPUS",
	.source = "Tsubame3, DGX-1 V100 (NVIDIA WP-08437); Nguyen et al. (CCPE 2021)",
	.least_extents = 1,
	.most_extents = 1,
	.keys = {{"kind", "0: all pairs; 1: Tsubame3; 2: DGX-1 V100; 3: two quads; 4: four quads", 0, 0,
			 KINDS - 1},
		{"width", "multiplies the width of every cable", 1, 1, 64},
		{"ports", "network ports, each on a PCIe switch of GPUS / ports GPUs; 0: none", 0, 0,
			GPUS_MAX}},
	.devices = nvlink_devices,
	.build = nvlink_build,
};
