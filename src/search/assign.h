/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SEARCH_ASSIGN_H
#define SEARCH_ASSIGN_H

#include "paradl.h"

/*
 * One option for each node of a series-parallel graph, such that
 *
 *     sum over nodes cost[n][o_n] + sum over edges cost[e][o_from][o_to] + max(0, sum over nodes exposed[n][o_n])
 *
 * is least and the memory of all nodes is within the capacity. Numbers only: no model, no machine. All is meant up to
 * rounding.
 */

struct assign_node {
	unsigned options;           /* at least 1 */
	const double *cost_s;       /* of each option, any sign; INFINITY: not allowed */
	const double *exposed_s;    /* any sign, finite; NULL: 0 */
	const double *memory_bytes; /* any sign, finite; NULL: 0 */
};

struct assign_edge {
	/* [option of from][option of to], row by row, any sign; INFINITY: not allowed */
	const double *cost_s;
};

/* A node, or branches (each a chain) between the node before and the node after it. */
struct assign_item {
	unsigned node; /* of a node: its index */
	unsigned edge; /* of a node: from the node before it; ignored first of all and after branches */
	unsigned branch_count; /* 0: this item is a node; else it has a node before and a node after it */
	const struct assign_chain *branches;
};

struct assign_chain {
	unsigned count; /* 0: an empty branch, one edge from the fork to the join */
	const struct assign_item *items;
	unsigned last_edge; /* of a branch: from its last node (or, empty, from the fork) to the join */
};

/* Every node is at exactly one place of the chain; an edge may stand at several places. */
struct assign_problem {
	const struct assign_node *nodes;
	unsigned node_count;
	const struct assign_edge *edges;
	unsigned edge_count;
	struct assign_chain chain; /* begins and ends with a node */
	double capacity_bytes;     /* INFINITY: no limit */
};

/* Work is limited by a count, not a clock: the same input gives the same answer on any machine. */
struct assign_limits {
	double gap;    /* stop when value - lower bound <= gap x |value|; 0: prove the optimum */
	size_t labels; /* at most so many partial assignments; 0: bounds by multipliers only */
	double below;  /* stop when nothing is below this value; 0: any value will do */
};

struct assign_solution {
	unsigned *option;     /* of each node, in the arena; meaningful if feasible */
	double value_s;       /* of these options; INFINITY when none was found */
	double lower_bound_s; /* proven: no assignment within the capacity is below; INFINITY: there is none */
	bool feasible;        /* `option` is allowed and within the capacity */
	bool proven_infeasible; /* nothing is */
	size_t labels;          /* partial assignments that were looked at */
};

/* False only for a malformed problem or when out of memory: a problem without an answer is an answer. */
bool assign_solve(const struct assign_problem *problem, const struct assign_limits *limits,
	struct paradl_arena *arena, struct assign_solution *solution, struct paradl_error *error);

#endif
