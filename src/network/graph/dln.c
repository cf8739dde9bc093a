/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributed Loop Network: a ring with shortcuts from i to i + floor(N / 2^k) mod N, k = 1 .. strides. circulant.c
 * finds the routes. Koibuchi's DLN-x is read as x = strides + 2.
 */
#include "network/graph/topology.h"

#include "base/error.h"
#include "network/graph/circulant.h"
#include "network/graph/hosts.h"

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
