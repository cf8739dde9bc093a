/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file computes the seconds of a token layer's shard on one device, kernel by kernel, for one micro-batch; image
 * layers are in image_kernels.c.
 *   product     [tokens x K] [K x N], three times: forward, gradient of the input, gradient of the weights. The tensor
 *               axis cuts N or K; what it leaves whole is cut along the sequence with sequence parallelism. Inference
 *               reads weights in the format they are stored in
 *   experts     as many products as the device has experts, of the tokens that come to each; the fullest device has
 *               `imbalance` times the mean. Inference reads those experts only that a token comes to:
 *               E (1 - (1 - top_k / E)^tokens) of E, were all equally likely (the fullest device has more; left out)
 *   attention   2 (d + d_v) flop for each pair of a query and a key it sees, forward; fused kernels skip what a causal
 *               mask hides, but for half a tile of 128 on the diagonal, and compute scores again in backward: 2.5
 *               times the forward work. Not fused: batched products over the full square, and bytes for each score.
 *               For one token: the same flop for each key, and the bytes of the keys and values kept (the cache);
 *               latent attention works on the latent itself (DeepSeek-V2, 2024, "absorbed"): 2 heads (2 rank + rope).
 *               With an index, the keys that it chooses; its own scores are of all keys, on every device of a tensor
 *               group
 *   recurrence  its products, of chunks; for one token the bytes of its state, read and written
 *   pass        items read and written (model.h) over the streaming rate, times how little the framework fuses
 * Kernels of inference each pay their launch, from a graph, so that the host costs nothing; the head of a prompt works
 * on its last token. ParaDL's ideal model takes flop / peak, divided by the degrees.
 */
#include <limits.h>
#include <math.h>

#include "oracle/kernels.h"

#include "oracle/inference.h"

/* Counts a kernel of inference by what bounds it: launch, memory_s, or its flop at the rate of large products. */
static void bound_add(const struct evaluation *evaluation, double kernel_s, double memory_s, double flop,
	struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->device;
	const double launch_s = device->product.launch_s;
	enum bound bound = BOUND_COMPUTE;
	if (!evaluation->serving)
		return;
	if (2 * launch_s > kernel_s)
		bound = BOUND_LAUNCH;
	else if (memory_s > flop * device->product_rates.s_per_flop[evaluation->oracle->precision])
		bound = BOUND_MEMORY;
	cost->bound_s[bound] += kernel_s;
	cost->flop += flop;
}

/* Products [m x k] [k x n], `count` of them; bytes: those that move in addition to these matrices. */
struct product {
	double m, n, k, count, bytes;
	bool grouped;   /* by expert */
	bool unaligned; /* scores of a vocabulary, or heads, that are no multiple of 8 items */
};

/* Adds what a product reads and writes to its bytes; returns its seconds. */
static double gemm_s(
	const struct evaluation *evaluation, const struct token_shard *part, struct product *product)
{
	const struct device *device = &evaluation->oracle->device;
	const double m = product->m, n = product->n, k = product->k, count = product->count;
	product->bytes += count * (m * k + k * n + m * n) * evaluation->item_bytes;
	double (*const priced)(const struct device *, enum paradl_precision, double, double, double, double,
		double) = product->grouped     ? device_grouped_s
			  : product->unaligned ? device_unaligned_s
					       : device_gemm_s;
	const double s = priced(device, part->precision, m, n, k, count, product->bytes);
	const bool starts = evaluation->serving || !evaluation->oracle->rules.graphs;
	return starts ? s : s - device->product.launch_s;
}

static const double aligned_items = 8; /* items of 16 bit that matrix units load at once */

/* Returns the product of a kernel as it is cut. */
static struct product product_of(const struct kernel *kernel, const struct token_shard *part)
{
	const double tokens = kernel->source ? part->source_tokens : part->tokens;
	struct product product = {tokens, kernel->columns, kernel->rows, 1, 0, kernel->routed, false};
	double pieces = kernel->cut == CUT_NOTHING ? 1 : part->tensor;
	if (kernel->routed) {
		pieces = part->expert_tensor;
		product.count = part->busy_experts;
		product.m = part->routed_tokens / part->busy_experts;
	} else if (kernel->cut == CUT_NOTHING) {
		product.m /= part->whole;
	}
	if (kernel->cut == CUT_COLUMNS)
		product.n = padded_columns(kernel, part, pieces);
	else if (kernel->cut == CUT_ROWS)
		product.k /= pieces;
	product.unaligned = kernel->vocabulary && fmod(product.n, aligned_items) > 0;
	return product;
}

