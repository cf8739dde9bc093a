/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as the oracle sees it: its *distinct* layers (identical shape, parameters and role, counted once), the
 * order they run in, and the units a pipeline may cut between. It is immutable once loaded.
 *
 * All numbers are for ONE sample and in items (elements), like the paper's |x|, |y|, |w|; bytes come in where a
 * precision is known.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/arena.h"
#include "base/json.h"

/* The data set of a network: "dataset" of a model, or a file of its own; paradl-dataset(5). */

/* Ways in which samples are stored in files; paradl-dataset(5). */
enum dataset_layout {
	LAYOUT_FILES,  /* each sample in a file of its own */
	LAYOUT_SHARDS, /* many samples in a file that is read from its start: TFRecord, tar, token files */
	LAYOUT_HDF5    /* many samples in a file, each read at its place */
};

/* Work of a core on a sample before a device can use it; oracle/input/input_rates.c has the rates. */
enum dataset_encoding {
	ENCODING_NONE, /* the sample is copied as it is */
	ENCODING_JPEG,
	ENCODING_PNG,
	ENCODING_GZIP, /* npz, and TFRecord with gzip */
	ENCODING_TOKENS,
	ENCODINGS
};

/* A data set; numbers that are not given are 0. */
struct dataset {
	const char *name;             /* name of the data set, or NULL */
	const char *path;             /* path of the data set's own file; NULL: it is part of the model */
	double samples, sample_bytes; /* with tokens: sequences as long as the network's */
	double validation_samples;    /* further samples, read after each epoch */
	double tokens, token_bytes;
	double files;
	double decoded_bytes; /* bytes of a sample as the device gets it */
	double preparation_s; /* time of one core for a sample */
	double classes;
	int layout, encoding; /* enum dataset_layout, enum dataset_encoding */
};

/* Reads a file that is a data set; `sequence`: tokens of one sample of the network (0: it takes none). */
bool dataset_file_read(
	const struct json *root, double sequence, struct dataset *dataset, struct paradl_error *error);

enum { DIMENSIONS_MAX = 3 };

/* The tensor of one sample. extent[0] is the outermost dimension (rows of an image, depth of a volume). */
struct tensor {
	unsigned channels;
	unsigned dimensions;             /* 0 after flatten: a vector of channels */
	unsigned extent[DIMENSIONS_MAX]; /* 1 beyond dimensions */
	bool tokens;                     /* one dimension, a sequence: layers work on each token by itself */
};
double tensor_items(const struct tensor *tensor);

/* Classes of layers, which decide the cuts that an axis may make; frameworks name them in their split tables. */
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
/* Cuts that a custom layer allows, apart from those of samples. */
enum layer_split { LAYER_SPLIT_SPATIAL = 1, LAYER_SPLIT_CHANNEL = 2, LAYER_SPLIT_FILTER = 4 };
extern const char
	*const layer_class_names[LAYER_CLASS_COUNT + 1]; /* "conv", "linear", ...; NULL-terminated */

/*
 * Work of a layer of tokens, before any cut: kernels in the order they run, for ONE token of one sample. A layer type
 * describes its kernels; the axes cut them (strategy/), the oracle times them (oracle/kernels.c).
 */
enum kernel_kind {
	KERNEL_PRODUCT,   /* [tokens x rows] * [rows x columns] */
	KERNEL_ATTENTION, /* scores, softmax, values: struct attention */
	KERNEL_PASS       /* memory-bound: items read and written */
};
/* Part of a kernel that the tensor axis cuts. */
enum kernel_cut {
	CUT_NOTHING, /* every device runs all of the kernel, or its part of the sequence with sequence parallelism */
	CUT_COLUMNS, /* columns of the product (filter-parallel), heads of attention, width of a pass */
	CUT_ROWS     /* rows of the product (channel-parallel), which gives partial sums */
};
struct kernel {
	enum kernel_kind kind;
	enum kernel_cut cut;
	bool routed; /* works on the tokens routed to its experts: top_k for each token */
	bool source; /* works on the tokens that keys and values come from: attention.source_tokens */
	double rows, columns;                 /* size of the weights of a product */
	bool vocabulary;                      /* columns are a vocabulary, which programs may pad */
	double weight_items;                  /* weights with bias; routed: of all experts together */
	double forward_items, backward_items; /* items of a pass, for each (routed) token */
	bool chunked; /* works within chunks of a sequence: not run by a recurrence whose tokens come one by one */
	bool again; /* recompute=modules runs it once more in backward, instead of keeping what it makes */
};

