/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_TOPOLOGY_CIRCULANT_H
#define NETWORK_TOPOLOGY_CIRCULANT_H

#include "network/topology.h"

enum { STRIDES_MAX = 20, CIRCULANT_SPLIT_MAX = 4096 };

/* One of the links of all shortest routes from 0 to an offset. */
struct circulant_hop {
	double share;
	unsigned short at;
	unsigned char step;
};

/*
 * n vertices on a circle, each joined to those `strides` further on. A step is 2 * (index of the stride) + (backwards).
 * Cables of one copy: those of the first stride by vertex, then of the next; a stride of n / 2 has half as many.
 */
struct circulant {
	unsigned n, count;
	unsigned strides[STRIDES_MAX], first[STRIDES_MAX];
	unsigned cables;     /* of one copy */
	unsigned diameter;   /* steps */
	unsigned longest;    /* entries of a route */
	unsigned char *step; /* the first of a shortest route to each offset */
	unsigned short *distance;
	unsigned *hop_first; /* [n + 1] in hops; NULL: not split */
	struct circulant_hop *hops;
};

/* Cables of a circulant of n with the strides n / 2, n / 4 .. n / 2^t beside the ring (t = 0: all of them). */
double circulant_cables(unsigned n, unsigned t);
bool circulant_create(struct circulant *circulant, struct paradl_arena *arena, unsigned n, unsigned t,
	bool split, struct paradl_error *error);
/* Cables of a copy on vertices first, first + apart, ...; the index of its first cable. */
unsigned circulant_cable(
	const struct circulant *circulant, struct graph *graph, unsigned first, unsigned apart);
/* Appends the route within a copy. */
void circulant_route(const struct circulant *circulant, const struct graph *graph, unsigned first_cable,
	unsigned from, unsigned to, struct path *path);

#endif
