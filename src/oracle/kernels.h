/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions describe one layer on one device: its kernels (kernels.c) and what it holds (token_shard.c). */
#ifndef ORACLE_KERNELS_H
#define ORACLE_KERNELS_H

#include "oracle/evaluation.h"

/* Values that the kernels of a token layer have in common. */
struct token_shard {
	double samples, tokens; /* samples; tokens of all samples, on this device */
	double sequences,
		prompts; /* serving: sequences whose next token this is; other samples, on all devices of context */
	double tensor, whole; /* pieces of what the tensor axis cuts, and of what it leaves whole */
	double source_tokens; /* tokens that keys and values are made from, where those are another sequence's */
	double routed_tokens, experts, expert_tensor; /* on this device; pieces of each expert */
	double busy_experts;                          /* experts that any token comes to */
	double vocabulary_multiple;                   /* multiple to which a vocabulary is padded */
	double item_s;                                /* seconds of one item read or written by a pass */
	enum paradl_precision precision;              /* format of products with weights */
};
struct token_shard token_shard(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard);
/* Returns the format of a layer's products with weights. */
enum paradl_precision token_precision(const struct evaluation *evaluation, const struct layer *layer);
/* Returns the columns of a product that one of `pieces` pieces has, padded where they are a vocabulary. */
double padded_columns(const struct kernel *kernel, const struct token_shard *part, double pieces);
/* Returns whether attention is one kernel that never stores its scores. */
bool is_flash(const struct evaluation *evaluation, const struct token_work *work);
/* Returns the part of a step that prompts are. */
struct token_shard prompts_of(
	const struct evaluation *evaluation, const struct token_work *work, const struct token_shard *part);

/* Adds the seconds of sorting tokens by expert and back, in both passes of training. */
void dispatch_sort_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost);

/* Adds the seconds of the kernels of a layer of tokens. */
void token_kernels(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, struct layer_cost *cost);
/* Fills what a token layer holds on one device. */
void token_items(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	const struct token_shard *part, struct layer_cost *cost);

/*
 * Finds the measured times of a network's layers; another precision, or a layer that the network lacks, is an error.
 * Does nothing without oracle->times.
 */
bool layer_times_match(struct paradl_oracle *oracle, struct prepared *net, struct paradl_error *error);
/* Returns a shard's measured compute, or the roofline's where the layer was not measured; with oracle->times. */
struct layer_compute layer_times_apply(
	const struct evaluation *evaluation, unsigned index, const struct layer_compute *shard_compute);
/* Returns the measured update of a shard's weights in the same way; update_s where it was not measured. */
double layer_times_update_s(
	const struct evaluation *evaluation, unsigned index, const struct shard *shard, double update_s);

#endif
