/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention with its four projections; width h, a heads of size d (values: d_v), k heads of keys and values.
 *     queries, keys, values   h x (a d + k d + k d_v), then a pass over them: bias, positions, transposes
 *     scores, softmax, values one kernel ("flash", never stores the s x s scores) or several ("unfused")
 *     out                     a d_v x h
 * Multi-head latent attention (DeepSeek-V2, 2024) is used when kv_rank is given: keys and values come from a latent
 * of kv_rank items and from rope_dim items that all heads share; queries come from a latent of q_rank items when
 * q_rank is given. Each latent has an RMS norm. The size of a head is nope_dim + rope_dim. With blocks (Swin, 2021) a
 * sample is several sequences of `block` tokens; the layers around bring the tokens of a block together. Relative
 * positions are a table whose rows have an item for each head, which is added to the scores in their pass. With a
 * second input, the source, keys and values are made of its tokens (Vaswani et al., 2017: a decoder's attention to
 * what the encoder made). Kept for
 * backward, per token: queries, keys, values, the output of the heads; with flash also the log-sum-exp (fp32, 2 items
 * of 16 bit); unfused the softmax for each key, and with dropout its mask (one byte) and result (Korthikanti et al.,
 * 2022: 11 s b h + 5 a s^2 b bytes).
 */
#include "model/layer_type.h"

enum { FLASH, UNFUSED };
static const char *const attention_kernels[] = {"flash", "unfused", NULL};

static const struct json_field fields[] = {
	LAYER_NODE("heads", heads.node, true),
	LAYER_NODE("kv_heads", kv_heads.node, false),
	LAYER_NODE("head_dim", head_dim.node, false),
	LAYER_NODE("value_dim", value_dim.node, false),
	LAYER_NODE("window", window.node, false),
	LAYER_NODE("block", block.node, false),
	LAYER_NODE("positions", positions.node, false),
	LAYER_BOOL("causal", causal),
	LAYER_BOOL("bias", bias),
	LAYER_BOOL("qkv_bias", qkv_bias),
	LAYER_BOOL("key_bias", key_bias),
	LAYER_BOOL("qk_norm", qk_norm),
	LAYER_BOOL("qk_norm_heads", qk_norm_heads),
	LAYER_BOOL("gate", gate),
	LAYER_BOOL("head_gate", head_gate),
	LAYER_BOOL("sinks", sinks),
	LAYER_BOOL("keys_are_values", keys_are_values),
	LAYER_NODE("top_keys", top_keys.node, false),
	LAYER_NODE("index_heads", index_heads.node, false),
	LAYER_NODE("index_dim", index_dim.node, false),
	LAYER_BOOL("index_weighted", index_weighted),
	LAYER_CHOICE("kernel", attention_kernel, attention_kernels),
	LAYER_NUMBER("dropout", dropout, 0, 1),
	LAYER_NUMBER("rope_theta", rope_theta, 1, 1e12),
	LAYER_NODE("q_rank", q_rank.node, false),
	LAYER_NODE("kv_rank", kv_rank.node, false),
	LAYER_NODE("rope_dim", rope_dim.node, false),
	LAYER_NODE("nope_dim", nope_dim.node, false),
};

static bool latent_keys(const struct layer_keys *keys, struct paradl_error *error)
{
	static const char *const latent[] = {"q_rank", "rope_dim", "nope_dim"};
	static const char *const plain[] = {
		"kv_heads", "head_dim", "qk_norm", "qkv_bias", "gate", "head_gate", "keys_are_values"};
	const bool is_latent = keys->kv_rank.node != NULL;
	const char *const *const others = is_latent ? plain : latent;
	const size_t count =
		is_latent ? sizeof(plain) / sizeof(plain[0]) : sizeof(latent) / sizeof(latent[0]);
	for (size_t i = 0; i < count; i++)
		if (json_member(keys->node, others[i]))
			return json_error(layer_place(keys, others[i]), error,
				is_latent ? "%s does not go with kv_rank (multi-head latent attention)"
					  : "%s goes with kv_rank (multi-head latent attention) only",
				others[i]);
	if (is_latent && (!keys->rope_dim.node || !keys->nope_dim.node))
		return json_error(
			keys->node, error, "latent attention (kv_rank) needs rope_dim and nope_dim");
	return true;
}

