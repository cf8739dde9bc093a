/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ONNX graph as its file has it: nodes, and the values between them, found by name. Names, text and nested messages are
 * places in the mapped file. Of tensors that the file holds only shape and type are kept, and the numbers of small ones:
 * shapes and axes are written so.
 */
#ifndef IMPORT_ONNX_GRAPH_H
#define IMPORT_ONNX_GRAPH_H

#include "base/arena.h"
#include "base/file.h"
#include "import/onnx/wire.h"

enum {
	RANK_MAX = 8,       /* of a shape that is known */
	NUMBERS_MAX = 4096, /* of a whole-numbered tensor or attribute that is read */
	FLOATS_MAX = 16,    /* the same of another tensor: factors and limits, no weights */
	NODES_MAX = 250000,
	OPERANDS_MAX = 65536, /* of one node */
	NOTHING = -1
};
#define DIM_MAX   2147483647.0
#define ITEMS_MAX 9007199254740992.0 /* 2^53: beyond, a double does not count one by one */

struct span {
	const char *text;
	size_t length;
};
bool span_is(struct span span, const char *text);
bool span_equal(struct span a, struct span b);

struct onnx_shape {
	bool known;
	unsigned rank;
	double dims[RANK_MAX]; /* whole; 0 where the file gives none */
};
double shape_items(const struct onnx_shape *shape);

struct onnx_value {
	struct span name;
	int producer;     /* node; NOTHING: an input, or a tensor of the file */
	unsigned uses;    /* as operands of nodes that the outputs need, and as outputs */
	bool is_tensor;   /* the file has it */
	bool is_input;    /* the file says so; real ones are found later */
	bool is_constant; /* the same for every sample: weights, and what shapes are computed from */
	bool is_counted;  /* its weights are counted */
	struct onnx_shape shape;
	bool is_whole;         /* its numbers are of a whole-numbered type: they divide so */
	const double *numbers; /* of a small constant, shape_items of them; NULL: not known */
	unsigned origin;       /* of a constant: the value that it is a view of */
	int layer;             /* of another value: what makes it; NOTHING: it is the network's input */
};

struct onnx_attribute {
	struct span name;
	double number;      /* of f or i */
	struct span text;   /* of s */
	const double *list; /* of ints or floats */
	unsigned count;
	struct wire tensor; /* of t; at NULL: none */
};

struct onnx_node {
	struct span name, operation, domain;
	const int *inputs; /* values; NOTHING: left out */
	const int *outputs;
	unsigned input_count, output_count;
	const struct onnx_attribute *attributes;
	unsigned attribute_count;
	bool is_needed; /* an output of the graph depends on it */
};

struct onnx_graph {
	struct paradl_arena *arena;
	const char *path;
	const uint8_t *start; /* of the file: errors name bytes */
	const struct file_map
		*mapped; /* pages of it that are not needed any more are given back; NULL: none */
	struct span producer, producer_version, name;
	unsigned opset;
	struct onnx_node *nodes;
	unsigned node_count;
	unsigned *order; /* of nodes; those that outputs need only */
	unsigned order_count;
	struct onnx_value *values;
	unsigned value_count;
	int *outputs; /* values */
	unsigned output_count;
	struct paradl_error *error;
};

/* The whole file. False: error is set. */
bool graph_read(struct onnx_graph *graph, const uint8_t *data, size_t length);
/* Nodes that outputs need, each after those it reads. A cycle is an error. */
bool graph_order(struct onnx_graph *graph);

/* An error of the file as a whole; returns false. */
bool graph_error(const struct onnx_graph *graph, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Why a walk ended early, and at which byte; true where it did not. */
bool graph_walked(const struct onnx_graph *graph, const struct wire *wire);

/* Shape and, of a small one, numbers of a tensor message. `name` may be NULL. */
bool tensor_read(
	const struct onnx_graph *graph, struct wire wire, struct onnx_value *value, struct span *name);
bool attribute_read(const struct onnx_graph *graph, struct wire wire, struct onnx_attribute *attribute);
/* Of a ValueInfo message. */
bool value_info_read(
	const struct onnx_graph *graph, struct wire wire, struct span *name, struct onnx_shape *shape);

/* A hash table of names, of values in the order they appear. */
struct onnx_names {
	unsigned *slots; /* value + 1; 0: free */
	size_t slot_count;
};
bool names_create(struct onnx_graph *graph, struct onnx_names *names, size_t most);
/* The value with this name, made by names_value where there is none; else, and for an empty name, NOTHING. */
int names_find(const struct onnx_graph *graph, const struct onnx_names *names, struct span name);
int names_value(struct onnx_graph *graph, struct onnx_names *names, struct span name);

/* A value's name, or a node's with its operator, for a message. */
const char *span_format(struct span span, char *text, size_t size);
const char *node_format(
	const struct onnx_graph *graph, const struct onnx_node *node, char *text, size_t size);

const struct onnx_attribute *attribute_find(const struct onnx_node *node, const char *name);
double attribute_number(const struct onnx_node *node, const char *name, double otherwise);

#endif
