/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as the oracle sees it: its *distinct* layers (identical shape, parameters and role, counted
 * once), the order they run in, and the units a pipeline may cut between. Immutable once loaded.
 *
 * Everything is for ONE sample and in items (elements), as the paper's |x|, |y|, |w|; bytes come in
 * where a precision is known.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/arena.h"
#include "base/json.h"
#include "model/dataset.h"

enum { DIMENSIONS_MAX = 3 };

/* One sample's tensor. extent[0] is the outermost dimension (rows of an image, depth of a volume). */
struct tensor {
	unsigned channels;
	unsigned dimensions;             /* 0 after flatten: a vector of channels */
	unsigned extent[DIMENSIONS_MAX]; /* 1 beyond dimensions */
	bool tokens;                     /* one dimension, a sequence: layers work on each token by itself */
};
double tensor_items(const struct tensor *tensor);

/* What an axis may cut of a layer kind; frameworks name these classes in their split tables. */
enum layer_class {
	LAYER_CONVOLUTION,
	LAYER_LINEAR,
	LAYER_NORM,
	LAYER_POOL,
	LAYER_ACTIVATION,
	LAYER_ADD,
	LAYER_MULTIPLY,
	LAYER_CONCAT,
	LAYER_UPSAMPLE,
	LAYER_FLATTEN,
	LAYER_RESHAPE,
	LAYER_DROPOUT,
	LAYER_LOSS,
	LAYER_CUSTOM,
	LAYER_EMBEDDING,
	LAYER_HELD,
	LAYER_ATTENTION,
	LAYER_RECURRENT,
	LAYER_MLP,
	LAYER_MOE,
	LAYER_HEAD,
	LAYER_CLASS_COUNT
};
/* What a custom layer lets be cut of itself, besides samples. */
enum layer_split { LAYER_SPLIT_SPATIAL = 1, LAYER_SPLIT_CHANNEL = 2, LAYER_SPLIT_FILTER = 4 };
extern const char
	*const layer_class_names[LAYER_CLASS_COUNT + 1]; /* "conv", "linear", ...; NULL-terminated */

/*
 * What a layer of tokens does, before any cut: kernels in the order they run, for ONE token of one sample.
 * A layer type describes its kernels; the axes cut them (strategy/), the oracle times them (oracle/kernels.c).
 */
enum kernel_kind {
	KERNEL_PRODUCT,   /* [tokens x rows] * [rows x columns] */
	KERNEL_ATTENTION, /* scores, softmax, values: struct attention */
	KERNEL_PASS       /* memory-bound: items read and written */
};
/* What the tensor axis cuts of it. */
enum kernel_cut {
	CUT_NOTHING, /* every device does all of it, or its part of the sequence with sequence parallelism */
	CUT_COLUMNS, /* columns of the product (filter-parallel), heads of attention, width of a pass */
	CUT_ROWS     /* rows of the product (channel-parallel): partial sums */
};
struct kernel {
	enum kernel_kind kind;
	enum kernel_cut cut;
	bool routed;          /* works on the tokens routed to its experts: top_k for each token */
	double rows, columns; /* of a product */
	bool vocabulary;      /* columns are a vocabulary, which programs may pad */
	double weight_items;  /* with bias; routed: of all experts together */
	double forward_items, backward_items; /* of a pass, for each (routed) token */
	bool chunked; /* within pieces of a sequence: a recurrence does without where tokens come one by one */
};

struct attention {
	unsigned heads, kv_heads;     /* heads 0: none */
	unsigned head_dim, value_dim; /* of queries and keys, of values */
	unsigned window;              /* keys that a query sees at most; 0: all */
	unsigned block;               /* tokens that see one another, and no others; 0: all of a sample */
	bool causal, flash;           /* flash: a fused kernel that never stores the scores */
	double key_items; /* that context parallelism sends of one token: keys and values, or MLA's latent */
	unsigned chosen;  /* keys that a query reads of those it sees, by the scores of an index; 0: all */
	unsigned index_heads, index_dim; /* of the index, which scores all keys; 0: it has none of its own */
	double latent_items; /* MLA: of these, what the values of all heads come from; 0: keys and values of heads */
};

