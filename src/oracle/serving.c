/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers of tokens in inference: forward only, in a pass over prompts or in one for a token of each sequence.
 *     product    as in training, but weights are read in the format they are stored in. Of a mixture's experts only those
 *                are read that a token comes to: E (1 - (1 - top_k / E)^tokens) of E, were all equally likely
 *     attention  of one token: 2 heads (d + d_v) flop for each key, and the bytes of the keys and values kept (the cache).
 *                Latent attention works on the latent itself (DeepSeek-V2, 2024, "absorbed"): 2 heads (2 rank + rope) flop
 *     pass       as in training; each kernel pays its launch, from a graph, so that the host costs nothing
 *     context    the cache is cut: queries are gathered, parts of the outputs reduced and scattered
 *     head       of the last token of each prompt; scores are gathered over the tensor axis
 * The fullest device of an expert axis has more experts to read than the mean when tokens are few; that is left out.
 */
#include <math.h>

#include "oracle/inference.h"
#include "oracle/kernels.h"

double serving_weight_bytes(enum paradl_precision precision)
{
	if (precision == PARADL_FP8_MIXED)
		return 1;
	if (precision == PARADL_MXFP8_MIXED)
		return 1 + 1.0 / 32; /* a byte of scale for each block */
	if (precision == PARADL_FP4_MIXED)
		return 0.5 + 1.0 / 16;
	return precision_weight_bytes(precision);
}

void serve_shard(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	struct token_shard *part)
{
	const struct token_work *work = layer->work;
	if (layer->class_ == LAYER_HEAD && evaluation->generates && evaluation->serving == SERVE_PROMPT)
		part->tokens = shard->samples;
	if (evaluation->serving == SERVE_TOKEN && part->tokens < 1)
		part->tokens = 1;
	if (work->experts) {
		const double tokens = part->tokens * shard->expert_pieces;
		const double missed = pow(1 - work->top_k / (double)work->experts, tokens);
		part->busy_experts = part->experts * (1 - missed);
	}
}

void serve_bound(
	const struct evaluation *evaluation, double kernel_s, double memory_s, struct layer_cost *cost)
{
	const double launch_s = evaluation->oracle->machine->device.product.launch_s;
	enum bound bound = BOUND_COMPUTE;
	if (2 * launch_s > kernel_s)
		bound = BOUND_LAUNCH;
	else if (memory_s >= 0.999 * (kernel_s - launch_s))
		bound = BOUND_MEMORY;
	cost->bound_s[bound] += kernel_s;
}

void serve_product(const struct evaluation *evaluation, const struct token_shard *part,
	const struct product *product, struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->machine->device;
	const double m = product->m, n = product->n, k = product->k;
	const double bytes = product->count * ((m * k + m * n) * part->item_bytes +
						      k * n * serving_weight_bytes(part->precision));
	double s = device_gemm_s(device, part->precision, m, n, k, product->count, bytes);
	if (sixteen_bit(part->precision) != part->precision)
		s += product->count * m * k * device->product.cast_bytes * device->s_per_byte;
	cost->forward_s += s;
	cost->flop += 2 * m * n * k * product->count;
	serve_bound(evaluation, s, bytes * device->product_rates.s_per_byte, cost);
}

void serve_pass(const struct evaluation *evaluation, double pass_s, struct layer_cost *cost)
{
	const double launch_s = evaluation->oracle->machine->device.product.launch_s;
	cost->forward_s += launch_s;
	serve_bound(evaluation, pass_s + launch_s, pass_s, cost);
}

/* Keys that a sequence of so many tokens keeps. */
static double keys_kept(const struct attention *attention, double tokens)
{
	return attention->window && attention->window < tokens ? attention->window : tokens;
}

double serving_cache_items(const struct attention *attention, double tensor)
{
	if (!attention->heads)
		return 0;
	if (attention->latent_items > 0)
		return attention->key_items;
	const double heads = share(attention->kv_heads, tensor, false);
	return heads * (attention->head_dim + attention->value_dim);
}

double serving_cache_tokens(const struct attention *attention, double tokens)
{
	return keys_kept(attention, tokens);
}

void serve_attention(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->machine->device;
	const struct attention *attention = &work->attention;
	const enum paradl_precision precision = sixteen_bit(part->precision);
	/* All sequences of the group along context, each device with its part of their keys. */
	const double sequences = part->samples * work->tokens;
	const double keys = keys_kept(attention, evaluation->keys) / evaluation->plan.degree[PARADL_CONTEXT];
	const double heads = attention->heads / part->tensor;
	const double widths = attention->latent_items > 0
				      ? attention->key_items + attention->latent_items
				      : (double)attention->head_dim + attention->value_dim;
	const double flop = 2 * sequences * keys * heads * widths;
	const double bytes = sequences * part->item_bytes *
			     (keys * serving_cache_items(attention, part->tensor) + heads * widths);
	const double rate = device->peak_flop_per_s[precision] * device->product.sustained[precision] *
			    device->attention.forward;
	const double memory_s = bytes * device->product_rates.s_per_byte;
	const double flop_s = rate > 0 ? flop / rate : 0;
	const double s = device->product.launch_s + (flop_s > memory_s ? flop_s : memory_s);
	cost->forward_s += s;
	cost->flop += flop;
	serve_bound(evaluation, s, memory_s, cost);
}

void serve_finish(const struct layer *layer, struct layer_cost *cost)
{
	cost->backward_s = cost->weight_s = cost->score_s = cost->update_s = 0;
	cost->attention_s[PASS_BACKWARD] = 0;
	cost->activation_s[PASS_BACKWARD] = cost->halo_s[PASS_BACKWARD] = 0;
	if (layer->class_ != LAYER_LOSS)
		return;
	cost->forward_s = cost->flop = 0;
	for (unsigned i = 0; i < BOUNDS; ++i)
		cost->bound_s[i] = 0;
}

static void traffic_append(
	struct traffic_list *list, enum paradl_axis axis, enum traffic_kind kind, double items)
{
	if (list->count < TRAFFIC_MAX)
		list->items[list->count++] = (struct traffic){
			.axis = axis, .kind = kind, .pass = PASS_FORWARD, .items = items, .messages = 1};
}

void serve_traffic(const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard,
	struct traffic_list *list)
{
	const struct token_work *work = layer->work;
	const struct attention *attention = &work->attention;
	const bool token = evaluation->serving == SERVE_TOKEN;
	const double sequences = shard->samples * work->tokens,
		     heads = attention->heads / shard->tensor_pieces;
	unsigned kept = 0;
	for (unsigned i = 0; i < list->count; ++i) {
		const struct traffic *traffic = &list->items[i];
		if (traffic->pass == PASS_FORWARD && layer->class_ != LAYER_LOSS &&
			!(token && traffic->axis == PARADL_CONTEXT))
			list->items[kept++] = *traffic;
	}
	list->count = kept;
	if (token && attention->heads && shard->context_pieces > 1) {
		const bool latent = attention->latent_items > 0;
		const double query = latent ? attention->key_items : attention->head_dim;
		const double value = latent ? attention->latent_items : attention->value_dim;
		traffic_append(list, PARADL_CONTEXT, TRAFFIC_ALLGATHER, sequences * heads * query);
		traffic_append(list, PARADL_CONTEXT, TRAFFIC_REDUCE_SCATTER, sequences * heads * value);
	}
	if (layer->class_ == LAYER_HEAD && shard->tensor_pieces > 1)
		traffic_append(list, PARADL_TENSOR, TRAFFIC_ALLGATHER,
			(token || !evaluation->generates ? sequences : shard->samples) * layer->y.channels);
}
