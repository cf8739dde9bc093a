/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of the kernels of one layer of tokens on one device, for one micro-batch.
 *     product     [tokens x K] [K x N], three times: forward, gradient of the input, gradient of the weights. The tensor
 *                 axis cuts N or K; what it leaves whole is cut along the sequence with sequence parallelism
 *     experts     as many products as the device has experts, of the tokens that come to each; the fullest device has
 *                 `imbalance` times the mean
 *     attention   2 (d + d_v) flop for each pair of a query and a key it sees, forward; fused kernels skip what a causal
 *                 mask hides, but for half a tile of 128 on the diagonal, and compute scores again in backward: 2.5
 *                 times the forward work. Not fused: batched products over the full square, and bytes for each score
 *     pass        items read and written over the streaming rate, times how little the framework fuses
 */
#include "oracle/kernels.h"

static struct token_shard token_shard(
	const struct evaluation *evaluation, const struct layer *layer, const struct shard *shard)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const struct token_work *work = layer->work;
	const struct paradl_plan *plan = &evaluation->plan;
	struct token_shard part = {.samples = shard->samples, .tensor = shard->tensor_pieces};
	part.tokens = shard->samples * work->tokens / shard->context_pieces;
	part.whole = plan->sequence ? shard->tensor_pieces : 1;
	part.item_bytes = evaluation->item_bytes;
	part.item_s = evaluation->item_bytes * oracle->machine->device.s_per_byte * rules->passes;
	/* The head stays in 16 bit: its rounding errors go straight into the loss. */
	part.precision = layer->class_ == LAYER_HEAD ? sixteen_bit(oracle->precision) : oracle->precision;
	if (work->experts) {
		const double joined = plan->expert_tensor ? 1 : shard->tensor_pieces;
		const double kept = work->capacity > 0 && work->capacity < work->imbalance ? work->capacity
											   : work->imbalance;
		part.experts = share(work->experts, shard->expert_pieces * joined, false);
		part.expert_tensor = plan->expert_tensor ? shard->tensor_pieces : 1;
		part.routed_tokens = part.tokens / joined * work->top_k * (kept > 0 ? kept : 1);
		part.busy_experts = part.experts;
	}
	if (evaluation->serving)
		serve_shard(evaluation, layer, shard, &part);
	return part;
}

static double padded_columns(const struct kernel *kernel, double pieces)
{
	if (!kernel->pad)
		return kernel->columns / pieces;
	return share(kernel->columns, kernel->pad * pieces, false) * kernel->pad;
}

static double gemm_s(const struct evaluation *evaluation, const struct token_shard *part, double m, double n,
	double k, double count)
{
	const struct device *device = &evaluation->oracle->machine->device;
	const double bytes = count * (m * k + k * n + m * n) * part->item_bytes;
	const double s = device_gemm_s(device, part->precision, m, n, k, count, bytes);
	return evaluation->oracle->rules.graphs ? s - device->product.launch_s : s;
}

static void product_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct kernel *kernel, const struct token_shard *part, struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->machine->device;
	const struct rules *rules = &evaluation->oracle->rules;
	struct product product = {part->tokens, kernel->columns, kernel->rows, 1};
	double pieces = kernel->cut == CUT_NOTHING ? 1 : part->tensor;
	if (kernel->routed) {
		pieces = part->expert_tensor;
		product.count = part->busy_experts;
		product.m = part->routed_tokens / part->busy_experts;
	} else if (kernel->cut == CUT_NOTHING) {
		product.m /= part->whole;
	}
	if (kernel->cut == CUT_COLUMNS)
		product.n = padded_columns(kernel, pieces);
	else if (kernel->cut == CUT_ROWS)
		product.k /= pieces;
	if (evaluation->serving) {
		serve_product(evaluation, part, &product, cost);
		return;
	}
	/* To 8 or 4 bit: the input forward, the gradient of the output backward, each also transposed; weights stay cast. */
	if (sixteen_bit(part->precision) != part->precision) {
		const double cast_s =
			product.count * product.m * device->product.cast_bytes * device->s_per_byte;
		cost->forward_s += cast_s * product.k;
		cost->backward_s += cast_s * product.n;
	}
	cost->forward_s += gemm_s(evaluation, part, product.m, product.n, product.k, product.count);
	if (layer->backward_data)
		cost->backward_s += gemm_s(evaluation, part, product.m, product.k, product.n, product.count);
	if (layer->backward_weight) {
		const double weight_s =
			gemm_s(evaluation, part, product.k, product.n, product.m, product.count);
		const double sum_s =
			product.k * product.n * product.count * rules->accumulate_bytes * device->s_per_byte;
		cost->backward_s += weight_s + sum_s;
		cost->weight_s += weight_s + sum_s;
	}
}

