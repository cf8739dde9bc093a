/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.json of Hugging Face transformers: the dimensions of a network by keys that differ from one "model_type" to
 * the next, and that may be left out where they have the class's default. Keys that do not matter are many and ignored.
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

/* The value of the first of the keys "a|b|c" that is there and not null; else `fallback`. */
unsigned config_unsigned(struct config *config, const char *keys, unsigned fallback);
unsigned config_required(struct config *config, const char *keys);
bool config_bool(struct config *config, const char *keys, bool fallback);
double config_share(struct config *config, const char *keys, double fallback);
const char *config_text(struct config *config, const char *keys, const char *fallback);
const struct json *config_find(const struct config *config, const char *keys); /* NULL: none */

struct config_family {
	const char *type;
	void (*read)(struct config *config, struct transformer_shape *shape);
};
extern const struct config_family config_families[]; /* type NULL ends it */
void config_read_llama(struct config *config, struct transformer_shape *shape);

#endif
