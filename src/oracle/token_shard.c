/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device has a part of a token layer: its tokens, heads and experts, and the items that it holds: weights, what
 * backward needs of a micro-batch, and what lives in between.
 */
#include <math.h>

#include "oracle/kernels.h"

enum paradl_precision token_precision(const struct evaluation *evaluation, const struct layer *layer)
{
	const enum paradl_precision precision = evaluation->oracle->precision;
	const bool narrows = layer->class_ == LAYER_MLP || layer->class_ == LAYER_MOE;
	/* Rounding errors of the head go straight into the loss; 4-bit checkpoints narrow only MLPs and experts. */
	const bool keeps = layer->class_ == LAYER_HEAD ||
			   (evaluation->serving && precision == PARADL_FP4_MIXED && !narrows);
	return keeps ? precision_wide(precision) : precision;
}

struct token_shard token_shard(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const struct token_work *work = layer->work;
	const struct paradl_plan *plan = &evaluation->plan;
	struct token_shard part = {.samples = shard->samples, .tensor = shard->tensor_pieces};
	part.tokens = shard->samples * work->tokens / shard->context_pieces;
	part.source_tokens = shard->samples * work->attention.source_tokens / shard->context_pieces;
	part.vocabulary_multiple = rules->vocabulary_multiple;
	part.whole = plan->sequence ? shard->tensor_pieces : 1;
	part.item_s = evaluation->item_bytes * oracle->machine->device.s_per_byte * rules->passes;
	part.precision = token_precision(evaluation, layer);
	if (work->experts) {
		const double joined = plan->expert_tensor ? 1 : shard->tensor_pieces;
		const double kept = work->capacity > 0 && work->capacity < work->imbalance ? work->capacity
											   : work->imbalance;
		part.experts = share(work->experts, shard->expert_pieces * joined, false);
		part.expert_tensor = plan->expert_tensor ? shard->tensor_pieces : 1;
		part.routed_tokens =
			part.tokens * (1 - evaluation->uneven) / joined * work->top_k * (kept > 0 ? kept : 1);
		part.busy_experts = part.experts;
	}
	part.prompts = evaluation->serving == SERVE_STEP ? evaluation->prompts : shard->samples;
	part.sequences = (shard->samples - part.prompts) * work->tokens;
	if (layer->class_ == LAYER_HEAD && evaluation->generates)
		part.tokens = part.sequences + part.prompts;
	if (evaluation->serving == SERVE_STEP && part.tokens < 1)
		part.tokens = 1;
	if (evaluation->serving && work->experts)
		part.busy_experts *=
			1 - pow(1 - work->top_k / (double)work->experts,
				    part.tokens * (1 - evaluation->uneven) * shard->expert_pieces);
	return part;
}

bool is_flash(const struct evaluation *evaluation, const struct token_work *work)
{
	return work->attention.flash && (evaluation->serving || evaluation->oracle->rules.flash);
}

struct token_shard prompts_of(
	const struct evaluation *evaluation, const struct token_work *work, const struct token_shard *part)
{
	struct token_shard prompts = *part;
	if (evaluation->serving != SERVE_STEP)
		return prompts;
	prompts.samples = part->prompts;
	prompts.tokens = part->prompts * work->tokens / evaluation->plan.degree[PARADL_CONTEXT];
	return prompts;
}

double padded_columns(const struct kernel *kernel, const struct token_shard *part, double pieces)
{
	if (!kernel->vocabulary)
		return kernel->columns / pieces;
	return share(kernel->columns, part->vocabulary_multiple * pieces, false) * part->vocabulary_multiple;
}

/* Counts the weights on this device, those of experts apart. */
static void weights_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	double cut = 0, pieces = 0, experts = 0, routed = 0, tied = 0;
	for (unsigned i = 0; i < work->kernel_count; ++i) {
		const struct kernel *kernel = &work->kernels[i];
		if (kernel->routed) {
			experts += kernel->weight_items;
			routed += kernel->weight_items * part->experts / work->experts / part->expert_tensor;
		} else if (kernel->cut != CUT_NOTHING) {
			const double table =
				work->tied && kernel->vocabulary ? kernel->rows * kernel->columns : 0;
			const double own = kernel->weight_items - table;
			const double padded =
				kernel->vocabulary ? padded_columns(kernel, part, part->tensor) : 0;
			cut += own;
			pieces += kernel->vocabulary ? own * padded / kernel->columns : own / part->tensor;
			tied += kernel->vocabulary ? table * padded / kernel->columns : 0;
		}
	}
	const double whole = shard->weight_items + shard->frozen_items - cut - experts;
	const double all = whole + pieces + routed;
	const double trained = shard->weight_items + shard->frozen_items > 0
				       ? shard->weight_items / (shard->weight_items + shard->frozen_items)
				       : 0;
	/* Another stage has its own copy of a tied table. */
	cost->weight_items = all * trained + (evaluation->plan.degree[PARADL_PIPELINE] > 1 ? tied : 0);
	cost->frozen_items = all * (1 - trained);
	cost->expert_items = routed * trained;
	cost->frozen_expert_items = routed * (1 - trained);
}

