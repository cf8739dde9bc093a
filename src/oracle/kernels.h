/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One layer on one device: its kernels (kernels.c) and what it holds (token_shard.c). */
#ifndef ORACLE_KERNELS_H
#define ORACLE_KERNELS_H

#include "oracle/oracle.h"

/* Everything that the kernels of a layer of tokens have in common. */
struct token_shard {
	double samples, tokens; /* of all samples, on this device */
	double sequences,
		prompts; /* of serving: whose next token this is; the other samples, on all devices of context */
	double tensor, whole; /* pieces of what the tensor axis cuts, and of what it leaves whole */
	double routed_tokens, experts, expert_tensor; /* on this device; pieces of each expert */
	double busy_experts;                          /* of experts: those that any token comes to */
	double vocabulary_multiple;                   /* what rows of scores of a vocabulary are padded to */
	double item_s;                                /* of one item read or written by a pass */
	enum paradl_precision precision;              /* of products with weights */
};
struct token_shard token_shard(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard);
/* Returns the format of its products with weights. */
enum paradl_precision token_precision(const struct evaluation *evaluation, const struct layer *layer);
/* Columns of a product that one of so many pieces has. */
double padded_columns(const struct kernel *kernel, const struct token_shard *part, double pieces);
/* Whether attention is one kernel that never stores its scores. */
bool is_flash(const struct evaluation *evaluation, const struct token_work *work);

/* How tokens reach their experts, dispatch.c. Returns the seconds of one exchange of `bytes`, of which each expert that a
 * token goes to has a copy. */
double dispatch_s(const struct evaluation *evaluation, const struct token_work *work,
	const struct exchange *exchange, double bytes);
/* Adds what sorting tokens by expert and back takes in both passes of training. */
void dispatch_sort_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost);

/* Adds the seconds of the kernels of a layer of tokens. */
void token_kernels(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, struct layer_cost *cost);
/* Fills what it holds. */
void token_items(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	const struct token_shard *part, struct layer_cost *cost);

#endif