static void product_backward(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, const struct product *p, struct layer_cost *cost)
{
	const struct rules *rules = &evaluation->oracle->rules;
	struct product data = {p->m, p->k, p->n, p->count, 0, p->grouped, p->unaligned},
		       weight = {p->k, p->n, p->m, p->count, 0, p->grouped, p->unaligned};
	if (layer->backward_data)
		cost->backward_s += gemm_s(evaluation, part, &data);
	if (layer->backward_weight) {
		const double weight_s = gemm_s(evaluation, part, &weight);
		const double sum_s = p->k * p->n * p->count * rules->accumulate_bytes *
				     evaluation->oracle->device.s_per_byte;
		cost->backward_s += weight_s + sum_s;
		cost->weight_s += weight_s + sum_s;
	}
}

static void product_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct kernel *kernel, const struct token_shard *part, struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->device;
	struct product product = product_of(kernel, part);
	const double weights = product.k * product.n * product.count;
	struct token_shard own = *part;
	if (evaluation->serving && layer->work->experts && !kernel->routed &&
		!(kernel->columns > layer->work->experts)) /* the router, which checkpoints keep wide */
		own.precision = precision_wide(part->precision);
	const bool is_cast = precision_wide(own.precision) != own.precision;
	if (evaluation->serving)
		product.bytes = weights * (precision_stored_bytes(own.precision) - evaluation->item_bytes);
	const double s = gemm_s(evaluation, &own, &product);
	if (evaluation->serving) {
		const double items = product.count * product.m * product.k;
		const double cast_s = is_cast ? device_quantize_s(device, part->precision, items,
							evaluation->oracle->rules.serve_fusion)
					      : 0;
		cost->forward_s += s + cast_s;
		cost->cast_s[PASS_FORWARD] += cast_s;
		bound_add(evaluation, s + cast_s, device_product_memory_s(device, product.bytes),
			2 * product.m * weights, cost);
		return;
	}
	/* Casts to 8 or 4 bit: input forward, output's gradient backward, each also transposed; weights stay cast. */
	const double row_cast_s =
		is_cast ? product.count * product.m * device->product.cast_bytes * device->s_per_byte : 0;
	cost->forward_s += row_cast_s * product.k;
	cost->forward_s += s;
	cost->backward_s += row_cast_s * product.n;
	if (is_cast) {
		cost->cast_s[PASS_FORWARD] += row_cast_s * product.k;
		cost->cast_s[PASS_BACKWARD] += row_cast_s * product.n;
	}
	product_backward(evaluation, layer, part, &product, cost);
}

/* Returns the keys that a query reads at most; 0: all. */
static double attention_window(const struct attention *attention)
{
	return attention->window || attention->chosen ? attention_reads(attention, UINT_MAX) : 0;
}

/* Adds one kernel, limited by its products or by reading queries, keys, values and writing the output. */
static void fused_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->device;
	const struct attention *attention = &work->attention;
	const enum paradl_precision precision = precision_wide(part->precision);
	const struct rules *rules = &oracle->rules;
	double kernel = rules->attention;
	if (rules->portable_attention && device->attention.portable > 0)
		kernel *= device->attention.portable;
	struct attention_call call = {
		.sequences = attention->block > 0 ? part->tokens / attention->block : part->samples,
		.queries = part->tokens,
		.sources = part->source_tokens,
		.keys = attention_span(work),
		.heads = attention->heads / part->tensor,
		.kv_heads = share(attention->kv_heads, part->tensor, false),
		.widths = attention->head_dim + attention->value_dim,
		.values = attention->value_dim,
		.window = (unsigned)attention_window(attention),
		.item_bytes = evaluation->item_bytes,
		.rate_flop_per_s =
			device->peak_flop_per_s[precision] * device->product.sustained[precision] * kernel,
		.format = serving_cache_format(evaluation),
		.causal = attention->causal,
		.writes_cache = evaluation->serving != SERVE_NOTHING};
	cost->forward_s += device_attention_s(device, &call);
	cost->backward_s += device_attention_backward_s(device, &call);
}

/*
 * Bytes moved for a score without dropout / with it: products write and read it and softmax reads and writes it, 8
 * bytes of 16 bit; dropout reads and writes it once more and writes its mask, 5.
 */
static const double undropped = 8.0 / 13;