struct attention {
	unsigned heads, kv_heads;     /* heads 0: no attention */
	unsigned head_dim, value_dim; /* head_dim: of queries and keys; value_dim: of values */
	unsigned window;              /* most keys that a query sees; 0: all */
	unsigned block;               /* tokens that see one another, and no others; 0: all of a sample */
	bool causal, flash;           /* flash: a fused kernel that never stores the scores */
	double key_items; /* items of one token that a cache keeps: keys and values, or MLA's latent */
	unsigned chosen;  /* keys that a query reads among those it sees, by the scores of an index; 0: all */
	unsigned index_heads, index_dim; /* heads of the index, which scores all keys; 0: none of its own */
	double latent_items; /* MLA: part of key_items that makes all values; 0: keys and values of heads */
	unsigned source_tokens,
		source_width; /* the other sequence that has the keys and values; 0: the layer's own */
};

/*
 * Returns the items of keys and values of one token that context parallelism sends, before the tensor axis cuts them.
 * Programs make MLA's of all heads from the latent first, and exchange what the kernel takes (Megatron-Core,
 * torchtitan).
 */
static inline double attention_sent_items(const struct attention *attention)
{
	return attention->latent_items > 0
		       ? attention->heads * ((double)attention->head_dim + attention->value_dim)
		       : attention->key_items;
}

enum { KERNELS_MAX = 16 };
struct token_work {
	double tokens;       /* tokens of one sample */
	double hidden_items; /* width of the residual stream: items of one token that collectives move */
	struct kernel kernels[KERNELS_MAX];
	unsigned kernel_count;
	struct attention attention;
	unsigned experts, top_k;
	double routed_items; /* width of the input and output of experts, for one token */
	double state_items; /* items of a recurrence's state for a sequence of any length; the tensor axis cuts it */
	unsigned state_heads; /* most pieces that the tensor axis cuts this state into */
	double capacity,
		imbalance; /* capacity factor, 0: none dropped; imbalance: fullest expert's tokens / mean, 1 = even */
	/*
	 * All-reduces over the tensor axis, of tokens x hidden_items, in each pass; with sequence parallelism each is
	 * an all-gather and a reduce-scatter. A row-cut product has partial sums forward, a column-cut one backward.
	 */
	double sums_forward, sums_backward;
	double small_sums; /* further all-reduces forward, of one fp32 number for each token (cross-entropy) */
	/*
	 * Parts of layer.kept_items for one token. cut: the part that the tensor axis cuts. score: attention scores
	 * (for each key, too), which that axis cuts as well and selective recomputation drops (with flash only where
	 * the framework has no such kernel, and then not in layer.kept_items). routed: the part of its top_k routed
	 * copies, which follow the experts.
	 */
	double kept_cut_items, kept_score_items, kept_routed_items;
	double kept_source_items; /* likewise, for one token of the source, which the tensor axis cuts */
	/* What recompute=modules drops of these for one token: of whole tensors (the output of the norm before), of
	 * those that the tensor axis cuts, and of routed copies. */
	double dropped_items, dropped_cut_items, dropped_routed_items;
	double result_items; /* part of kept_routed_items that experts made, for weighting it by the router */
	bool tied; /* weights are those of an earlier layer: held once, and gradients summed when stages differ */
	bool is_block; /* attention, recurrent, mlp, moe: full recomputation repeats it */
};
/* Returns the number of keys that queries have scores for, hidden ones too. */
static inline double attention_span(const struct token_work *work)
{
	if (work->attention.block > 0)
		return work->attention.block;
	return work->attention.source_tokens > 0 ? work->attention.source_tokens : work->tokens;
}