enum { KERNELS_MAX = 16 };
struct token_work {
	double tokens;       /* of one sample */
	double hidden_items; /* width of the residual stream: what collectives move of one token */
	struct kernel kernels[KERNELS_MAX];
	unsigned kernel_count;
	struct attention attention;
	unsigned experts, top_k;
	double routed_items; /* width of what experts take and give of one token */
	double state_items; /* of a recurrence: what it keeps of a sequence, however long; the tensor axis cuts it */
	unsigned state_heads; /* into as many pieces at most */
	double capacity,
		imbalance; /* capacity factor, 0: none dropped; tokens of the fullest expert / mean, 1 = even */
	/* All-reduces over the tensor axis, of tokens x hidden_items, in each pass; with sequence parallelism each is an
	 * all-gather and a reduce-scatter. Partial sums of a row-cut product come forward, of a column-cut one backward. */
	double sums_forward, sums_backward;
	double small_sums; /* further all-reduces forward, of one fp32 number for each token (cross-entropy) */
	/* Parts of layer.kept_items for one token: what the tensor axis cuts; attention scores (for each key, too), which
	 * that axis cuts as well and selective recomputation drops (with flash only where the framework has no such kernel,
	 * and then not in layer.kept_items); of its top_k routed copies, which follow the experts. */
	double kept_cut_items, kept_score_items, kept_routed_items;
	bool tied; /* weights are those of an earlier layer: held once, and gradients summed when stages differ */
	bool is_block; /* attention, mlp, moe: full recomputation repeats it */
};
/* Returns the keys that queries have scores for, hidden ones too. */
static inline double attention_span(const struct token_work *work)
{
	return work->attention.block > 0 ? work->attention.block : work->tokens;
}

/* Returns how many of so many keys a query reads. */
static inline double attention_reads(const struct attention *attention, double keys)
{
	const double seen = attention->window > 0 && attention->window < keys ? attention->window : keys;
	return attention->chosen > 0 && attention->chosen < seen ? attention->chosen : seen;
}

struct layer {
	enum layer_class class_;
	const char *name,
		*kind;    /* name: of the first such layer, with its path: "res2/0/a"; kind: "max" or "" */
	unsigned count;   /* layers of the network that are like this one */
	bool reads_input; /* x is the network's input: no backward-data, no backward halo, not cut by channel */
	bool backward_data;   /* the gradient of x is wanted: something before this layer is trained */
	bool backward_weight; /* the gradient of w is wanted: there are weights, and they are not frozen */
	bool is_last;         /* the last layer of the network */
	bool global;          /* pooling over the whole extent: needs all of x, cannot be cut spatially */
	struct tensor x, y;
	double x_items, y_items; /* x_items: of all inputs together (add, concat) */

	/* Contraction (conv, linear): y[F] = sum over (C/groups) * kernel_volume of w * x, at `positions` places.
	 * kernel_volume 0: not a contraction. Pooling fills kernel, stride, pad, dilation too. */
	unsigned kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], pad[DIMENSIONS_MAX],
		dilation[DIMENSIONS_MAX];
	unsigned filters, channels, groups;
	double kernel_volume, positions;

	double weight_items; /* trained items, bias included */
	double frozen_items; /* weights held but not trained ("freeze"): no gradient, no optimizer state */
	unsigned weight_tensors; /* gradient tensors: 1 without bias, 2 with; norm 2 */
	/* Contractions (and what a custom layer says), multiply and add are two; the passes below have none.
	 * backward: data (if backward_data) + weight (if backward_weight). */
	double forward_flop, backward_flop;
	double forward_s,
		backward_s; /* LAYER_CUSTOM: of a sample, on every device, as its file says; others: 0 */

	/* Memory-bound passes: items read or written, e.g. batch norm 3|x| forward, 5|x| backward; a bias 2|y| and 1|y|. */
	double forward_items, backward_items;

	/* Items of one sample that must be kept from forward to backward because of this layer: its output y if this
	 * layer's or a consumer's backward reads it (stored once, whoever reads it), plus masks and statistics. The
	 * network's input counts with the first layer whose backward reads it. */
	double kept_items;

	unsigned
		splits; /* LAYER_CUSTOM: what its file says may be cut, a set of enum layer_split; others: all */

	const struct token_work *work; /* NULL: not a layer of tokens */
};

