/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best choice of one way to cut each layer. Costs of layers and of what moves between neighbours are those of
 * the estimate or below (oracle/layered_floor.h), so the solver's bound on their sum (search/assign.h) is one on the
 * estimate. Its answer is estimated in full; where that needs more memory than there is, the solver is asked again
 * with as much less, and the first bound stays. One way for all layers is among the choices: the answer is never
 * worse than the best of these that fits.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "search/stages.h"

enum { TRIES = 6 };
static const double usual_gap = 1e-3;
static const size_t label_limit = 2000000;
/* Of choices that are equal the one with fewest changes counts; less than any estimate is good for. */
static const double change_s = 1e-9;

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

static bool out_of_memory(struct paradl_error *error)
{
	return error_set(error, PARADL_NO_MEMORY, "out of memory");
}

/* Costs of one node under every way. */
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
		const bool runs = layer_floor(&problem->ways[w], &problem->floors[w], &problem->point,
			node->first, node->end, &layer);
		values[w] = runs ? layer.cost_s : (double)INFINITY;
		values[count + w] = runs ? layer.exposed_s : 0;
		values[2 * count + w] = runs ? layer.memory_bytes : 0;
	}
	return true;
}

/* Seconds of an iteration that one read takes, when both ends have ways of their own. */
static bool read_cost(struct layers_problem *problem, unsigned from, unsigned to, double *cost_s,
	struct paradl_error *error)
{
	const unsigned count = problem->choice.count;
	for (unsigned a = 0; a < count; ++a)
		for (unsigned b = 0; b < count; ++b) {
			const struct way *maker = &problem->ways[a], *reader = &problem->ways[b];
			struct redistribution move;
			if (!redistribute(maker, from, reader, to, &problem->movers, &move, error))
				return false;
			const double gathering_s = a == b ? way_gather_s(maker, from, to) : 0;
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
		cost_s[i] =
			i % (problem->choice.count + 1) > 0 ? change_s : 0; /* the diagonal is no change */
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

/* Is the gather of spatial pieces between these nodes under any way? Such an edge has no equal. */
static bool gathers_between(const struct layers_problem *problem, const struct graph_edge *edge)
{
	const struct graph_node *from = &problem->graph.nodes[edge->from],
				*to = &problem->graph.nodes[edge->to];
	for (unsigned w = 0; w < problem->choice.count; ++w)
		if (way_gather_s(&problem->ways[w], from->end - 1, to->first) > 0)
			return true;
	return false;
}

/* Nodes and edges that are alike share their costs: the solver then does what they are in only once. */
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

/* What at least one layer needs besides, whatever its way. */
static double transient_bytes(const struct layers_problem *problem)
{
	double most = 0;
	for (unsigned k = 0; k < problem->classes.count; ++k) {
		const struct graph_node *node = &problem->graph.nodes[problem->classes.sample[k]];
		double least = (double)INFINITY;
		for (unsigned w = 0; w < problem->choice.count; ++w) {
			struct layer_floor layer;
			if (layer_floor(&problem->ways[w], &problem->floors[w], &problem->point, node->first,
				    node->end, &layer))
				least = fmin(least, layer.transient_bytes);
		}
		most = fmax(most, least < (double)INFINITY ? least : 0);
	}
	return most;
}

static bool problem_fill(struct layers_problem *problem, struct paradl_error *error)
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
				  fixed_floor_bytes(&problem->ways[0]) - transient_bytes(problem)};
	return true;
}

/* One part for all layers. */
static struct paradl_layered whole_of(
	const struct layers_problem *problem, unsigned way, struct paradl_layered_part *part)
{
	*part = (struct paradl_layered_part){
		0, problem->oracle->model->order_count, 1, problem->choice.plans[way]};
	return (struct paradl_layered){.devices = problem->devices,
		.stages = 1,
		.batch = problem->choice.batch,
		.micro_batches = problem->choice.micro_batches,
		.parts = part,
		.part_count = 1};
}

