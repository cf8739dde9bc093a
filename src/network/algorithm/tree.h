/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binomial trees with root 0, for any number of ranks P. They take ceil(log2 P) steps. In the step of distance D = 2^k
 * the members m = D (mod 2 D) send to m - D in a reduction, and receive from it in a broadcast.
 */
#ifndef NETWORK_ALGORITHM_TREE_H
#define NETWORK_ALGORITHM_TREE_H

#include "network/algorithm/lines.h"

/* Returns the least power of two that is at least `ranks`: 2^ceil(log2 P). */
static inline unsigned tree_span(unsigned ranks)
{
	unsigned span = 1;
	while (span < ranks)
		span *= 2;
	return span;
}

/* Emits a reduction at distances 1, 2, 4 .., as MPICH does it. */
void lines_tree_reduce(const struct lines *lines, double share, struct schedule *schedule);
/* Emits a broadcast that begins at the farthest distance, as MPICH does it. */
void lines_tree_broadcast(const struct lines *lines, double share, struct schedule *schedule);
void lines_tree_allreduce(const struct lines *lines, double share, struct schedule *schedule);

#endif
