/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binomial trees with root 0, for any number of ranks P: ceil(log2 P) steps; in the step of distance D = 2^k the members
 * m = D (mod 2 D) send to m - D when reducing, and get from it when broadcasting.
 */
#ifndef NETWORK_COLLECTIVE_TREE_H
#define NETWORK_COLLECTIVE_TREE_H

#include "network/collective/lines.h"

/* The least power of two that is no less; 2^ceil(log2 P). */
static inline unsigned tree_span(unsigned ranks)
{
	unsigned span = 1;
	while (span < ranks)
		span *= 2;
	return span;
}

/* Distances 1, 2, 4 ..: as MPICH reduces. */
void lines_tree_reduce(const struct lines *lines, double share, struct schedule *schedule);
/* The farthest first: as MPICH broadcasts. */
void lines_tree_broadcast(const struct lines *lines, double share, struct schedule *schedule);
void lines_tree_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
