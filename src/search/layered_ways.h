/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has the plans that every layer may have: of all there are, the most promising few. */
#ifndef SEARCH_LAYERED_WAYS_H
#define SEARCH_LAYERED_WAYS_H

#include "oracle/bounds.h"
#include "oracle/layered_floor.h"
#include "search/layered_graph.h"

/* Classes of nodes of a graph that are alike. */
struct node_classes {
	/* Class of each node; a sample node of each class, and the number of its nodes. */
	unsigned *of_node, *sample, *size;
	unsigned count;
};
bool node_classes_make(const struct paradl_model *model, const struct layer_graph *graph,
	struct paradl_arena *arena, struct node_classes *classes, struct paradl_error *error);
/*
 * Makes classes of nodes that are alike under all of these layer plans as well: some ways gather spatial pieces between
 * equal layers.
 */
bool node_classes_divide(const struct paradl_model *model, const struct layer_plan *layer_plans,
	unsigned layer_plan_count, const struct layer_graph *graph, struct paradl_arena *arena,
	struct node_classes *classes, struct paradl_error *error);

struct layer_plan_choice {
	struct paradl_plan *plans;
	unsigned count;
	size_t evaluated;
	/* Samples of an iteration and micro-batches; micro_batches 0: those of the best plan for all layers. */
	double batch, micro_batches;
	unsigned
		stages; /* stages of a pipeline, one of which each layer plan runs; 0: there is no pipeline */
};
bool layer_plans_choose(struct paradl_oracle *oracle, const struct paradl_layers_request *request,
	const struct layer_graph *graph, const struct node_classes *classes, struct paradl_arena *arena,
	struct layer_plan_choice *choice, struct paradl_error *error);

#endif
