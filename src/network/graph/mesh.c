/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mesh; lattice.c finds the routes. */
#include "network/graph/topology.h"

#include "network/graph/hosts.h"
#include "network/graph/lattice.h"

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