/* Returns how many of `keys` keys a query reads. */
static inline double attention_reads(const struct attention *attention, double keys)
{
	const double seen = attention->window > 0 && attention->window < keys ? attention->window : keys;
	return attention->chosen > 0 && attention->chosen < seen ? attention->chosen : seen;
}

struct layer {
	enum layer_class class_;
	const char *name,
		*kind;  /* name: of the first such layer, with its path: "res2/0/a"; kind: "max" or "" */
	unsigned count; /* layers of the network that are like this one */
	bool reads_input; /* whether x is the network's input: no backward-data or backward halo, not cut by channel */
	bool backward_data; /* whether the gradient of x is computed: some layer before this one is trained */
	bool backward_weight; /* whether the gradient of w is computed: there are weights, and they are not frozen */
	bool is_last;         /* whether it is the last layer of the network */
	bool global;          /* whether it pools the whole extent: needs all of x, cannot be cut spatially */
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
	unsigned weight_tensors; /* number of gradient tensors: 1 without bias, 2 with; norm 2 */
	bool bias;               /* whether it adds a bias to what it makes */
	/*
	 * Flop of contractions (and those that a custom layer gives), where multiply and add are two; the passes
	 * below have none. backward: data (if backward_data) + weight (if backward_weight).
	 */
	double forward_flop, backward_flop;
	double forward_s,
		backward_s; /* LAYER_CUSTOM: time of a sample, on every device, as its file says; others: 0 */

	/*
	 * Items that memory-bound passes read or write, e.g. batch norm 3|x| forward, 5|x| backward; a bias 2|y| and
	 * 1|y|.
	 */
	double forward_items, backward_items;

	/*
	 * Items of one sample that must be kept from forward to backward because of this layer: its output y if the
	 * backward of this layer or of a consumer reads it (stored once, whoever reads it), plus masks and
	 * statistics. The network's input counts with the first layer whose backward reads it.
	 */
	double kept_items;

	unsigned
		splits; /* LAYER_CUSTOM: the cuts that its file allows, a set of enum layer_split; others: all */

	const struct token_work *work; /* NULL: not a layer of tokens */
};

/* Returns whether a layer has a backward pass: it is trained, or one before it is. */
static inline bool layer_goes_back(const struct layer *layer)
{
	return layer->backward_data || layer->backward_weight;
}

/*
 * A step of the network's top-level chain: one tensor crosses into the next unit, so a pipeline may cut here. In a
 * network of tokens each repetition of a repeated group (a block) is one unit, and others may cross with its output:
 * every block of a decoder reads what the encoder made.
 */
struct unit {
	unsigned first, end;   /* range of positions in model.order */
	double boundary_items; /* items of the tensors that cross into the next unit */
	double passing_items; /* items that enter beside the output of the unit before: the source of attention */
	bool boundary_kept; /* whether a later unit's backward reads them */
	bool is_block;      /* whether it is a repetition of a block of tokens, which even splits count */
};

/*
 * Layers whose output a layer reads: positions in model.order, each once and ascending; READS_INPUT: the network's
 * input.
 */
enum { READS_INPUT = -1 };
struct layer_reads {
	const int *positions;
	unsigned count;
};

struct paradl_model {
	const char *name, *path;
	struct tensor input;
	enum paradl_precision precision;
	const char *optimizer;                     /* "sgd", "sgd-momentum", "adam", ... default "sgd" */
	double batch_per_gpu;                      /* samples that a device takes at once; 0: not given */
	double batch;                              /* samples of an iteration; 0: not given */
	enum paradl_precision inference_precision; /* PARADL_PRECISION_COUNT: not given */
	double positions;                          /* longest sequence that inference reads; 0: not given */
	struct dataset dataset;

	const struct layer *layers; /* distinct layers */
	unsigned layer_count;
	const unsigned *order;    /* indices into layers, in the order of execution, repeats expanded */
	const char *const *names; /* name of each position: "res2/0/a" */
	const struct layer_reads *reads; /* inputs of each position */
	unsigned order_count;
	const struct unit *units;
	unsigned unit_count;

