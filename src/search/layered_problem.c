/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of layers, and of data moved between neighbours, are those of the estimate or below
 * (oracle/bounds.h).
 */
#include "search/layer_plans.h"

#include <math.h>

#include "base/error.h"

/* Fills the costs of one node under every layer plan. */
static bool node_fill(const struct layers_problem *problem, const struct graph_node *node,
	struct assign_node *result, struct paradl_error *error)
{
	const unsigned count = problem->choice.count;
	double *values = arena_alloc(problem->arena, (size_t)3 * count, sizeof *values);
	if (!values)
		return out_of_memory(error);
	*result = (struct assign_node){.options = count,
		.cost_s = values,
		.exposed_s = values + count,
		.memory_bytes = values + (size_t)2 * count};
	for (unsigned w = 0; w < count; ++w) {
		struct layer_floor layer;
		const bool runs = layer_floor(&problem->layer_plans[w], &problem->floors[w], &problem->point,
			node->first, node->end, &layer);
		values[w] = runs ? layer.cost_s : (double)INFINITY;
		values[count + w] = runs ? layer.exposed_s : 0;
		values[2 * count + w] = runs ? layer.memory_bytes : 0;
	}
	return true;
}

/* Adds the seconds of an iteration that one read takes, for each pair of layer plans at its two ends. */
static bool read_cost(struct layers_problem *problem, unsigned from, unsigned to, double *cost_s,
	struct paradl_error *error)
{
	const unsigned count = problem->choice.count;
	for (unsigned a = 0; a < count; ++a)
		for (unsigned b = 0; b < count; ++b) {
			const struct layer_plan *maker = &problem->layer_plans[a],
						*reader = &problem->layer_plans[b];
			struct redistribution move;
			if (!redistribute(maker, from, reader, to, &problem->movers, &move, error))
				return false;
			const double gathering_s = a == b ? layer_plan_gather_s(maker, to) : 0;
			cost_s[a * count + b] +=
				maker->evaluation.micro_batches * (move.s[0] + move.s[1] + gathering_s);
		}
	return true;
}

static bool edge_fill(struct layers_problem *problem, const struct graph_edge *edge,
	struct assign_edge *result, struct paradl_error *error)
{
	const struct paradl_model *model = problem->oracle->model;
	const struct graph_node *from = &problem->graph.nodes[edge->from],
				*to = &problem->graph.nodes[edge->to];
	double *cost_s = arena_alloc(
		problem->arena, (size_t)problem->choice.count * problem->choice.count, sizeof *cost_s);
	if (!cost_s)
		return out_of_memory(error);
	result->cost_s = cost_s;
	for (unsigned i = 0; i < problem->choice.count * problem->choice.count; ++i)
		cost_s[i] = i % (problem->choice.count + 1) > 0 ? layers_change_s
								: 0; /* the diagonal changes nothing */
	for (unsigned reader = to->first; reader < to->end; ++reader)
		for (unsigned k = 0; k < model->reads[reader].count; ++k) {
			const int position = model->reads[reader].positions[k];
			if (position < (int)from->first || position >= (int)from->end)
				continue;
			if (!read_cost(problem, (unsigned)position, reader, cost_s, error))
				return false;
			if (model->tokens) /* a block reads once */
				return true;
		}
	return true;
}

/* Returns whether spatial pieces are gathered between these nodes under any way. Such an edge has no equal. */
static bool gathers_between(const struct layers_problem *problem, const struct graph_edge *edge)
{
	for (unsigned w = 0; w < problem->choice.count; ++w)
		if (layer_plan_gather_s(&problem->layer_plans[w], problem->graph.nodes[edge->to].first) > 0)
			return true;
	return false;
}

/*
 * Fills the costs of nodes and edges. Those that are alike share their costs: the solver then handles all parts with
 * them only once.
 */
static bool costs_fill(struct layers_problem *problem, struct assign_node *nodes, struct assign_edge *edges,
	struct paradl_error *error)
{
	const struct layer_graph *graph = &problem->graph;
	const struct node_classes *classes = &problem->classes;
	const unsigned kinds = classes->count;
	const double **known = arena_alloc(problem->arena, (size_t)kinds * kinds, sizeof *known);
	if (!known)
		return out_of_memory(error);
	for (unsigned n = 0; n < graph->node_count; ++n) {
		const unsigned sample = classes->sample[classes->of_node[n]];
		if (sample < n)
			nodes[n] = nodes[sample];
		else if (!node_fill(problem, &graph->nodes[n], &nodes[n], error))
			return false;
	}
	for (unsigned e = 0; e < graph->edge_count; ++e) {
		const struct graph_edge *edge = &graph->edges[e];
		const double **same =
			&known[classes->of_node[edge->from] * kinds + classes->of_node[edge->to]];
		const bool apart = gathers_between(problem, edge);
		if (!apart && *same) {
			edges[e].cost_s = *same;
			continue;
		}
		if (!edge_fill(problem, edge, &edges[e], error))
			return false;
		if (!apart)
			*same = edges[e].cost_s;
	}
	return true;
}

/* Returns the transient bytes that at least one layer needs on top, whatever its layer plan. */
static double transient_bytes(const struct layers_problem *problem)
{
	double most = 0;
	for (unsigned k = 0; k < problem->classes.count; ++k) {
		const struct graph_node *node = &problem->graph.nodes[problem->classes.sample[k]];
		double least = (double)INFINITY;
		for (unsigned w = 0; w < problem->choice.count; ++w) {
			struct layer_floor layer;
			if (layer_floor(&problem->layer_plans[w], &problem->floors[w], &problem->point,
				    node->first, node->end, &layer))
				least = fmin(least, layer.transient_bytes);
		}
		most = fmax(most, least < (double)INFINITY ? least : 0);
	}
	return most;
}

bool layers_problem_fill(struct layers_problem *problem, struct paradl_error *error)
{
	const struct layer_graph *graph = &problem->graph;
	struct assign_node *nodes = arena_alloc(problem->arena, graph->node_count, sizeof *nodes);
	struct assign_edge *edges = arena_alloc(problem->arena, graph->edge_count + 1, sizeof *edges);
	if (!nodes || !edges)
		return out_of_memory(error);
	if (!costs_fill(problem, nodes, edges, error))
		return false;
	problem->assign = (struct assign_problem){.nodes = nodes,
		.node_count = graph->node_count,
		.edges = edges,
		.edge_count = graph->edge_count,
		.chain = graph->chain,
		.capacity_bytes = problem->oracle->machine->device.memory_bytes -
				  always_bytes(problem->oracle) - transient_bytes(problem)};
	return true;
}
