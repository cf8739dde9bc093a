/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Broadcasts from rank 0. With `up` they are reductions to rank 0, which run the same flows backwards and combine what
 * arrives.
 */
#ifndef NETWORK_ALGORITHM_ROOTED_H
#define NETWORK_ALGORITHM_ROOTED_H

#include "network/algorithm/collective.h"

/* Variants of a pipeline: variant v splits the vector into 4^v chunks. */
enum { ROOTED_CHUNKS = 6 };
/* Emits a pipeline along a chain of all ranks. */
void rooted_chain(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule);
/* Emits a pipeline down, or up, a binary tree of all ranks. */
void rooted_tree(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule);
/* Writes a variant of a pipeline as "chunks=16". */
void rooted_chunks_describe(const struct communicator *comm, unsigned variant, char *text, size_t size);

/*
 * Returns the number of ways to go inside nodes and between them; 0 unless there are several nodes of several ranks.
 */
unsigned rooted_hierarchy_variants(const struct communicator *comm);
/* Emits one of those ways. */
void rooted_hierarchy(const struct communicator *comm, unsigned variant, bool up, struct schedule *schedule);
void rooted_hierarchy_describe(const struct communicator *comm, unsigned variant, char *text, size_t size);

#endif
