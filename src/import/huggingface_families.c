/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function for each kind of network. A fallback is the default of the class in transformers, which is what a key
 * that is not in the file means.
 */
#include <string.h>

#include "import/huggingface.h"

static void read_activation(struct config *config, struct transformer_shape *shape, const char *fallback)
{
	static const struct {
		const char *name, *is;
	} known[] = {
		{"silu", "silu"},
		{"swish", "silu"},
		{"relu", "relu"},
		{"relu2", "relu2"},
		{"gelu", "gelu"},
		{"gelu_new", "gelu"},
		{"gelu_fast", "gelu"},
		{"gelu_pytorch_tanh", "gelu"},
		{"quick_gelu", "gelu"},
	};
	const char *const name =
		config_text(config, "hidden_act|hidden_activation|activation_function|activation", fallback);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0)
			shape->activation = known[i].is;
	if (shape->activation)
		return;
	shape->activation = "gelu";
	warn(config->warnings, "activation \"%.40s\" is taken as gelu", name);
}

static void read_width(struct config *config, struct transformer_shape *shape)
{
	shape->hidden = config_required(config, "hidden_size|n_embd|n_embed|d_model");
	shape->layers = config_required(config, "num_hidden_layers|n_layer|n_layers");
	shape->heads = config_required(config, "num_attention_heads|n_head|n_heads");
	shape->vocabulary = config_required(config, "vocab_size");
}

static void read_tied(struct config *config, struct transformer_shape *shape, bool fallback)
{
	shape->tied = config_bool(config, "tie_word_embeddings", fallback);
}

static void read_window(struct config *config, struct transformer_shape *shape, unsigned fallback)
{
	const struct json *const window = json_member(config->node, "sliding_window");
	shape->window = window ? config_unsigned(config, "sliding_window", 0) : fallback;
}

void config_read_llama(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	shape->norm = TRANSFORMER_RMS_NORM;
	shape->gated = true;
	shape->ffn = config_required(config, "intermediate_size");
	shape->kv_heads = config_unsigned(config, "num_key_value_heads", shape->heads);
	shape->head_dim = config_unsigned(config, "head_dim", 0);
	shape->attention_bias = config_bool(config, "attention_bias", false);
	shape->mlp_bias = config_bool(config, "mlp_bias", false);
	shape->attention_dropout = config_share(config, "attention_dropout", 0);
	read_tied(config, shape, false);
	read_activation(config, shape, "silu");
}

static void read_mistral(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	read_window(config, shape, 4096);
}

static void read_mixtral(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	read_window(config, shape, 0);
	shape->experts = config_unsigned(config, "num_local_experts", 8);
	shape->top_k = config_unsigned(config, "num_experts_per_tok", 2);
}

static void read_phi3(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	read_window(config, shape, 0);
	shape->dropout = config_share(config, "resid_pdrop", 0);
}

static void read_gemma(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	read_tied(config, shape, true);
	shape->head_dim = config_unsigned(config, "head_dim", 256);
	shape->activation = "gelu";
}

static void read_qwen_window(struct config *config, struct transformer_shape *shape)
{
	if (!config_bool(config, "use_sliding_window", false))
		return;
	read_window(config, shape, 4096);
	warn(config->warnings,
		"use_sliding_window: every layer gets the window, whatever max_window_layers is");
}

static void read_qwen2(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	shape->qkv_bias = true; /* no key says so */
	read_qwen_window(config, shape);
}

static void read_qwen3(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	shape->head_dim = config_unsigned(config, "head_dim", 128);
	shape->qk_norm = true;
	read_qwen_window(config, shape);
}

