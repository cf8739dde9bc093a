/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file bounds all choices of layer plans for the nodes of a network: it takes each node under its best layer plan, without data
 * moved between nodes, and with the waiting that cannot be avoided (oracle/step_exchange.c):
 *     hiding     max(0, sum of exposed times) is at least 0, and at least the sum: the higher of both bounds counts
 *     gradients  wait for the latest group of any way in use, late sqrt(work). So the bound is taken for each layer plan:
 *                only with layer plans that are no later, and with its lateness
 *     calls      late sqrt(work calls) is at least late calls sqrt(work / M), where M is the most calls there can be:
 *                this adds up over nodes
 */
#include "search/layer_plans.h"

#include <math.h>
#include <string.h>

#include "oracle/layered.h"

/*
 * Costs of a node under a layer plan, which count for each of the nodes that are alike; cost_s INFINITY: the layer plan cannot run
 * it.
 */
struct node_cost {
	double cost_s, exposed_s, work_s, calls;
};

static struct node_cost node_cost_of(
	const struct layers_problem *problem, const struct graph_node *node, unsigned w)
{
	const struct layer_plan *layer_plan = &problem->layer_plans[w];
	struct node_cost result = {.cost_s = (double)INFINITY};
	struct layer_floor layer;
	if (!layer_floor(layer_plan, &problem->floors[w], &problem->point, node->first, node->end, &layer))
		return result;
	result.cost_s = layer.cost_s;
	result.exposed_s = layer.exposed_s;
	for (unsigned i = node->first; i < node->end; ++i) {
		const struct layer_cost *cost = &layer_plan->net.costs[layer_plan->net.model->order[i]];
		result.work_s += layer_plan->evaluation.micro_batches * (cost->forward_s + cost->backward_s);
		result.calls += layer_plan->evaluation.micro_batches * cost->calls;
	}
	return result;
}

/* Limits over all nodes together: the least work and the most calls that any choice has. */
struct extent {
	double work_s, calls;
};

static struct extent extent_of(const struct layers_problem *problem, const struct node_cost *costs)
{
	const unsigned count = problem->choice.count;
	struct extent extent = {0, 0};
	for (unsigned k = 0; k < problem->classes.count; ++k) {
		double work_s = (double)INFINITY, calls = 0;
		for (unsigned w = 0; w < count; ++w) {
			const struct node_cost *cost = &costs[k * count + w];
			if (!(cost->cost_s < (double)INFINITY))
				continue;
			work_s = fmin(work_s, cost->work_s);
			calls = fmax(calls, cost->calls);
		}
		extent.work_s += work_s < (double)INFINITY ? problem->classes.size[k] * work_s : 0;
		extent.calls += problem->classes.size[k] * calls;
	}
	return extent;
}

/*
 * Returns the bound, in seconds, on choices of layer plans whose gradients are no later than those of layer plan `latest`; marks
 * the best layer plans in it.
 */
static double floor_up_to(const struct layers_problem *problem, const struct node_cost *costs,
	const struct extent *extent, unsigned latest, bool *useful)
{
	const unsigned count = problem->choice.count;
	const double late = problem->layer_plans[latest].evaluation.gradients_late_s;
	const double call = extent->calls > 0 ? sqrt(extent->work_s / extent->calls) : 0;
	double hidden_s = 0, shown_s = 0;
	for (unsigned k = 0; k < problem->classes.count; ++k) {
		double least_hidden_s = (double)INFINITY, least_shown_s = (double)INFINITY;
		unsigned best = latest;
		for (unsigned w = 0; w < count; ++w) {
			const struct evaluation *evaluation = &problem->layer_plans[w].evaluation;
			const struct node_cost *cost = &costs[k * count + w];
			if (evaluation->gradients_late_s > late)
				continue;
			const double s = cost->cost_s + evaluation->calls_late_s * cost->calls * call;
			best = s + cost->exposed_s < least_shown_s ? w : best;
			least_hidden_s = fmin(least_hidden_s, s);
			least_shown_s = fmin(least_shown_s, s + cost->exposed_s);
		}
		hidden_s += problem->classes.size[k] * least_hidden_s;
		shown_s += problem->classes.size[k] * least_shown_s;
		useful[best] = true;
	}
	return fmax(hidden_s, shown_s) + late * sqrt(extent->work_s);
}

double layer_plans_floor_s(const struct layers_problem *problem, bool *useful)
{
	const unsigned count = problem->choice.count, classes = problem->classes.count;
	struct node_cost *costs = arena_alloc(problem->arena, (size_t)classes * count + 1, sizeof *costs);
	bool *marks = arena_alloc(problem->arena, count + 1, sizeof *marks);
	double least_s = (double)INFINITY;
	if (!costs || !marks)
		return -1;
	for (unsigned k = 0; k < classes; ++k)
		for (unsigned w = 0; w < count; ++w)
			costs[k * count + w] =
				node_cost_of(problem, &problem->graph.nodes[problem->classes.sample[k]], w);
	const struct extent extent = extent_of(problem, costs);
	for (unsigned w = 0; w < count; ++w) {
		memset(marks, 0, count * sizeof *marks);
		const double s = floor_up_to(problem, costs, &extent, w, marks);
		if (s < least_s && useful)
			memcpy(useful, marks, count * sizeof *marks);
		least_s = fmin(least_s, s);
	}
	return least_s + (count ? fixed_floor_s(&problem->layer_plans[0], &problem->point) : 0);
}

static void extreme_add(
	struct layer_plan_choice *choice, unsigned devices, enum paradl_axis axis, unsigned degree)
{
	struct paradl_plan *plan = &choice->plans[choice->count++];
	*plan = (struct paradl_plan){.spatial = {1, 1, 1}, .batch = choice->batch};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		plan->order[i] = (unsigned char)i;
		plan->degree[i] = 1;
	}
	plan->degree[PARADL_DATA] = devices / degree;
	plan->degree[axis] *= degree;
	if (axis == PARADL_SPATIAL)
		plan->spatial[0] = degree;
}

bool extremes_choose(const struct paradl_machine *machine, unsigned devices, struct paradl_arena *arena,
	struct layer_plan_choice *choice)
{
	static const enum paradl_axis axes[] = {PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
	const unsigned degrees[] = {common_divisor(devices, machine->devices_per_node), devices, devices / 2,
		devices / 4, devices / 8};
	enum { AXES = sizeof axes / sizeof *axes, DEGREES = sizeof degrees / sizeof *degrees };
	_Static_assert(1 + AXES * DEGREES <= EXTREMES_MAX, "room for all extremes");
	choice->plans = arena_alloc(arena, EXTREMES_MAX, sizeof *choice->plans);
	if (!choice->plans)
		return false;
	extreme_add(choice, devices, PARADL_DATA, devices);
	for (unsigned axis = 0; axis < AXES; ++axis)
		for (unsigned i = 0; i < DEGREES; ++i)
			if (degrees[i] > 1 && devices % degrees[i] == 0 &&
				(i == 0 || degrees[i] != degrees[0]))
				extreme_add(choice, devices, axes[axis], degrees[i]);
	return true;
}
