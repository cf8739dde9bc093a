/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_SERVING_MEMORY_H
#define ORACLE_SERVING_MEMORY_H

#include "oracle/pipeline_ranks.h"

/* Returns the items of keys and values of one token that a device keeps, with `tensor` pieces along tensor. */
double serving_cache_items(const struct attention *attention, double tensor);
/* Returns the part of these items that attention reads: without an index. */
double serving_key_items(const struct attention *attention, double tensor);
/* Returns the tokens of a sequence whose keys and values are kept. */
double serving_cache_tokens(const struct attention *attention, double tokens);
/* Adds what a stage's device holds of one layer: stored weights, a micro-batch's cache, what lives during its pass. */
void serving_layer_add(const struct evaluation *evaluation, unsigned index, double *term, double *kept);
/* Returns the items of a micro-batch that entered a unit of an image network and wait for its branches to join. */
double serving_branched_items(const struct evaluation *evaluation, unsigned unit);
/* Returns the samples that a replica can have until the first pipeline_rank is full, with costs of a pass over prompts. */
double serving_largest(const struct evaluation *evaluation, unsigned pipeline_rank_count);
/* Fills the memory of the fullest of them, with `local` samples. */
void serving_memory(const struct evaluation *evaluation, unsigned pipeline_rank_count, double local,
	struct paradl_estimate *estimate);
/* Returns the bytes of one key's or value's item. */
double serving_item_bytes(const struct paradl_oracle *oracle);
/* Returns the format of attention to caches, which may be narrower than queries; training has none. */
enum attention_format serving_cache_format(const struct evaluation *evaluation);
/* Returns the bytes of keys and values of one token in the whole network. */
double serving_cache_bytes(const struct evaluation *evaluation);

#endif
