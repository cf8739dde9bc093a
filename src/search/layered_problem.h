/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing one way for each layer is a problem for assign.h: a node for each layer, an edge for each read. */
#ifndef SEARCH_LAYERED_PROBLEM_H
#define SEARCH_LAYERED_PROBLEM_H

#include "search/layered_ways.h"

/*
 * Penalty for each change of way, so that among equal choices the one with fewest changes counts; smaller than the
 * accuracy of any estimate.
 */
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
	/* Fastest way for all layers that fits: its index among the ways, and its estimate; devices 0: none fits. */
	struct whole {
		unsigned way;
		struct paradl_estimate estimate;
	} quiet, usual; /* fastest on a quiet network, and on a usual one */
};

/* Fills the costs of nodes and edges and the capacity, once the ways have begun. */
bool layers_problem_fill(struct layers_problem *problem, struct paradl_error *error);

#endif
