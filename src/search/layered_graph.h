/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as the series-parallel graph that assign.h works on. A node is a layer, of a network of tokens a unit
 * (block). Where layers read across branches ("from"), those between fork and join are one node, too: they get one
 * plan together.
 */
#ifndef SEARCH_LAYERED_GRAPH_H
#define SEARCH_LAYERED_GRAPH_H

#include "model/model.h"
#include "search/assign.h"

struct graph_node {
	unsigned first, end; /* positions */
};
/* Reads of `to` from `from`, all of them. */
struct graph_edge {
	unsigned from, to; /* nodes */
};
struct layer_graph {
	struct graph_node *nodes;
	unsigned node_count;
	struct graph_edge *edges;
	unsigned edge_count;
	struct assign_chain chain;
};
bool layer_graph_make(const struct paradl_model *model, struct paradl_arena *arena, struct layer_graph *graph,
	struct paradl_error *error);

#endif
