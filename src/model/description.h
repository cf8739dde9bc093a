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
	struct paradl_error *error;
};

/* Fills *model's header (name ... dataset, input) and finds the layers. */
bool header_read(struct reader *reader, const struct json *root, struct paradl_model *model,
	const struct json **layers);

/* Reads a number in [minimum, maximum], or the value of "$name" in dims; false with an error that calls it `what`. */
bool integer_read(const struct reader *reader, const struct json *node, const char *what, unsigned minimum,
	unsigned maximum, unsigned *value);

/* Reads the tree of layers below an array. */
bool layers_read(struct reader *reader, const struct json *array, struct item_list *list);

#endif
