/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "model/transformer.h"

static unsigned either(unsigned second, unsigned first)
{
	return second > 0 ? second : first;
}

/* Returns the shape with the attention of this layer: that of the second kind, or another way to choose keys. */
static struct transformer_shape shape_of(
	const struct transformer_shape *shape, const struct transformer_layer *layer)
{
	struct transformer_shape own = *shape;
	if (layer->second) {
		own.heads = either(shape->second.heads, shape->heads);
		own.kv_heads = either(shape->second.kv_heads, shape->kv_heads);
		own.head_dim = either(shape->second.head_dim, shape->head_dim);
		own.value_dim = either(shape->second.value_dim, shape->value_dim);
		own.sinks = shape->second.sinks;
		own.keys_are_values = shape->second.keys_are_values;
	}
	if (layer->no_index || layer->all_keys)
		own.index_heads = own.index_dim = 0;
	if (layer->all_keys)
		own.top_keys = 0;
	return own;
}

static void write_heads(struct text *text, const struct transformer_shape *shape)
{
	json_write_number(&text->writer, "heads", shape->heads);
	if (shape->kv_rank > 0) {
		text_unsigned(text, "q_rank", shape->q_rank);
		text_unsigned(text, "kv_rank", shape->kv_rank);
		text_unsigned(text, "rope_dim", shape->rope_dim);
		text_unsigned(text, "nope_dim", shape->nope_dim);
	} else {
		text_unsigned(text, "kv_heads", shape->kv_heads == shape->heads ? 0 : shape->kv_heads);
		text_unsigned(text, "head_dim", shape->head_dim);
		text_true(text, "qk_norm", shape->qk_norm || shape->qk_norm_heads);
		text_true(text, "qk_norm_heads", shape->qk_norm_heads);
		text_true(text, "qkv_bias", shape->qkv_bias && !shape->attention_bias && !shape->out_bias);
		if (shape->key_unbiased)
			json_write_bool(&text->writer, "key_bias", false);
		text_true(text, "gate", shape->gate);
		text_true(text, "head_gate", shape->head_gate);
		text_true(text, "keys_are_values", shape->keys_are_values);
	}
	text_unsigned(text, "value_dim",
		shape->value_dim == shape->head_dim && shape->kv_rank == 0 ? 0 : shape->value_dim);
	text_true(text, "bias", shape->attention_bias || shape->out_bias);
	if (shape->out_bias)
		json_write_bool(&text->writer, "qkv_bias", shape->qkv_bias);
	text_true(text, "sinks", shape->sinks);
	text_unsigned(text, "top_keys", shape->top_keys);
	text_unsigned(text, "index_heads", shape->index_heads);
	text_unsigned(text, "index_dim", shape->index_dim);
	if (shape->index_heads > 0 && shape->index_unweighted)
		json_write_bool(&text->writer, "index_weighted", false);
}

static void write_attention(struct text *text, const struct transformer_layer *layer)
{
	const struct transformer_shape shape = shape_of(text->shape, layer);
	text_line_begin(text, "attn", "attention");
	write_heads(text, &shape);
	if (shape.bidirectional)
		json_write_bool(&text->writer, "causal", false);
	text_unsigned(text, "window", layer->window);
	text_unsigned(text, "positions", layer->table ? shape.relative_positions : 0);
	if (shape.unfused)
		json_write_text(&text->writer, "kernel", "unfused");
	text_share(text, "dropout", shape.attention_dropout);
	text_share(text, "rope_theta", shape.rope_theta);
	text_line_end(text);
}

/* Writes attention to the encoder's tokens, from the output of the layer called `queries`. */
static void write_cross(struct text *text, const char *queries)
{
	text_line_begin(text, "cross", "attention");
	json_begin_array(&text->writer, "from");
	json_write_text(&text->writer, NULL, queries);
	json_write_text(&text->writer, NULL, text->source);
	json_end_array(&text->writer);
	write_heads(text, text->shape);
	json_write_bool(&text->writer, "causal", false);
	if (text->shape->unfused)
		json_write_text(&text->writer, "kernel", "unfused");
	text_share(text, "dropout", text->shape->attention_dropout);
	text_line_end(text);
}

static void write_recurrent(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	text_line_begin(text, "mix", "recurrent");
	json_write_text(&text->writer, "kind", shape->recurrence);
	text_unsigned(text, "heads", shape->state_heads);
	text_unsigned(text, "key_heads", shape->state_groups);
	text_unsigned(text, "key_dim", shape->state_dim);
	text_unsigned(text, "value_dim", shape->state_values);
	text_unsigned(text, "conv", shape->conv);
	text_unsigned(text, "chunk", shape->chunk);
	text_unsigned(text, "rank", shape->step_rank);
	text_true(text, "bias", shape->recurrent_bias);
	text_true(text, "conv_bias", shape->conv_bias);
	text_line_end(text);
}

static const char *activation(const struct transformer_shape *shape)
{
	if (shape->activation)
		return shape->activation;
	return shape->gated ? "silu" : "gelu";
}

void text_mlp(struct text *text)
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
	text_true(text, "router_scale", shape->router_scale);
	text_unsigned(text, "expert_width", shape->expert_width);
	text_share(text, "capacity", shape->capacity);
	text_share(text, "imbalance", shape->imbalance);
	text_line_end(text);
}

