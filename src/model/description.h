/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model file as read: its header and the tree of layers, before repeats are expanded and shapes known. It lives in
 * the scratch arena of model_build; names and nodes live in the tree of the file.
 */
#ifndef MODEL_DESCRIPTION_H
#define MODEL_DESCRIPTION_H

#include "model/layer_type.h"

enum { LAYERS_MAX = 100000 }; /* most layers of a network, repeats expanded */

struct item_list {
	struct item *items;
	unsigned count;
	double expanded; /* layers that the list becomes, repeats expanded */
};

/* An earlier item that "from" names: in the list `up` lists further out than the layer's own. */
struct item_source {
	unsigned up, index;
};

struct item {
	const struct layer_type *type; /* type of a layer; NULL: a group */
	unsigned number;               /* number of the item in the order of reading */
	const struct json *node;
	const char *name; /* name in the file; NULL: none given */
	bool freeze, repeated;
	unsigned repeat;
	struct layer_keys keys;
	struct item_list *lists; /* the one list of a group, or the branches of a layer that joins */
	unsigned list_count;
	const struct item_source *from;
	unsigned from_count;
	double expanded;
};

struct reader {
	struct paradl_arena *arena;
	const struct json *dims; /* dims of the file; NULL: none */
	unsigned sequence; /* value of "$seq" and of the input's tokens instead of the file's; 0: its own */
	unsigned items;    /* items read so far */
	bool freeze;       /* whether a group around them is frozen */
	struct paradl_error *error;
};

/* Fills *model's header (name ... dataset, input) and finds the layers. */
/* Reads "training" and "inference"; node NULL: the file has none. */
bool training_read(const struct json *node, struct paradl_model *model, struct paradl_error *error);
bool inference_read(const struct json *node, struct paradl_model *model, struct paradl_error *error);
bool header_read(struct reader *reader, const struct json *root, struct paradl_model *model,
	const struct json **layers);

/* Reads a number in [minimum, maximum], or the value of "$name" in dims; false with an error that calls it `what`. */
bool integer_read(const struct reader *reader, const struct json *node, const char *what, unsigned minimum,
	unsigned maximum, unsigned *value);

/* Reads the tree of layers below an array. */
bool layers_read(struct reader *reader, const struct json *array, struct item_list *list);

/*
 * Returns the dimensions of an expanded transformer that training programs ask for; all 0 for other networks.
 * `beyond` names the first feature that they do not cover; where there is none, `parameters` follows from them.
 */
struct paradl_dimensions model_dimensions(const struct paradl_model *model, const struct item_list *layers);

/*
 * Expansion makes the sequence in which layers run from the tree of layers: repeats are expanded, shapes inferred,
 * and for every tensor between layers (a "value") it is known which layer makes it, which one reads it last, and
 * whether backward needs it.
 */

enum { NO_POSITION = -1 };

/* A value: 0 is the input of the network, i + 1 the output of position i (unused where y is a view of x). */
struct value {
	double items;
	int maker, last_reader; /* positions; NO_POSITION: the input (maker), read by none (last_reader) */
	int keeper;             /* first position whose backward reads it, or NO_POSITION */
	bool gradient;          /* whether dL/dvalue is computed */
	bool read_back;         /* whether the backward of one of its readers reads it */
};

/* Facts about the inputs of a layer that its work depends on. */
struct role {
	bool reads_input, backward_data; /* as in struct layer */
	unsigned padded_pieces;          /* as in struct layer_context, so is normed */
	bool normed;
};

/* A layer of the file among its inputs. Repetitions of a block mostly have the same inputs, and share the placing. */
struct placing {
	struct layer layer; /* kept_items: masks and statistics only; is_last: false */
	struct layer_keeps keeps;
	const struct tensor *inputs; /* shapes of the inputs */
	struct role role;
	unsigned row; /* last row of model->layers that it became, from 1; 0: none yet */
};

struct expansion {
	struct placing **placings; /* placing of each position */
	double *kept_items;        /* kept items of each position */
	const char **names;
	struct layer_reads *reads;
	unsigned *
		blocks; /* repetition, of any outermost group, that each position belongs to, from 1; 0: none */
	struct value *values;
	unsigned count;
	double further_tokens; /* tokens of sequences that are not the input */
};

bool expand(struct paradl_arena *names_arena, struct reader *reader, const struct item_list *layers,
	const struct tensor *input, const struct model_variant *variant, struct expansion *expansion);

#endif
