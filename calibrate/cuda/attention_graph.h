/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused attention as a graph of operations on tensors: what cuDNN is asked for, as data. */
#ifndef CALIBRATE_CUDA_ATTENTION_GRAPH_H
#define CALIBRATE_CUDA_ATTENTION_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ATTENTION_RANK = 4, ATTENTION_OPERATIONS_MAX = 24 };

/* Causal attention of `batch` sequences; heads of queries share those of keys and values evenly. */
struct attention {
	bool is_backward;
	int batch, heads, kv_heads, tokens, head; /* `head`: items of one head */
};

/* Tensors, whose numbers are their unique ids. */
enum attention_tensor {
	NONE,
#define X(id, shape, home, items) id,
#include "attention_tensors.def"
#undef X
	ATTENTION_TENSORS
};

enum attention_home {
	ARRAY,   /* an operand */
	SCRATCH, /* memory that is nobody's operand */
	SUMMED,  /* the same, set to zero before each call, as items are added to it */
	VIRTUAL, /* between two operations, never in memory */
	VALUE    /* one number, given with its value */
};
enum attention_items { ITEMS, FLOATS, INDICES, FLAGS };

/* Sizes and strides: batch, heads, rows, columns. */
struct attention_layout {
	enum attention_home home;
	enum attention_items items;
	int64_t sizes[ATTENTION_RANK], strides[ATTENTION_RANK];
};
struct attention_layout attention_layout(const struct attention *attention, enum attention_tensor tensor);
/* Returns how many items a tensor has. */
size_t attention_count(const struct attention *attention, enum attention_tensor tensor);

enum attention_action {
	PRODUCT,   /* y = x b */
	TRANSPOSE, /* y = x, transposed */
	MOST,      /* y = the most of x, along what y lacks */
	TOTAL,     /* y = the sum of x, along what y lacks */
	MULTIPLY,
	SUBTRACT,
	ADD,
	DIVIDE,
	EXPONENTIAL,
	LOGARITHM,
	COPY,
	ROW_NUMBER, /* y = the number of its row */
	COLUMN_NUMBER,
	IS_AT_LEAST, /* y = x >= b */
	CHOOSE       /* y = t ? x : b */
};
struct attention_operation {
	enum attention_action action;
	enum attention_tensor x, b, t, y;
};
/* Fills in the operations of a pass in their order; returns how many. */
size_t attention_operations(
	const struct attention *attention, struct attention_operation operations[ATTENTION_OPERATIONS_MAX]);

#endif