struct transformer_layer transformer_layer(const struct transformer_shape *shape, unsigned layer)
{
	if (shape->pattern)
		return shape->pattern[layer];
	const unsigned step = shape->moe_step > 0 ? shape->moe_step : 1;
	const bool sees_all = shape->window_period > 0 && (layer + 1) % shape->window_period == 0;
	return (struct transformer_layer){
		.moe = shape->experts > 0 && layer >= shape->first_dense && (layer + 1) % step == 0 &&
		       !(shape->dense && shape->dense[layer]),
		.window = sees_all ? 0 : shape->window,
		.table = shape->relative_positions > 0 && (layer == 0 || shape->relative_everywhere),
	};
}

enum { NORM = 1, ATTENTION = 2, MLP = 4, NORM_AFTER = 8, CROSS = 16 };

/* Writes an MLP and experts side by side, each between norms of its own. */
static void write_beside(struct text *text)
{
	text_join_begin(text);
	for (unsigned i = 0; i < 2; i++) {
		json_begin_array(&text->writer, NULL);
		text_norm(text, i == 0 ? "ln2" : "ln3");
		if (i == 0)
			text_mlp(text);
		else
			write_moe(text);
		text_norm(text, i == 0 ? "mlp_norm" : "moe_norm");
		json_end_array(&text->writer);
	}
	text_join_end(text);
}

static void write_part(struct text *text, const struct transformer_layer *layer, unsigned parts)
{
	if (parts & CROSS)
		write_cross(text, parts & NORM ? "ln_cross" : "ln1");
	if (parts & ATTENTION && layer->recurrent)
		write_recurrent(text);
	else if (parts & ATTENTION)
		write_attention(text, layer);
	if (!(parts & MLP))
		return;
	if (layer->moe && text->shape->moe_beside)
		write_beside(text);
	else if (layer->moe)
		write_moe(text);
	else
		text_mlp(text);
}

/* Writes a branch of a residual connection: norms, attention or the MLP. */
static void write_branch(struct text *text, const struct transformer_layer *layer, unsigned parts)
{
	const bool own_norms = parts & MLP && layer->moe && text->shape->moe_beside;
	json_begin_array(&text->writer, NULL);
	if (parts & NORM && !own_norms)
		text_norm(text, parts & ATTENTION ? "ln1" : parts & CROSS ? "ln_cross" : "ln2");
	if (text->shape->conditions > 0) {
		text_modulate(text, "multiply");
		text_modulate(text, "add");
	}
	write_part(text, layer, parts);
	if (text->shape->conditions > 0)
		text_modulate(text, "multiply");
	if (parts & NORM_AFTER)
		text_norm(text, parts & ATTENTION ? "ln1_after" : "ln2_after");
	if (text->shape->layer_scale)
		text_kind(text, NULL, "norm", "scale");
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

/* Returns the weights that make a block's condition: a table, and two products of a time of 256 items. */
static double condition_weights(const struct transformer_shape *shape)
{
	enum { TIME = 256 };
	const double hidden = shape->hidden;
	return shape->conditions > 0 ? hidden * (shape->conditions + 1.0 + TIME + 1 + hidden + 1) : 0;
}

void text_block(struct text *text, const struct transformer_layer *layer)
{
	const enum transformer_block form = text->shape->block;
	const bool after = form == TRANSFORMER_SANDWICH || form == TRANSFORMER_BRANCH_NORM;
	const unsigned norm = (form == TRANSFORMER_POST_NORM || form == TRANSFORMER_BRANCH_NORM ? 0 : NORM) |
			      (after ? NORM_AFTER : 0);
	if (form == TRANSFORMER_PARALLEL || form == TRANSFORMER_PARALLEL_SHARED) {
		write_parallel(text, layer);
		return;
	}
	text_held(text, "conditions", condition_weights(text->shape), false);
	if (!layer->no_mixer)
		write_residual(text, layer, norm | ATTENTION);
	if (form == TRANSFORMER_POST_NORM)
		text_norm(text, "ln1");
	if (text->source[0] != '\0')
		write_residual(text, layer, norm | CROSS);
	if (text->source[0] != '\0' && form == TRANSFORMER_POST_NORM)
		text_norm(text, "ln_cross");
	if (!layer->no_mlp)
		write_residual(text, layer, norm | MLP);
	if (form == TRANSFORMER_POST_NORM)
		text_norm(text, "ln2");
}

static bool layers_equal(const struct transformer_layer *a, const struct transformer_layer *b)
{
	return a->moe == b->moe && a->window == b->window && a->recurrent == b->recurrent &&
	       a->no_mixer == b->no_mixer && a->no_mlp == b->no_mlp && a->second == b->second &&
	       a->no_index == b->no_index && a->all_keys == b->all_keys && a->table == b->table;
}

/*
 * Writes the blocks, a group for each run of equal ones. The name of a run has the number of its first layer, unless
 * it is the only one.
 */
void text_blocks(struct text *text)
{
	const unsigned layers = text->shape->layers;
	for (unsigned first = 0, end; first < layers; first = end) {
		const struct transformer_layer layer = transformer_layer(text->shape, first);
		for (end = first + 1; end < layers; end++) {
			const struct transformer_layer next = transformer_layer(text->shape, end);
			if (!layers_equal(&next, &layer))
				break;
		}
		char number[12] = "";
		if (end - first < layers)
			(void)snprintf(number, sizeof number, "%u", first);
		(void)snprintf(text->last, sizeof text->last, "%s%s", text->stack, number);
		text_group_begin(text, text->stack, end - first == layers ? UINT_MAX : first, end - first);
		text_block(text, &layer);
		text_group_end(text);
	}
}
