/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributed Loop Network: a ring with shortcuts from i to i + floor(N / 2^k) mod N, k = 1 .. strides. circulant.c
 * finds the routes. Koibuchi's DLN-x is read as x = strides + 2.
 */
#include "base/error.h"
#include "network/graph/circulant.h"

enum { KEY_STRIDES, KEY_SPLIT };

struct layout {
	struct circulant circulant;
	unsigned hosts, cable; /* devices on a router; first cable between routers */
};

static double dln_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double devices = spec->extent[0] * (spec->extents > 1 ? (double)spec->extent[1] : 1);
	const double cables = circulant_cables(spec->extent[0], (unsigned)spec->key[KEY_STRIDES]) +
			      (spec->extents > 1 ? devices : 0);
	return topology_cables_fit(spec, cables, error) ? devices : 0;
}

static void dln_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned hosts = layout->hosts;
	if (!hosts) {
		circulant_route(&layout->circulant, graph, layout->cable, from, to, path);
		return;
	}
	path_add(graph, path, graph_link(graph, from, false));
	circulant_route(&layout->circulant, graph, layout->cable, from / hosts, to / hosts, path);
	path_add(graph, path, graph_link(graph, to, true));
}

static bool dln_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	const unsigned routers = spec->extent[0];
	if (!circulant_create(&layout->circulant, graph->arena, routers, (unsigned)spec->key[KEY_STRIDES],
		    spec->key[KEY_SPLIT] > 0, error))
		return false;
	layout->hosts = spec->extents > 1 ? spec->extent[1] : 0;
	const unsigned first = hosts_add(graph, routers, layout->hosts);
	layout->cable = circulant_cable(&layout->circulant, graph, first, 1);
	hosts_grid(graph, layout->hosts, spec->extent, 1);
	graph->wraps = true;
	graph->lattice = true;
	graph->shortcuts = layout->hosts == 0;
	graph->longest = layout->circulant.longest + (layout->hosts ? 2 : 0);
	graph->route = dln_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_dln = {
	.name = "dln",
	.summary = "a ring with shortcuts of N/2, N/4, ... (distributed loop); shortest routes",
	.shape = "ROUTERS or ROUTERS x HOSTS",
	.source = "Koibuchi et al. (ISCA 2012); which strides: our reading",
	.least_extents = 1,
	.most_extents = 2,
	.keys = {{"strides", "shortcuts of N/2 to N/2^strides; 0: all", 0, 0, 16},
		{"split", "1: equally over all shortest routes; 0: one of them", 0, 0, 1}},
	.devices = dln_devices,
	.build = dln_build,
};

/* ---- two dimensions -------------------------------------------------------------------------------------- */

/*
 * Two-dimensional Distributed Loop Network, our reading: each row and each column (of cabinets) is a DLN, so the
 * network is the product of two circulants. Router = y * X + x. A route goes along the row first, then along the
 * column; circulant.c finds the routes in each.
 */

enum { PLANE_HOSTS, PLANE_STRIDES, PLANE_SPLIT };

struct plane_layout {
	struct circulant row, column;
	unsigned hosts, row_cable, column_cable; /* first cable of row 0, of column 0 */
};

static double dln2d_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const unsigned strides = (unsigned)spec->key[PLANE_STRIDES];
	const double x = spec->extent[0], y = spec->extent[1];
	const double cables = y * circulant_cables(spec->extent[0], strides) +
			      x * circulant_cables(spec->extent[1], strides);
	return topology_cables_fit(spec, cables + hosts_cables(spec), error) ? hosts_devices(spec, error) : 0;
}

static void dln2d_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct plane_layout *layout = graph->layout;
	const struct circulant *row = &layout->row, *column = &layout->column;
	const unsigned hosts = layout->hosts;
	const unsigned out = hosts ? from / hosts : from, in = hosts ? to / hosts : to;
	const unsigned y = out / row->n, x = out % row->n, to_y = in / row->n, to_x = in % row->n;
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	circulant_route(row, graph, layout->row_cable + y * row->cables, x, to_x, path);
	circulant_route(column, graph, layout->column_cable + to_x * column->cables, y, to_y, path);
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

static bool dln2d_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct plane_layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	const unsigned x = spec->extent[0], y = spec->extent[1], strides = (unsigned)spec->key[PLANE_STRIDES];
	const bool split = spec->key[PLANE_SPLIT] > 0;
	if (!circulant_create(&layout->row, graph->arena, x, strides, split, error) ||
		!circulant_create(&layout->column, graph->arena, y, strides, split, error))
		return false;
	layout->hosts = (unsigned)spec->key[PLANE_HOSTS];
	const unsigned first = hosts_add(graph, x * y, layout->hosts);
	layout->row_cable = graph->cable_count;
	for (unsigned i = 0; i < y; ++i)
		circulant_cable(&layout->row, graph, first + i * x, 1);
	layout->column_cable = graph->cable_count;
	for (unsigned i = 0; i < x; ++i)
		circulant_cable(&layout->column, graph, first + i, x);
	hosts_grid(graph, layout->hosts, spec->extent, 2);
	graph->wraps = true;
	graph->longest = layout->row.longest + layout->column.longest + (layout->hosts ? 2 : 0);
	graph->route = dln2d_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_dln2d = {
	.name = "dln2d",
	.summary = "rows and columns that are each a distributed loop; row first",
	.shape = "X x Y",
	.source = "our reading: the product of two distributed loops",
	.least_extents = 2,
	.most_extents = 2,
	.keys = {HOSTS_KEY, {"strides", "shortcuts of N/2 to N/2^strides; 0: all", 0, 0, 16},
		{"split", "1: equally over all shortest routes in a row or column; 0: one of them", 0, 0, 1}},
	.devices = dln2d_devices,
	.build = dln2d_build,
};
