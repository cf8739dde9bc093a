/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/transformer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void write_dims(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	struct json_writer *const writer = &text->writer;
	json_begin_object(writer, "dims");
	writer->compact = true;
	json_write_number(writer, "hidden", shape->hidden);
	if (shape->patch == 0) {
		json_write_number(writer, "vocab", shape->vocabulary);
		json_write_number(writer, "seq", shape->sequence);
	}
	json_end_object(writer);
	writer->compact = false;
	json_begin_object(writer, "input");
	writer->compact = true;
	if (shape->patch == 0) {
		json_write_text(writer, "tokens", "$seq");
	} else {
		json_write_number(writer, "channels", shape->image_channels);
		json_begin_array(writer, "shape");
		json_write_number(writer, NULL, shape->image);
		json_write_number(writer, NULL, shape->image);
		json_end_array(writer);
	}
	json_end_object(writer);
	writer->compact = false;
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
	json_end_object(writer);
	writer->compact = false;
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

static void write_embedding(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	struct json_writer *const writer = &text->writer;
	const bool narrow = shape->embedding > 0 && shape->embedding != shape->hidden;
	text_line_begin(text, "embed", "embedding");
	if (shape->patch > 0) {
		json_write_text(writer, "kind", "patch");
		json_write_number(writer, "patch", shape->patch);
		json_write_bool(writer, "class_token", true);
	} else {
		json_write_text(writer, "rows", "$vocab");
	}
	json_write_text(writer, "out", "$hidden");
	text_unsigned(text, "width", narrow ? shape->embedding : 0);
	text_unsigned(text, "positions", shape->positions);
	text_unsigned(text, "types", shape->types);
	text_line_end(text);
	if (shape->held > 0) {
		json_begin_object(writer, NULL);
		writer->compact = true;
		json_write_text(writer, "name", "held");
		json_write_text(writer, "type", "held");
		json_write_number(writer, "params", shape->held);
		json_write_bool(writer, "freeze", true);
		text_line_end(text);
	}
	if (shape->embedding_norm)
		text_norm(text, "embed_norm");
	text_dropout(text);
}

static void write_model(struct text *text)
{
	json_begin_object(&text->writer, NULL);
	write_header(text);
	json_begin_array(&text->writer, "layers");
	write_embedding(text);
	text_blocks(text);
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
	struct text text = {
		.writer = {.file = open_memstream(&buffer, &length), .spaced = true}, .shape = shape};
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
