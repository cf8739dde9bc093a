/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/transformer.h"

#include <limits.h>
#include <stdio.h>

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
