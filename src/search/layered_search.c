/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file searches the best choice of one layer plan for each layer (a layer plan is a plan that a layer may have). The costs of
 * layers and of data moved between neighbours are those of the estimate or below (oracle/bounds.h), so the
 * solver's bound on their sum (search/assign.h) is a bound on the estimate. Its answer is estimated in full. Where
 * that needs more memory than there is, the solver is asked again with as much less, and the first bound stays. One
 * layer plan for all layers is among the choices, so the answer is never worse than the best of these that fits.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "search/layer_plans.h"
#include "search/options.h"

enum { TRIES = 6 };
static const double usual_gap = 1e-3;
static const size_t label_limit = 2000000;
static const size_t few_labels = 400000;

/* Returns one part for all layers, with this layer plan. */
static struct paradl_layered whole_of(
	const struct layers_problem *problem, unsigned layer_plan, struct paradl_layered_part *part)
{
	*part = (struct paradl_layered_part){
		0, problem->oracle->model->order_count, 1, problem->choice.plans[layer_plan]};
	return (struct paradl_layered){.devices = problem->devices,
		.stages = 1,
		.batch = problem->choice.batch,
		.micro_batches = problem->choice.micro_batches,
		.parts = part,
		.part_count = 1};
}

/*
 * Finds the best layer plan for all layers, on a quiet and on a usual network. Returns the one for the quiet network as a
 * point for bounds; where none fits, the fastest whatever its memory.
 */
