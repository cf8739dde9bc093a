/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a transformer as the text of a model file, and builds it: the words of its layers, the ends and the header. */
#include "model/transformer.h"
#include "base/error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_line_begin(struct text *text, const char *name, const char *type)
{
	json_begin_object(&text->writer, NULL);
	text->writer.compact = true;
	if (name)
		json_write_text(&text->writer, "name", name);
	json_write_text(&text->writer, "type", type);
}

void text_line_end(struct text *text)
{
	json_end_object(&text->writer);
	text->writer.compact = false;
}

void text_unsigned(struct text *text, const char *key, unsigned value)
{
	if (value > 0)
		json_write_number(&text->writer, key, value);
}

void text_true(struct text *text, const char *key, bool value)
{
	if (value)
		json_write_bool(&text->writer, key, true);
}

void text_share(struct text *text, const char *key, double value)
{
	if (value > 0)
		json_write_number(&text->writer, key, value);
}

void text_kind(struct text *text, const char *name, const char *type, const char *kind)
{
	text_line_begin(text, name, type);
	json_write_text(&text->writer, "kind", kind);
	text_line_end(text);
}

void text_norm(struct text *text, const char *name)
{
	const enum transformer_norm norm = text->shape->norm;
	text_line_begin(text, name, "norm");
	json_write_text(&text->writer, "kind", norm == TRANSFORMER_RMS_NORM ? "rms" : "layer");
	if (norm == TRANSFORMER_SCALE_NORM)
		json_write_bool(&text->writer, "bias", false);
	if (norm == TRANSFORMER_BARE_NORM)
		json_write_bool(&text->writer, "scale", false);
	text_line_end(text);
}

void text_dropout(struct text *text)
{
	if (!(text->shape->dropout > 0))
		return;
	text_line_begin(text, NULL, "dropout");
	json_write_number(&text->writer, "p", text->shape->dropout);
	text_line_end(text);
}

void text_linear(struct text *text, const char *name, double out, bool bias)
{
	text_line_begin(text, name, "linear");
	json_write_number(&text->writer, "out", out);
	if (!bias)
		json_write_bool(&text->writer, "bias", false);
	text_line_end(text);
}

void text_join_begin(struct text *text)
{
	json_begin_object(&text->writer, NULL);
	json_write_text(&text->writer, "type", "add");
	json_begin_array(&text->writer, "branches");
}

void text_join_end(struct text *text)
{
	json_end_array(&text->writer);
	json_end_object(&text->writer);
}

void text_identity(struct text *text)
{
	json_begin_array(&text->writer, NULL);
	json_end_array(&text->writer);
}

void text_group_begin(struct text *text, const char *name, unsigned number, unsigned repeat)
{
	char numbered[32];
	(void)snprintf(numbered, sizeof(numbered), "%s%u", name, number);
	json_begin_object(&text->writer, NULL);
	json_write_text(&text->writer, "name", number == UINT_MAX ? name : numbered);
	json_write_number(&text->writer, "repeat", repeat);
	json_begin_array(&text->writer, "layers");
}

void text_group_end(struct text *text)
{
	json_end_array(&text->writer);
	json_end_object(&text->writer);
}

static void write_head(struct text *text, const char *name, bool tied)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->embedding > 0 && shape->embedding != shape->hidden)
		text_linear(text, "embed_out", shape->embedding, false);
	text_line_begin(text, name, "head");
	json_write_text(&text->writer, "out", "$vocab");
	if (tied)
		json_write_text(&text->writer, "tied", text->table);
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
	if (!shape->unpooled) {
		text_join_begin(text);
		json_begin_array(&text->writer, NULL);
	}
	if (shape->masked_share > 0 || shape->masked_tokens > 0) {
		text_line_begin(text, NULL, "pool");
		json_write_text(&text->writer, "kind", "masked");
		if (shape->masked_share > 0)
			json_write_number(&text->writer, "share", shape->masked_share);
		else
			json_write_number(&text->writer, "tokens", shape->masked_tokens);
		text_line_end(text);
	}
	write_head(text, "head", shape->tied);
	if (shape->unpooled)
		return;
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
	case TRANSFORMER_DENOISES:
		text_norm(text, "norm");
		text_modulate(text, "multiply");
		text_modulate(text, "add");
		text_linear(text, "head",
			(double)text->shape->patch * text->shape->patch * text->shape->classes, true);
		text_kind(text, NULL, "loss", "mse");
		break;
	case TRANSFORMER_VECTOR:
		text_vector(text, NULL);
		text_kind(text, NULL, "loss", "none");
		break;
	}
}

