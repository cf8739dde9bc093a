/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Broadcasts from rank 0 and, with `up`, their mirrors: reductions to rank 0, which run the same flows backwards and
 * combine what arrives.
 */
#ifndef NETWORK_COLLECTIVE_ROOTED_H
#define NETWORK_COLLECTIVE_ROOTED_H

#include "network/collective.h"

/* Pipelines; chunks = 4^variant. */
enum { ROOTED_CHUNKS = 6 };
void rooted_chain(const struct party *party, unsigned variant, bool up, struct schedule *schedule);
void rooted_tree(const struct party *party, unsigned variant, bool up, struct schedule *schedule);
void rooted_chunks_describe(const struct party *party, unsigned variant, char *text, size_t size);

/* Inside nodes and between them. */
unsigned rooted_hierarchy_variants(const struct party *party);
void rooted_hierarchy(const struct party *party, unsigned variant, bool up, struct schedule *schedule);
void rooted_hierarchy_describe(const struct party *party, unsigned variant, char *text, size_t size);

#endif
