/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_GRAPH_CIRCULANT_H
#define NETWORK_GRAPH_CIRCULANT_H

#include "network/graph/topology.h"

enum { STRIDES_MAX = 20, CIRCULANT_SPLIT_MAX = 4096 };

/* One link of the shortest routes from vertex 0 to an offset. */
struct circulant_hop {
	double share;       /* part of the flow that takes the link */
	unsigned short at;  /* vertex where it begins */
	unsigned char step; /* stride and direction */
};

/*
 * A circulant: n vertices on a circle, each joined to those `strides` further on. A step is 2 * (index of the stride)
 * + (backwards). The cables of a copy are those of the first stride by vertex, then those of the next; a stride of n /
 * 2 has half as many.
 */
struct circulant {
	unsigned n, count;
	unsigned strides[STRIDES_MAX], first[STRIDES_MAX]; /* first: index of each stride's first cable */
	unsigned cables;                                   /* cables of one copy */
	unsigned diameter;                                 /* steps of the longest shortest route */
	unsigned longest;                                  /* most entries of a route */
	unsigned char *step;      /* first step of the shortest route to each offset */
	unsigned short *distance; /* steps to each offset */
	unsigned *hop_first;      /* [n + 1]: where each offset's hops begin; NULL: routes are not split */
	struct circulant_hop *hops;
};

/*
 * Returns the cables of a circulant of n vertices: a ring, and strides n / 2, n / 4 .. n / 2^t (t = 0: all of them).
 */
double circulant_cables(unsigned n, unsigned t);
/*
 * Fills in a circulant and its routes; `split` spreads flows over all shortest routes. False, with *error set: out of
 * memory, or more vertices or routes than can be split.
 */
bool circulant_create(struct circulant *circulant, struct paradl_arena *arena, unsigned n, unsigned t,
	bool split, struct paradl_error *error);
/* Adds the cables of a copy on vertices first, first + apart, ... and returns the index of its first cable. */
unsigned circulant_cable(
	const struct circulant *circulant, struct graph *graph, unsigned first, unsigned apart);
/* Appends the route within a copy. */
void circulant_route(const struct circulant *circulant, const struct graph *graph, unsigned first_cable,
	unsigned from, unsigned to, struct path *path);

#endif
