/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search for a plan of each layer chooses among few plans for all devices, the layer plans: here are the graph that
 * it chooses on, the plans it chooses from, the problem that assign.h solves, and its bounds.
 */
#ifndef SEARCH_LAYER_PLANS_H
#define SEARCH_LAYER_PLANS_H

#include "model/model.h"
#include "oracle/bounds.h"
#include "search/assign.h"

/*
 * A network becomes the series-parallel graph that assign.h works on. A node is a layer, in networks of tokens a unit
 * (block). Where layers read across branches ("from"), all layers between fork and join are one node, too: they get
 * one plan together.
 */

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

/* ---- layer plans: the plans that every layer may have, of all there are the most promising few ---- */

/* Classes of nodes of a graph that are alike. */
struct node_classes {
	/* Class of each node; a sample node of each class, and the number of its nodes. */
	unsigned *of_node, *sample, *size;
	unsigned count;
};
bool node_classes_make(const struct paradl_model *model, const struct layer_graph *graph,
	struct paradl_arena *arena, struct node_classes *classes, struct paradl_error *error);
/*
 * Makes classes of nodes that are alike under all of these layer plans as well: some ways gather spatial pieces
 * between equal layers.
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

/* Choosing one layer plan for each layer is a problem for assign.h: a node for each layer, an edge for each read. */

/*
 * Penalty for each change of layer plan, so that among equal choices the one with fewest changes counts; smaller than
 * the accuracy of any estimate.
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
	/*
	 * Fastest layer plan for all layers that fits: its index among the layer plans, and its estimate; devices 0:
	 * none fits.
	 */
	struct whole {
		unsigned layer_plan;
		struct paradl_estimate estimate;
	} quiet, usual; /* fastest on a quiet network, and on a usual one */
};

/* Fills the costs of nodes and edges and the capacity, once the layer plans have begun. */
bool layers_problem_fill(struct layers_problem *problem, struct paradl_error *error);

/* ---- worth: whether plans for each layer could take less than a given time, before anything is solved ---- */

/*
 * Returns a time in seconds on a usual network such that no choice of the problem's layer plans for each node is below
 * it; negative: out of memory. Marks the layer plans that this bound chooses for some node, unless `useful` is NULL.
 */
double layer_plans_floor_s(const struct layers_problem *problem, bool *useful);

enum { EXTREMES_MAX = 16 };
/*
 * Fills `choice` with the few plans of a network of images that differ most: one axis over the devices of a node, over
 * all, or over all but a few, and the rest along data. False when out of memory.
 */
bool extremes_choose(const struct paradl_machine *machine, unsigned devices, struct paradl_arena *arena,
	struct layer_plan_choice *choice);

/* ---- pipelines whose stages have plans of their own ---- */

/* Table of what stages of a pipeline cost and hold, under each way. */
struct stage_table {
	unsigned units, layer_plan_count;
	/*
	 * Shape of each stage: [first * (units + 1) + end]; stages of units [first, end) that are alike have one
	 * shape.
	 */
	unsigned *shape_of;
	unsigned shape_count;
	/*
	 * By [shape * way_count + way]: seconds of a micro-batch, with its share of what comes once in an iteration;
	 * bytes held always, and for each micro-batch.
	 */
	double *cost_s, *always_bytes, *held_bytes;
};

/*
 * Looks for plans with stages, for networks of tokens, that are faster than search->estimate and than any one plan
 * for all layers; search->single becomes the fastest of these. Nothing is proved.
 */
bool stages_search(struct paradl_oracle *oracle, const struct paradl_layers_request *request, double batch,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error);

#endif