static void unfused_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct device *device = &oracle->device;
	const struct rules *rules = &oracle->rules;
	const struct attention *attention = &work->attention;
	const double span = attention_span(work);
	const double sequences = attention->block > 0 ? part->tokens / attention->block : part->samples;
	const double count = sequences * attention->heads / part->tensor;
	const double queries = part->tokens / sequences;
	const double keys = attention_reads(attention, span);
	struct token_shard sixteen = *part;
	sixteen.precision = precision_wide(part->precision);
	const bool unaligned =
		fmod(attention->head_dim, aligned_items) > 0 || fmod(attention->value_dim, aligned_items) > 0;
	struct product scores = {queries, keys, attention->head_dim, count, 0, false, unaligned};
	struct product values = {queries, attention->value_dim, keys, count, 0, false, unaligned};
	const double products_s =
		gemm_s(evaluation, &sixteen, &scores) + gemm_s(evaluation, &sixteen, &values);
	const double moved = work->kept_score_items > attention->heads ? 1 : undropped;
	const double scores_s = count * queries * keys * moved * rules->score_bytes * device->s_per_byte;
	cost->forward_s += products_s + scores_s;
	cost->backward_s += 2 * products_s + 1.2 * scores_s;
	cost->score_s += products_s + scores_s;
}

/* Adds an index's scores of `all` keys, for one token of each sequence: each device reads the whole index. */
static void index_token_cost(const struct evaluation *evaluation, const struct attention *attention,
	double sequences, double all, struct layer_cost *cost)
{
	const double keys = sequences * all;
	const double queries = 1 + evaluation->oracle->options.speculative_tokens;
	const struct device *device = &evaluation->oracle->device;
	if (!attention->index_heads)
		return;
	const double memory_s = device_product_memory_s(
		device, keys * attention->index_dim * serving_item_bytes(evaluation->oracle));
	const double s = memory_s + device->product.launch_s;
	cost->forward_s += s;
	bound_add(evaluation, s, memory_s, 2 * queries * keys * attention->index_heads * attention->index_dim,
		cost);
}

/* Adds an index's scores for all pairs of a query and a key that it sees; no device of a tensor group is spared. */
static void index_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct attention *attention = &work->attention;
	if (!attention->index_heads)
		return;
	const double keys = attention_span(work) * (attention->causal ? 0.5 : 1);
	struct product scores = {part->tokens / part->samples, keys, attention->index_dim,
		part->samples * attention->index_heads, 0, false, false};
	const double s = gemm_s(evaluation, part, &scores);
	cost->forward_s += s;
	cost->backward_s += 2 * s;
}

/* Adds the attention of one token of each sequence to the keys before it. Devices along context share the keys:
 * each reads its part, for all sequences of the group. */
static void token_attention_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct device *device = &evaluation->oracle->device;
	const struct attention *attention = &work->attention;
	const enum paradl_precision precision = precision_wide(part->precision);
	const double guessed = 1 + evaluation->oracle->options.speculative_tokens;
	const double sequences = part->sequences / guessed;
	const double all =
		serving_cache_tokens(attention, evaluation->keys) / evaluation->plan.degree[PARADL_CONTEXT];
	const double keys = attention_reads(attention, all);
	const double heads =
		guessed * attention->heads / part->tensor; /* tokens of a sequence share its keys */
	const double widths = attention->latent_items > 0
				      ? attention->key_items + attention->latent_items
				      : (double)attention->head_dim + attention->value_dim;
	const double flop = 2 * sequences * keys * heads * widths;
	const double cache_bytes = sequences * keys * serving_key_items(attention, part->tensor) *
				   serving_item_bytes(evaluation->oracle);
	const double bytes = cache_bytes + sequences * evaluation->item_bytes * heads * widths;
	const struct token_attention_call call = {.sequences = sequences,
		.keys = keys,
		.heads = heads,
		.kv_heads = attention->latent_items > 0 ? 0 : share(attention->kv_heads, part->tensor, false),
		.cache_bytes = cache_bytes,
		.widths = widths,
		.bytes = bytes,
		.rate_flop_per_s = device->peak_flop_per_s[precision] * device->product.sustained[precision],
		.format = serving_cache_format(evaluation)};
	const double s = device_token_attention_s(device, &call);
	cost->forward_s += s;
	bound_add(evaluation, s, device_product_memory_s(device, bytes), flop, cost);
	index_token_cost(evaluation, attention, sequences, all, cost);
}

