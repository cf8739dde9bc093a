/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where labels of assign_labels.c are kept: in cells, each of them a set of which none beats another. */
#ifndef SEARCH_ASSIGN_LABEL_H
#define SEARCH_ASSIGN_LABEL_H

#include "search/assign_graph.h"

struct label {
	double cost, exposed, memory; /* of the nodes and edges inside the part */
	double bound;                 /* of the value of all choices that have it */
	unsigned left, right;         /* the labels it is made of */
	unsigned middle;              /* of series: the option between them */
};

struct label_range {
	unsigned begin, end;
};

/* Candidates for one cell. */
struct label_pile {
	struct paradl_arena *arena;
	struct label *labels;
	double *memory, *total; /* scratch: the steps of a staircase */
	size_t count, capacity;
	size_t width;   /* at most so many stay */
	double dropped; /* least bound of those that did not only for that; inf: none */
};

struct label_cells {
	struct paradl_arena *arena;
	struct label *labels;
	size_t count, capacity;
	struct label_range *range; /* of each cell */
};

/* Least memory and bounds of what is around a cell, the capacity taken off. */
struct cell_around {
	double memory, bound[ASSIGN_PRICES];
};

bool label_pile_create(struct label_pile *pile, size_t width, struct paradl_arena *arena);
bool label_pile_add(struct label_pile *pile, const struct label *label);

bool label_cells_create(struct label_cells *cells, size_t count, struct paradl_arena *arena);
/* What the pile has becomes the labels of this cell; the pile is empty then. */
bool label_cell_take(struct label_cells *cells, size_t cell, struct label_pile *pile);

static inline struct label_range label_cell(const struct label_cells *cells, size_t cell)
{
	return cells->range[cell];
}

#endif
