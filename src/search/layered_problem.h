/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One way for each layer as a problem for assign.h: a node for each layer, an edge for each read. */
#ifndef SEARCH_LAYERED_PROBLEM_H
#define SEARCH_LAYERED_PROBLEM_H

#include "search/layered_ways.h"

/* Of choices that are equal the one with fewest changes counts; less than any estimate is good for. */
static const double layers_change_s = 1e-9;

struct layers_problem {
	struct paradl_oracle *oracle;
	struct paradl_arena *arena; /* scratch */
	struct layer_graph graph;
	struct node_classes classes;
	struct way_choice choice;
	struct way *ways;
	struct way_floor *floors;
	struct floor_point point;
	struct redistributor movers;
	struct assign_problem assign;
	unsigned devices;
	/* One way for all layers that fits, the fastest: its place among the ways, and what it takes; devices 0: none fits. */
	struct whole {
		unsigned way;
		struct paradl_estimate estimate;
	} quiet, usual; /* on a quiet network, on a usual one */
};

/* Fills the costs of nodes and edges, after the ways began. */
bool layers_problem_fill(struct layers_problem *problem, struct paradl_error *error);

#endif
