/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer may have few of all plans for a number of devices: the layer plans. Each plan is costed for each kind of layer by
 * itself. The layer plans are the fastest plans for the whole network that fit, a third of the places; then the one that
 * needs the least memory; then, place by place, the plan that most lowers the sum over layers of the best time that a
 * layer has among the chosen.
 */
#include "search/layer_plans.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "plan/plan_text.h"
#include "search/options.h"
#include "search/tasks.h"

enum { WAYS_USUAL = 24 };

struct candidate {
	struct paradl_plan plan;
	double *layer_s; /* time of each class of nodes, all its nodes together; INFINITY: the plan cannot run it */
	double whole_s, memory_bytes;
	bool chosen;
	struct candidate *next;
};

struct collector {
	struct paradl_oracle *oracle;
	const struct layer_graph *graph;
	const struct node_classes *classes;
	struct paradl_arena *arena;
	struct layer_plan_choice *choice;
	struct option_space options;
	struct candidate *first, **last;
	struct layer_plan *layer_plan; /* scratch */
	struct paradl_error *error;
	bool failed;
};

/* Returns whether two nodes have the same layers, in the order of this network's distinct layers. */
static bool nodes_alike(
	const struct paradl_model *model, const struct graph_node *a, const struct graph_node *b)
{
	return a->end - a->first == b->end - b->first &&
	       memcmp(&model->order[a->first], &model->order[b->first],
		       (a->end - a->first) * sizeof *model->order) == 0;
}

bool node_classes_make(const struct paradl_model *model, const struct layer_graph *graph,
	struct paradl_arena *arena, struct node_classes *classes, struct paradl_error *error)
{
	return node_classes_divide(model, NULL, 0, graph, arena, classes, error);
}

bool node_classes_divide(const struct paradl_model *model, const struct layer_plan *layer_plans,
	unsigned layer_plan_count, const struct layer_graph *graph, struct paradl_arena *arena,
	struct node_classes *classes, struct paradl_error *error)
{
	const unsigned count = graph->node_count;
	*classes = (struct node_classes){.of_node = arena_alloc(arena, count, sizeof *classes->of_node),
		.sample = arena_alloc(arena, count, sizeof *classes->sample),
		.size = arena_alloc(arena, count, sizeof *classes->size)};
	if (!classes->of_node || !classes->sample || !classes->size)
		return out_of_memory(error);
	for (unsigned n = 0; n < count; ++n) {
		const struct graph_node *node = &graph->nodes[n];
		unsigned k = 0;
		for (; k < classes->count; ++k) {
			const struct graph_node *other = &graph->nodes[classes->sample[k]];
			bool alike = nodes_alike(model, other, node);
			for (unsigned w = 0; alike && w < layer_plan_count; ++w)
				alike = layer_plans[w].net.model == model ||
					nodes_alike(layer_plans[w].net.model, other, node);
			if (alike)
				break;
		}
		if (k == classes->count)
			classes->sample[classes->count++] = n;
		classes->of_node[n] = k;
		classes->size[k] += 1;
	}
	return true;
}

static bool candidate_cost(const struct collector *collector, struct candidate *candidate)
{
	const struct layer_plan *layer_plan = collector->layer_plan;
	const struct plan_floor floor = plan_floor_of(layer_plan);
	const struct floor_point point = floor_point_at(layer_plan, &floor);
	bool useful = false;
	candidate->whole_s = fixed_floor_s(layer_plan, &point);
	candidate->memory_bytes = always_bytes(collector->oracle);
	for (unsigned k = 0; k < collector->classes->count; ++k) {
		const struct graph_node *node = &collector->graph->nodes[collector->classes->sample[k]];
		const double size = collector->classes->size[k];
		struct layer_floor layer;
		const bool runs = layer_floor(layer_plan, &floor, &point, node->first, node->end, &layer);
		candidate->layer_s[k] =
			runs ? size * (layer.cost_s + fmax(0, layer.exposed_s)) : (double)INFINITY;
		candidate->memory_bytes += runs ? size * layer.memory_bytes : 0;
		candidate->whole_s += candidate->layer_s[k];
		useful = useful || runs;
	}
	return useful;
}