/* The best ways for all layers; returns the one that is fastest, if need be whatever the memory, as a point for bounds. */
static unsigned uniform_find(struct layers_problem *problem)
{
	struct whole *quiet = &problem->quiet, *usual = &problem->usual;
	unsigned point = 0;
	double least_s = (double)INFINITY;
	for (unsigned w = 0; w < problem->choice.count; ++w) {
		struct paradl_layered_part part;
		const struct paradl_layered layered = whole_of(problem, w, &part);
		struct paradl_estimate estimate;
		if (!paradl_estimate_layered(problem->oracle, &layered, &estimate, NULL))
			continue;
		const bool first = !quiet->estimate.devices;
		if (estimate.fits &&
			(first || estimate.iteration_quiet_s < quiet->estimate.iteration_quiet_s))
			*quiet = (struct whole){w, estimate};
		if (estimate.fits && (first || estimate.iteration_s < usual->estimate.iteration_s))
			*usual = (struct whole){w, estimate};
		if (estimate.iteration_quiet_s < least_s) {
			least_s = estimate.iteration_quiet_s;
			point = w;
		}
	}
	return quiet->estimate.devices ? quiet->way : point;
}

/* Runs of layers with the same way. */
static bool parts_make(const struct layers_problem *problem, const unsigned *option,
	struct paradl_arena *arena, struct paradl_layered *layered, struct paradl_error *error)
{
	const unsigned positions = problem->oracle->model->order_count;
	struct paradl_layered_part *parts = arena_alloc(arena, positions, sizeof *parts);
	unsigned *way_of = arena_alloc(problem->arena, positions, sizeof *way_of), count = 0;
	if (!parts || !way_of)
		return out_of_memory(error);
	for (unsigned n = 0; n < problem->graph.node_count; ++n)
		for (unsigned i = problem->graph.nodes[n].first; i < problem->graph.nodes[n].end; ++i)
			way_of[i] = option[n];
	for (unsigned i = 0; i < positions; ++i) {
		if (i == 0 || way_of[i] != way_of[i - 1])
			parts[count++] =
				(struct paradl_layered_part){i, i + 1, 1, problem->choice.plans[way_of[i]]};
		parts[count - 1].end = i + 1;
	}
	struct paradl_layered_part first;
	*layered = whole_of(problem, 0, &first);
	layered->parts = parts;
	layered->part_count = count;
	return true;
}

static void solution_keep(struct paradl_layered_search *search, const struct paradl_layered *layered,
	const struct paradl_estimate *estimate)
{
	if (!estimate->fits ||
		(search->best.part_count && estimate->iteration_quiet_s >= search->objective_s))
		return;
	search->best = *layered;
	search->estimate = *estimate;
	search->objective_s = estimate->iteration_quiet_s;
}

/* Solves, estimates, and solves again with less memory where the estimate needs more than there is. */
static bool tries_run(struct layers_problem *problem, const struct assign_limits *limits,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	for (unsigned i = 0; i < TRIES; ++i) {
		struct assign_solution solution = {.feasible = false};
		struct paradl_layered layered;
		struct paradl_estimate estimate;
		if (!assign_solve(&problem->assign, limits, problem->arena, &solution, error))
			return false;
		search->labels += solution.labels;
		if (i == 0)
			search->lower_bound_s = solution.lower_bound_s +
						fixed_floor_s(&problem->ways[0], &problem->point) -
						change_s * problem->graph.edge_count;
		if (!solution.feasible)
			return true;
		if (!parts_make(problem, solution.option, arena, &layered, error) ||
			!paradl_estimate_layered(problem->oracle, &layered, &estimate, error))
			return false;
		solution_keep(search, &layered, &estimate);
		if (estimate.fits)
			return true;
		problem->assign.capacity_bytes -= estimate.memory_bytes - estimate.capacity_bytes;
	}
	return true;
}

