/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns an ONNX graph into layers. Each node in turn is given to its operator. The operator infers the shapes of its
 * outputs, their numbers if they are small constants, and the layer that does its work, if there is any.
 */
#ifndef IMPORT_ONNX_ONNX_NETWORK_H
#define IMPORT_ONNX_ONNX_NETWORK_H

#include "base/json.h"
#include "import/onnx/onnx_graph.h"
#include "model/model.h"

/* A layer of paradl-model(5), with the keys that it is written with. */
struct onnx_layer {
	const char *type, *kind; /* kind NULL: none */
	struct span name;        /* name of its weights; empty: none */
	const int *inputs;       /* indices of layers; NOTHING: the network's input */
	unsigned input_count;
	struct tensor y; /* output of one sample */

	unsigned dimensions, kernel[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], pad[DIMENSIONS_MAX],
		dilation[DIMENSIONS_MAX];
	bool pad_same, ceil, global, transposed, bias, copy;
	unsigned out, groups, axis;
	bool by_scale; /* upsample: scale has factors, else sizes */
	unsigned scale[DIMENSIONS_MAX];
	double probability;  /* dropout: its p */
	double flop, params; /* flop of one sample; keys of a custom layer, and checks on others */

	bool is_error_function; /* Erf, a sign of GELU */
	bool is_used;           /* an output of the network needs it */
	const char *label;      /* name that is written; NULL: it has no name */
};

enum { UNKNOWN_MAX = 32 };

struct onnx_network {
	struct onnx_graph *graph;
	struct warnings *warnings;
	int input;           /* value that is the network's input */
	struct tensor shape; /* tensor of one sample of the input */
	double batch;        /* samples that the graph is for */
	struct onnx_layer *layers;
	unsigned layer_count;
	const struct onnx_node *unknown[UNKNOWN_MAX]; /* first node of each operator that is not known */
	unsigned unknown_count;
	int lost;                          /* the first value whose shape is not known; NOTHING: none */
	const struct onnx_node *lost_work; /* a node with weights or products that reads such a value */
	unsigned written;                  /* number of layers in the model */
	unsigned convolutions, folded, norms, softmaxes, embeddings;
	bool *is_result; /* for each layer: it makes an output of the graph, or of the known part */
};

struct onnx_operator;
struct onnx_step {
	struct onnx_network *network;
	struct onnx_graph *graph;
	const struct onnx_node *node;
	const struct onnx_operator *operator;
	bool is_constant; /* its outputs are the same for each sample */
	bool is_unknown;  /* the file does not say enough to infer its outputs */
};

struct onnx_operator {
	const char *name;
	bool (*run)(struct onnx_step *step);
	const char *kind; /* kind of its layer, where that is all that tells operators apart */
	int variant;
};
/* Tables of operators by kind of work, each ended by a name NULL. */
extern const struct onnx_operator onnx_windows[], onnx_products[], onnx_norms[], onnx_items[], onnx_shapes[],
	onnx_moves[], onnx_scales[], onnx_numbers[];
/* Returns the operator of a node; NULL: not known. `*is_work`: it has weights or products. */
const struct onnx_operator *operator_find(const struct onnx_node *node, bool *is_work);

struct onnx_options {
	const char *input;         /* "3,640,640" or "NAME=3,640,640"; NULL: as the file says */
	const char *const *shapes; /* "NAME=1,64,56,56" for values whose shape cannot be inferred */
	size_t shape_count;
};
/* Finds the network's input and its shape, and sets the shapes that the options state. False: error is set. */
bool network_input(struct onnx_network *network, const struct onnx_options *options);
/* Infers the outputs and layers of all nodes, in order. False: error is set. */
bool network_infer(struct onnx_network *network);

/*
 * An entry in nested lists of layers. A layer that reads the one before stands after it, a join whose branches begin
 * at one place holds them, and a layer that fits no such tree says by name what it reads.
 */