	double weight_items, frozen_items, forward_flop, backward_flop; /* sums over the whole network */
	unsigned weight_tensors;
	bool tokens;     /* a network of tokens (transformer): its pipeline cuts between blocks */
	double sequence; /* tokens of one sample's input; 0: not a network of tokens */
	double further_tokens; /* tokens of the sample's further sequences, as that of a decoder; single ones left out */
	bool has_modules; /* whether recompute=modules drops anything */
	bool has_source;  /* whether some attention reads keys of another sequence */
	struct paradl_dimensions dimensions;
	const struct json *source;              /* parsed file, from which a variant is built again */
	const struct paradl_findings *imported; /* findings of the import; NULL: a native file */
};

/*
 * A variant of a network with another input, as measured programs ran it. extent[0] == 0 keeps the file's extents.
 * padded_pieces s > 1: poolings of the kinds in padded_kinds whose windows tile their input see one extra row on both
 * sides of each of the s pieces of dimension 0, so their output has s * out(ceil(rows / s) + 2) rows (a framework's
 * quirk, see frameworks/). This holds only for those at positions before padded_end, where the pieces are gathered
 * (0: for all).
 */
struct model_variant {
	unsigned extent[DIMENSIONS_MAX];
	unsigned padded_pieces, padded_end;
	unsigned padded_kinds; /* kinds as bits: 1 max, 2 avg */
	unsigned
		sequence; /* tokens of a sample, for an input of tokens and for "$seq"; 0: those that the file has */
};
const struct paradl_model *model_build(struct paradl_arena *arena, const struct json *source,
	const struct model_variant *variant, struct paradl_error *error);

/*
 * Returns the same network, in which layers at positions from `end` on share no row of model->layers with those
 * before: the network itself where none do, NULL when out of memory.
 */
const struct paradl_model *model_divide(
	struct paradl_arena *arena, const struct paradl_model *model, unsigned end);

/*
 * Reports whether a layer is a pooling of one of these kinds (bits: 1 max, 2 avg) whose windows lie side by side, so
 * that no row is in two.
 */
bool pool_is_padded(const struct layer *layer, unsigned kinds);

/*
 * Reports whether a network generates text: its input is tokens, and all its attention, if any, sees only earlier
 * tokens; it has attention or a recurrence.
 */
bool model_generates(const struct paradl_model *model);
/* Returns whether a unit has a layer with a backward pass, without which nothing is kept or computed again. */
bool model_unit_goes_back(const struct paradl_model *model, unsigned unit);
/* Reports whether a network has a decoder, with causal attention, that attends to another sequence, too. */
bool model_decodes(const struct paradl_model *model);

/* An optimizer by name: fp32 states kept per weight and bytes moved per weight by one update. */
struct optimizer {
	const char *name;
	double states;           /* fp32 states: sgd 0, momentum 1, adam 2 */
	double bytes_per_weight; /* read and written by an update in fp32: sgd 12, momentum 20, adam 28 */
};
const struct optimizer *optimizer_find(const char *name); /* NULL: no such optimizer */
extern const char *const optimizer_names[];               /* all names, NULL-terminated */
extern const char *const precision_names[]; /* names by enum paradl_precision, NULL-terminated */

/* Version of the formats of this folder. */
enum { FORMAT_VERSION = 1 };
/* Refuses another format or a newer version before any other check, so that such a file gets no other complaint. */
bool format_check(const struct json *root, const char *format, const char *what, struct paradl_error *error);

/*
 * Checks a model that model_build accepts for likely mistakes (lint); false, with the error, where it does not accept
 * it. Sets findings->format.
 */
bool model_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

/* Findings are collected in the order found; beyond a limit they are only counted. */

enum { WARNINGS_MAX = 100 };

struct warnings {
	struct paradl_arena *arena;
	const char *texts[WARNINGS_MAX + 1];
	unsigned count, dropped;
	bool out_of_memory;
};

void warn(struct warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a finding about a node: "/layers/3/kernel: ...". */
void warn_at(struct warnings *warnings, const struct json *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool warnings_finish(struct warnings *warnings, const char *format, struct paradl_findings *findings,
	struct paradl_error *error);

#endif
