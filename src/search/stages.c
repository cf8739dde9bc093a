/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file searches pipelines whose stages have plans of their own. The numbers of stages and micro-batches are those
 * of the fastest single plans with a pipeline. For each of these pairs, a stage may have the ways that layers may have
 * on as many devices (layer_plans.h). The partition and the ways that make the pipeline fastest (stage_partition.h)
 * are estimated in full; where that needs more memory than there is, the partition is made again with as much less. A
 * stage holds the micro-batches of 1f1b (one forward, one backward).
 *
 * The stages of a pipeline are consecutive units, and are costed under each way; each kind of stage is costed
 * once. Exchanges of weights and the update come once in an iteration: each micro-batch is charged a share of them, as
 * if all of them waited for the slowest stage.
 */
#include <math.h>

#include "base/error.h"
#include "oracle/replicas.h"
#include "oracle/stage.h"
#include "oracle/training.h"
#include "search/layer_plans.h"
#include "search/stage_partition.h"

enum { PAIRS_MOST = 6, PLANS_KEPT = 16, TRIES = 4, UNITS_MOST = 512 };
static const double step = 2e-3;
static const double rounding = 1e-9; /* tolerance for the rounding of sums in another order */

struct pair {
	unsigned stages;
	double micro_batches;
};

struct stages_problem {
	struct paradl_oracle *oracle;
	const struct paradl_layers_request *request;
	struct paradl_arena *arena; /* scratch */
	const struct layer_graph *graph;
	const struct node_classes *classes;
	struct layer_plan_choice choice;
	struct stage_table table;
	double fixed_bytes;
};

/* Returns whether the units [first, end) are as many of one class as the units one position before them. */
static bool repeats(const struct unit_classes *classes, unsigned first, unsigned end)
{
	return first > 0 && classes->run_end[first - 1] >= end;
}

/* Returns the seconds of weight exchanges that are not overlapped, and of the update, in an iteration. */
static double once_s(const struct evaluation *evaluation, const double *term)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	const struct replica_times times = device_exchange(evaluation, 0, term);
	return (1 - overlaps.gradients) * times.gradients_s + (1 - overlaps.gathers) * times.weights_s +
	       evaluation->micro_batches * (1 - overlaps.shards) * times.each_s +
	       training_update_s(evaluation, term[STAGE_WEIGHTS], device_owned(evaluation, 0, term),
		       term[STAGE_UPDATE_S]);
}

static void cell_fill(const struct layer_plan *layer_plan, unsigned first, unsigned end, size_t cell,
	struct stage_table *table)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct unit_classes *classes = layer_plan->net.classes;
	const double lost = 1 + evaluation->oracle->rules.fragmentation;
	struct stage stage = {.first = first, .end = end};
	struct stage_work work;
	for (unsigned unit = first, next; unit < end; unit = next) {
		next = classes->run_end[unit] < end ? classes->run_end[unit] : end;
		stage_terms_add(&classes->costs[classes->of_unit[unit]], next - unit, stage.term);
	}
	const double *term = stage.term;
	stage_work_fill(evaluation, &stage, &work);
	table->cost_s[cell] = work.total_s[PASS_FORWARD] + work.total_s[PASS_BACKWARD] +
			      once_s(evaluation, term) / evaluation->micro_batches;
	table->always_bytes[cell] =
		training_states_bytes(evaluation, term) +
		lost * evaluation->item_bytes * (term[STAGE_WORKING] + term[STAGE_BUFFERS]);
	table->held_bytes[cell] = lost * evaluation->item_bytes * term[STAGE_KEPT];
}

