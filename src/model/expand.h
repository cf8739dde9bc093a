/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the tree of layers to the sequence they run in: repeats expanded, shapes inferred, and what happens to every
 * tensor between layers (a "value"): who makes it, who reads it last, whether backward needs it.
 */
#ifndef MODEL_EXPAND_H
#define MODEL_EXPAND_H

#include "model/description.h"

enum { NO_POSITION = -1 };

/* Value 0 is the network's input, value i + 1 the output of position i (unused where y is a view of x). */
struct value {
	double items;
	int maker, last_reader; /* positions; NO_POSITION: the input; read by none */
	int keeper;             /* the first position whose backward reads it, or NO_POSITION */
	bool gradient;          /* dL/dvalue is wanted */
	bool read_back;         /* the backward of one of its readers reads it */
};

/* What a layer has to know of where its inputs come from. */
struct role {
	bool reads_input, backward_data; /* as in struct layer */
	unsigned padded_pieces;          /* as in struct layer_context */
};

/* A layer of the file among its inputs. Repetitions of a block mostly find the same ones, and share it. */
struct placing {
	struct layer layer; /* kept_items: masks and statistics; is_last: false */
	struct layer_keeps keeps;
	const struct tensor *inputs; /* their shapes */
	struct role role;
	unsigned row; /* the last one of model->layers that it became, from 1; 0: none yet */
};

struct expansion {
	struct placing **placings; /* by position */
	double *kept_items;        /* by position */
	const char **names;
	struct layer_reads *reads;
	unsigned *
		blocks; /* by position: which repetition of which group of the outermost list, from 1; 0: none */
	struct value *values;
	unsigned count;
};

bool expand(struct paradl_arena *names_arena, struct reader *reader, const struct item_list *layers,
	const struct tensor *input, const struct model_variant *variant, struct expansion *expansion);

/* Stores each value that backward reads once, with its maker; the input with its keeper. */
void expansion_keep(struct expansion *expansion);

#endif
