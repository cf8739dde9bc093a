/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>

#include "model/transformer_text.h"

static void write_heads(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	json_write_number(&text->writer, "heads", shape->heads);
	if (shape->kv_rank > 0) {
		text_unsigned(text, "q_rank", shape->q_rank);
		text_unsigned(text, "kv_rank", shape->kv_rank);
		text_unsigned(text, "rope_dim", shape->rope_dim);
		text_unsigned(text, "nope_dim", shape->nope_dim);
	} else {
		text_unsigned(text, "kv_heads", shape->kv_heads == shape->heads ? 0 : shape->kv_heads);
		text_unsigned(text, "head_dim", shape->head_dim);
		text_true(text, "qk_norm", shape->qk_norm);
		text_true(text, "qkv_bias", shape->qkv_bias && !shape->attention_bias);
	}
	text_unsigned(text, "value_dim", shape->value_dim);
	text_true(text, "bias", shape->attention_bias);
}

static void write_attention(struct text *text, unsigned window)
{
	const struct transformer_shape *const shape = text->shape;
	text_line_begin(text, "attn", "attention");
	write_heads(text);
	if (shape->bidirectional)
		json_write_bool(&text->writer, "causal", false);
	text_unsigned(text, "window", window);
	if (shape->unfused)
		json_write_text(&text->writer, "kernel", "unfused");
	text_share(text, "dropout", shape->attention_dropout);
	text_line_end(text);
}

static const char *activation(const struct transformer_shape *shape)
{
	if (shape->activation)
		return shape->activation;
	return shape->gated ? "silu" : "gelu";
}

static void write_mlp(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	text_line_begin(text, "mlp", "mlp");
	json_write_number(&text->writer, "hidden", shape->ffn > 0 ? shape->ffn : 4.0 * shape->hidden);
	json_write_text(&text->writer, "act", activation(shape));
	text_true(text, "gated", shape->gated);
	text_true(text, "bias", shape->mlp_bias);
	text_line_end(text);
}

static void write_moe(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	text_line_begin(text, "moe", "moe");
	json_write_number(&text->writer, "experts", shape->experts);
	json_write_number(&text->writer, "top_k", shape->top_k);
	json_write_number(&text->writer, "hidden", shape->moe_ffn > 0 ? shape->moe_ffn : shape->ffn);
	text_unsigned(text, "shared", shape->shared_ffn);
	text_true(text, "shared_gate", shape->shared_gate);
	json_write_text(&text->writer, "act", activation(shape));
	text_true(text, "gated", shape->gated);
	text_true(text, "bias", shape->expert_bias);
	text_true(text, "router_bias", shape->router_bias);
	text_share(text, "capacity", shape->capacity);
	text_share(text, "imbalance", shape->imbalance);
	text_line_end(text);
}

struct transformer_layer transformer_layer(const struct transformer_shape *shape, unsigned layer)
{
	const unsigned step = shape->moe_step > 0 ? shape->moe_step : 1;
	const bool sees_all = shape->window_period > 0 && (layer + 1) % shape->window_period == 0;
	return (struct transformer_layer){
		.moe = shape->experts > 0 && layer >= shape->first_dense && (layer + 1) % step == 0 &&
		       !(shape->dense && shape->dense[layer]),
		.window = sees_all ? 0 : shape->window,
	};
}

enum { NORM = 1, ATTENTION = 2, MLP = 4 };

/* A branch of a residual connection: a norm, then attention or the MLP. */
static void write_branch(struct text *text, const struct transformer_layer *layer, unsigned parts)
{
	json_begin_array(&text->writer, NULL);
	if (parts & NORM)
		text_norm(text, parts & ATTENTION ? "ln1" : "ln2");
	if (parts & ATTENTION)
		write_attention(text, layer->window);
	if (parts & MLP && layer->moe)
		write_moe(text);
	else if (parts & MLP)
		write_mlp(text);
	text_dropout(text);
	json_end_array(&text->writer);
}

static void write_residual(struct text *text, const struct transformer_layer *layer, unsigned parts)
{
	text_join_begin(text);
	write_branch(text, layer, parts);
	text_identity(text);
	text_join_end(text);
}

static void write_parallel(struct text *text, const struct transformer_layer *layer)
{
	const bool shared = text->shape->block == TRANSFORMER_PARALLEL_SHARED;
	const unsigned norm = shared ? 0 : NORM;
	text_join_begin(text);
	if (shared) {
		json_begin_array(&text->writer, NULL);
		text_norm(text, "ln1");
		text_join_begin(text);
	}
	write_branch(text, layer, norm | ATTENTION);
	write_branch(text, layer, norm | MLP);
	if (shared) {
		text_join_end(text);
		json_end_array(&text->writer);
	}
	text_identity(text);
	text_join_end(text);
}

void text_block(struct text *text, const struct transformer_layer *layer)
{
	const enum transformer_block form = text->shape->block;
	const unsigned norm = form == TRANSFORMER_POST_NORM ? 0 : NORM;
	if (form == TRANSFORMER_PARALLEL || form == TRANSFORMER_PARALLEL_SHARED) {
		write_parallel(text, layer);
		return;
	}
	write_residual(text, layer, norm | ATTENTION);
	if (form == TRANSFORMER_POST_NORM)
		text_norm(text, "ln1");
	write_residual(text, layer, norm | MLP);
	if (form == TRANSFORMER_POST_NORM)
		text_norm(text, "ln2");
}

/* Runs of equal blocks. The name of a run has the number of its first layer, unless it is the only one. */
void text_blocks(struct text *text)
{
	const unsigned layers = text->shape->layers;
	for (unsigned first = 0, end; first < layers; first = end) {
		const struct transformer_layer layer = transformer_layer(text->shape, first);
		for (end = first + 1; end < layers; end++) {
			const struct transformer_layer next = transformer_layer(text->shape, end);
			if (next.moe != layer.moe || next.window != layer.window)
				break;
		}
		text_group_begin(text, "block", end - first == layers ? UINT_MAX : first, end - first);
		text_block(text, &layer);
		text_group_end(text);
	}
}
