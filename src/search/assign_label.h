/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of assign_labels.c are kept in cells, each of them a set in which no label beats another. */
#ifndef SEARCH_ASSIGN_LABEL_H
#define SEARCH_ASSIGN_LABEL_H

#include "search/assign_graph.h"

struct label {
	double cost, exposed, memory; /* sums over the nodes and edges inside the part */
	double bound;                 /* lower bound on the value of all choices that contain it */
	unsigned left, right;         /* labels it consists of */
	unsigned middle;              /* option of the node between them, in a series */
};

struct label_range {
	unsigned begin, end;
};

/* Candidate labels for one cell. */
struct label_pile {
	struct paradl_arena *arena;
	struct label *labels;
	double *memory, *total; /* scratch for the steps of a staircase */
	size_t count, capacity;
	size_t width;   /* largest number of labels that stay */
	double dropped; /* least bound of the labels that were dropped for the width alone; inf: none */
};

struct label_cells {
	struct paradl_arena *arena;
	struct label *labels;
	size_t count, capacity;
	struct label_range *range; /* range of labels of each cell */
};

/* Least memory around a cell, and the least sum around it at each price, less the price of the capacity. */
struct cell_around {
	double memory, bound[ASSIGN_PRICES];
};

bool label_pile_create(struct label_pile *pile, size_t width, struct paradl_arena *arena);
bool label_pile_add(struct label_pile *pile, const struct label *label);

bool label_cells_create(struct label_cells *cells, size_t count, struct paradl_arena *arena);
/* Moves the labels of the pile that nothing beats into this cell and empties the pile; false when out of memory. */
bool label_cell_take(struct label_cells *cells, size_t cell, struct label_pile *pile);

static inline struct label_range label_cell(const struct label_cells *cells, size_t cell)
{
	return cells->range[cell];
}

#endif