static bool stage_table_make(const struct layer_plan *layer_plans, unsigned layer_plan_count,
	struct paradl_arena *arena, struct stage_table *table, struct paradl_error *error)
{
	const unsigned units = layer_plans[0].net.model->unit_count;
	const struct unit_classes *classes = layer_plans[0].net.classes;
	*table = (struct stage_table){.units = units,
		.layer_plan_count = layer_plan_count,
		.shape_of = arena_alloc(arena, (size_t)units * (units + 1), sizeof *table->shape_of)};
	for (unsigned first = 0; table->shape_of && first < units; ++first)
		for (unsigned end = first + 1; end <= units; ++end)
			table->shape_of[first * (units + 1) + end] =
				repeats(classes, first, end)
					? table->shape_of[(first - 1) * (units + 1) + end - 1]
					: table->shape_count++;
	const size_t cells = (size_t)table->shape_count * layer_plan_count;
	table->cost_s = arena_alloc(arena, cells, sizeof *table->cost_s);
	table->always_bytes = arena_alloc(arena, cells, sizeof *table->always_bytes);
	table->held_bytes = arena_alloc(arena, cells, sizeof *table->held_bytes);
	if (!table->shape_of || !table->cost_s || !table->always_bytes || !table->held_bytes)
		return out_of_memory(error);
	for (unsigned first = 0; first < units; ++first)
		for (unsigned end = first + 1; end <= units; ++end)
			for (unsigned w = 0; !repeats(classes, first, end) && w < layer_plan_count; ++w) {
				const size_t shape = table->shape_of[first * (units + 1) + end];
				cell_fill(&layer_plans[w], first, end, shape * layer_plan_count + w, table);
			}
	return true;
}

/*
 * Returns the way of a stage that is fastest of those that fit when it holds `held` micro-batches; way_count: none
 * does.
 */
static unsigned layer_plan_best(
	const struct stages_problem *problem, unsigned shape, double held, double capacity_bytes)
{
	const struct stage_table *table = &problem->table;
	unsigned best = table->layer_plan_count;
	for (unsigned w = 0; w < table->layer_plan_count; ++w) {
		const size_t cell = (size_t)shape * table->layer_plan_count + w;
		const bool fits =
			table->always_bytes[cell] + held * table->held_bytes[cell] <= capacity_bytes;
		if (fits && (best == table->layer_plan_count ||
				    table->cost_s[cell] <
					    table->cost_s[(size_t)shape * table->layer_plan_count + best]))
			best = w;
	}
	return best;
}

/* Fills the seconds of each stage there could be, and its way (by stage and shape). */
static void costs_fill(
	const struct stages_problem *problem, double capacity_bytes, unsigned *plan_of, double *cost_s)
{
	const struct stage_table *table = &problem->table;
	const unsigned units = table->units, stages = problem->choice.stages;
	for (unsigned stage = 0; stage < stages; ++stage) {
		const double held = fmin(problem->choice.micro_batches, stages - stage);
		unsigned *layer_plans = plan_of + (size_t)stage * table->shape_count;
		for (unsigned shape = 0; shape < table->shape_count; ++shape)
			layer_plans[shape] = layer_plan_best(problem, shape, held, capacity_bytes);
		for (unsigned first = 0; first < units; ++first)
			for (unsigned end = first + 1; end <= units; ++end) {
				const unsigned shape = table->shape_of[first * (units + 1) + end];
				const unsigned layer_plan = layer_plans[shape];
				cost_s[stage_index(units, stage, first, end)] =
					layer_plan < table->layer_plan_count
						? table->cost_s[(size_t)shape * table->layer_plan_count +
								layer_plan]
						: (double)INFINITY;
			}
	}
}

/* Makes the plan with one part for each stage; false when out of memory. */
static bool layered_make(const struct stages_problem *problem, const unsigned *ends, const unsigned *plan_of,
	struct paradl_arena *arena, struct paradl_layered *layered)
{
	const struct paradl_model *model = problem->oracle->model;
	const struct stage_table *table = &problem->table;
	const unsigned stages = problem->choice.stages;
	struct paradl_layered_part *parts = arena_alloc(arena, stages, sizeof *parts);
	if (!parts)
		return false;
	for (unsigned stage = 0, first = 0; stage < stages; first = ends[stage++]) {
		const unsigned shape = table->shape_of[first * (table->units + 1) + ends[stage]];
		parts[stage] = (struct paradl_layered_part){.first = model->units[first].first,
			.end = model->units[ends[stage] - 1].end,
			.stage = stage + 1,
			.plan = problem->choice.plans[plan_of[(size_t)stage * table->shape_count + shape]]};
	}
	*layered = (struct paradl_layered){.devices = problem->request->devices,
		.stages = stages,
		.batch = problem->choice.batch,
		.micro_batches = problem->choice.micro_batches,
		.schedule = PARADL_1F1B,
		.parts = parts,
		.part_count = stages};
	return true;
}

