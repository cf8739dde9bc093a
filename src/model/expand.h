/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expansion makes the sequence in which layers run from the tree of layers: repeats are expanded, shapes inferred,
 * and for every tensor between layers (a "value") it is known which layer makes it, which one reads it last, and
 * whether backward needs it.
 */
#ifndef MODEL_EXPAND_H
#define MODEL_EXPAND_H

#include "model/description.h"

enum { NO_POSITION = -1 };

/* A value: 0 is the input of the network, i + 1 the output of position i (unused where y is a view of x). */
struct value {
	double items;
	int maker, last_reader; /* positions; NO_POSITION: the input (maker), read by none (last_reader) */
	int keeper;             /* first position whose backward reads it, or NO_POSITION */
	bool gradient;          /* whether dL/dvalue is computed */
	bool read_back;         /* whether the backward of one of its readers reads it */
};

/* Facts about the inputs of a layer that its work depends on. */
struct role {
	bool reads_input, backward_data; /* as in struct layer */
	unsigned padded_pieces;          /* as in struct layer_context */
};

/* A layer of the file among its inputs. Repetitions of a block mostly have the same inputs, and share the placing. */
struct placing {
	struct layer layer; /* kept_items: masks and statistics only; is_last: false */
	struct layer_keeps keeps;
	const struct tensor *inputs; /* shapes of the inputs */
	struct role role;
	unsigned row; /* last row of model->layers that it became, from 1; 0: none yet */
};

struct expansion {
	struct placing **placings; /* placing of each position */
	double *kept_items;        /* kept items of each position */
	const char **names;
	struct layer_reads *reads;
	unsigned *
		blocks; /* repetition, of any outermost group, that each position belongs to, from 1; 0: none */
	struct value *values;
	unsigned count;
};

bool expand(struct paradl_arena *names_arena, struct reader *reader, const struct item_list *layers,
	const struct tensor *input, const struct model_variant *variant, struct expansion *expansion);

/* Adds each value that backward reads to the kept items once: at its maker, the input at its keeper. */
void expansion_keep(struct expansion *expansion);

#endif
