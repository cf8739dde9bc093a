/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From an ONNX graph to layers. Each node in turn is given to its operator, which infers the shape of what it makes, the
 * numbers if it is a small constant, and the layer that does its work, if there is any.
 */
#ifndef IMPORT_ONNX_NETWORK_H
#define IMPORT_ONNX_NETWORK_H

#include "base/json_write.h"
#include "import/onnx/graph.h"
#include "model/model.h"
#include "model/warnings.h"

/* A layer of paradl-model(5), with the keys that it is written with. */
struct onnx_layer {
	const char *type, *kind; /* kind NULL: none */
	struct span name;        /* of its weights; empty: none */
	const int *inputs;       /* layers; NOTHING: the network's input */
	unsigned input_count;
	struct tensor y; /* of one sample */

	unsigned dimensions, kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], pad[DIMENSIONS_MAX],
		dilation[DIMENSIONS_MAX];
	bool pad_same, ceil, global, transposed, bias, copy;
	unsigned out, groups, axis;
	bool by_scale; /* of upsample: scale has factors, else sizes */
	unsigned scale[DIMENSIONS_MAX];
	double probability;  /* of dropout */
	double flop, params; /* of one sample; what a custom layer says, and what others must come to */

	bool is_error_function; /* the part of GELU that says so */
	bool is_used;           /* something that the outputs need reads it */
	const char *label;      /* as it is written; NULL: it has no name */
};

enum { UNKNOWN_MAX = 32 };

struct onnx_network {
	struct onnx_graph *graph;
	struct warnings *warnings;
	int input;           /* the value that is the network's input */
	struct tensor shape; /* of one sample of it */
	double batch;        /* samples that the graph is for */
	struct onnx_layer *layers;
	unsigned layer_count;
	const struct onnx_node *unknown[UNKNOWN_MAX]; /* of each operator that is not known, the first */
	unsigned unknown_count;
	int lost;                          /* the first value whose shape is not known; NOTHING: none */
	const struct onnx_node *lost_work; /* a node with weights or products that reads such a value */
	unsigned written;                  /* layers of the model */
	unsigned convolutions, folded, norms, softmaxes, embeddings;
	bool *is_result; /* of each layer: an output of the graph, or of what is left of it */
};

struct onnx_operator;
struct onnx_step {
	struct onnx_network *network;
	struct onnx_graph *graph;
	const struct onnx_node *node;
	const struct onnx_operator *operator;
	bool is_constant; /* what it makes is the same for each sample */
	bool is_unknown;  /* the file does not say enough */
};

struct onnx_operator {
	const char *name;
	bool (*run)(struct onnx_step *step);
	const char *kind; /* of the layer it becomes, where that is all that tells operators apart */
	int variant;
};
/* Tables by kind of work, each ended by a name NULL. */
extern const struct onnx_operator onnx_windows[], onnx_products[], onnx_norms[], onnx_items[], onnx_shapes[],
	onnx_moves[], onnx_scales[], onnx_numbers[];
/* NULL: not known. `*is_work`: it has weights or products. */
const struct onnx_operator *operator_find(const struct onnx_node *node, bool *is_work);

struct onnx_options {
	const char *input;         /* "3,640,640" or "NAME=3,640,640"; NULL: as the file says */
	const char *const *shapes; /* "NAME=1,64,56,56", of values whose shape cannot be inferred */
	size_t shape_count;
};
/* Finds the input and its shape; puts shapes that were asked for. */
bool network_input(struct onnx_network *network, const struct onnx_options *options);
/* All nodes, in order. */
bool network_infer(struct onnx_network *network);
/* What looks like something that the user did not mean to import. */
bool network_remarks(struct onnx_network *network);

/*
 * The layers as lists: what reads the one before stands after it, a join whose branches begin at one place holds them, and
 * what fits no such tree says by name what it reads.
 */
struct onnx_item {
	int layer;
	const struct onnx_list *branches; /* one for each input; NULL: it reads one thing */
	const int *from;                  /* layers that it names; NULL: none; NOTHING: the network's input */
	unsigned from_count;
	struct onnx_item *next;
};
struct onnx_list {
	struct onnx_item *first, *last;
	unsigned depth; /* of branches in branches */
};
/* `*names_input`: something names the network's input. False: out of memory. */
bool network_nest(struct onnx_network *network, struct onnx_list *list, bool *names_input);
bool network_write(struct onnx_network *network, const struct onnx_list *list, bool names_input,
	struct json_writer *writer);

/* ---- what operators use ------------------------------------------------------------------------ */

/* The i-th input; NULL: left out. */
struct onnx_value *step_input(const struct onnx_step *step, unsigned i);
/* An error about this node; returns false. */
bool step_error(const struct onnx_step *step, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same where the file may be right, but its shapes depend on numbers that are not known. */
bool step_unknown(struct onnx_step *step, const char *what);
/* Numbers of an attribute or, where newer versions have it, of an input; NULL: not given, or not known. */
const double *step_list(const struct onnx_step *step, const char *name, int input, unsigned *count);
/* An axis counted from the end where it is negative; false with an error where there is none. */
bool step_axis(const struct onnx_step *step, double number, unsigned rank, unsigned *axis);

/* Gives output i this shape. False: it cannot be counted. */
bool step_shape(struct onnx_step *step, unsigned i, const struct onnx_shape *shape);
/* Numbers of output 0, as many as its shape has items; NULL: out of memory, or too many. */
double *step_numbers(struct onnx_step *step, bool is_whole);
/* Numbers of output 0 from those of inputs 0 and 1, where both are known. */
bool numbers_combine(struct onnx_step *step);
/* Output 0 is input 0 under this shape: its numbers, and a layer only where tensors of models differ. */
bool step_view(struct onnx_step *step, const struct onnx_shape *shape);
/* Output i has this shape; its items are those of input 0 at other places, or some of them. */
bool step_move(struct onnx_step *step, unsigned i, const struct onnx_shape *shape);
/* Output 0 is what a layer gave. */
void step_alias(struct onnx_step *step, int layer);

/* A layer that reads the inputs that are no constants and makes output i; NULL: error is set. */
struct onnx_layer *step_layer(struct onnx_step *step, unsigned i, const char *type, const char *kind);
/* Its weights: items of the tensor, or 0 where another layer has them. `*is_shared`: they are not this layer's own, whole. */
double step_weights(
	struct onnx_step *step, struct onnx_value *value, struct onnx_layer *layer, bool *is_shared);
/* A layer that says itself what it does, for all samples together: so many flop. */
void layer_custom(struct onnx_step *step, struct onnx_layer *layer, double flop);

/* One sample of a value of this shape; false: it is none of a model. */
bool sample_of(const struct onnx_network *network, const struct onnx_shape *shape, struct tensor *tensor);
bool shape_equal(const struct onnx_shape *a, const struct onnx_shape *b);
/* What both become when they meet; false: they do not fit. */
bool shape_broadcast(const struct onnx_shape *a, const struct onnx_shape *b, struct onnx_shape *both);

#endif