/*
 * Partitions and estimates, and partitions again with less memory if need be; keeps a plan that is faster than all
 * before.
 */
static bool tries_run(const struct stages_problem *problem, struct paradl_arena *arena,
	struct paradl_layered_search *search, struct paradl_error *error)
{
	const struct stage_table *table = &problem->table;
	const unsigned stages = problem->choice.stages;
	const size_t cells = stage_index(table->units, stages, 0, 0);
	double capacity_bytes = problem->oracle->machine->device.memory_bytes - problem->fixed_bytes;
	double *cost_s = arena_alloc(problem->arena, cells, sizeof *cost_s);
	unsigned *plan_of = arena_alloc(problem->arena, (size_t)stages * table->shape_count, sizeof *plan_of);
	unsigned *ends = arena_alloc(problem->arena, stages, sizeof *ends);
	if (!cost_s || !plan_of || !ends)
		return out_of_memory(error);
	for (unsigned i = 0; i < TRIES; ++i) {
		struct paradl_layered layered;
		struct paradl_estimate estimate;
		costs_fill(problem, capacity_bytes, plan_of, cost_s);
		const struct stage_problem cut = {.units = table->units,
			.stages = stages,
			.micro_batches = problem->choice.micro_batches,
			.cost_s = cost_s,
			.step = step};
		const double s = stage_cut(&cut, problem->arena, ends);
		if (s < 0)
			return out_of_memory(error);
		if (!isfinite(s)) /* no partition has memory */
			return true;
		if (!layered_make(problem, ends, plan_of, arena, &layered))
			return out_of_memory(error);
		if (!paradl_estimate_layered(problem->oracle, &layered, &estimate, NULL))
			return true;
		if (!estimate.fits) {
			capacity_bytes -= estimate.memory_bytes - estimate.capacity_bytes;
			continue;
		}
		const struct paradl_estimate *single = &search->single;
		const bool faster =
			!search->best.part_count || estimate.iteration_s < search->estimate.iteration_s;
		if (faster &&
			(!single->devices || estimate.iteration_s <= single->iteration_s * (1 + rounding))) {
			search->best = layered;
			search->estimate = estimate;
		}
		return true;
	}
	return true;
}

static bool pair_search(struct stages_problem *problem, const struct pair *pair, struct paradl_arena *arena,
	struct paradl_layered_search *search, struct paradl_error *error)
{
	struct paradl_layers_request request = *problem->request;
	unsigned count = 0;
	request.devices /= pair->stages;
	problem->choice = (struct layer_plan_choice){
		.batch = problem->choice.batch, .micro_batches = pair->micro_batches, .stages = pair->stages};
	if (!layer_plans_choose(problem->oracle, &request, problem->graph, problem->classes, problem->arena,
		    &problem->choice, NULL))
		return true; /* no plan runs on as few devices */
	struct layer_plan *layer_plans =
		arena_alloc(problem->arena, problem->choice.count, sizeof *layer_plans);
	if (!layer_plans)
		return out_of_memory(error);
	for (unsigned w = 0; w < problem->choice.count; ++w) {
		struct paradl_plan plan = problem->choice.plans[w];
		stage_plan_set(&plan, pair->stages);
		plan.schedule = PARADL_1F1B;
		if (layer_plan_begin(&layer_plans[count], problem->oracle, &plan, pair->micro_batches,
			    problem->arena, NULL))
			problem->choice.plans[count++] = problem->choice.plans[w];
	}
	if (!count)
		return true;
	search->evaluated += problem->choice.evaluated;
	problem->fixed_bytes = always_bytes(problem->oracle);
	return stage_table_make(layer_plans, count, problem->arena, &problem->table, error) &&
	       tries_run(problem, arena, search, error);
}

