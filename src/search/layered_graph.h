/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network becomes the series-parallel graph that assign.h works on. A node is a layer, in networks of tokens a unit
 * (block). Where layers read across branches ("from"), all layers between fork and join are one node, too: they get
 * one plan together.
 */
#ifndef SEARCH_LAYERED_GRAPH_H
#define SEARCH_LAYERED_GRAPH_H

#include "model/model.h"
#include "search/assign.h"

struct graph_node {
	unsigned first, end; /* layers of the node, as positions */
};
/* Edge for all reads of `to` from `from`. */
struct graph_edge {
	unsigned from, to; /* indices of nodes */
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
