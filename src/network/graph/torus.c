/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A torus; lattice.c finds the routes. */
#include "network/graph/topology.h"

#include "network/graph/hosts.h"
#include "network/graph/lattice.h"

enum { KEY_HOSTS, KEY_SPLIT };

static bool torus_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
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
	.build = torus_build,
};
