/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_TOPOLOGY_LATTICE_H
#define NETWORK_TOPOLOGY_LATTICE_H

#include "network/topology.h"

/* A torus or mesh of any dimension; lattice.c. */
bool lattice_build(struct graph *graph, const struct topology_spec *spec, bool wraps, unsigned hosts,
	bool split, struct paradl_error *error);

#endif