static bool blocks_fit(const struct layer_keys *keys, unsigned tokens, struct paradl_error *error)
{
	if (!keys->block.node)
		return true;
	if (keys->window.node)
		return json_error(layer_place(keys, "window"), error,
			"window does not go with block, which says what a query sees");
	if (keys->causal)
		return json_error(layer_place(keys, "block"), error,
			"tokens of a block see one another: block needs \"causal\": false");
	if (tokens % keys->block.value == 0)
		return true;
	return json_error(layer_place(keys, "block"), error,
		"block is %u, which does not divide the %u tokens of its input", keys->block.value, tokens);
}

/* Adds the table of relative positions; adding its items to the scores is part of their pass. */
static void positions_table(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	if (!keys->positions.node)
		return;
	work_pass(work, CUT_COLUMNS, 0, 0);
	work_last(work)->weight_items = (double)keys->positions.value * keys->heads.value;
	layer->weight_tensors++;
}

static bool heads_read(const struct layer_keys *keys, unsigned width, struct attention *attention,
	struct paradl_error *error)
{
	const unsigned heads = keys->heads.value;
	attention->heads = heads;
	attention->kv_heads = keys->kv_heads.node ? keys->kv_heads.value : heads;
	attention->head_dim = keys->head_dim.node ? keys->head_dim.value : width / heads;
	if (keys->kv_rank.node)
		attention->head_dim = keys->nope_dim.value + keys->rope_dim.value;
	else if (!keys->head_dim.node && width % heads != 0)
		return json_error(layer_place(keys, "heads"), error,
			"heads is %u, which does not divide the width %u: give head_dim", heads, width);
	attention->value_dim = attention->head_dim;
	if (keys->value_dim.node)
		attention->value_dim = keys->value_dim.value;
	else if (keys->kv_rank.node)
		attention->value_dim = keys->nope_dim.value;
	attention->window = keys->window.value;
	attention->block = keys->block.value;
	attention->chosen = keys->top_keys.value;
	attention->causal = keys->causal;
	attention->flash = keys->attention_kernel == FLASH;
	if (heads % attention->kv_heads == 0)
		return true;
	return json_error(layer_place(keys, "kv_heads"), error,
		"kv_heads is %u, which does not divide the %u heads", attention->kv_heads, heads);
}

/* Checks what attention to another sequence may have, and notes that sequence. */
static bool source_read(const struct layer_keys *keys, const struct layer_context *context,
	struct attention *attention, struct paradl_error *error)
{
	static const char *const own[] = {"window", "block", "qk_norm", "gate", "head_gate",
		"keys_are_values", "kv_rank", "top_keys", "index_heads"};
	if (context->input_count < 2)
		return true;
	const struct tensor *const source = &context->inputs[1];
	if (context->input_count > 2 || !source->tokens)
		return json_error(layer_place(keys, "from"), error,
			"attention reads queries from its first input, keys and values from a second "
			"one, which must be tokens");
	if (keys->causal)
		return json_error(layer_place(keys, "causal"), error,
			"all tokens of another sequence are seen: attention to it needs \"causal\": false");
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (json_member(keys->node, own[i]))
			return json_error(layer_place(keys, own[i]), error,
				"%s does not go with keys of another sequence", own[i]);
	attention->source_tokens = source->extent[0];
	attention->source_width = source->channels;
	return true;
}

struct projected {
	double queries, keys, values; /* items of one token in each */
};

/* Adds the projections of queries from the layer's own tokens, and of keys and values from those of the source. */
static void project_source(const struct layer_keys *keys, const struct projected *projected, bool bias,
	struct layer *layer, struct token_work *work)
{
	const double items = projected->keys + projected->values;
	work_product(work, CUT_COLUMNS, layer->x.channels, projected->queries, bias);
	work_pass(work, CUT_COLUMNS, 2 * projected->queries, 2 * projected->queries);
	work_product(work, CUT_COLUMNS, work->attention.source_width, items, bias);
	work_last(work)->source = true;
	if (bias && !keys->key_bias)
		work_last(work)->weight_items -= projected->keys;
	work_pass(work, CUT_COLUMNS, 2 * items, 2 * items);
	work_last(work)->source = true;
	layer->weight_tensors += bias ? 4 : 2;
}

