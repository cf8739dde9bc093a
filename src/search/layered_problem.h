/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing one layer plan for each layer is a problem for assign.h: a node for each layer, an edge for each read. */
#ifndef SEARCH_LAYERED_PROBLEM_H
#define SEARCH_LAYERED_PROBLEM_H

#include "search/layered_ways.h"

/*
 * Penalty for each change of layer plan, so that among equal choices the one with fewest changes counts; smaller than the
 * accuracy of any estimate.
 */
static const double layers_change_s = 1e-9;

struct layers_problem {
	struct paradl_oracle *oracle;
	struct paradl_arena *arena; /* scratch */
	struct layer_graph graph;
	struct node_classes classes;
	struct layer_plan_choice choice;
	struct layer_plan *layer_plans;
	struct plan_floor *floors;
	struct floor_point point;
	struct redistributor movers;
	struct assign_problem assign;
	unsigned devices;
	/* Fastest layer plan for all layers that fits: its index among the layer plans, and its estimate; devices 0: none fits. */
	struct whole {
		unsigned layer_plan;
		struct paradl_estimate estimate;
	} quiet, usual; /* fastest on a quiet network, and on a usual one */
};

/* Fills the costs of nodes and edges and the capacity, once the layer plans have begun. */
bool layers_problem_fill(struct layers_problem *problem, struct paradl_error *error);

#endif
