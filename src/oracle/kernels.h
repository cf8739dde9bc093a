/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of one layer of tokens: what training (kernels.c) and inference (serving.c) share. */
#ifndef ORACLE_KERNELS_H
#define ORACLE_KERNELS_H

#include "oracle/oracle.h"

/* Everything a layer's kernels have in common. */
struct token_shard {
	double samples, tokens; /* of all samples, on this device */
	double tensor, whole;   /* pieces of what the tensor axis cuts, and of what it leaves whole */
	double routed_tokens, experts, expert_tensor; /* on this device; pieces of each expert */
	double busy_experts;                          /* of experts: those that any token comes to */
	double item_s;                                /* of one item read or written by a pass */
	double item_bytes;
	enum paradl_precision precision; /* of products with weights */
};

/* [m x k] [k x n], so many of them. */
struct product {
	double m, n, k, count;
};

/* Narrow formats are for products with weights only: what else there is runs in bf16. */
static inline enum paradl_precision sixteen_bit(enum paradl_precision precision)
{
	return precision == PARADL_FP8_MIXED || precision == PARADL_MXFP8_MIXED ||
			       precision == PARADL_FP4_MIXED
		       ? PARADL_BF16_MIXED
		       : precision;
}

/* Inference; serving.c. What its forward passes do otherwise than those of training. */
void serve_shard(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	struct token_shard *part);
void serve_product(const struct evaluation *evaluation, const struct token_shard *part,
	const struct product *product, struct layer_cost *cost);
/* Attention of one token for each sample to the keys before it. */
void serve_attention(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost);
/* A kernel that took so long, bound by what reading and writing take, or by the rest. */
void serve_bound(
	const struct evaluation *evaluation, double kernel_s, double memory_s, struct layer_cost *cost);
/* A pass pays its launch, too. */
void serve_pass(const struct evaluation *evaluation, double pass_s, struct layer_cost *cost);
/* No backward, no loss. */
void serve_finish(const struct layer *layer, struct layer_cost *cost);
void serve_traffic(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	struct traffic_list *list);

#endif