/*
 * Adds the projections to queries, keys and values; returns the items kept per token that the tensor axis does not
 * cut: none. A gate multiplies the output of heads by the sigmoid of further columns (Qwen3-Next, 2025); head_gate
 * has one such column for each head.
 */
static double project(const struct layer_keys *keys, const struct projected *projected, struct layer *layer,
	struct token_work *work)
{
	const bool bias = json_member(keys->node, "qkv_bias") ? keys->qkv_bias : keys->bias;
	const double output = work->attention.heads * (double)work->attention.value_dim;
	const double gates = (keys->gate ? output : 0) + (keys->head_gate ? work->attention.heads : 0);
	const double stored = projected->queries + projected->keys + gates +
			      (keys->keys_are_values ? 0 : projected->values);
	const double items = projected->queries + projected->keys + projected->values;
	const double normed = projected->queries + projected->keys;
	work->attention.key_items = projected->keys + projected->values;
	if (work->attention.source_tokens > 0) {
		project_source(keys, projected, bias, layer, work);
		return 0;
	}
	work_product(work, CUT_COLUMNS, layer->x.channels, stored, bias);
	if (bias && !keys->key_bias)
		work_last(work)->weight_items -= projected->keys;
	layer->weight_tensors += bias ? 2 : 1;
	work_pass(work, CUT_COLUMNS, 2 * items, 2 * items);
	if (keys->qk_norm) {
		work_pass(work, CUT_COLUMNS, 2 * normed, 3 * normed);
		work_last(work)->weight_items = keys->qk_norm_heads ? normed : 2.0 * work->attention.head_dim;
		work->kept_cut_items += normed;
		layer->weight_tensors += 2;
	}
	if (gates > 0) {
		work_pass(work, CUT_COLUMNS, 2 * output + gates, 3 * output + 2 * gates);
		work->kept_cut_items += gates;
		layer->weight_tensors++;
	}
	return 0;
}

/* Adds the norm of a latent; returns its input and output, which are kept, plus `beside` further items. */
static double latent_norm(struct layer *layer, struct token_work *work, double rank, double beside)
{
	work_pass(work, CUT_NOTHING, 2 * rank, 3 * rank);
	work_last(work)->weight_items = rank;
	layer->weight_tensors += 2;
	return 2 * rank + beside;
}

/*
 * Adds the projections of latent attention; returns the items kept per token that the tensor axis does not cut: the
 * latents. Queries, keys and values can be made once more from them (Megatron-Core's module mla_up_proj).
 */
static double project_latent(const struct layer_keys *keys, const struct projected *projected,
	struct layer *layer, struct token_work *work)
{
	const double width = layer->x.channels, rank = keys->kv_rank.value, rope = keys->rope_dim.value;
	const double items = projected->queries + projected->keys + projected->values;
	const double heads = work->attention.heads;
	double query_width = width, kept = 0;
	if (keys->q_rank.node) {
		query_width = keys->q_rank.value;
		work_product(work, CUT_NOTHING, width, query_width, keys->bias);
		layer->weight_tensors += keys->bias ? 1 : 0;
		kept += latent_norm(layer, work, query_width, 0);
	}
	work_product(work, CUT_COLUMNS, query_width, projected->queries, false);
	work_last(work)->again = keys->q_rank.node;
	work_product(work, CUT_NOTHING, width, rank + rope, keys->bias);
	layer->weight_tensors += keys->bias ? 1 : 0;
	kept += latent_norm(layer, work, rank, rope);
	work_product(work, CUT_COLUMNS, rank, heads * keys->nope_dim.value + projected->values, false);
	work_last(work)->again = true;
	layer->weight_tensors += 2;
	work_pass(work, CUT_COLUMNS, 2 * items, 2 * items);
	work_last(work)->again = true;
	work->dropped_cut_items = items - (keys->q_rank.node ? 0 : projected->queries);
	work->attention.key_items = rank + rope;
	work->attention.latent_items = rank;
	return kept;
}

