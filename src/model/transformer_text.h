/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writers for the parts of a transformer's file. A "line" is a layer on a line of its own. */
#ifndef MODEL_TRANSFORMER_TEXT_H
#define MODEL_TRANSFORMER_TEXT_H

#include "base/json_write.h"
#include "model/transformer.h"

struct text {
	struct json_writer writer;
	const struct transformer_shape *shape;
};

void text_line_begin(struct text *text, const char *name, const char *type);
void text_line_end(struct text *text);
void text_unsigned(struct text *text, const char *key, unsigned value);
void text_true(struct text *text, const char *key, bool value);
void text_share(struct text *text, const char *key, double value);
void text_kind(struct text *text, const char *name, const char *type, const char *kind);
void text_norm(struct text *text, const char *name);
void text_dropout(struct text *text);
void text_linear(struct text *text, const char *name, double out, bool bias);
/* Starts a layer that adds branches; text_identity writes the branch that adds x as it is. */
void text_join_begin(struct text *text);
void text_join_end(struct text *text);
void text_identity(struct text *text);
/* Starts a group; its name is followed by the number, unless that is UINT_MAX. */
void text_group_begin(struct text *text, const char *name, unsigned number, unsigned repeat);
void text_group_end(struct text *text);

void text_block(struct text *text, const struct transformer_layer *layer);
void text_blocks(struct text *text);
void text_ending(struct text *text);

#endif
