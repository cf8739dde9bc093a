/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the protobuf wire format. A message is fields, one after the other, each a key (number and type) and a value.
 * Nothing is copied or allocated; a field that is not asked for is skipped by its length and never looked at. A
 * nested message is a wire of its own that the caller may walk, so depth is that of the caller's code, not that of a
 * file.
 */
#ifndef IMPORT_ONNX_ONNX_GRAPH_H
#define IMPORT_ONNX_ONNX_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/file.h"

enum wire_type { WIRE_VARINT = 0, WIRE_64_BIT = 1, WIRE_BYTES = 2, WIRE_32_BIT = 5 };

struct wire {
	const uint8_t *at, *end;
	const char *broken; /* reason why the walk has ended before the end; NULL: it has not */
};

struct wire_field {
	unsigned number;
	enum wire_type type;
	uint64_t value;    /* bits of all types but bytes, as they lie there */
	struct wire bytes; /* content of type bytes: text, a message, or packed numbers */
};

struct wire wire_over(const uint8_t *data, size_t length);
/*
 * Reads the next field; false at the end, or where it is broken: then wire->broken says why, and wire->at is where.
 */
bool wire_next(struct wire *wire, struct wire_field *field);
/* Reads the next of numbers that are packed as varints; false where it is broken. */
bool wire_varint(struct wire *wire, uint64_t *value);
size_t wire_left(const struct wire *wire);

/* Returns bits as a number. */
float wire_float(uint64_t bits);
double wire_double(uint64_t bits);
/* Returns a little-endian number, as raw data has them; `bytes` is 1, 2, 4 or 8. */
uint64_t wire_little(const uint8_t *at, unsigned bytes);

/*
 * An ONNX graph as its file has it: nodes, and the values between them, which are found by name. Names, texts and
 * nested messages are places in the mapped file. Tensors of the file are kept as shape and type only. Small ones also
 * keep their numbers, because files write shapes and axes so.
 */

enum {
	RANK_MAX = 8,       /* dimensions of a known shape */
	NUMBERS_MAX = 4096, /* items that are read of a whole-numbered tensor or of an attribute */
	FLOATS_MAX = 16,    /* the same for another tensor: factors and limits, no weights */
	NODES_MAX = 250000,
	OPERANDS_MAX = 65536, /* inputs, outputs or attributes of one node */
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
	int producer;     /* node that makes it; NOTHING: an input, or a tensor of the file */
	unsigned uses;    /* uses as operand of nodes that the outputs need (not of Shape), and as output */
	bool is_tensor;   /* the file holds its items */
	bool is_input;    /* the file lists it as an input; real ones are found later */
	bool is_constant; /* the same for every sample: weights, and what shapes are computed from */
	bool is_counted;  /* its weights are counted */
	struct onnx_shape shape;
	bool is_whole;         /* its numbers have a whole-numbered type: division truncates */
	const double *numbers; /* shape_items() numbers of a small constant; NULL: not known */
	unsigned origin;       /* constant: value that it is a view of */
	int layer;             /* no constant: layer that makes it; NOTHING: it is the network's input */
};

struct onnx_attribute {
	struct span name;
	double number;      /* value of f or i */
	struct span text;   /* value of s */
	const double *list; /* items of ints or floats */
	unsigned count;
	struct wire tensor; /* message of t; at NULL: none */
};

struct onnx_node {
	struct span name, operation, domain;
	const int *inputs; /* indices of values; NOTHING: left out */
	const int *outputs;
	unsigned input_count, output_count;
	const struct onnx_attribute *attributes;
	unsigned attribute_count;
	bool is_needed; /* an output of the graph depends on it */
};

struct onnx_graph {
	struct paradl_arena *arena;
	const char *path;
	const uint8_t *start; /* first byte of the file: errors name bytes */
	const struct file_map
		*mapped; /* mapping of the file, to give back pages that were read; NULL: none */
	struct span producer, producer_version, name;
	unsigned opset;
	struct onnx_node *nodes;
	unsigned node_count;
	unsigned *order; /* indices of the nodes that outputs need, in order */
	unsigned order_count;
	struct onnx_value *values;
	unsigned value_count;
	int *outputs; /* indices of values */
	unsigned output_count;
	struct paradl_error *error;
};

/* Reads the whole file. False: error is set. */
bool graph_read(struct onnx_graph *graph, const uint8_t *data, size_t length);
/* Orders the nodes that outputs need, each after those it reads. False: error is set; a cycle is an error. */
bool graph_order(struct onnx_graph *graph);

/* Sets an error about the file as a whole; returns false. */
bool graph_error(const struct onnx_graph *graph, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns true where a walk did not end early; else sets an error with the reason and the byte. */
bool graph_walked(const struct onnx_graph *graph, const struct wire *wire);

/* Reads the shape of a tensor message and, where it is small, its numbers. `name` may be NULL. */
bool tensor_read(
	const struct onnx_graph *graph, struct wire wire, struct onnx_value *value, struct span *name);
bool attribute_read(const struct onnx_graph *graph, struct wire wire, struct onnx_attribute *attribute);
/* Reads name and shape of a ValueInfo message; shape->known is false where the message has no shape. */
bool value_info_read(
	const struct onnx_graph *graph, struct wire wire, struct span *name, struct onnx_shape *shape);

/* Hash table from names to values, which are numbered in the order in which they appear. */
struct onnx_names {
	unsigned *slots; /* value + 1; 0: free */
	size_t slot_count;
};
bool names_create(struct onnx_graph *graph, struct onnx_names *names, size_t most);
/*
 * Returns the value with this name. Where there is none, names_value makes it and names_find returns NOTHING; both
 * return NOTHING for an empty name.
 */
int names_find(const struct onnx_graph *graph, const struct onnx_names *names, struct span name);
int names_value(struct onnx_graph *graph, struct onnx_names *names, struct span name);

/* Writes a value's name, or a node's operator and name, for a message; returns text. */
const char *span_format(struct span span, char *text, size_t size);
const char *node_format(
	const struct onnx_graph *graph, const struct onnx_node *node, char *text, size_t size);

const struct onnx_attribute *attribute_find(const struct onnx_node *node, const char *name);
double attribute_number(const struct onnx_node *node, const char *name, double otherwise);

#endif
