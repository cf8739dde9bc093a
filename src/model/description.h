/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model file as read: its header and the tree of layers, before repeats are expanded and shapes known.
 * Lives in the scratch arena of model_build; names and nodes live in the file's own tree.
 */
#ifndef MODEL_DESCRIPTION_H
#define MODEL_DESCRIPTION_H

#include "model/layer_type.h"

enum { LAYERS_MAX = 100000 }; /* of a network, repeats expanded */

struct item_list {
	struct item *items;
	unsigned count;
	double expanded; /* layers that this becomes */
};

/* An earlier item by the name that "from" gives it: `up` lists further out than the layer's own. */
struct item_source {
	unsigned up, index;
};

struct item {
	const struct layer_type *type; /* NULL: a group */
	unsigned number;               /* of all items, as they were read */
	const struct json *node;
	const char *name; /* NULL: none given */
	bool freeze, repeated;
	unsigned repeat;
	struct layer_keys keys;
	struct item_list *lists; /* a group's one list, or the branches of a layer that joins */
	unsigned list_count;
	const struct item_source *from;
	unsigned from_count;
	double expanded;
};

struct reader {
	struct paradl_arena *arena;
	const struct json *dims; /* NULL: none */
	unsigned sequence; /* what "$seq" and a number of tokens are, whatever the file says; 0: as it says */
	unsigned items;    /* read so far */
	struct paradl_error *error;
};

/* Fills *model's header (name ... dataset, input) and finds the layers. */
bool header_read(struct reader *reader, const struct json *root, struct paradl_model *model,
	const struct json **layers);

/* A number in [minimum, maximum], or "$name" of dims. */
bool integer_read(const struct reader *reader, const struct json *node, const char *what, unsigned minimum,
	unsigned maximum, unsigned *value);

/* The tree of layers below an array. */
bool layers_read(struct reader *reader, const struct json *array, struct item_list *list);

#endif
