/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.json of Hugging Face transformers: the dimensions of a network by keys that differ from one "model_type" to
 * the next, and that may be left out where they have the class's default. Keys that do not matter are many and ignored.
 * What a type calls its dimensions is data, huggingface.def.
 */
#ifndef IMPORT_HUGGINGFACE_H
#define IMPORT_HUGGINGFACE_H

#include "import/importer.h"
#include "model/transformer.h"

enum { CONFIG_LAYERS_MAX = 10000 };

struct config {
	struct paradl_arena *arena;
	const struct json *node; /* the object that has the dimensions */
	const char *type;        /* "model_type" */
	struct warnings *warnings;
	struct paradl_error *error;
	bool failed; /* the first error stays */
};

/* A family's rules on top of those that it is like. */
struct config_family {
	const struct json *rules;
	const struct config_family *like; /* NULL: nothing */
};

/* What families fill: the shape, and what it follows from. */
struct config_dims {
	struct transformer_shape shape;
	unsigned shared_experts; /* as wide as routed ones */
	unsigned
		padding; /* rows of the table of positions besides, or the padding's number where it is padded */
	unsigned index_block; /* keys that an index chooses at once; 0: one */
	unsigned full_period; /* every so many-th layer attends, the others are recurrent */
	bool padded;          /* positions are numbered from that of the padding token + 1 */
	bool single;          /* a layer is a mixer or an MLP */
	bool second_full;     /* the second kind of attention is that of layers without a window */
};

/* The value of the first of the keys "a|b.c" that is there and not null; NULL: none. */
const struct json *config_find(const struct config *config, const char *keys);
/* The family of a "model_type"; NULL: there is none, or an error. */
const struct config_family *config_family(struct config *config, const char *type);
/* A member of the family's rules, of those that it is like where it has none. */
const struct json *config_rule(
	const struct config *config, const struct config_family *family, const char *name);
bool config_read(struct config *config, const struct config_family *family, struct config_dims *dims);
/* What layers are, one by one, where lists say it. */
bool config_pattern(struct config *config, const struct config_family *family, struct config_dims *dims);
/* A sum of products such as "2*w + depth*(w*w + 1)" of numbers in `node`; "text_w" may be that of `text_node`. */
bool config_sum(const struct json *node, const struct json *text_node, const char *text, double *value,
	struct paradl_error *error);
/* Adds what is held beside the part of text, or refuses it. */
bool config_parts(
	const struct json *root, struct config *config, bool only_text, struct transformer_shape *shape);
/* The name of a network in a file; NULL: the path says none. */
const char *config_name(struct paradl_arena *arena, const char *path);

#endif
