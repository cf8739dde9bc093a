/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multi-leader allreduce: blocks of neighbouring ranks (a node, or a few) reduce and scatter among themselves, `count`
 * leaders of each block collect the parts, ranks of one place in all blocks reduce among themselves, and back:
 *     T = 2 T_ring-reduce-scatter(block, bytes) + 2 T_gather(bytes / count) + T_allreduce(P / block, bytes / count)
 * count = block is the scheme of most libraries; count = 1 with a ring is a single leader fed by a ring.
 */
#ifndef NETWORK_COLLECTIVE_LEADERS_H
#define NETWORK_COLLECTIVE_LEADERS_H

#include "network/collective/lines.h"

struct leaders {
	unsigned block, count;
};

/* Leaders 1 .. per_node, its divisors; then blocks of 2, 4, 8 whole nodes, all ranks of which lead. */
unsigned leaders_variants(const struct party *party);
struct leaders leaders_of(const struct party *party, unsigned variant);
void leaders_describe(const struct party *party, unsigned variant, char *text, size_t size);

/* The steps inside the blocks, for this share of the vector, each `times` times: before, and after. */
void leaders_collect(const struct party *party, const struct leaders *leaders, double share, double times,
	struct schedule *schedule);
void leaders_spread(const struct party *party, const struct leaders *leaders, double share, double times,
	struct schedule *schedule);

/* The whole, with an allreduce among ranks of the same place. */
typedef void lines_allreduce(const struct lines *lines, double share, struct schedule *schedule);
void leaders_tell(const struct party *party, const struct leaders *leaders, lines_allreduce *allreduce,
	struct schedule *schedule);

#endif