/* Layers that are dense though their number says experts. */
static void read_dense_layers(struct config *config, struct transformer_shape *shape, const char *key)
{
	const struct json *const list = config_find(config, key);
	bool *dense = NULL;
	if (config->failed || !list || shape->layers > CONFIG_LAYERS_MAX)
		return;
	if (list->kind == JSON_ARRAY)
		dense = arena_alloc(config->arena, shape->layers, sizeof(*dense));
	config->failed = !dense;
	if (!dense) {
		json_error(list, config->error, "must be an array of the numbers of layers");
		return;
	}
	shape->dense = dense;
	for (const struct json *node = list->child; node && !config->failed; node = node->next) {
		const struct json_field field = {
			.key = "a layer", .type = JSON_TO_UNSIGNED, .min = 0, .max = shape->layers - 1.0};
		unsigned layer = 0;
		config->failed = !json_read_value(node, &field, &layer, config->error);
		dense[layer] = true;
	}
}

static void read_qwen_experts(struct config *config, struct transformer_shape *shape, unsigned experts,
	unsigned top_k, unsigned width)
{
	shape->experts = config_unsigned(config, "num_experts", experts);
	shape->top_k = config_unsigned(config, "num_experts_per_tok", top_k);
	shape->moe_ffn = config_unsigned(config, "moe_intermediate_size", width);
	shape->moe_step = config_unsigned(config, "decoder_sparse_step", 1);
	read_dense_layers(config, shape, "mlp_only_layers");
}

static void read_qwen2_moe(struct config *config, struct transformer_shape *shape)
{
	read_qwen2(config, shape);
	read_qwen_experts(config, shape, 60, 4, 1408);
	shape->shared_ffn = config_unsigned(config, "shared_expert_intermediate_size", 5632);
	shape->shared_gate = shape->shared_ffn > 0;
}

static void read_qwen3_moe(struct config *config, struct transformer_shape *shape)
{
	read_qwen3(config, shape);
	shape->head_dim = config_unsigned(config, "head_dim", 0);
	read_qwen_experts(config, shape, 128, 8, 768);
}

static void read_latent(struct config *config, struct transformer_shape *shape)
{
	shape->kv_rank = config_unsigned(config, "kv_lora_rank", 512);
	shape->q_rank = config_unsigned(config, "q_lora_rank", 0);
	shape->nope_dim = config_unsigned(config, "qk_nope_head_dim", 128);
	shape->rope_dim = config_unsigned(config, "qk_rope_head_dim", 64);
	shape->value_dim = config_unsigned(config, "v_head_dim", 128);
	shape->kv_heads = shape->head_dim = 0; /* head_dim is that of the rotary part there */
	if (shape->value_dim == shape->nope_dim)
		shape->value_dim = 0;
}

static void read_deepseek(struct config *config, struct transformer_shape *shape)
{
	config_read_llama(config, shape);
	read_latent(config, shape);
	shape->experts = config_unsigned(config, "n_routed_experts", 0);
	shape->top_k = config_unsigned(config, "num_experts_per_tok", 8);
	shape->moe_ffn = config_unsigned(config, "moe_intermediate_size", 0);
	shape->first_dense = config_unsigned(config, "first_k_dense_replace", 0);
	const double shared = (double)shape->moe_ffn * config_unsigned(config, "n_shared_experts", 0);
	if (shared <= 2147483647)
		shape->shared_ffn = (unsigned)shared;
	if (config_unsigned(config, "moe_layer_freq", 1) > 1)
		warn(config->warnings, "moe_layer_freq is taken as 1: every layer after the first dense ones "
				       "has experts");
	if (config_unsigned(config, "num_nextn_predict_layers", 0) > 0)
		warn(config->warnings, "num_nextn_predict_layers: modules of multi-token prediction are left "
				       "out, as in published counts");
}

static void read_deepseek_v3(struct config *config, struct transformer_shape *shape)
{
	read_deepseek(config, shape);
	shape->router_bias = true; /* balances the experts without a loss of its own */
}

static void read_biases(struct transformer_shape *shape)
{
	shape->attention_bias = shape->mlp_bias = true;
}

