/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_ASSIGN_H
#define SEARCH_ASSIGN_H

#include "paradl.h"

/*
 * The solver chooses one option for each node of a series-parallel graph, such that
 *
 *     sum over nodes cost[n][o_n] + sum over edges cost[e][o_from][o_to] + max(0, sum over nodes exposed[n][o_n])
 *
 * is least and the memory of all nodes is within the capacity. It sees numbers only: no model, no machine. All holds
 * up to rounding.
 */

struct assign_node {
	unsigned options;           /* number of options, at least 1 */
	const double *cost_s;       /* cost of each option, any sign; INFINITY: not allowed */
	const double *exposed_s;    /* time exposed under each option, any sign, finite; NULL: 0 */
	const double *memory_bytes; /* memory of each option, any sign, finite; NULL: 0 */
};

struct assign_edge {
	/* Costs [option of from][option of to], row by row, any sign; INFINITY: not allowed. */
	const double *cost_s;
};

/* Item of a chain: a node, or branches (each a chain) between the node before and the node after it. */
struct assign_item {
	unsigned node; /* index, if the item is a node */
	/* Edge from the node before, if the item is a node; ignored in the first item of all and after branches. */
	unsigned edge;
	/* Number of branches, which have a node before and a node after them; 0: this item is a node. */
	unsigned branch_count;
	const struct assign_chain *branches;
};

struct assign_chain {
	unsigned count; /* number of items; 0: an empty branch, one edge from the fork to the join */
	const struct assign_item *items;
	/* Edge of a branch from its last node (or, if empty, from the fork) to the join. */
	unsigned last_edge;
};

/* Problem in which every node is at exactly one place of the chain; an edge may stand at several places. */
struct assign_problem {
	const struct assign_node *nodes;
	unsigned node_count;
	const struct assign_edge *edges;
	unsigned edge_count;
	struct assign_chain chain; /* chain of the whole graph, begins and ends with a node */
	double capacity_bytes;     /* capacity for the memory of all nodes; INFINITY: no limit */
};

/* Limits of the work: a count, not a clock, so that the same input gives the same answer on any machine. */
struct assign_limits {
	double gap;    /* gap to stop at: value - lower bound <= gap x |value|; 0: prove the optimum */
	size_t labels; /* largest number of partial assignments; 0: bounds by multipliers only */
	double below;  /* value to stop at once nothing is below it by the gap; 0: any value will do */
};

struct assign_solution {
	unsigned *option; /* option of each node, in the arena; meaningful if feasible */
	double value_s;   /* value of these options; INFINITY when none was found */
	double lower_bound_s; /* proven bound: no assignment within the capacity is below; INFINITY: there is none */
	bool feasible;        /* `option` is allowed and within the capacity */
	bool proven_infeasible; /* proven that no assignment is allowed and within the capacity */
	size_t labels;          /* number of partial assignments that were looked at */
};

/*
 * Solves a problem. Returns false only if it is malformed or when out of memory: a problem without an answer is an
 * answer.
 */
bool assign_solve(const struct assign_problem *problem, const struct assign_limits *limits,
	struct paradl_arena *arena, struct assign_solution *solution, struct paradl_error *error);

#endif
