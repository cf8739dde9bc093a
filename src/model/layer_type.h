/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer type is one file that ends in one `const struct layer_type layer_type_NAME` and one line X(NAME) in
 * list.def. Its `fields` are the keys that it takes in addition to name, type, freeze and from; `infer` turns them
 * and the shape of x into the shape of y, weights and work.
 */
#ifndef MODEL_LAYER_TYPE_H
#define MODEL_LAYER_TYPE_H

#include "model/model.h"

#include <stdint.h>

/* A number of the file, or the value of a "$name" of dims. */
struct layer_integer {
	const struct json *node; /* value in the file; NULL: not given */
	unsigned value;
};

/* One number for every dimension, or one per dimension. */
struct layer_vector {
	const struct json *node; /* value in the file; NULL: not given */
	unsigned count;          /* length of the array; 0: a single number, in value[0] */
	unsigned value[DIMENSIONS_MAX];
};

/* The keys of one layer as read from the file, before shapes are known. */
struct layer_keys {
	const struct json *node; /* object of the layer, where errors about it point */
	struct layer_integer out, groups, axis;
	struct layer_vector kernel, stride, pad, dilation, scale, size;
	bool pad_same, bias, global, ceil, transposed, copy, standardized;
	bool makes_tokens; /* key "tokens" of a reshape */
	int kind;
	double share; /* of the tokens that a masked pooling picks */
	double dropout, rope_theta, flop, backward_flop, forward_s, backward_s, params, stash_bytes;
	struct tensor shape; /* shape that "out_shape" gives */
	const struct json *branches, *out_shape, *split, *tied;

	/* Keys of layers of tokens. */
	struct layer_integer rows, positions, types, width, patch, tokens, registers;
	struct layer_integer heads, kv_heads, head_dim, value_dim, window, block;
	struct layer_integer q_rank, kv_rank, rope_dim, nope_dim;
	struct layer_integer index_heads, index_dim, top_keys;
	struct layer_integer hidden, experts, top_k, shared, expert_width;
	struct layer_integer key_heads, key_dim, conv, chunk, rank;
	bool causal, qkv_bias, key_bias, qk_norm, qk_norm_heads, gate, head_gate, sinks, keys_are_values,
		index_weighted;
	bool gated, shared_gate, router_bias, router_scale, class_token, scaled, conv_bias;
	int attention_kernel, act;
	double capacity, imbalance;
	const struct layer_keys *tied_to; /* keys of the embedding that "tied" names */
};

/* Tensors that backward of this layer needs from forward. */
struct layer_keeps {
	bool x, y;
	double items; /* further items: masks and statistics of one sample */
	bool view;    /* whether y is the memory of x under another shape */
};

struct layer_context {
	const struct tensor *inputs;
	unsigned input_count; /* 1 except for layers that join */
	const struct model_variant *variant;
	unsigned padded_pieces;  /* pieces of a pooling padded here, as in the variant; 0: not padded */
	bool normed;             /* whether its only input is the output of a norm */
	struct token_work *work; /* zeroed work: a layer of tokens fills it and points layer->work at it */
};

/* Returns into how many pieces a pooling at this position is padded; 0: it is not. */
unsigned pool_padded_pieces(const struct model_variant *variant, unsigned position);

struct layer_type {
	const char *name, *summary;
	enum layer_class class_;
	bool joins;    /* takes several inputs: "branches", or names in "from" */
	bool may_join; /* takes several inputs likewise, or a single one */
	const struct json_field *fields;
	size_t field_count;
	const char *const *kinds; /* names for "kind", NULL-terminated, or NULL */
	struct layer_keys defaults;
	/*
	 * Fills the layer from layer->x, x_items, reads_input, backward_data and backward_weight (the latter as if
	 * there were weights), except kept_items, count and name. The work of backward is that which the two flags
	 * ask for.
	 */
	bool (*infer)(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
		struct layer_keeps *keeps, struct paradl_error *error);
};

#define X(id) extern const struct layer_type layer_type_##id;
#include "model/list.def"
#undef X

#define LAYER_FIELDS(list) .fields = (list), .field_count = sizeof(list) / sizeof((list)[0])
#define LAYER_NODE(text, member, must)                                                                       \
	{                                                                                                    \
		.key = (text), .type = JSON_TO_NODE, .required = (must),                                     \
		.offset = offsetof(struct layer_keys, member)                                                \
	}
#define LAYER_BOOL(text, member)                                                                             \
	{                                                                                                    \
		.key = (text), .type = JSON_TO_BOOL, .offset = offsetof(struct layer_keys, member)           \
	}
