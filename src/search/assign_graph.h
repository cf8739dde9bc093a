/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the solver of assign.h: a series-parallel graph as a tree of parts, and what is computed on it. */
#ifndef SEARCH_ASSIGN_GRAPH_H
#define SEARCH_ASSIGN_GRAPH_H

#include "base/arena.h"
#include "search/assign.h"

/* A node with the options that are left. Two more than the problem's, source and sink, have one that costs nothing. */
struct assign_place {
	unsigned count;
	unsigned *option; /* as the problem numbers them */
	double *cost, *exposed, *memory;
	unsigned alike; /* the first node that has the same options */
};

enum assign_kind { ASSIGN_EDGE, ASSIGN_SERIES, ASSIGN_PARALLEL };

/* All between two nodes, these not included. Parts come after those they are made of; the last is the whole graph. */
struct assign_part {
	enum assign_kind kind;
	unsigned from, to;
	unsigned left, right; /* of series and parallel: the parts it is made of */
	unsigned node;        /* of series: where they meet */
	const double *
		cost; /* of an edge: [option of from][option of to] as left; before reduction of all options */
	unsigned alike; /* the first part with the same costs inside */
};

struct assign_graph {
	struct assign_place *nodes;
	unsigned node_count; /* source and sink included: the last two */
	struct assign_part *parts;
	unsigned part_count;
	size_t *cell; /* of each part: where its cells [from][to] begin in a table of all; part_count + 1 entries */
	unsigned *incident, *incident_begin; /* edges (parts) at each node */
	double capacity;                     /* 0, and so are all memories, if there is no limit */
	unsigned widest;                     /* most options of a node */
};

/* What one unit of each sum costs: {1, lambda, mu} is the relaxed problem. */
struct assign_price {
	double cost, exposed, memory;
};

struct assign_totals {
	double cost, exposed, memory;
};

/* The least priced sum inside each part for each pair of options at its ends (inf: none), and of all around it. */
struct assign_tables {
	struct assign_price price;
	double *weight;  /* of each option of each node: [node * widest + option] */
	double *inside;  /* [cell], of parts that are the first of their kind */
	double *outside; /* [cell]; ends included */
};

bool assign_graph_build(const struct assign_problem *problem, struct paradl_arena *arena,
	struct assign_graph *graph, struct paradl_error *error);
/* Drops options that another one of the same node beats whatever the rest does; then joins what is alike. */
bool assign_graph_reduce(struct assign_graph *graph, struct paradl_arena *arena);
/* Fills `alike`. */
bool assign_graph_join(struct assign_graph *graph, struct paradl_arena *arena);

static inline double assign_value(const struct assign_totals *totals)
{
	return totals->cost + (totals->exposed > 0 ? totals->exposed : 0);
}
bool assign_fits(const struct assign_graph *graph, double memory);
/* Of one option (as left) for each node. */
struct assign_totals assign_sum(const struct assign_graph *graph, const unsigned *choice);

bool assign_tables_create(const struct assign_graph *graph, bool outside, struct paradl_arena *arena,
	struct assign_tables *tables);
/* Fills weight and inside; returns the least priced sum of all. */
double assign_inside(
	const struct assign_graph *graph, const struct assign_price *price, struct assign_tables *tables);
/* After assign_inside: a choice that has this sum, which is finite. */
void assign_choose(const struct assign_graph *graph, const struct assign_tables *tables, unsigned *choice);
void assign_outside(const struct assign_graph *graph, struct assign_tables *tables);

/* The best choice so far and the proven bound. */
struct assign_state {
	const struct assign_graph *graph;
	struct paradl_arena *arena;
	double gap, below; /* below: no value of this or more is looked for */
	size_t labels, label_limit;
	unsigned *choice, *trial; /* an option (as left) for each node; trial: scratch */
	double value, bound;      /* value inf: none yet */
};

/* Takes state->trial if it fits and is better. */
bool assign_offer(struct assign_state *state);
/* Changes one node at a time as long as the value gets smaller and memory suffices. */
void assign_improve(struct assign_state *state);
/* Offers the best of those that are like `to` up to some node, in the order of the tree, and like `from` after it. */
void assign_cross(struct assign_state *state, const unsigned *from, const unsigned *to);
static inline bool assign_done(const struct assign_state *state)
{
	return state->bound >= state->below ||
	       state->value - state->bound <= state->gap * (state->value < 0 ? -state->value : state->value);
}

enum { ASSIGN_PRICES = 5 };

/* Of the relaxed problem: the best ones and what they prove, then others nearby. */
struct assign_prices {
	struct assign_price price[ASSIGN_PRICES];
	unsigned count;
};
/* Raises the bound, lowers the value. `least`: what needs the least memory, and fits. */
bool assign_dual(struct assign_state *state, const struct assign_totals *least, struct assign_prices *prices);

/* Enumerates partial assignments until the gap is reached or the limit. Raises the bound, lowers the value. */
bool assign_labels(struct assign_state *state, const struct assign_prices *prices);

#endif
