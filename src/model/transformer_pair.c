/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes where stacks of layers begin, and what joins two of them: an encoder and the decoder that attends to it
 * (Vaswani et al., 2017; T5, 2020; Whisper, 2022), or two towers whose vectors are compared (CLIP, 2021). The stack that
 * reads the network's input comes first; the other has a further sequence, of "$target" tokens.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model/transformer.h"

void text_held(struct text *text, const char *name, double params, bool frozen)
{
	if (!(params > 0))
		return;
	text_line_begin(text, name, "held");
	json_write_number(&text->writer, "params", params);
	text_true(text, "freeze", frozen);
	text_line_end(text);
}

/* Writes two convolutions over the frames of a spectrum, the second of which halves their number. */
static void write_stem(struct text *text)
{
	for (unsigned stride = 1; stride <= 2; stride++) {
		text_line_begin(text, stride == 1 ? "stem1" : "stem2", "conv");
		json_write_number(&text->writer, "out", text->shape->hidden);
		json_write_number(&text->writer, "kernel", 3);
		json_write_number(&text->writer, "pad", 1);
		if (stride > 1)
			json_write_number(&text->writer, "stride", stride);
		text_line_end(text);
		text_kind(text, NULL, "act", "gelu");
	}
	text_line_begin(text, "embed", "reshape");
	json_begin_array(&text->writer, "out_shape");
	json_write_number(&text->writer, NULL, text->shape->hidden);
	json_write_number(&text->writer, NULL, text->shape->sequence);
	json_end_array(&text->writer);
	json_write_bool(&text->writer, "copy", true);
	json_write_bool(&text->writer, "tokens", true);
	text_line_end(text);
}

static void write_patches(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	json_write_text(&text->writer, "kind", "patch");
	json_write_number(&text->writer, "patch", shape->patch);
	text_true(text, "class_token", !shape->no_class_token);
	text_unsigned(text, "registers", shape->registers);
	if (shape->patch_unbiased)
		json_write_bool(&text->writer, "bias", false);
}

/* Writes a number by its name in dims, where it is the one there. */
static void write_dim(struct text *text, const char *key, const char *name, unsigned value, unsigned there)
{
	if (value == there)
		json_write_text(&text->writer, key, name);
	else
		json_write_number(&text->writer, key, value);
}

/* Writes the table of a stack; the second of two has a sequence of its own. */
static void write_table(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	const bool narrow = shape->embedding > 0 && shape->embedding != shape->hidden;
	text_line_begin(text, shape->encoder ? "target" : "embed", "embedding");
	if (shape->patch > 0)
		write_patches(text);
	else
		write_dim(text, "rows", "$vocab", shape->vocabulary, text->whole->vocabulary);
	write_dim(text, "out", "$hidden", shape->hidden, text->whole->hidden);
	if (shape->encoder)
		json_write_text(&text->writer, "tokens", "$target");
	if (shape->encoder && shape->embedding_shared)
		json_write_text(&text->writer, "tied", "embed");
	text_unsigned(text, "width", narrow ? shape->embedding : 0);
	text_unsigned(text, "positions", shape->positions);
	text_unsigned(text, "types", shape->types);
	text_line_end(text);
}

void text_embedding(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->audio > 0)
		write_stem(text);
	else
		write_table(text);
	text_held(text, "held", shape->held, true);
	text_held(text, shape->encoder ? "target_positions" : "positions",
		(double)shape->fixed_positions * shape->hidden, true);
	text_held(text, "trained", shape->trained, false);
	if (shape->embedding_norm)
		text_norm(text, shape->encoder ? "target_norm" : "embed_norm");
	text_dropout(text);
}

void text_modulate(struct text *text, const char *type)
{
	json_begin_object(&text->writer, NULL);
	json_write_text(&text->writer, "type", type);
	json_begin_array(&text->writer, "branches");
	text_identity(text);
	json_begin_array(&text->writer, NULL);
	text_line_begin(text, NULL, "linear");
	json_begin_array(&text->writer, "from");
	json_write_text(&text->writer, NULL, "condition");
	json_end_array(&text->writer);
	json_write_text(&text->writer, "out", "$hidden");
	text_line_end(text);
	json_end_array(&text->writer);
	json_end_array(&text->writer);
	json_end_object(&text->writer);
}