static double keys_seen(const struct token_work *work, bool skips)
{
	const struct attention *attention = &work->attention;
	const double half_tile = 64;
	double keys = work->tokens;
	if (attention->causal && skips && keys > half_tile)
		keys = keys / 2 + half_tile;
	if (attention->window && attention->window < keys)
		keys = attention->window;
	return keys;
}

/* One kernel, limited by the products or by reading queries, keys, values and writing the output. */
static void fused_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->machine->device;
	const struct attention *attention = &work->attention;
	const enum paradl_precision precision = sixteen_bit(part->precision);
	const struct rules *rules = &oracle->rules;
	double kernel = rules->attention;
	if (rules->portable_attention && device->attention.portable > 0)
		kernel *= device->attention.portable;
	const double rate =
		device->peak_flop_per_s[precision] * device->product.sustained[precision] * kernel;
	const double heads = attention->heads / part->tensor,
		     widths = attention->head_dim + attention->value_dim;
	const double flop = 2 * part->tokens * keys_seen(work, true) * heads * widths;
	const double bytes = 2 * part->tokens * heads * widths * part->item_bytes;
	const double least_s = bytes * device->s_per_byte + device->product.launch_s;
	const double forward_s = flop / (rate * device->attention.forward);
	const double backward_s = 2.5 * flop / (rate * device->attention.backward);
	cost->forward_s += forward_s > least_s ? forward_s : least_s;
	cost->backward_s += backward_s > 2 * least_s ? backward_s : 2 * least_s;
}

static void unfused_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->machine->device;
	const struct rules *rules = &oracle->rules;
	const struct attention *attention = &work->attention;
	const double count = part->samples * attention->heads / part->tensor;
	const double queries = part->tokens / part->samples, keys = keys_seen(work, false);
	struct token_shard sixteen = *part;
	sixteen.precision = sixteen_bit(part->precision);
	const double scores = gemm_s(evaluation, &sixteen, queries, keys, attention->head_dim, count);
	const double values = gemm_s(evaluation, &sixteen, queries, attention->value_dim, keys, count);
	double products_s = scores + values;
	if ((attention->head_dim % 8 || attention->value_dim % 8) && device->product.misaligned > 1)
		products_s *= device->product.misaligned;
	const double scores_s = count * queries * keys * rules->score_bytes * device->s_per_byte;
	cost->forward_s += products_s + scores_s;
	cost->backward_s += 2 * products_s + 1.2 * scores_s;
	cost->score_s += products_s + scores_s;
}

static bool is_flash(const struct evaluation *evaluation, const struct token_work *work)
{
	return work->attention.flash && (evaluation->serving || evaluation->oracle->rules.flash);
}

static void attention_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, struct layer_cost *cost)
{
	const double forward_s = cost->forward_s, backward_s = cost->backward_s;
	if (evaluation->serving == SERVE_TOKEN) {
		serve_attention(evaluation, layer->work, part, cost);
		return;
	}
	if (is_flash(evaluation, layer->work))
		fused_cost(evaluation, layer->work, part, cost);
	else
		unfused_cost(evaluation, layer->work, part, cost);
	cost->attention_s[PASS_FORWARD] += cost->forward_s - forward_s;
	cost->attention_s[PASS_BACKWARD] += cost->backward_s - backward_s;
	if (evaluation->serving)
		serve_bound(evaluation, cost->forward_s - forward_s, 0, cost);
}

static void kernel_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct kernel *kernel, const struct token_shard *part, struct layer_cost *cost)
{
	switch (kernel->kind) {
	case KERNEL_PRODUCT:
		product_cost(evaluation, layer, kernel, part, cost);
		break;
	case KERNEL_ATTENTION:
		attention_cost(evaluation, layer, part, cost);
		break;
	case KERNEL_PASS: {
		double tokens = part->tokens / (kernel->cut == CUT_NOTHING ? part->whole : part->tensor);
		if (kernel->routed)
			tokens = part->routed_tokens / (kernel->cut == CUT_NOTHING ? 1 : part->expert_tensor);
		const double s = tokens * kernel->forward_items * part->item_s;
		cost->forward_s += s;
		cost->backward_s += tokens * kernel->backward_items * part->item_s;
		if (evaluation->serving)
			serve_pass(evaluation, s, cost);
		break;
	}
	}
}

