/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the solver of assign.h a series-parallel graph is a tree of parts; this header has the tree and what is
 * computed on it.
 */
#ifndef SEARCH_ASSIGN_GRAPH_H
#define SEARCH_ASSIGN_GRAPH_H

#include "base/arena.h"
#include "search/assign.h"

/*
 * Node with the options that are left. There are two more than the problem has, source and sink, with one option each
 * that costs nothing.
 */
struct assign_place {
	unsigned count;
	unsigned *option; /* numbers of the options in the problem */
	double *cost, *exposed, *memory;
	unsigned alike; /* index of the first node that has the same options */
};

enum assign_kind { ASSIGN_EDGE, ASSIGN_SERIES, ASSIGN_PARALLEL };

/*
 * Part of the graph: all between two nodes, these not included. Parts come after those they consist of; the last is
 * the whole graph.
 */
struct assign_part {
	enum assign_kind kind;
	unsigned from, to;
	unsigned left, right; /* parts that a series or parallel consists of */
	unsigned node;        /* node where the two parts of a series meet */
	/* Costs of an edge: [option of from][option of to] as left, or of all options before the reduction. */
	const double *cost;
	unsigned alike; /* index of the first part with the same costs inside */
};

struct assign_graph {
	struct assign_place *nodes;
	unsigned node_count; /* number of nodes; source and sink are the last two */
	struct assign_part *parts;
	unsigned part_count;
	/* Index at which the cells [from][to] of each part begin in a table of all; part_count + 1 entries. */
	size_t *cell;
	unsigned *incident, *incident_begin; /* edges (as parts) at each node */
	double capacity; /* capacity for memory; 0, like all memories, if there is no limit */
	unsigned widest; /* largest number of options of a node */
};

/* Price of one unit of each sum: {1, lambda, mu} is the relaxed problem. */
struct assign_price {
	double cost, exposed, memory;
};

struct assign_totals {
	double cost, exposed, memory;
};

/* Least priced sums inside each part, for each pair of options at its ends (inf: none), and around it. */
struct assign_tables {
	struct assign_price price;
	double *weight;  /* priced cost of each option of each node: [node * widest + option] */
	double *inside;  /* sum inside a part: [cell], filled for parts that are the first of their kind */
	double *outside; /* sum around a part: [cell]; its ends included */
};

bool assign_graph_build(const struct assign_problem *problem, struct paradl_arena *arena,
	struct assign_graph *graph, struct paradl_error *error);
/*
 * Drops options that another one of the same node beats whatever the rest does, then joins nodes and parts that are
 * alike.
 */
bool assign_graph_reduce(struct assign_graph *graph, struct paradl_arena *arena);
/* Fills `alike` of nodes and parts. */
bool assign_graph_join(struct assign_graph *graph, struct paradl_arena *arena);

static inline double assign_value(const struct assign_totals *totals)
{
	return totals->cost + (totals->exposed > 0 ? totals->exposed : 0);
}
bool assign_fits(const struct assign_graph *graph, double memory);
/* Returns the totals of one option (as left) for each node. */
struct assign_totals assign_sum(const struct assign_graph *graph, const unsigned *choice);

bool assign_tables_create(const struct assign_graph *graph, bool outside, struct paradl_arena *arena,
	struct assign_tables *tables);
/* Fills weight and inside; returns the least priced sum of the whole graph. */
double assign_inside(
	const struct assign_graph *graph, const struct assign_price *price, struct assign_tables *tables);
/* Chooses options that have the least sum found by assign_inside, which must be finite. */
void assign_choose(const struct assign_graph *graph, const struct assign_tables *tables, unsigned *choice);
void assign_outside(const struct assign_graph *graph, struct assign_tables *tables);

/* Best choice so far and the proven bound. */
struct assign_state {
	const struct assign_graph *graph;
	struct paradl_arena *arena;
	double gap, below; /* below: values of this or more are not looked for */
	size_t labels, label_limit;
	unsigned *choice, *trial; /* an option (as left) for each node; trial is scratch */
	double value, bound;      /* value of the choice (inf: none yet) and proven bound */
};

/* Takes state->trial as the choice if it fits and is better; returns whether it did. */
bool assign_offer(struct assign_state *state);
/* Changes one node at a time as long as the value gets smaller and the memory fits. */
void assign_improve(struct assign_state *state);
/*
 * Offers the best of the choices that are like `to` up to some node, in the order of the tree, and like `from` after
 * it.
 */
void assign_cross(struct assign_state *state, const unsigned *from, const unsigned *to);
static inline bool assign_done(const struct assign_state *state)
{
	return state->bound >= (1 - state->gap) * state->below ||
	       state->value - state->bound <= state->gap * (state->value < 0 ? -state->value : state->value);
}

enum { ASSIGN_PRICES = 5 };

/* Prices of the relaxed problem: the best one, then others nearby. */
struct assign_prices {
	struct assign_price price[ASSIGN_PRICES];
	unsigned count;
};
/*
 * Raises the bound and lowers the value by cutting planes. `least`: totals of the choice that needs the least memory,
 * and fits.
 */
bool assign_dual(struct assign_state *state, const struct assign_totals *least, struct assign_prices *prices);

/*
 * Enumerates partial assignments until the gap or the limit of labels is reached. Raises the bound, lowers the value.
 */
bool assign_labels(struct assign_state *state, const struct assign_prices *prices);

/* Labels of assign_labels.c are kept in cells, each of them a set in which no label beats another. */

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