/* Adds a plan to the candidates if it runs; false stops the collection. */
static bool candidate_add(struct collector *collector, const struct paradl_plan *plan)
{
	struct candidate *candidate = arena_alloc(collector->arena, 1, sizeof *candidate);
	double *layer_s = arena_alloc(collector->arena, collector->classes->count, sizeof *layer_s);
	char lacking[64];
	if (!candidate || !layer_s) {
		collector->failed = true;
		return out_of_memory(collector->error);
	}
	if (!collector->options.given &&
		!framework_offers_plan(collector->oracle->framework, plan, lacking, sizeof lacking))
		return true;
	*candidate = (struct candidate){.plan = *plan, .layer_s = layer_s};
	candidate->plan.batch = collector->choice->batch;
	candidate->plan.micro = 0;
	if (!layer_plan_peek(collector->layer_plan, collector->oracle, &candidate->plan,
		    collector->choice->micro_batches, NULL))
		return true;
	++collector->choice->evaluated;
	if (!candidate_cost(collector, candidate))
		return true;
	*collector->last = candidate;
	collector->last = &candidate->next;
	return true;
}

static bool is_given(const struct collector *collector, enum plan_option option)
{
	return collector->options.given & 1u << option;
}

/* Fills the recomputations that plans may have; returns their number. */
static unsigned recomputes_fill(
	const struct collector *collector, enum paradl_recompute recomputes[PARADL_RECOMPUTE_COUNT])
{
	unsigned count = 0;
	recomputes[count++] = is_given(collector, PLAN_RECOMPUTE) ? collector->options.fixed.recompute
								  : PARADL_RECOMPUTE_NONE;
	if (is_given(collector, PLAN_RECOMPUTE))
		return count;
	recomputes[count++] = PARADL_RECOMPUTE_SELECTIVE;
	recomputes[count++] = PARADL_RECOMPUTE_FULL;
	if (recomputes_offered(collector->oracle) & 1u << PARADL_RECOMPUTE_MODULES)
		recomputes[count++] = PARADL_RECOMPUTE_MODULES;
	return count;
}

/* Adds the plan with every recomputation and zero level, as far as these are not given. */
static bool options_vary(struct collector *collector, struct paradl_plan plan)
{
	static const unsigned zeros[] = {0, 1, 3};
	const struct paradl_plan *fixed = &collector->options.fixed;
	enum paradl_recompute recomputes[PARADL_RECOMPUTE_COUNT];
	const unsigned count = recomputes_fill(collector, recomputes);
	const bool shards = plan_replicas(&plan) > 1 && !is_given(collector, PLAN_ZERO);
	for (unsigned i = 0; i < count; ++i)
		for (unsigned k = 0; k < (shards ? 3 : 1); ++k) {
			plan.recompute = recomputes[i];
			plan.zero = shards ? zeros[k] : fixed->zero;
			plan.shard = plan.zero ? fixed->shard : 0;
			if (!candidate_add(collector, &plan))
				return false;
		}
	return true;
}

static bool plan_visit(const struct paradl_plan *plan, void *context)
{
	struct collector *collector = context;
	struct paradl_plan varied = *plan;
	plan_keep(&varied, &collector->options.fixed);
	if (!collector->oracle->model->tokens)
		return candidate_add(collector, &varied);
	varied.sequence = is_given(collector, PLAN_SEQUENCE) ? collector->options.fixed.sequence : true;
	varied.sequence = varied.sequence && plan->degree[PARADL_TENSOR] > 1;
	varied.expert_tensor = collector->options.fixed.expert_tensor && plan->degree[PARADL_TENSOR] > 1;
	return options_vary(collector, varied);
}

/* Best plan for all layers, which says how many micro-batches there are. */
struct uniform {
	struct collector *collector;
	struct paradl_estimate best;
};

static bool uniform_visit(const struct paradl_plan *degrees, void *context)
{
	struct uniform *uniform = context;
	struct paradl_plan plan = *degrees;
	struct paradl_estimate estimate;
	plan.batch = uniform->collector->choice->batch;
	if (!options_choose(&uniform->collector->options, &plan, &estimate, NULL))
		return true;
	const struct paradl_estimate *best = &uniform->best;
	const bool better =
		!best->devices || (estimate.fits && !best->fits) ||
		(estimate.fits == best->fits && (estimate.fits ? estimate.iteration_s < best->iteration_s
							       : estimate.memory_bytes < best->memory_bytes));
	if (better)
		uniform->best = estimate;
	return true;
}

/* Returns the plan that most lowers the sum of the best times, the first of equal ones; NULL: none lowers it. */
static struct candidate *best_addition(const struct collector *collector, const double *best_s)
{
	struct candidate *best = NULL;
	double most_s = 0;
	for (struct candidate *c = collector->first; c; c = c->next) {
		double gain_s = 0;
		for (unsigned k = 0; k < collector->classes->count; ++k)
			gain_s += fmax(0, best_s[k] - c->layer_s[k]);
		if (!c->chosen && gain_s > most_s) {
			most_s = gain_s;
			best = c;
		}
	}
	return best;
}

