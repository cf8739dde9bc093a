/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which plans every layer may have: of all that there are, the most promising few. */
#ifndef SEARCH_LAYERED_WAYS_H
#define SEARCH_LAYERED_WAYS_H

#include "oracle/bounds.h"
#include "oracle/layered_floor.h"
#include "search/layered_graph.h"

/* Nodes of a graph that are alike. */
struct node_classes {
	unsigned *of_node, *sample,
		*size; /* class of each node; a node of each class, and how many there are */
	unsigned count;
	bool alike; /* else every node is a class of its own */
};
bool node_classes_make(const struct paradl_model *model, const struct layer_graph *graph,
	struct paradl_arena *arena, struct node_classes *classes, struct paradl_error *error);
/* The same for nodes that are alike under all of these ways as well: some gather spatial pieces between equal layers. */
bool node_classes_divide(const struct paradl_model *model, const struct way *ways, unsigned way_count,
	const struct layer_graph *graph, struct paradl_arena *arena, struct node_classes *classes,
	struct paradl_error *error);

struct way_choice {
	struct paradl_plan *plans;
	unsigned count;
	size_t evaluated;
	double batch, micro_batches; /* micro-batches 0: those of the best plan for all layers */
	unsigned stages;             /* of a pipeline, of which each way has one; 0: there is none */
};
bool ways_choose(struct paradl_oracle *oracle, const struct paradl_layers_request *request,
	const struct layer_graph *graph, const struct node_classes *classes, struct paradl_arena *arena,
	struct way_choice *choice, struct paradl_error *error);

#endif