#define LAYER_NUMBER(text, member, least, most)                                                              \
	{                                                                                                    \
		.key = (text), .type = JSON_TO_DOUBLE, .offset = offsetof(struct layer_keys, member),        \
		.min = (least), .max = (most)                                                                \
	}
#define LAYER_CHOICE(text, member, list)                                                                     \
	{                                                                                                    \
		.key = (text), .type = JSON_TO_CHOICE, .offset = offsetof(struct layer_keys, member),        \
		.choices = (list)                                                                            \
	}
#define LAYER_KIND(list)                                                                                     \
	{                                                                                                    \
		.key = "kind", .type = JSON_TO_CHOICE, .required = true,                                     \
		.offset = offsetof(struct layer_keys, kind), .choices = (list)                               \
	}

const struct layer_type *layer_type_find(const char *name);
/* Returns the layer type that a "type" names; NULL with an error where there is none. */
const struct layer_type *layer_type_read(const struct json *type, struct paradl_error *error);
extern const struct layer_type *const layer_types[]; /* NULL-terminated, in the order of list.def */

/* Returns the member `key` of the layer, where an error about it points; the layer itself when the key is absent. */
const struct json *layer_place(const struct layer_keys *keys, const char *key);
/* Returns branch i of a layer that joins, or name i of its "from", where an error about that input points. */
const struct json *layer_input_place(const struct layer_keys *keys, unsigned i);

/* Most items of a tensor or of weights, 2^53: a double counts no further numbers one by one. */
#define LAYER_ITEMS_MAX 9007199254740992.0
#define EXTENT_MAX      2147483647U /* most channels, rows, ... */
#define HEADS_MAX       1048576U    /* most heads, and largest head: keeps their products whole */
#define WINDOW_MAX      65535U /* largest kernel, stride, pad, dilation: keeps window arithmetic within 64 bits */

/*
 * Reads a window (convolution, pooling): fills kernel, stride, pad and dilation of the layer for the dimensions of x
 * from numbers or arrays. A stride that is not given is `stride_default`, or the kernel where that is 0.
 */
bool window_read(const struct layer_keys *keys, unsigned stride_default, struct layer *layer,
	struct paradl_error *error);
/* Reports whether a vector has a number for every dimension of x, or one for all; if not, sets an error. */
bool window_vector_fits(const struct layer_vector *vector, const char *name, const struct layer *layer,
	struct paradl_error *error);
/*
 * Returns the positions of the window along dimension `d` of a tensor with `extent` there; 0 with an error if there
 * is none.
 */
unsigned window_positions(const struct layer_keys *keys, const struct layer *layer, unsigned d,
	unsigned extent, struct paradl_error *error);

/*
 * Fills weights, work and kept tensors of a contraction (conv, linear) from filters, channels, groups, kernel_volume
 * and positions.
 */
void contraction_work(bool bias, struct layer *layer, struct layer_keeps *keeps);

/*
 * Starts a layer of tokens: y becomes x, and the layer gets work; NULL with an error where x is no sequence of
 * tokens. The layer then adds its kernels in the order they run, and tokens_finish sums up weights, flop, passes and
 * kept items: `kept_items` of each token are those that no axis but the sequence cuts, in addition to the parts that
 * work names.
 */
struct token_work *tokens_begin(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct paradl_error *error);
void work_product(struct token_work *work, enum kernel_cut cut, double rows, double columns, bool bias);
void work_pass(struct token_work *work, enum kernel_cut cut, double forward_items, double backward_items);
struct kernel *work_last(struct token_work *work);
void tokens_finish(struct layer *layer, double kept_items, struct layer_keeps *keeps);
/* Adds a product of two values, neither of which is a weight. */
void work_values(struct token_work *work, enum kernel_cut cut, double rows, double columns);
/* Makes the work of a layer that only reads and writes tokens: `forward` and `backward` items for each item of y. */
void tokens_pass(const struct layer_context *context, struct layer *layer, double forward, double backward);
/* All numbers of a token_work as the bits of doubles: equal work has equal bits. A work of NULL gives zeros. */
enum { KERNEL_NUMBERS = 12, WORK_NUMBERS = 39 + KERNELS_MAX * KERNEL_NUMBERS };
struct work_bits {
	uint64_t bits[WORK_NUMBERS];
};
struct work_bits work_bits(const struct token_work *work);
enum mlp_activation { MLP_RELU, MLP_RELU2, MLP_GELU, MLP_SILU };
extern const char *const mlp_activations[]; /* names for "act", NULL-terminated */

/* Writes the shape of a tensor: "64x56x56"; "1000" for a vector. Returns `text`. */
const char *tensor_format(const struct tensor *tensor, char *text, size_t size);
bool tensor_equal(const struct tensor *a, const struct tensor *b);

#endif