static void choose(const struct collector *collector, struct candidate *candidate, double *best_s)
{
	candidate->chosen = true;
	collector->choice->plans[collector->choice->count++] = candidate->plan;
	for (unsigned k = 0; k < collector->classes->count; ++k)
		best_s[k] = fmin(best_s[k], candidate->layer_s[k]);
}

/*
 * Returns the plan that is fastest for the whole network, not chosen yet and fits, or (lean) the one with the least
 * memory; NULL: none is left.
 */
static struct candidate *best_whole(const struct collector *collector, bool lean)
{
	const double stages = collector->choice->stages ? collector->choice->stages : 1;
	const double capacity = stages * collector->oracle->machine->device.memory_bytes;
	struct candidate *best = NULL;
	for (struct candidate *c = collector->first; c; c = c->next) {
		if (c->chosen || (!lean && (c->memory_bytes > capacity || c->whole_s >= (double)INFINITY)))
			continue;
		if (!best || (lean ? c->memory_bytes < best->memory_bytes : c->whole_s < best->whole_s))
			best = c;
	}
	return best;
}

static void select_ways(const struct collector *collector, unsigned most, double *best_s)
{
	/* More than any time: classes that no chosen plan can run come first. */
	static const double never_s = 1e30;
	for (unsigned k = 0; k < collector->classes->count; ++k)
		best_s[k] = never_s;
	for (unsigned i = 0; i < (most + 2) / 3; ++i) {
		struct candidate *best = best_whole(collector, false);
		if (best)
			choose(collector, best, best_s);
	}
	struct candidate *lean = collector->choice->count < most ? best_whole(collector, true) : NULL;
	if (lean)
		choose(collector, lean, best_s);
	while (collector->choice->count < most) {
		struct candidate *best = best_addition(collector, best_s);
		best = best ? best : best_whole(collector, false);
		if (!best)
			return;
		choose(collector, best, best_s);
	}
}

static void families_without_pipeline(bool families[FAMILIES])
{
	for (unsigned i = 0; i < FAMILIES; ++i)
		families[i] = families[i] && !(i & 1u << PARADL_PIPELINE);
}

bool layer_plans_choose(struct paradl_oracle *oracle, const struct paradl_layers_request *request,
	const struct layer_graph *graph, const struct node_classes *classes, struct paradl_arena *arena,
	struct layer_plan_choice *choice, struct paradl_error *error)
{
	const unsigned most = request->layer_plans ? request->layer_plans : WAYS_USUAL;
	bool families[FAMILIES];
	struct collector collector = {.oracle = oracle,
		.graph = graph,
		.classes = classes,
		.arena = arena,
		.choice = choice,
		.layer_plan = arena_alloc(arena, 1, sizeof *collector.layer_plan),
		.error = error};
	struct space space = {.devices = request->devices,
		.families = families,
		.dimensions = paradl_oracle_dimensions(oracle)};
	double *best_s = arena_alloc(arena, classes->count, sizeof *best_s);
	choice->plans = arena_alloc(arena, most, sizeof *choice->plans);
	if (!collector.layer_plan || !best_s || !choice->plans)
		return out_of_memory(error);
	collector.last = &collector.first;
	if (!families_parse(request->strategies, families, error))
		return false;
	families_without_pipeline(families);
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		space.most[axis] = (oracle_axes(oracle) & 1u << axis) ? 0 : 1;
	const struct paradl_request options = {.options = request->options};
	if (!option_space_begin(&collector.options, oracle, &options, error))
		return false;
	const bool given = choice->micro_batches > 0;
	if (!given)
		choice->micro_batches = 1;
	if (oracle->model->tokens && !given) {
		struct uniform uniform = {.collector = &collector};
		enumerate(&space, uniform_visit, &uniform);
		if (uniform.best.micro_batches > 0)
			choice->micro_batches = uniform.best.micro_batches;
		choice->evaluated += collector.options.evaluated;
	}
	enumerate(&space, plan_visit, &collector);
	if (collector.failed)
		return false;
	select_ways(&collector, most, best_s);
	return choice->count > 0 || error_set(error, PARADL_INFEASIBLE,
					    "no plan without pipeline runs on %u devices", request->devices);
}
