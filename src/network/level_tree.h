/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of switches of a profile that has only levels: levels.c builds it, level_loads.c puts steps on its links. */
#ifndef NETWORK_LEVEL_TREE_H
#define NETWORK_LEVEL_TREE_H

#include "machine/machine.h"

/* Cables of one kind are alike, and follow one another: device i has cable i. */
struct level_tree {
	const struct paradl_machine *machine;
	unsigned devices; /* that are built: whole nodes, as many as asked for; of a huge node only so many */
	unsigned ports;   /* of a node */
	unsigned port_cables, trunk_cables[LEVELS_MAX]; /* the first; of each domain below level 2 and on */
	unsigned bus_cables;    /* of each node, from its switch to itself: what its ports carry together */
	double bus_bytes_per_s; /* 0: there are none */
	double latency_s[LEVELS_MAX], flow_s_per_byte[LEVELS_MAX];
	unsigned *domain[LEVELS_MAX], *port; /* of each device: its domain of a level, its port's cable */
};

#endif