struct onnx_item {
	int layer;
	const struct onnx_list *branches; /* one for each input; NULL: no branches */
	const int *from;                  /* layers that it names; NULL: none; NOTHING: the network's input */
	unsigned from_count;
	struct onnx_item *next;
};
struct onnx_list {
	struct onnx_item *first, *last;
	unsigned depth; /* levels of branches in branches */
};
/* Nests the layers. `*names_input`: some layer names the network's input. False: out of memory. */
bool network_nest(struct onnx_network *network, struct onnx_list *list, bool *names_input);
bool network_write(struct onnx_network *network, const struct onnx_list *list, bool names_input,
	struct json_writer *writer);

/* ---- what operators use ------------------------------------------------------------------------ */

/* Returns the i-th input; NULL: left out. */
struct onnx_value *step_input(const struct onnx_step *step, unsigned i);
/* Sets an error about this node; returns false. */
bool step_error(const struct onnx_step *step, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Sets an error too, and step->is_unknown: the file may be right, but its shapes depend on numbers that are not
 * known.
 */
bool step_unknown(struct onnx_step *step, const char *what);
/*
 * Returns the numbers of an attribute or, where newer versions have it, of an input; NULL: not given, or not known.
 * `name` may be NULL, `input` may be -1.
 */
const double *step_list(const struct onnx_step *step, const char *name, int input, unsigned *count);
/* Finds a list that may be left out: false, and step_unknown, where it is given and not known. */
bool step_optional(
	struct onnx_step *step, const char *name, unsigned input, const double **list, unsigned *count);
/* Finds an axis, counted from the end where `number` is negative; false with an error where there is none. */
bool step_axis(const struct onnx_step *step, double number, unsigned rank, unsigned *axis);
/*
 * Marks the axes among `rank` that an attribute or input 1 lists. `*listed`: there is such a list. False: it is not
 * known, or names an axis that there is not.
 */
bool step_axes(struct onnx_step *step, unsigned rank, bool *among, bool *listed);

/* Gives output i this shape. False: it cannot be counted, error is set. */
bool step_shape(struct onnx_step *step, unsigned i, const struct onnx_shape *shape);
/* Makes room for the numbers of output 0, as many as its shape has items; NULL: out of memory, or too many. */
double *step_numbers(struct onnx_step *step, bool is_whole);
/* Computes the numbers of output 0 from those of inputs 0 and 1, where both are known. */
bool numbers_combine(struct onnx_step *step);
/*
 * Makes output 0 a view of input 0 under this shape: with its numbers, and with a layer only where tensors of models
 * differ. False: error is set.
 */
bool step_view(struct onnx_step *step, const struct onnx_shape *shape);
/*
 * Gives output i this shape, with a layer that copies items of input 0 to other places, or some of them. False: error
 * is set.
 */
bool step_move(struct onnx_step *step, unsigned i, const struct onnx_shape *shape);
/* Makes output 0 the output of a layer that exists already. */
void step_alias(struct onnx_step *step, int layer);

/* Adds a layer that reads the inputs that are no constants and makes output i; NULL: error is set. */
struct onnx_layer *step_layer(struct onnx_step *step, unsigned i, const char *type, const char *kind);
/*
 * Counts weights of a layer: returns the items of the tensor, or 0 where another layer has them. `*is_shared`: they
 * are not this layer's own, whole.
 */
double step_weights(
	struct onnx_step *step, struct onnx_value *value, struct onnx_layer *layer, bool *is_shared);
/* Turns a layer into a custom one, which states its work: `flop` for all samples together. */
void layer_custom(struct onnx_step *step, struct onnx_layer *layer, double flop);

/* Finds the tensor of one sample of a value with this shape; false: no tensor of a model is such. */
bool sample_of(const struct onnx_network *network, const struct onnx_shape *shape, struct tensor *tensor);
bool shape_equal(const struct onnx_shape *a, const struct onnx_shape *b);
/* Finds the shape that both become when they are combined item by item; false: they do not fit. */
bool shape_broadcast(const struct onnx_shape *a, const struct onnx_shape *b, struct onnx_shape *both);

#endif