/*
 * A step of the network's top-level chain: one tensor crosses into the next unit, so a pipeline may cut here. In a
 * network of tokens each repetition of a repeated group (a block) is one unit.
 */
struct unit {
	unsigned first, end;   /* positions in model.order */
	double boundary_items; /* of the tensor that leaves it */
	bool boundary_kept;    /* a later unit's backward reads it */
	bool is_block;         /* a repetition of a block of tokens: what even splits count */
};

/* Whose output a layer reads: positions in model.order, each once and ascending; READS_INPUT: the network's input. */
enum { READS_INPUT = -1 };
struct layer_reads {
	const int *positions;
	unsigned count;
};

struct paradl_model {
	const char *name, *path;
	struct tensor input;
	enum paradl_precision precision;
	const char *optimizer; /* "sgd", "sgd-momentum", "adam", ... default "sgd" */
	double batch_per_gpu;  /* 0 = not given */
	struct dataset dataset;

	const struct layer *layers; /* distinct */
	unsigned layer_count;
	const unsigned *order;    /* indices into layers, in the order of execution, repeats expanded */
	const char *const *names; /* of each position: "res2/0/a" */
	const struct layer_reads *reads; /* of each position */
	unsigned order_count;
	const struct unit *units;
	unsigned unit_count;

	double weight_items, frozen_items, forward_flop, backward_flop; /* of the whole network */
	unsigned weight_tensors;
	bool tokens;     /* a network of tokens (transformer): its pipeline cuts between blocks */
	double sequence; /* tokens of one sample; 0 */
	struct paradl_dimensions dimensions;
	const struct json *source;              /* the parsed file, from which a variant is built again */
	const struct paradl_findings *imported; /* NULL: a native file */
};

/*
 * The same network at another input, as measured programs ran it. extent[0] == 0 keeps the file's extents.
 * padded_pieces s > 1: poolings of the kinds in padded_kinds whose windows tile their input see one extra row on both
 * sides of each of the s pieces of dimension 0, so their output has s * out(ceil(rows / s) + 2) rows (a framework's
 * quirk, see frameworks/); only those at positions before padded_end, where the pieces are gathered (0: all).
 */
struct model_variant {
	unsigned extent[DIMENSIONS_MAX];
	unsigned padded_pieces, padded_end;
	unsigned padded_kinds; /* bits: 1 max, 2 avg */
	unsigned
		sequence; /* of a network whose input is tokens: "$seq" and their number; 0: as the file says */
};
const struct paradl_model *model_build(struct paradl_arena *arena, const struct json *source,
	const struct model_variant *variant, struct paradl_error *error);
/* With changes of the file; NULL: none. */
const struct paradl_model *model_build_changed(struct paradl_arena *arena, const struct json *file,
	const struct paradl_changes *changes, struct paradl_error *error);

/*
 * The same network, in which layers at positions from `end` on share no row of model->layers with those before. Returns
 * the network itself where none do, NULL when out of memory.
 */
const struct paradl_model *model_divide(
	struct paradl_arena *arena, const struct paradl_model *model, unsigned end);

/*
 * Is it a pooling of one of these kinds (bits: 1 max, 2 avg) whose windows lie side by side, so that no row is in two?
 */
bool pool_is_padded(const struct layer *layer, unsigned kinds);

/* Does it make text: from tokens, by attention that sees only what is before? */
bool model_generates(const struct paradl_model *model);

/* Optimizer by name: fp32 states kept per weight and bytes moved per weight by one update. */
struct optimizer {
	const char *name;
	double states;           /* sgd 0, momentum 1, adam 2 */
	double bytes_per_weight; /* read and written by an update in fp32: sgd 12, momentum 20, adam 28 */
};
const struct optimizer *optimizer_find(const char *name); /* NULL if unknown */
extern const char *const optimizer_names[];               /* NULL-terminated */
extern const char *const precision_names[];               /* by enum paradl_precision, NULL-terminated */

/* Both formats of this folder. */
enum { FORMAT_VERSION = 1 };
/* Refuses another format or a newer version before anything else, so that such a file gets no other complaint. */
bool format_check(const struct json *root, const char *format, const char *what, struct paradl_error *error);

/* Lint of a model that model_build accepts (false, with the error, where it does not); findings->format is set. */
bool model_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

#endif
