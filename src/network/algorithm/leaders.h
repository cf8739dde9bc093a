/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multi-leader allreduce. Blocks of neighbouring ranks (a node, or a few nodes) reduce and scatter among themselves.
 * `count` leaders of each block collect the parts. Leaders at the same place of all blocks run an allreduce among
 * themselves. The first two steps are then undone by a scatter and an allgather:
 *     T = 2 T_ring-reduce-scatter(block, bytes) + 2 T_gather(bytes / count) + T_allreduce(P / block, bytes / count)
 * count = block is the scheme of most libraries; count = 1 with a ring is a single leader fed by a ring.
 */
#ifndef NETWORK_ALGORITHM_LEADERS_H
#define NETWORK_ALGORITHM_LEADERS_H

#include "network/algorithm/lines.h"

struct leaders {
	unsigned block, count; /* ranks of a block, leaders of a block */
};

/*
 * Returns the number of variants, 0 unless there are several nodes of several ranks: a node as the block with each
 * divisor of per_node as the number of leaders; then blocks of 2, 4, 8 whole nodes, all ranks of which lead.
 */
unsigned leaders_variants(const struct communicator *comm);
/* Returns block and leaders of a variant. */
struct leaders leaders_of(const struct communicator *comm, unsigned variant);
/* Writes a variant as "leaders=4", or "leaders=16 nodes=2" where a block is several nodes. */
void leaders_describe(const struct communicator *comm, unsigned variant, char *text, size_t size);

/* Emits the steps inside the blocks that come before, for `share` of the vector, each repeated `times` times. */
void leaders_collect(const struct communicator *comm, const struct leaders *leaders, double share,
	double times, struct schedule *schedule);
/* Emits the steps inside the blocks that come after, likewise. */
void leaders_spread(const struct communicator *comm, const struct leaders *leaders, double share,
	double times, struct schedule *schedule);

/* An allreduce of `share` within each line. */
typedef void lines_allreduce(const struct lines *lines, double share, struct schedule *schedule);
/* Emits the whole allreduce; `allreduce` is the one among leaders at the same place of all blocks. */
void leaders_emit(const struct communicator *comm, const struct leaders *leaders, lines_allreduce *allreduce,
	struct schedule *schedule);

#endif