static bool ways_begin(
	struct layers_problem *problem, struct paradl_layered_search *search, struct paradl_error *error)
{
	const unsigned count = problem->choice.count;
	problem->ways = arena_alloc(problem->arena, count, sizeof *problem->ways);
	problem->floors = arena_alloc(problem->arena, count, sizeof *problem->floors);
	if (!problem->ways || !problem->floors)
		return out_of_memory(error);
	const unsigned point = uniform_find(problem);
	search->uniform = problem->usual.estimate;
	for (unsigned w = 0; w < count; ++w) {
		if (!way_begin(&problem->ways[w], problem->oracle, &problem->choice.plans[w],
			    problem->choice.micro_batches, problem->arena, error))
			return false;
		problem->floors[w] = way_floor_of(&problem->ways[w]);
	}
	problem->point = floor_point_at(&problem->ways[point]);
	return true;
}

/* What waits too long on a usual network gives way to one plan for all layers. */
static void answer_choose(const struct layers_problem *problem, struct paradl_layered_part *part,
	struct paradl_layered_search *search)
{
	search->lower_bound_s =
		ways_input_floor_s(problem->ways, problem->choice.count, search->lower_bound_s);
	/* Rounding of sums in another order must not show as a negative gap. */
	search->lower_bound_s = fmin(search->lower_bound_s, search->objective_s);
	search->gap = search->objective_s / search->lower_bound_s - 1;
	search->objective_usual_s = search->estimate.iteration_s;
	if (!problem->usual.estimate.devices ||
		problem->usual.estimate.iteration_s >= search->objective_usual_s)
		return;
	search->best = whole_of(problem, problem->usual.way, part);
	search->estimate = problem->usual.estimate;
}

static bool search_run(struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	struct paradl_oracle *oracle = problem->oracle;
	if (!layer_graph_make(oracle->model, problem->arena, &problem->graph, error) ||
		!node_classes_make(
			oracle->model, &problem->graph, problem->arena, &problem->classes, error) ||
		!ways_choose(oracle, request, &problem->graph, &problem->classes, problem->arena,
			&problem->choice, error) ||
		!ways_begin(problem, search, error) || !problem_fill(problem, error))
		return false;
	struct paradl_plan *ways = arena_alloc(arena, problem->choice.count, sizeof *ways);
	struct paradl_layered_part *part = arena_alloc(arena, 2, sizeof *part);
	if (!ways || !part)
		return out_of_memory(error);
	memcpy(ways, problem->choice.plans, problem->choice.count * sizeof *ways);
	search->ways = ways;
	search->way_count = problem->choice.count;
	search->evaluated = problem->choice.evaluated;
	if (problem->quiet.estimate.devices) {
		const struct paradl_layered whole = whole_of(problem, problem->quiet.way, part);
		solution_keep(search, &whole, &problem->quiet.estimate);
	}
	const struct assign_limits limits = {
		.gap = request->gap > 0 ? request->gap : usual_gap, .labels = label_limit};
	if (!tries_run(problem, &limits, arena, search, error))
		return false;
	if (search->best.part_count)
		answer_choose(problem, part + 1, search);
	else
		search->lower_bound_s = 0;
	if (oracle->model->tokens && !request->one_stage &&
		!stages_search(oracle, request, problem->choice.batch, arena, search, error))
		return false;
	return search->best.part_count ||
	       error_set(error, PARADL_INFEASIBLE,
		       "no choice of %u ways for each layer was found that fits in memory",
		       search->way_count);
}

bool paradl_search_layers(struct paradl_oracle *oracle, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	struct paradl_arena *const scratch = paradl_arena_create();
	struct layers_problem problem = {.oracle = oracle, .arena = scratch, .devices = request->devices};
	*search = (struct paradl_layered_search){0};
	if (!layered_possible(oracle, error)) {
		paradl_arena_free(scratch);
		return false;
	}
	if (!scratch)
		return out_of_memory(error);
	problem.movers.arena = scratch;
	const double per_device =
		request->per_device > 0 ? request->per_device : paradl_oracle_batch_per_device(oracle);
	problem.choice.batch = request->batch > 0 ? request->batch : per_device * request->devices;
	const bool done = search_run(&problem, request, arena, search, error);
	paradl_arena_free(scratch);
	return done;
}
