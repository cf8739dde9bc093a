/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>

#include "model/transformer.h"

static void write_head(struct text *text, const char *name, bool tied)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->embedding > 0 && shape->embedding != shape->hidden)
		text_linear(text, "embed_out", shape->embedding, false);
	text_line_begin(text, name, "head");
	json_write_text(&text->writer, "out", "$vocab");
	if (tied)
		json_write_text(&text->writer, "tied", "embed");
	text_true(text, "bias", shape->head_bias);
	text_line_end(text);
	text_kind(text, NULL, "loss", "cross-entropy");
}

/*
 * Writes a module that predicts a further token (DeepSeek-V3, 2024): the norms of the last block's output and of the
 * next token's embedding side by side, a product that halves them, a block, a norm and the same head. The embedding's
 * look-up costs next to nothing, so the output stands for it here.
 */
static void write_further(struct text *text)
{
	const struct transformer_layer layer = transformer_layer(text->shape, text->shape->layers - 1);
	json_begin_array(&text->writer, NULL);
	text_group_begin(text, "mtp", UINT_MAX, 1);
	json_begin_object(&text->writer, NULL);
	json_write_text(&text->writer, "type", "concat");
	json_begin_array(&text->writer, "branches");
	for (unsigned i = 0; i < 2; i++) {
		json_begin_array(&text->writer, NULL);
		text_norm(text, i == 0 ? "hidden_norm" : "embed_norm");
		json_end_array(&text->writer);
	}
	json_end_array(&text->writer);
	json_end_object(&text->writer);
	text_linear(text, "project", text->shape->hidden, false);
	text_block(text, &layer);
	text_norm(text, "norm");
	write_head(text, "head", true);
	text_group_end(text);
	json_end_array(&text->writer);
}

static void write_prediction(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->mtp > 0) {
		text_join_begin(text);
		json_begin_array(&text->writer, NULL);
	}
	if (shape->block != TRANSFORMER_POST_NORM)
		text_norm(text, "norm");
	write_head(text, "head", shape->tied);
	if (shape->mtp == 0)
		return;
	json_end_array(&text->writer);
	for (unsigned i = 0; i < shape->mtp; i++)
		write_further(text);
	text_join_end(text);
}

static void write_pooler(struct text *text)
{
	text_kind(text, NULL, "pool", "first");
	text_linear(text, "pooler", text->shape->hidden, true);
	text_kind(text, NULL, "act", "tanh");
	text_kind(text, NULL, "loss", "none");
}

/*
 * Writes the end of a masked language model. The masked tokens have a loss; that of the pooler's vector is not worth
 * counting.
 */
static void write_masked(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->block != TRANSFORMER_POST_NORM)
		text_norm(text, "norm");
	text_join_begin(text);
	json_begin_array(&text->writer, NULL);
	if (shape->masked_tokens > 0) {
		text_line_begin(text, NULL, "pool");
		json_write_text(&text->writer, "kind", "masked");
		json_write_number(&text->writer, "tokens", shape->masked_tokens);
		text_line_end(text);
	}
	write_head(text, "head", shape->tied);
	json_end_array(&text->writer);
	json_begin_array(&text->writer, NULL);
	write_pooler(text);
	json_end_array(&text->writer);
	text_join_end(text);
}

static void write_classes(struct text *text)
{
	if (text->shape->block != TRANSFORMER_POST_NORM)
		text_norm(text, "norm");
	text_kind(text, NULL, "pool", "first");
	text_linear(text, "head", text->shape->classes, true);
	text_kind(text, NULL, "loss", "cross-entropy");
}

void text_ending(struct text *text)
{
	switch (text->shape->end) {
	case TRANSFORMER_PREDICTS:
		write_prediction(text);
		break;
	case TRANSFORMER_MASKED:
		write_masked(text);
		break;
	case TRANSFORMER_CLASSES:
		write_classes(text);
		break;
	}
}