static void read_gpt2(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	read_biases(shape);
	read_tied(config, shape, true);
	shape->ffn = config_unsigned(config, "n_inner", 0);
	shape->positions = config_unsigned(config, "n_positions|max_position_embeddings", 1024);
	shape->dropout = config_share(config, "resid_pdrop", 0.1);
	shape->attention_dropout = config_share(config, "attn_pdrop", 0.1);
	read_activation(config, shape, "gelu_new");
}

static void read_gpt_neox(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	shape->mlp_bias = true;
	shape->attention_bias = config_bool(config, "attention_bias", true);
	shape->ffn = config_unsigned(config, "intermediate_size", 24576);
	shape->block = config_bool(config, "use_parallel_residual", true) ? TRANSFORMER_PARALLEL
									  : TRANSFORMER_PRE_NORM;
	shape->dropout = config_share(config, "hidden_dropout", 0);
	shape->attention_dropout = config_share(config, "attention_dropout", 0);
	read_tied(config, shape, false);
	read_activation(config, shape, "gelu");
}

static void read_opt(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	shape->attention_bias = shape->mlp_bias = config_bool(config, "enable_bias", true);
	shape->ffn = config_unsigned(config, "ffn_dim", 3072);
	shape->positions = config_unsigned(config, "max_position_embeddings", 2048);
	shape->embedding = config_unsigned(config, "word_embed_proj_dim", shape->hidden);
	if (!config_bool(config, "do_layer_norm_before", true))
		shape->block = TRANSFORMER_POST_NORM;
	shape->dropout = config_share(config, "dropout", 0.1);
	shape->attention_dropout = config_share(config, "attention_dropout", 0);
	read_tied(config, shape, true);
	read_activation(config, shape, "relu");
	shape->sequence = shape->positions;
	shape->positions += 2; /* the table begins with two rows for padding */
}

static void read_bloom(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	read_biases(shape);
	shape->embedding_norm = true;
	shape->dropout = config_share(config, "hidden_dropout", 0);
	shape->attention_dropout = config_share(config, "attention_dropout", 0);
	shape->sequence = config_unsigned(config, "seq_length", 2048);
	shape->activation = "gelu";
	read_tied(config, shape, true);
}

static void read_falcon(struct config *config, struct transformer_shape *shape)
{
	const bool grouped = config_bool(config, "new_decoder_architecture", false);
	read_width(config, shape);
	shape->attention_bias = shape->mlp_bias = config_bool(config, "bias", false);
	if (grouped)
		shape->kv_heads = config_unsigned(config, "num_kv_heads|n_head_kv", shape->heads);
	else
		shape->kv_heads = config_bool(config, "multi_query", true) ? 1 : shape->heads;
	shape->ffn = config_unsigned(config, "ffn_hidden_size", 0);
	if (grouped)
		shape->block = TRANSFORMER_PARALLEL;
	else if (config_bool(config, "parallel_attn", true))
		shape->block = TRANSFORMER_PARALLEL_SHARED;
	shape->dropout = config_share(config, "hidden_dropout", 0);
	shape->attention_dropout = config_share(config, "attention_dropout", 0);
	shape->activation = "gelu";
	shape->sequence = config_unsigned(config, "max_position_embeddings", 2048);
	read_tied(config, shape, true);
}

static void read_phi(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	read_biases(shape);
	shape->head_bias = true;
	shape->block = TRANSFORMER_PARALLEL_SHARED;
	shape->kv_heads = config_unsigned(config, "num_key_value_heads", shape->heads);
	shape->ffn = config_unsigned(config, "intermediate_size", 8192);
	shape->dropout = config_share(config, "resid_pdrop", 0);
	read_tied(config, shape, false);
	read_activation(config, shape, "gelu_new");
}

static void read_encoder(struct config *config, struct transformer_shape *shape)
{
	read_biases(shape);
	shape->bidirectional = true;
	shape->ffn = config_unsigned(config, "intermediate_size", 3072);
	shape->dropout = config_share(config, "hidden_dropout_prob", 0.1);
	shape->attention_dropout = config_share(config, "attention_probs_dropout_prob", 0.1);
	read_activation(config, shape, "gelu");
}