/* Writes another shape of the first tokens, so many of them. */
static void write_reshape(struct text *text, const char *name, unsigned tokens, bool copy)
{
	text_line_begin(text, name, "reshape");
	json_begin_array(&text->writer, "from");
	json_write_text(&text->writer, NULL, "embed");
	json_end_array(&text->writer);
	json_begin_array(&text->writer, "out_shape");
	json_write_number(&text->writer, NULL, text->shape->hidden);
	json_write_number(&text->writer, NULL, tokens);
	json_end_array(&text->writer);
	text_true(text, "copy", copy);
	json_write_bool(&text->writer, "tokens", true);
	text_line_end(text);
}

/* Writes a token that stands for the condition: its weights are those of blocks, and making it is next to no work. */
void text_condition(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	if (shape->conditions == 0)
		return;
	write_reshape(text, "condition", 1, true);
	write_reshape(text, "tokens", (shape->image / shape->patch) * (shape->image / shape->patch), false);
}

/* Writes one learned query that attends to all tokens, and an MLP: the vector of SigLIP. */
static void write_probe(struct text *text)
{
	const struct transformer_shape *const shape = text->shape;
	text_norm(text, "tokens_norm");
	text_line_begin(text, "probe", "embedding");
	json_write_number(&text->writer, "rows", 1);
	json_write_number(&text->writer, "out", shape->hidden);
	json_write_number(&text->writer, "tokens", 1);
	text_line_end(text);
	text_line_begin(text, "probe_attn", "attention");
	json_begin_array(&text->writer, "from");
	json_write_text(&text->writer, NULL, "probe");
	json_write_text(&text->writer, NULL, "tokens_norm");
	json_end_array(&text->writer);
	json_write_number(&text->writer, "heads", shape->heads);
	json_write_bool(&text->writer, "causal", false);
	json_write_bool(&text->writer, "bias", true);
	text_line_end(text);
	text_join_begin(text);
	text_identity(text);
	json_begin_array(&text->writer, NULL);
	text_norm(text, "probe_norm");
	text_mlp(text);
	json_end_array(&text->writer);
	text_join_end(text);
}

/*
 * Writes the vector of a stack: a norm, the first token, and perhaps a projection.
 */
void text_vector(struct text *text, const char *name)
{
	const unsigned projection = text->shape->projection;
	if (text->shape->probe)
		write_probe(text);
	text_kind(text, name && projection == 0 && text->shape->probe ? name : NULL, "pool", "first");
	if (text->shape->block != TRANSFORMER_POST_NORM && !text->shape->probe)
		text_norm(text, name && projection == 0 ? name : "vector_norm");
	if (projection > 0)
		text_linear(text, name, projection, text->shape->projection_bias);
}

void text_encoder(struct text *text)
{
	const struct transformer_shape *const whole = text->shape, *const shape = whole->encoder;
	const char *const stack = text->stack;
	text->shape = shape;
	text->stack = whole->projection > 0 ? "image" : "encoder";
	text_embedding(text);
	text_blocks(text);
	if (whole->projection > 0) {
		text_vector(text, "image_vector");
	} else {
		const bool normed = shape->block != TRANSFORMER_POST_NORM;
		if (normed)
			text_norm(text, "source");
		(void)snprintf(text->source, sizeof text->source, "%s", normed ? "source" : text->last);
	}
	text->shape = whole;
	text->stack = stack;
}

void text_towers(struct text *text)
{
	text_vector(text, "text_vector");
	text_line_begin(text, "scores", "multiply");
	json_begin_array(&text->writer, "from");
	json_write_text(&text->writer, NULL, "image_vector");
	json_write_text(&text->writer, NULL, "text_vector");
	json_end_array(&text->writer);
	text_line_end(text);
	text_kind(text, NULL, "loss", "cross-entropy");
}
