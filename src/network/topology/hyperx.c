/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routers in rows and columns, each joined to all others of its row and of its column (HyperX of two dimensions with
 * one cable per pair, "2-D fully connected"). Router = y * COLUMNS + x. Routing: first the row, then the column;
 * `split` sends half of what differs in both that way and half by the column first.
 */
#include "network/topology.h"

#include "base/error.h"
#include "network/topology/hosts.h"

enum { KEY_HOSTS, KEY_SPLIT };

struct layout {
	unsigned columns, rows, hosts;
	unsigned row_pairs, column_pairs; /* cables of one row, one column */
	unsigned row_first, column_first; /* cables */
	bool split;
};

static unsigned pairs(unsigned count)
{
	return (unsigned)((unsigned long long)count * (count - 1) / 2);
}

static double hyperx_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double n = spec->extent[0], p = spec->extent[1];
	const double cables = n * p * (n + p - 2) / 2 + hosts_cables(spec);
	return topology_cables_fit(spec, cables, error) ? hosts_devices(spec, error) : 0;
}

/* The cable of i < j is j (j - 1) / 2 + i, declared from i. */
static unsigned pair_link(const struct graph *graph, unsigned first, unsigned from, unsigned to)
{
	const unsigned cable = from < to ? to * (to - 1) / 2 + from : from * (from - 1) / 2 + to;
	return graph_link(graph, first + cable, from > to);
}

static void hyperx_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned columns = layout->columns, hosts = layout->hosts;
	const unsigned out = hosts ? from / hosts : from, in = hosts ? to / hosts : to;
	const unsigned x = out % columns, y = out / columns, to_x = in % columns, to_y = in / columns;
	const unsigned row = layout->row_first + y * layout->row_pairs;
	const unsigned column = layout->column_first + to_x * layout->column_pairs;
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	if (layout->split && x != to_x && y != to_y) {
		const unsigned other_row = layout->row_first + to_y * layout->row_pairs;
		const unsigned other_column = layout->column_first + x * layout->column_pairs;
		const unsigned first = pair_link(graph, row, x, to_x),
			       second = pair_link(graph, column, y, to_y);
		path_add_share(graph, path, first, 0.5);
		path_add_share(graph, path, second, 0.5);
		path_add_share(graph, path, pair_link(graph, other_column, y, to_y), 0.5);
		path_add_share(graph, path, pair_link(graph, other_row, x, to_x), 0.5);
		path->latency_s += graph->links[first].latency_s + graph->links[second].latency_s;
	} else {
		if (x != to_x)
			path_add(graph, path, pair_link(graph, row, x, to_x));
		if (y != to_y)
			path_add(graph, path, pair_link(graph, column, y, to_y));
	}
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

/* All pairs of `count` routers that are `apart` from each other, in the order of pair_link. */
static void line_cable(struct graph *graph, unsigned first, unsigned apart, unsigned count)
{
	for (unsigned j = 1; j < count; ++j)
		for (unsigned i = 0; i < j; ++i)
			graph_cable(graph, first + i * apart, first + j * apart, LINK_SWITCH, 1);
}

static bool hyperx_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	layout->columns = spec->extent[0];
	layout->rows = spec->extent[1];
	layout->hosts = (unsigned)spec->key[KEY_HOSTS];
	layout->split = spec->key[KEY_SPLIT] > 0;
	layout->row_pairs = pairs(layout->columns);
	layout->column_pairs = pairs(layout->rows);
	const unsigned first = hosts_add(graph, layout->columns * layout->rows, layout->hosts);
	layout->row_first = graph->cable_count;
	for (unsigned y = 0; y < layout->rows; ++y)
		line_cable(graph, first + y * layout->columns, 1, layout->columns);
	layout->column_first = graph->cable_count;
	for (unsigned x = 0; x < layout->columns; ++x)
		line_cable(graph, first + x, layout->columns, layout->rows);
	hosts_grid(graph, layout->hosts, spec->extent, 2);
	graph->longest = (layout->split ? 4U : 2U) + (layout->hosts ? 2U : 0U);
	graph->route = hyperx_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_hyperx = {
	.name = "hyperx",
	.summary = "all of a row and all of a column joined (2-D HyperX, 2-D fully connected)",
	.shape = "COLUMNS x ROWS",
	.source = "Ahn et al., HyperX (SC 2009)",
	.least_extents = 2,
	.most_extents = 2,
	.keys = {HOSTS_KEY, {"split", "1: half by the row first, half by the column; 0: row first", 0, 0, 1}},
	.devices = hyperx_devices,
	.build = hyperx_build,
};
