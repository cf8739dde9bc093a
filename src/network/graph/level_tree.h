/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of switches of a profile that has only levels. levels.c builds it, and level_loads.c puts steps on its
 * links.
 */
#ifndef NETWORK_GRAPH_LEVEL_TREE_H
#define NETWORK_GRAPH_LEVEL_TREE_H

#include "machine/machine.h"

/* A tree whose cables of one kind are alike and numbered in order: device i has cable i. */
struct level_tree {
	const struct paradl_machine *machine;
	unsigned devices; /* devices built: in whole nodes, unless those exceed NETWORK_DEVICES_MAX */
	unsigned ports;   /* ports of a node */
	/*
	 * The first cable of all ports, and at each level from 2 on the first of those that come from the domains
	 * below.
	 */
	unsigned port_cables, trunk_cables[LEVELS_MAX];
	unsigned bus_cables; /* first cable from a node's switch to itself: what its ports carry together */
	double bus_bytes_per_s; /* rate of each bus cable; 0: there are none */
	double latency_s[LEVELS_MAX], flow_s_per_byte[LEVELS_MAX];
	unsigned *domain[LEVELS_MAX], *port; /* each device's domain of a level; the cable of its port */
};

#endif
