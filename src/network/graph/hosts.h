/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routers and the devices on them. With hosts = 0 a device is its own router. Otherwise cable i (LINK_PORT) joins
 * device i to router i / hosts, and the routers are numbered after the devices.
 */
#ifndef NETWORK_GRAPH_HOSTS_H
#define NETWORK_GRAPH_HOSTS_H

#include "network/graph/topology.h"

enum { HOSTS_LIMIT = 4096 };
#define HOSTS_KEY                                                                                            \
	{                                                                                                    \
		"hosts", "devices on each router; 0: every device is a router", 0, 0, HOSTS_LIMIT            \
	}

/*
 * Returns the devices of a topology whose extents' product is the number of routers and whose first key is HOSTS_KEY.
 */
static inline double hosts_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	double devices = spec->key[0] > 0 ? spec->key[0] : 1;
	(void)error;
	for (unsigned i = 0; i < spec->extents; ++i)
		devices *= spec->extent[i];
	return devices;
}

/* Returns the number of cables between those devices and their routers. */
static inline double hosts_cables(const struct topology_spec *spec)
{
	return spec->key[0] > 0 ? hosts_devices(spec, NULL) : 0;
}

/* Adds devices and routers to an empty graph, and the cables between them; returns the vertex of the first router. */
static inline unsigned hosts_add(struct graph *graph, unsigned routers, unsigned hosts)
{
	graph->devices = hosts ? routers * hosts : routers;
	graph_vertices(graph, graph->devices);
	if (!hosts)
		return 0;
	const unsigned first = graph_vertices(graph, routers);
	for (unsigned i = 0; i < graph->devices; ++i)
		graph_cable(graph, i, first + i / hosts, LINK_PORT, 1);
	if (hosts > 1)
		graph->domain[graph->domain_count++] = hosts;
	return first;
}

/* Makes the grid of the routers one of the devices, if there is one device on each. */
static inline void hosts_grid(struct graph *graph, unsigned hosts, const unsigned *extents, unsigned count)
{
	if (hosts > 1)
		return;
	graph->grid_count = count;
	for (unsigned i = 0; i < count; ++i)
		graph->grid[i] = extents[i];
}

#endif
