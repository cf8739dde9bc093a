/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_GRAPH_LATTICE_H
#define NETWORK_GRAPH_LATTICE_H

#include "network/graph/topology.h"

/*
 * Builds a torus (`wraps`) or mesh of any dimension with `hosts` devices on each router; `split`: flows with two
 * equally long ways around go half each way. False when out of memory.
 */
bool lattice_build(struct graph *graph, const struct topology_spec *spec, bool wraps, unsigned hosts,
	bool split, struct paradl_error *error);

#endif