/*
 * Collects the numbers of stages and micro-batches of the fastest plans that have a pipeline, each pair once; returns
 * how many.
 */
static unsigned pairs_find(
	const struct paradl_search *plans, unsigned units, unsigned devices, struct pair pairs[PAIRS_MOST])
{
	unsigned count = 0;
	for (size_t i = 0; i < plans->count && count < PAIRS_MOST; ++i) {
		const struct paradl_estimate *estimate = &plans->results[i];
		const unsigned stages = estimate->plan.degree[PARADL_PIPELINE];
		unsigned k = 0;
		while (k < count &&
			(pairs[k].stages != stages || pairs[k].micro_batches < estimate->micro_batches ||
				pairs[k].micro_batches > estimate->micro_batches))
			++k;
		if (k == count && stages > 1 && stages <= units && devices % stages == 0)
			pairs[count++] = (struct pair){stages, estimate->micro_batches};
	}
	return count;
}

/*
 * Keeps the single plan as the answer if it is faster and has no pipeline: no way had it, since ways keep the
 * canonical order of axes.
 */
static bool single_keep(const struct stages_problem *problem, struct paradl_arena *arena,
	struct paradl_layered_search *search, struct paradl_error *error)
{
	const struct paradl_estimate *single = &search->single;
	struct paradl_estimate estimate;
	if (single->plan.degree[PARADL_PIPELINE] > 1 ||
		(search->best.part_count && single->iteration_s >= search->estimate.iteration_s))
		return true;
	struct paradl_layered_part *part = arena_alloc(arena, 1, sizeof *part);
	if (!part)
		return out_of_memory(error);
	*part = (struct paradl_layered_part){
		.end = problem->oracle->model->order_count, .stage = 1, .plan = single->plan};
	part->plan.batch = part->plan.micro = 0;
	const struct paradl_layered layered = {.devices = problem->request->devices,
		.stages = 1,
		.batch = problem->choice.batch,
		.micro_batches = single->micro_batches,
		.parts = part,
		.part_count = 1};
	if (!paradl_estimate_layered(problem->oracle, &layered, &estimate, NULL) || !estimate.fits)
		return true;
	search->best = layered;
	search->estimate = estimate;
	return true;
}

bool stages_search(struct paradl_oracle *oracle, const struct paradl_layers_request *request, double batch,
	struct paradl_arena *arena, struct paradl_layered_search *search, struct paradl_error *error)
{
	struct paradl_arena *const scratch = paradl_arena_create();
	const struct paradl_search_request singles = {.devices = &request->devices,
		.device_count = 1,
		.batch = batch,
		.strategies = request->strategies,
		.options = request->options,
		.vary = "order,micro,recompute,zero,sequence",
		.threads = request->threads,
		.keep = PLANS_KEPT};
	struct paradl_search plans;
	struct layer_graph graph;
	struct node_classes classes;
	struct pair pairs[PAIRS_MOST];
	if (!scratch)
		return out_of_memory(error);
	struct stages_problem problem = {.oracle = oracle,
		.request = request,
		.arena = scratch,
		.graph = &graph,
		.classes = &classes,
		.choice = {.batch = batch}};
	bool done = oracle->model->unit_count > UNITS_MOST ||
		    (layer_graph_make(oracle->model, scratch, &graph, error) &&
			    node_classes_make(oracle->model, &graph, scratch, &classes, error));
	if (done && oracle->model->unit_count <= UNITS_MOST &&
		paradl_search(oracle, &singles, scratch, &plans, NULL) && plans.count) {
		search->single = plans.results[0];
		search->evaluated += (size_t)plans.evaluated;
		const unsigned count = pairs_find(&plans, oracle->model->unit_count, request->devices, pairs);
		for (unsigned i = 0; done && i < count; ++i)
			done = pair_search(&problem, &pairs[i], arena, search, error);
		done = done && single_keep(&problem, arena, search, error);
	}
	paradl_arena_free(scratch);
	return done;
}