/* 15 % of the tokens are predicted. */
static void read_bert(struct config *config, struct transformer_shape *shape)
{
	read_width(config, shape);
	read_encoder(config, shape);
	read_tied(config, shape, true);
	shape->block = TRANSFORMER_POST_NORM;
	shape->end = TRANSFORMER_MASKED;
	shape->embedding_norm = true;
	shape->types = config_unsigned(config, "type_vocab_size", 2);
	shape->positions = config_unsigned(config, "max_position_embeddings", 512);
	shape->sequence = shape->positions;
	warn(config->warnings,
		"encoder and pooler, as their parameters are counted, and the tied head over 15 %% "
		"of the tokens; its transform and other heads are left out");
}

/* Positions are numbered from the padding's number + 1. */
static void read_roberta(struct config *config, struct transformer_shape *shape)
{
	const unsigned padding = config_unsigned(config, "pad_token_id", 1);
	read_bert(config, shape);
	if (shape->positions > padding + 1)
		shape->sequence = shape->positions - padding - 1;
}

static void read_vit(struct config *config, struct transformer_shape *shape)
{
	const struct json *const labels = config_find(config, "id2label");
	shape->hidden = config_required(config, "hidden_size");
	shape->layers = config_required(config, "num_hidden_layers");
	shape->heads = config_required(config, "num_attention_heads");
	read_encoder(config, shape);
	shape->dropout = config_share(config, "hidden_dropout_prob", 0);
	shape->attention_dropout = config_share(config, "attention_probs_dropout_prob", 0);
	if (!config_bool(config, "qkv_bias", true))
		warn(config->warnings,
			"qkv_bias: the projections of queries, keys and values get a bias all the same");
	shape->end = TRANSFORMER_CLASSES;
	shape->image = config_unsigned(config, "image_size", 224);
	shape->patch = config_unsigned(config, "patch_size", 16);
	shape->image_channels = config_unsigned(config, "num_channels", 3);
	shape->classes = labels ? labels->count : config_unsigned(config, "num_labels", 1000);
	if (shape->patch > 0 && shape->image <= 65535)
		shape->positions = (shape->image / shape->patch) * (shape->image / shape->patch) + 1;
	if (!labels && !config_find(config, "num_labels"))
		warn(config->warnings, "no id2label: it tells 1000 classes apart");
}

static void read_deit(struct config *config, struct transformer_shape *shape)
{
	read_vit(config, shape);
	warn(config->warnings, "the token of distillation, its position and its head are left out");
}

const struct config_family config_families[] = {
	{"llama", config_read_llama},
	{"mistral", read_mistral},
	{"mixtral", read_mixtral},
	{"qwen2", read_qwen2},
	{"qwen3", read_qwen3},
	{"qwen2_moe", read_qwen2_moe},
	{"qwen3_moe", read_qwen3_moe},
	{"deepseek_v2", read_deepseek},
	{"deepseek_v3", read_deepseek_v3},
	{"gemma", read_gemma},
	{"phi3", read_phi3},
	{"gpt2", read_gpt2},
	{"gpt_neox", read_gpt_neox},
	{"opt", read_opt},
	{"bloom", read_bloom},
	{"falcon", read_falcon},
	{"phi", read_phi},
	{"bert", read_bert},
	{"roberta", read_roberta},
	{"vit", read_vit},
	{"deit", read_deit},
	{"qwen2_vl", read_qwen2},
	{"qwen2_vl_text", read_qwen2},
	{"qwen2_5_vl", read_qwen2},
	{"qwen2_5_vl_text", read_qwen2},
	{"qwen3_vl_text", read_qwen3},
	{"qwen3_vl_moe_text", read_qwen3_moe},
	{NULL, NULL},
};
