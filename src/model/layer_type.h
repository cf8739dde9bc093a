/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer type is one file that ends in one `const struct layer_type layer_type_NAME` and one line X(NAME) in
 * list.def. Its `fields` are the keys it takes besides name, type, freeze, from; `infer` turns them and the input
 * shape into output shape, weights and work.
 */
#ifndef MODEL_LAYER_TYPE_H
#define MODEL_LAYER_TYPE_H

#include "model/model.h"

/* The keys of one layer as read from the file, before shapes are known. `kernel` etc. may be a number or an array. */
struct layer_keys {
	unsigned out, groups;
	unsigned kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], pad[DIMENSIONS_MAX], dilation[DIMENSIONS_MAX];
	bool pad_same, bias, global, ceil_mode, transposed;
	int kind;
	double dropout, flop, flop_backward, params, stash_bytes;
	const struct json *node; /* the layer's object: where its errors point */
	const struct json *out_shape, *split;
};

struct layer_type {
	const char *name, *summary;
	enum layer_class class_;
	/* Keys beyond the common ones, NULL-terminated, and which of them must be there. */
	const char *const *keys;
	const char *const *required;
	const char *const *kinds;    /* choices of "kind", or NULL */
	struct layer_keys defaults;
	bool keeps_x, keeps_y;       /* backward reads its input / its output */
	bool (*infer)(const struct layer_keys *keys, const struct model_variant *variant, struct layer *layer,
		struct paradl_error *error);
};

#define X(id) extern const struct layer_type layer_type_##id;
#include "model/list.def"
#undef X

const struct layer_type *layer_type_find(const char *name);
extern const struct layer_type *const layer_types[]; /* NULL-terminated, order of list.def */

#endif