/* Counts the items of one micro-batch that backward needs, on this device. */
static void kept_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	const double cut = work->kept_cut_items;
	const double routed =
		work->experts ? work->kept_routed_items / work->top_k : 0; /* items of one routed token */
	const double tokens = part->tokens;
	const double scores = is_flash(evaluation, work)
				      ? 0
				      : tokens * attention_span(work) * work->kept_score_items / part->tensor;
	const double whole_items =
		layer->kept_items - work->tokens * (cut + routed * work->top_k) -
		work->attention.source_tokens * work->kept_source_items -
		(work->attention.flash ? 0 : work->tokens * attention_span(work) * work->kept_score_items);
	const double whole =
		whole_items > 0 ? whole_items * shard->samples / shard->context_pieces / part->whole : 0;
	const double copies = work->experts ? part->routed_tokens / work->top_k / part->expert_tensor : 0;
	const double results = evaluation->oracle->rules.weights_inside ? copies * work->result_items : 0;
	cost->score_items = scores;
	cost->kept_items = whole + tokens * cut / part->tensor + scores +
			   part->source_tokens * work->kept_source_items / part->tensor +
			   copies * work->kept_routed_items - results;
	cost->dropped_items =
		tokens * (work->dropped_items / part->whole + work->dropped_cut_items / part->tensor) +
		copies * work->dropped_routed_items;
}

/* Returns the items of the gradients of what a kernel of a block reads and writes, together. */
static double kernel_transient(const struct evaluation *evaluation, const struct token_work *work,
	const struct kernel *kernel, const struct token_shard *part)
{
	const struct attention *attention = &work->attention;
	const double tokens = kernel->routed   ? part->routed_tokens
			      : kernel->source ? part->source_tokens
					       : part->tokens;
	const double pieces = kernel->routed ? part->expert_tensor : part->tensor;
	const double rows = kernel->rows / (kernel->cut == CUT_ROWS ? pieces : 1);
	const double columns = kernel->columns / (kernel->cut == CUT_COLUMNS ? pieces : 1);
	switch (kernel->kind) {
	case KERNEL_PRODUCT:
		return tokens * (rows + columns) /
		       (kernel->cut == CUT_NOTHING && !kernel->routed ? part->whole : 1);
	case KERNEL_PASS:
		return kernel->cut == CUT_NOTHING ? 0 : tokens * kernel->forward_items / pieces;
	case KERNEL_ATTENTION:
		break;
	}
	/* Fused: gradients of queries (in fp32), keys, values and output; else of two tensors of scores, too. */
	const double width = (double)attention->head_dim + attention->value_dim;
	const double heads =
		attention->heads * (width + 2.0 * attention->head_dim) +
		attention->kv_heads * width * (part->source_tokens > 0 ? part->source_tokens / tokens : 1);
	const double scores = is_flash(evaluation, work) ? 0 : 2.0 * attention->heads * attention_span(work);
	return tokens * (heads + scores) / pieces;
}

/* Returns the items that the axes' collectives hold in addition to the tensors themselves. */
static double buffers_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard)
{
	const struct attention *attention = &layer->work->attention;
	const double own = part->source_tokens > 0 ? part->source_tokens : part->tokens;
	const double keys = own * attention_sent_items(attention) / part->tensor;
	double items = 0;
	if (layer->work->experts && part->experts < layer->work->experts)
		items += part->routed_tokens * layer->work->routed_items;
	if (!attention->heads || attention->block > 0 || !(shard->context_pieces > 1))
		return items;
	switch (evaluation->plan.context) {
	case PARADL_CONTEXT_GATHER: /* all keys and values, and their gradients */
		return items + 2 * keys * shard->context_pieces;
	case PARADL_CONTEXT_ULYSSES: /* queries and output too, once */
		return items + keys +
		       part->tokens * attention->heads *
			       ((double)attention->head_dim + attention->value_dim) / part->tensor;
	case PARADL_CONTEXT_RING: /* those at work and those on their way, with their gradients */
	case PARADL_CONTEXT_COUNT:
		break;
	}
	return items + 4 * keys;
}

/* Counts what lives in a layer's backward or exchanges only; scores of a vocabulary are counted at the loss. */
static void transient_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	cost->buffer_items = buffers_count(evaluation, layer, part, shard);
	if (layer->class_ == LAYER_LOSS)
		cost->logit_items = part->tokens * work->hidden_items / part->tensor;
	if (!work->is_block)
		return;
	for (unsigned i = 0; i < work->kernel_count; ++i) {
		const double items = kernel_transient(evaluation, work, &work->kernels[i], part);
		cost->transient_items = items > cost->transient_items ? items : cost->transient_items;
	}
	cost->transient_items += part->tokens * work->hidden_items / part->whole;
}

void token_items(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	const struct token_shard *part, struct layer_cost *cost)
{
	weights_count(evaluation, layer, part, shard, cost);
	kept_count(evaluation, layer, part, shard, cost);
	transient_count(evaluation, layer, part, shard, cost);
}