/* Weights on this device, of experts apart. */
static void weights_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	double cut = 0, pieces = 0, experts = 0, routed = 0;
	for (unsigned i = 0; i < work->kernel_count; ++i) {
		const struct kernel *kernel = &work->kernels[i];
		if (kernel->routed) {
			experts += kernel->weight_items;
			routed += kernel->weight_items * part->experts / work->experts / part->expert_tensor;
		} else if (kernel->cut != CUT_NOTHING) {
			cut += kernel->weight_items;
			pieces += kernel->pad ? kernel->weight_items * padded_columns(kernel, part->tensor) /
							kernel->columns
					      : kernel->weight_items / part->tensor;
		}
	}
	if (work->tied) { /* the embedding's table, of which a last stage has its own copy */
		cost->weight_items = evaluation->plan.degree[PARADL_PIPELINE] > 1 ? pieces : 0;
		cost->frozen_items = cost->expert_items = 0;
		return;
	}
	const double whole = shard->weight_items + shard->frozen_items - cut - experts;
	const double all = whole + pieces + routed;
	const double trained = shard->weight_items + shard->frozen_items > 0
				       ? shard->weight_items / (shard->weight_items + shard->frozen_items)
				       : 0;
	cost->weight_items = all * trained;
	cost->frozen_items = all * (1 - trained);
	cost->expert_items = routed * trained;
}

/* What backward needs of one micro-batch, on this device. */
static void kept_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	const double cut = work->kept_cut_items;
	const double routed =
		work->experts ? work->kept_routed_items / work->top_k : 0; /* of one routed token */
	const double tokens = part->tokens;
	const double scores = is_flash(evaluation, work)
				      ? 0
				      : tokens * work->tokens * work->kept_score_items / part->tensor;
	const double whole_items =
		layer->kept_items - work->tokens * (cut + routed * work->top_k) -
		(work->attention.flash ? 0 : work->tokens * work->tokens * work->kept_score_items);
	const double whole =
		whole_items > 0 ? whole_items * shard->samples / shard->context_pieces / part->whole : 0;
	cost->score_items = scores;
	cost->kept_items = whole + tokens * cut / part->tensor + scores +
			   (work->experts ? part->routed_tokens * routed / part->expert_tensor : 0);
}

/* Gradients of what a kernel of a block reads and writes, together. */
static double kernel_transient(const struct evaluation *evaluation, const struct token_work *work,
	const struct kernel *kernel, const struct token_shard *part)
{
	const struct attention *attention = &work->attention;
	const double tokens = kernel->routed ? part->routed_tokens : part->tokens;
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
	/* Fused: gradients of queries (summed in fp32), keys, values and the output; else of two tensors of scores. */
	const double width = (double)attention->head_dim + attention->value_dim;
	const double heads =
		attention->heads * (width + 2.0 * attention->head_dim) + attention->kv_heads * width;
	const double scores = is_flash(evaluation, work) ? 0 : 2.0 * attention->heads * work->tokens;
	return tokens * (heads + scores) / pieces;
}

/* What the axes' collectives hold besides the tensors themselves. */
static double buffers_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard)
{
	const struct attention *attention = &layer->work->attention;
	const double keys = part->tokens * attention->key_items / part->tensor;
	double items = 0;
	if (layer->work->experts && part->experts < layer->work->experts)
		items += part->routed_tokens * layer->work->hidden_items;
	if (!attention->heads || !(shard->context_pieces > 1))
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

/* What lives in a layer's backward or exchanges only; scores of a vocabulary are counted at the loss. */
static void transient_count(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct shard *shard, struct layer_cost *cost)
{
	const struct token_work *work = layer->work;
	cost->logit_items = cost->transient_items = 0;
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

void token_layer_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct shard *shard, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct token_work *work = layer->work;
	const struct token_shard part = token_shard(evaluation, layer, shard);
	cost->forward_s = cost->backward_s = cost->weight_s = cost->score_s = 0;
	for (unsigned i = 0; i < work->kernel_count; ++i)
		kernel_cost(evaluation, layer, &work->kernels[i], &part, cost);
	if (oracle->rules.ideal) {
		const double cut = shard->tensor_pieces * shard->context_pieces;
		const double rate = oracle->machine->device.peak_flop_per_s[oracle->precision];
		cost->forward_s = shard->samples * layer->forward_flop / cut / rate;
		cost->backward_s = shard->samples * layer->backward_flop / cut / rate;
		cost->weight_s = cost->backward_s / 2;
		cost->score_s = 0;
	}
	weights_count(evaluation, layer, &part, shard, cost);
	kept_count(evaluation, layer, &part, shard, cost);
	transient_count(evaluation, layer, &part, shard, cost);
	if (evaluation->serving)
		serve_finish(layer, cost);
}