static unsigned uniform_find(struct layers_problem *problem)
{
	struct whole *quiet = &problem->quiet, *usual = &problem->usual;
	*quiet = *usual = (struct whole){.layer_plan = 0};
	unsigned point = 0;
	double least_s = (double)INFINITY;
	for (unsigned w = 0; w < problem->choice.count; ++w) {
		struct paradl_estimate estimate;
		if (!layer_plan_estimate(&problem->layer_plans[w], problem->arena, &estimate))
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
	return quiet->estimate.devices ? quiet->layer_plan : point;
}

/* Makes the parts: runs of layers with the same way. */
static bool parts_make(const struct layers_problem *problem, const unsigned *option,
	struct paradl_arena *arena, struct paradl_layered *layered, struct paradl_error *error)
{
	const unsigned positions = problem->oracle->model->order_count;
	struct paradl_layered_part *parts = arena_alloc(arena, positions, sizeof *parts);
	unsigned *plan_of = arena_alloc(problem->arena, positions, sizeof *plan_of), count = 0;
	if (!parts || !plan_of)
		return out_of_memory(error);
	for (unsigned n = 0; n < problem->graph.node_count; ++n)
		for (unsigned i = problem->graph.nodes[n].first; i < problem->graph.nodes[n].end; ++i)
			plan_of[i] = option[n];
	for (unsigned i = 0; i < positions; ++i) {
		if (i == 0 || plan_of[i] != plan_of[i - 1])
			parts[count++] =
				(struct paradl_layered_part){i, i + 1, 1, problem->choice.plans[plan_of[i]]};
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

static bool bound_holds(
	const struct paradl_layers_request *request, double floor_s, struct paradl_error *error)
{
	return !(request->below_s > 0) || floor_s < request->below_s ||
	       error_set(error, PARADL_INFEASIBLE,
		       "no plans for each layer were found that take less than %.6g s", request->below_s);
}

/* Solves and estimates, and solves again with less memory where the estimate needs more than there is. */
static bool tries_run(struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	const double fixed_s = fixed_floor_s(&problem->layer_plans[0], &problem->point);
	const double changes_s = layers_change_s * problem->graph.edge_count;
	const struct assign_limits limits = {.gap = request->gap > 0 ? request->gap : usual_gap,
		.labels = request->below_s > 0 ? few_labels : label_limit,
		.below = request->below_s > 0 ? fmax(request->below_s - fixed_s + changes_s, 0) : 0};
	for (unsigned i = 0; i < TRIES; ++i) {
		struct assign_solution solution = {.feasible = false};
		struct paradl_layered layered;
		struct paradl_estimate estimate;
		if (!assign_solve(&problem->assign, &limits, problem->arena, &solution, error))
			return false;
		search->labels += solution.labels;
		const double bound_s = solution.lower_bound_s + fixed_s - changes_s;
		if (i == 0)
			search->lower_bound_s = bound_s;
		if (!bound_holds(request, bound_s, error))
			return false;
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

static bool layer_plans_begin(
	struct layers_problem *problem, struct paradl_layered_search *search, struct paradl_error *error)
{
	const unsigned count = problem->choice.count;
	problem->layer_plans = arena_alloc(problem->arena, count, sizeof *problem->layer_plans);
	problem->floors = arena_alloc(problem->arena, count, sizeof *problem->floors);
	if (!problem->layer_plans || !problem->floors)
		return out_of_memory(error);
	for (unsigned w = 0; w < count; ++w) {
		if (!layer_plan_begin(&problem->layer_plans[w], problem->oracle, &problem->choice.plans[w],
			    problem->choice.micro_batches, problem->arena, error))
			return false;
		problem->floors[w] = plan_floor_of(&problem->layer_plans[w]);
	}
	const unsigned point = uniform_find(problem);
	search->uniform = problem->usual.estimate;
	problem->point = floor_point_at(&problem->layer_plans[point], &problem->floors[point]);
	bool divided = false;
	for (unsigned w = 0; w < count; ++w)
		divided = divided || problem->layer_plans[w].net.model->layer_count >
					     problem->oracle->model->layer_count;
	return !divided || node_classes_divide(problem->oracle->model, problem->layer_plans, count,
				   &problem->graph, problem->arena, &problem->classes, error);
}

/*
 * Completes bound and gap, and replaces an answer that waits too long on a usual network by one plan for all layers.
 */
static void answer_choose(const struct layers_problem *problem, struct paradl_layered_part *part,
	struct paradl_layered_search *search)
{
	search->lower_bound_s =
		plans_input_floor_s(problem->layer_plans, problem->choice.count, search->lower_bound_s);
	/* Rounding of sums in another order must not appear as a negative gap. */
	search->lower_bound_s = fmin(search->lower_bound_s, search->objective_s);
	search->gap = search->objective_s / search->lower_bound_s - 1;
	search->objective_usual_s = search->estimate.iteration_s;
	if (!problem->usual.estimate.devices ||
		problem->usual.estimate.iteration_s >= search->objective_usual_s)
		return;
	search->best = whole_of(problem, problem->usual.layer_plan, part);
	search->estimate = problem->usual.estimate;
}

static bool is_worth_it(const struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_error *error)
{
	const double floor_s = request->below_s > 0 ? layer_plans_floor_s(problem, NULL) : 0;
	return floor_s < 0 ? out_of_memory(error) : bound_holds(request, floor_s, error);
}

/* Solves and estimates with the layer plans that were chosen. */
static bool choice_search(struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	if (!layer_plans_begin(problem, search, error) || !is_worth_it(problem, request, error) ||
		!layers_problem_fill(problem, error))
		return false;
	struct paradl_plan *layer_plans = arena_alloc(arena, problem->choice.count, sizeof *layer_plans);
	struct paradl_layered_part *part = arena_alloc(arena, 2, sizeof *part);
	if (!layer_plans || !part)
		return out_of_memory(error);
	memcpy(layer_plans, problem->choice.plans, problem->choice.count * sizeof *layer_plans);
	search->layer_plans = layer_plans;
	search->layer_plan_count = problem->choice.count;
	search->evaluated = problem->choice.evaluated;
	if (problem->quiet.estimate.devices) {
		const struct paradl_layered whole = whole_of(problem, problem->quiet.layer_plan, part);
		solution_keep(search, &whole, &problem->quiet.estimate);
	}
	if (!tries_run(problem, request, arena, search, error))
		return false;
	if (search->best.part_count)
		answer_choose(problem, part + 1, search);
	else
		search->lower_bound_s = 0;
	return true;
}

/* Begins with the chosen plans, and returns whether layers may gain by them; marks those that are best for some layer. */
static bool begins_to_gain(struct layers_problem *problem, const struct paradl_layers_request *request,
	bool *useful, struct paradl_error *error)
{
	struct paradl_layered_search search = {0};
	if (!layer_plans_begin(problem, &search, error))
		return false;
	const double floor_s = layer_plans_floor_s(problem, useful);
	return floor_s < 0 ? out_of_memory(error) : bound_holds(request, floor_s, error);
}

/*
 * Returns whether layers gain by choosing among a few plans that differ most, and then among those of them that are
 * best for some layer, before hundreds of others have to be connected; at first, exchanges take their lower bounds. Networks of tokens have few distinct layers
 * and groups that their plans share, so for them all is asked at once.
 */
static bool few_gain(const struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_error *error)
{
	const struct paradl_oracle *oracle = problem->oracle;
	struct layers_problem few = *problem;
	struct paradl_layered_search search = {0};
	bool useful[EXTREMES_MAX] = {false};
	unsigned count = 0;
	if (!(request->below_s > 0) || oracle->model->tokens)
		return true;
	few.choice.micro_batches = 1;
	if (!extremes_choose(oracle->machine, request->devices, problem->arena, &few.choice))
		return out_of_memory(error);
	few.oracle->floors = true;
	const bool may_gain = begins_to_gain(&few, request, useful, error);
	few.oracle->floors = false;
	if (!may_gain || !begins_to_gain(&few, request, useful, error))
		return false;
	for (unsigned w = 0; w < few.choice.count; ++w)
		if (useful[w])
			few.choice.plans[count++] = few.choice.plans[w];
	few.choice.count = count;
	return choice_search(&few, request, problem->arena, &search, error) &&
	       bound_holds(request, search.best.part_count ? search.estimate.iteration_s : HUGE_VAL, error);
}

static bool search_run(struct layers_problem *problem, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	struct paradl_oracle *oracle = problem->oracle;
	if (!layer_graph_make(oracle->model, problem->arena, &problem->graph, error) ||
		!node_classes_make(
			oracle->model, &problem->graph, problem->arena, &problem->classes, error) ||
		!few_gain(problem, request, error) ||
		!layer_plans_choose(oracle, request, &problem->graph, &problem->classes, problem->arena,
			&problem->choice, error) ||
		!choice_search(problem, request, arena, search, error))
		return false;
	if (oracle->model->tokens && !request->one_stage &&
		!stages_search(oracle, request, problem->choice.batch, arena, search, error))
		return false;
	return search->best.part_count ||
	       error_set(error, PARADL_INFEASIBLE,
		       "no choice of %u ways for each layer was found that fits in memory",
		       search->layer_plan_count);
}

bool paradl_search_layers(struct paradl_oracle *oracle, const struct paradl_layers_request *request,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	bool done = false;
	unsigned halvings = 0;
	double batch = batch_of(oracle, request->batch, request->per_device, request->devices, 0);
	while (!done && batch > 0) {
		struct paradl_arena *const scratch = paradl_arena_create();
		struct layers_problem problem = {
			.oracle = oracle, .arena = scratch, .devices = request->devices};
		*search = (struct paradl_layered_search){0};
		problem.movers.arena = scratch;
		problem.choice.batch = batch;
		struct paradl_error *const why =
			halvings ? NULL : error; /* the error is that of the usual batch */
		done = layered_possible(oracle, why) &&
		       (scratch ? search_run(&problem, request, arena, search, why) : out_of_memory(why));
		paradl_arena_free(scratch);
		batch = request->below_s > 0 ? 0
					     : batch_of(oracle, request->batch, request->per_device,
						       request->devices, ++halvings);
	}
	return done;
}