/* Writes the input: a sequence, an image, or the spectrum of a sound. */
static void write_input(struct text *text, const struct transformer_shape *first)
{
	struct json_writer *const writer = &text->writer;
	const bool is_image = first->patch > 0;
	json_begin_object(writer, "input");
	writer->compact = true;
	if (!is_image && first->audio == 0) {
		json_write_text(writer, "tokens", "$seq");
	} else {
		json_write_number(writer, "channels", is_image ? first->image_channels : first->audio);
		json_begin_array(writer, "shape");
		json_write_number(writer, NULL, is_image ? first->image : 2.0 * first->sequence);
		if (is_image)
			json_write_number(writer, NULL, first->image);
		json_end_array(writer);
	}
	json_end_object(writer);
	writer->compact = false;
}

static void write_dims(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	const struct transformer_shape *const first = shape->encoder ? shape->encoder : shape;
	struct json_writer *const writer = &text->writer;
	json_begin_object(writer, "dims");
	writer->compact = true;
	json_write_number(writer, "hidden", shape->hidden);
	text_unsigned(text, "vocab", shape->patch == 0 ? shape->vocabulary : 0);
	if (first->patch == 0 && first->audio == 0)
		json_write_number(writer, "seq", first->sequence);
	if (shape->encoder)
		json_write_number(writer, "target", shape->sequence);
	json_end_object(writer);
	writer->compact = false;
	write_input(text, first);
}

static void write_training(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	struct json_writer *const writer = &text->writer;
	json_begin_object(writer, "training");
	writer->compact = true;
	json_write_text(writer, "precision", shape->precision ? shape->precision : "bf16-mixed");
	json_write_text(writer, "optimizer", shape->optimizer ? shape->optimizer : "adamw");
	text_unsigned(text, "batch_per_gpu", shape->batch_per_gpu);
	text_unsigned(text, "batch", shape->batch);
	json_end_object(writer);
	writer->compact = false;
	if (shape->inference_precision || shape->inference_positions) {
		json_begin_object(writer, "inference");
		writer->compact = true;
		if (shape->inference_precision)
			json_write_text(writer, "precision", shape->inference_precision);
		text_unsigned(text, "positions", shape->inference_positions);
		json_end_object(writer);
		writer->compact = false;
	}
	if (!shape->dataset)
		return;
	json_begin_object(writer, "dataset");
	writer->compact = true;
	json_write_text(writer, "name", shape->dataset);
	text_share(text, "tokens", shape->dataset_tokens);
	if (shape->token_size)
		json_write_text(writer, "token_size", shape->token_size);
	text_share(text, "samples", shape->dataset_samples);
	text_share(text, "validation_samples", shape->dataset_validation_samples);
	if (shape->sample_size)
		json_write_text(writer, "sample_size", shape->sample_size);
	if (shape->encoding)
		json_write_text(writer, "encoding", shape->encoding);
	text_share(text, "classes", shape->dataset_classes);
	json_end_object(writer);
	writer->compact = false;
}

static void write_header(struct text *text)
{
	struct json_writer *const writer = &text->writer;
	json_write_text(writer, "format", "paradl-model");
	json_write_number(writer, "version", FORMAT_VERSION);
	json_write_text(writer, "name", text->shape->name ? text->shape->name : "transformer");
	if (text->shape->source)
		json_write_text(writer, "_source", text->shape->source);
	write_dims(text);
	write_training(text);
}

static void write_model(struct text *text)
{
	json_begin_object(&text->writer, NULL);
	write_header(text);
	json_begin_array(&text->writer, "layers");
	if (text->shape->encoder)
		text_encoder(text);
	text_embedding(text);
	text_condition(text);
	text_blocks(text);
	if (text->shape->encoder && text->shape->projection > 0)
		text_towers(text);
	else
		text_ending(text);
	json_end_array(&text->writer);
	json_end_object(&text->writer);
}

const char *transformer_write(
	struct paradl_arena *arena, const struct transformer_shape *shape, struct paradl_error *error)
{
	char *buffer = NULL;
	const char *copy = NULL;
	size_t length = 0;
	struct text text = {.writer = {.file = open_memstream(&buffer, &length), .spaced = true},
		.shape = shape,
		.whole = shape,
		.stack = shape->encoder ? shape->projection > 0 ? "text" : "decoder" : "block",
		.table = shape->encoder && !shape->embedding_shared ? "target" : "embed"};
	if (text.writer.file) {
		write_model(&text);
		if (fclose(text.writer.file) == 0)
			copy = arena_copy(arena, buffer, length);
		free(buffer);
	}
	if (!copy)
		out_of_memory(error);
	return copy;
}

const struct paradl_model *transformer_build(
	struct paradl_arena *arena, const struct transformer_shape *shape, struct paradl_error *error)
{
	const char *const text = transformer_write(arena, shape, error);
	const struct json *const root =
		text ? json_parse(arena, text, strlen(text), shape->name ? shape->name : "transformer", error)
		     : NULL;
	return root ? model_build(arena, root, NULL, error) : NULL;
}
