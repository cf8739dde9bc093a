/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring: the torus of one dimension; lattice.c finds the routes. */
#include "network/graph/topology.h"

#include "network/graph/hosts.h"
#include "network/graph/lattice.h"

enum { KEY_HOSTS, KEY_SPLIT };

static bool ring_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	return lattice_build(
		graph, spec, true, (unsigned)spec->key[KEY_HOSTS], spec->key[KEY_SPLIT] > 0, error);
}

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
	.build = ring_build,
};
