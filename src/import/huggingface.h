/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A config.json of Hugging Face transformers gives the dimensions of a network. Its keys differ from one "model_type"
 * to the next, and may be left out where they have the default of the class in transformers. Many other keys do not
 * matter here and are ignored. How each type names its dimensions is data, huggingface.def.
 */
#ifndef IMPORT_HUGGINGFACE_H
#define IMPORT_HUGGINGFACE_H

#include "import/importer.h"
#include "model/transformer.h"

enum { CONFIG_LAYERS_MAX = 10000 };

struct config {
	struct paradl_arena *arena;
	const struct json *root; /* whole file */
	const struct json *node; /* object that has the dimensions */
	const char *type;        /* value of "model_type" */
	struct warnings *warnings;
	struct paradl_error *error;
	bool sequence_given; /* whether the caller sets the sequence length */
	bool failed;         /* error is set; the first error stays */
};

/* Rules of a family, on top of those of the family that it is like. */
struct config_family {
	const struct json *rules;
	const struct config_family *like; /* family with all other rules; NULL: none */
};

/* Dimensions that the rules of families fill: the shape, and numbers from which parts of the shape follow. */
struct config_dims {
	struct transformer_shape shape;
	unsigned shared_experts; /* number of shared experts, as wide as routed ones */
	unsigned
		padding; /* extra rows of the table of positions; where padded: number of the padding token */
	unsigned index_block; /* keys that an index chooses together; 0: one */
	unsigned mlp_ratio;   /* width of MLPs as a multiple of that of tokens; 0: ffn has it */
	unsigned full_period; /* every full_period-th layer attends, the others are recurrent */
	bool padded;          /* positions are numbered from that of the padding token + 1 */
	bool unplaced;        /* patches of an image have no table of positions */
	bool headless;        /* the class of a file of this type alone has no head */
	bool single;          /* each layer is either a mixer or an MLP */
	bool second_full;     /* the second kind of attention is that of layers without a window */
};

/* Returns the value of the first of the keys "a|b.c|/d" that is there and not null, /d of the file; NULL: none. */
const struct json *config_find(const struct config *config, const char *keys);
/* Returns the family of a "model_type"; NULL: there is none, or config->error is set. */
const struct config_family *config_family(struct config *config, const char *type);
/*
 * Returns the rule `name` of a family, or of the nearest family that it is like; NULL: none. Rules under a "when"
 * that holds go before the others of the same family.
 */
const struct json *config_rule(
	const struct config *config, const struct config_family *family, const char *name);
/* Returns the number format of the weights that the file comes with, "fp8-mixed"; NULL: it says none that is read. */
const char *config_quantized(const struct config *config);
bool config_read(struct config *config, const struct config_family *family, struct config_dims *dims);
/*
 * Sets the shape's pattern, which says what each layer is, from the file's lists where it has some. False: error is
 * set.
 */
bool config_pattern(struct config *config, const struct config_family *family, struct config_dims *dims);
/* Returns whether a type is of two towers, of which that of text is the second. */
bool config_has_towers(struct config *config, const char *type);
/* Chooses the length of training sequences. A file gives only the length that a sequence may have at most. */
void sequence_choose(struct config *config, struct transformer_shape *shape);
/*
 * Reads the stack that runs before this one, an encoder or another tower, where the family names its rules: sets
 * dims->shape.encoder. False: error is set.
 */
bool config_encoder(const struct json *root, struct config *config, const struct config_family *family,
	struct config_dims *dims);
/* Sets the parts of the shape that follow from several numbers, or from words. */
void dims_finish(struct config *config, struct config_dims *dims);
/* Adds the weights of parts other than text to shape->held. False: a part is not read, error is set. */
bool config_parts(
	const struct json *root, struct config *config, bool only_text, struct transformer_shape *shape);
/* Returns the name of a network by the path of its file; NULL: the path gives none. */
const char *config_name(struct paradl_arena *arena, const char *path);

/*
 * Compares a model's text with the checkpoint of options.weights, whose items have `item_bytes` bytes each. Warns
 * where the numbers of parameters differ, and leaves a note where they agree. False: error is set.
 */
bool weights_compare(struct importing *importing, const char *text, double item_bytes);

#endif