/*
 * Adds sinks: one number for each head, which the softmax counts as the score of a key without a value (gpt-oss,
 * 2025).
 */
static void sinks(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	if (!keys->sinks)
		return;
	work_pass(work, CUT_COLUMNS, 0, 0);
	work_last(work)->weight_items = work->attention.heads;
	layer->weight_tensors++;
}

/*
 * Reads and adds the index of sparse attention (DeepSeek-V3.2, 2025): queries of index_heads heads from the latent of
 * queries, or from x where there is none, one key with a norm, and a weight for each head. All devices of a tensor
 * group compute all of the index.
 */
static bool index_read(const struct layer_keys *keys, struct layer *layer, struct token_work *work,
	struct paradl_error *error)
{
	const double heads = keys->index_heads.value, size = keys->index_dim.value, width = layer->x.channels;
	if (!keys->index_heads.node && !keys->index_dim.node)
		return true;
	if (!keys->index_heads.node || !keys->index_dim.node || !keys->top_keys.node)
		return json_error(keys->node, error, "an index needs index_heads, index_dim and top_keys");
	work->attention.index_heads = keys->index_heads.value;
	work->attention.index_dim = keys->index_dim.value;
	work_product(work, CUT_NOTHING, keys->q_rank.node ? keys->q_rank.value : width, heads * size, false);
	work_product(work, CUT_NOTHING, width, size + (keys->index_weighted ? heads : 0), false);
	work_pass(work, CUT_NOTHING, 2 * size, 3 * size);
	work_last(work)->weight_items = 2 * size;
	layer->weight_tensors += keys->index_weighted ? 5 : 4;
	return true;
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	struct attention *const attention = work ? &work->attention : NULL;
	if (!work || !source_read(keys, context, attention, error) || !latent_keys(keys, error) ||
		!blocks_fit(keys, layer->x.extent[0], error) ||
		!heads_read(keys, layer->x.channels, attention, error))
		return false;
	const double heads = attention->heads, kv_heads = attention->kv_heads;
	const double output = heads * attention->value_dim;
	const struct projected projected = {
		.queries = heads * attention->head_dim,
		.keys = kv_heads * attention->head_dim,
		.values = kv_heads * attention->value_dim,
	};
	const double kept = keys->kv_rank.node ? project_latent(keys, &projected, layer, work)
					       : project(keys, &projected, layer, work);
	sinks(keys, layer, work);
	if (!index_read(keys, layer, work, error))
		return false;
	work->kernels[work->kernel_count++] = (struct kernel){.kind = KERNEL_ATTENTION, .cut = CUT_COLUMNS};
	positions_table(keys, layer, work);
	work_product(work, CUT_ROWS, output, layer->x.channels, keys->bias);
	layer->weight_tensors += keys->bias ? 2 : 1;
	layer->bias = keys->bias;
	const double read = projected.keys + projected.values;
	work->kept_cut_items += projected.queries + output;
	if (attention->source_tokens > 0)
		work->kept_source_items = read;
	else
		work->kept_cut_items += read;
	if (attention->flash)
		work->kept_cut_items += 2 * heads;
	work->dropped_items =
		keys->kv_rank.node && context->normed && layer->backward_weight ? layer->x.channels : 0;
	work->kept_score_items = heads * (keys->dropout > 0 ? 2.5 : 1);
	work->sums_forward = work->sums_backward = 1;
	work->is_block = true;
	tokens_finish(layer, kept, keeps);
	keeps->x = layer->backward_weight;
	return true;
}

const struct layer_type layer_type_attention = {
	.name = "attention",
	.summary =
		"attention with its projections: multi-head, grouped, latent, windowed, to another sequence",
	.may_join = true,
	.class_ = LAYER_ATTENTION,
	LAYER_FIELDS(fields),
	.defaults = {.causal = true, .key_bias = true, .index_weighted = true},
	.infer = infer,
};