static void attention_cost(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, struct layer_cost *cost)
{
	if (part->sequences > 0)
		token_attention_cost(evaluation, layer->work, part, cost);
	if (!(part->prompts > 0))
		return;
	const double forward_s = cost->forward_s, backward_s = cost->backward_s;
	struct token_shard prompts = prompts_of(evaluation, layer->work, part);
	/* Tokens that are read attend to cached ones, too: (1 + s) times as many as if they were the whole. */
	prompts.samples *= 1 + evaluation->oracle->options.cached_prefix;
	prompts.tokens *= 1 + evaluation->oracle->options.cached_prefix;
	if (is_flash(evaluation, layer->work))
		fused_cost(evaluation, layer->work, &prompts, cost);
	else
		unfused_cost(evaluation, layer->work, &prompts, cost);
	index_cost(evaluation, layer->work, &prompts, cost);
	cost->attention_s[PASS_FORWARD] += cost->forward_s - forward_s;
	cost->attention_s[PASS_BACKWARD] += cost->backward_s - backward_s;
	bound_add(evaluation, cost->forward_s - forward_s, 0, 0, cost);
}

static void pass_cost(const struct evaluation *evaluation, const struct kernel *kernel,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *const oracle = evaluation->oracle;
	const double launch_s =
		evaluation->serving ? (1 - oracle->rules.serve_fusion) * oracle->device.product.launch_s : 0;
	double tokens = (kernel->source ? part->source_tokens : part->tokens) /
			(kernel->cut == CUT_NOTHING ? part->whole : part->tensor);
	if (kernel->routed)
		tokens = part->routed_tokens / (kernel->cut == CUT_NOTHING ? 1 : part->expert_tensor);
	const double s = tokens * kernel->forward_items * part->item_s;
	cost->forward_s += s + launch_s;
	cost->backward_s += tokens * kernel->backward_items * part->item_s;
	bound_add(evaluation, s + launch_s, s, 0, cost);
}

/* Adds the seconds of choosing experts and carrying tokens to them, where tokens are served. */
static void experts_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	for (unsigned i = 0; i < work->kernel_count; ++i) {
		const struct kernel *kernel = &work->kernels[i];
		if (kernel->kind != KERNEL_PRODUCT || !kernel->routed)
			continue;
		const double bytes = part->routed_tokens * kernel->rows * evaluation->item_bytes;
		const struct experts_choice choice = {
			evaluation->plan.degree[PARADL_EXPERT] * part->tokens * (1 - evaluation->uneven),
			work->top_k};
		const double s = device_experts_s(&evaluation->oracle->device, bytes, &choice) +
				 evaluation->oracle->rules.serve_experts_s;
		cost->forward_s += s;
		bound_add(evaluation, s, s, 0, cost);
		return;
	}
}

/* Adds reading and writing the state of a recurrence for one token of each sequence. */
static void state_cost(const struct evaluation *evaluation, const struct token_work *work,
	const struct token_shard *part, struct layer_cost *cost)
{
	const double items = 2 * part->sequences * work->state_items / part->tensor;
	const double s = device_product_memory_s(&evaluation->oracle->device, items * evaluation->item_bytes);
	cost->forward_s += s;
	bound_add(evaluation, s, s, 0, cost);
}

void token_kernels(const struct evaluation *evaluation, const struct layer *layer,
	const struct token_shard *part, struct layer_cost *cost)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	if (oracle->rules.ideal) { /* its plans cut no layers of tokens */
		const double rate = oracle->device.peak_flop_per_s[oracle->precision];
		cost->forward_s = part->samples * layer->forward_flop / rate;
		cost->backward_s = part->samples * layer->backward_flop / rate;
		cost->weight_s = cost->backward_s / 2;
		return;
	}
	if (evaluation->serving && layer->class_ == LAYER_LOSS)
		return;
	for (unsigned i = 0; i < layer->work->kernel_count; ++i) {
		const struct kernel *kernel = &layer->work->kernels[i];
		const struct token_shard some =
			kernel->chunked ? prompts_of(evaluation, layer->work, part) : *part;
		const double before_s = cost->forward_s;
		if (!(some.tokens > 0))
			continue;
		if (kernel->kind == KERNEL_PRODUCT)
			product_cost(evaluation, layer, kernel, &some, cost);
		else if (kernel->kind == KERNEL_ATTENTION)
			attention_cost(evaluation, layer, part, cost);
		else
			pass_cost(evaluation, kernel, part, cost);
		cost->again_s += kernel->again ? cost->forward_s - before_s : 0;
	}
	/* The norm before reads and writes its tokens once more. */
	cost->again_s += part->tokens / part->whole * 2 * layer->work->dropped_items * part->item_s;
	if (layer->work->state_items > 0 && evaluation->serving == SERVE_STEP)
		state_cost(evaluation, layer->work, part, cost);
	if (layer->work->experts && !evaluation->serving)
		dispatch_sort_cost(evaluation, layer->work, part, cost);
	if (evaluation->serving) {
		experts_cost(evaluation, layer->work, part, cost);
		cost->backward_s = cost->score_s = cost->attention_s[PASS_BACKWARD] = 0;
	}
}
