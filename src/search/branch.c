/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One task is searched as a tree: orders of the axes, recomputations, ways to run the pipeline, ways to share. Each
 * level adds to an evaluation that its plans share, and a bound (oracle/bounds.h) tells whether one of them can still
 * matter: whether it can fit, meet the constraints of the request, and be no worse than the best plan known. Where
 * none can, the rest of the level is counted, not evaluated.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/training.h"
#include "search/branch.h"
#include "search/worker.h"

struct worker *worker_create(const struct search_problem *problem, struct paradl_oracle *oracle,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct worker *worker = arena_alloc(arena, 1, sizeof *worker);
	if (!worker)
		return out_of_memory_null(error);
	worker->problem = problem;
	worker->oracle = oracle;
	worker->arena = arena;
	worker->evaluation.oracle = oracle;
	return worker;
}

/* -- bounds as values ------------------------------------------------------------------------------------- */

static void task_enter(struct worker *worker, const struct task *task)
{
	worker->bound = (struct paradl_estimate){
		.plan = task->plan, .devices = (unsigned)paradl_plan_devices(&task->plan)};
	if (memcmp(worker->chosen, task->plan.degree, sizeof worker->chosen) == 0)
		return;
	memcpy(worker->chosen, task->plan.degree, sizeof worker->chosen);
	choices_fill(worker->oracle, &worker->problem->variation, &task->plan, &worker->choices);
	worker->open_choices = choices_open(&worker->choices);
}

static const struct paradl_estimate *bound_estimate(struct worker *worker, const struct bounds *bounds)
{
	worker->bound.iteration_s =
		oracle_input_least_s(worker->oracle, &worker->bound.plan, bounds->iteration_s);
	worker->bound.compute_s = bounds->compute_s;
	worker->bound.memory_bytes = bounds->memory_bytes;
	if (worker->problem->spends)
		estimate_derive(&worker->evaluation, &worker->bound);
	return &worker->bound;
}

/* Returns whether the front can do without any plan that is no better than this bound. */
static bool front_is_done(const struct worker *worker, const struct paradl_estimate *bound)
{
	double traded[GOALS];
	if (!worker->front.goals)
		return true;
	traded_fill(worker->problem, bound, traded);
	return front_covers(&worker->incumbents->front, traded) || front_covers(&worker->front, traded);
}

/* Returns why no plan within this bound counts, whatever else is found; PARADL_CUT_COUNT: one may. */
static enum paradl_cut hopeless_cut(const struct worker *worker, const struct paradl_estimate *bound)
{
	if (worker->problem->request->exhaustive)
		return PARADL_CUT_COUNT;
	if (bound->memory_bytes > worker->oracle->machine->device.memory_bytes)
		return PARADL_CUT_MEMORY;
	return constraints_hold(worker->problem, bound) ? PARADL_CUT_COUNT : PARADL_CUT_BOUND;
}

static enum paradl_cut node_cut(struct worker *worker)
{
	const struct search_problem *problem = worker->problem;
	if (problem->request->exhaustive)
		return PARADL_CUT_COUNT;
	const struct paradl_estimate *bound = bound_estimate(worker, &worker->bounds);
	const enum paradl_cut cut = hopeless_cut(worker, bound);
	if (cut != PARADL_CUT_COUNT)
		return cut;
	const double value = problem->value(bound, problem->request->goal);
	if (!(value * (1 + problem->request->gap) > worker->threshold) || !front_is_done(worker, bound))
		return PARADL_CUT_COUNT;
	if (value < worker->report->least_cut)
		worker->report->least_cut = value;
	return PARADL_CUT_BOUND;
}

enum paradl_cut branch_cut(struct worker *worker, const struct task *task,
	const struct incumbents *incumbents, double *least_cut)
{
	worker->own = (struct report){.least_cut = *least_cut};
	worker->report = &worker->own;
	worker->incumbents = incumbents;
	worker->threshold = incumbents_threshold(incumbents, task->cell);
	worker->front = (struct front){.goals = worker->problem->request->pareto};
	worker->bounds = task->bounds;
	worker->bound.plan = task->plan;
	worker->bound.devices = (unsigned)paradl_plan_devices(&task->plan);
	const enum paradl_cut cut = node_cut(worker);
	*least_cut = worker->own.least_cut;
	return cut;
}

bool node_leave(struct worker *worker, double plans)
{
	const enum paradl_cut cut = node_cut(worker);
	if (cut == PARADL_CUT_COUNT)
		return false;
	worker->report->cut[cut] += plans;
	return true;
}

void node_fail(struct worker *worker, double plans)
{
	if (worker->error->status == PARADL_INFEASIBLE || worker->error->status == PARADL_USAGE)
		worker->report->cut[PARADL_CUT_DEGREES] += plans;
	else
		worker->failed = true;
}

/* -- plans ------------------------------------------------------------------------------------------------ */

/* Cuts the stages and times their passes, unless the schedule before had the same stages. */
static bool stages_enter(struct worker *worker)
{
	const struct evaluation *evaluation = &worker->evaluation;
	const struct stage_choice staged = {.chunks = evaluation->chunks,
		.apart = evaluation->plan.apart,
		.offload = evaluation->plan.offload};
	if (worker->staged.chunks == staged.chunks && worker->staged.apart == staged.apart &&
		worker->staged.offload == staged.offload) {
		worker->step = worker->staged_step;
		return true;
	}
	worker->staged.chunks = 0;
	if (!training_stages(evaluation, &worker->step, worker->error))
		return false;
	worker->staged = staged;
	worker->staged_step = worker->step;
	return true;
}

bool stage_choose(struct worker *worker, const struct stage_choice *choice)
{
	struct evaluation *evaluation = &worker->evaluation;
	struct paradl_plan *plan = &evaluation->plan;
	plan->schedule = choice->schedule;
	plan->chunks = choice->chunks;
	plan->apart = choice->apart;
	plan->offload = choice->offload;
	options_resolve(evaluation);
	if (!options_feasible(evaluation, NULL)) { /* nobody reads why, and text takes long */
		worker->error->status = PARADL_INFEASIBLE;
		return false;
	}
	if (!worker->problem->request->exhaustive) /* nobody asks for bounds */
		bounds_of_held(evaluation, &worker->bounds);
	return true;
}

/* Cuts the stages of the way that was chosen, for the bounds of its times; false: it cannot run. */
static bool stages_bound(struct worker *worker)
{
	if (!stages_enter(worker))
		return false;
	if (!worker->problem->request->exhaustive)
		bounds_of_stages(&worker->evaluation, &worker->step, &worker->bounds);
	return true;
}

bool stage_enter(struct worker *worker, const struct stage_choice *choice, double plans)
{
	const bool runs = stage_choose(worker, choice);
	if (runs && node_leave(worker, plans))
		return false;
	if (runs && stages_bound(worker))
		return !node_leave(worker, plans);
	node_fail(worker, plans);
	return false;
}

static void stage_visit(struct worker *worker, const struct stage_choice *choice)
{
	const unsigned shares = worker->choices.share_count;
	const struct bounds before = worker->bounds;
	if (stage_enter(worker, choice, shares)) {
		memory_raise(worker);
		if (memory_lacks(worker)) {
			worker->report->cut[PARADL_CUT_MEMORY] += shares;
		} else if (!worker->front.goals || !node_leave(worker, shares)) {
			training_schedule(&worker->evaluation, &worker->step);
			bounds_of_schedule(&worker->step, &worker->bounds);
			shares_schedule(worker);
			if (!node_leave(worker, shares))
				for (unsigned i = 0; i < shares && !worker->failed; ++i)
					share_visit(worker, i);
		}
	}
	worker->bounds = before;
}

void recompute_enter(struct worker *worker, enum paradl_recompute recompute)
{
	const struct choices *choices = &worker->choices;
	struct evaluation *evaluation = &worker->evaluation;
	evaluation->plan.recompute = recompute;
	evaluation->plan.apart = choices->stages[0].apart;
	evaluation->plan.offload = choices->stages[0].offload;
	options_resolve(evaluation);
	unit_costs_fill(evaluation);
	worker->staged.chunks = 0;
	if (!worker->problem->request->exhaustive)
		bounds_of_units(evaluation, &worker->open_choices, &worker->bounds);
}

static void recompute_visit(struct worker *worker, unsigned index)
{
	const struct choices *choices = &worker->choices;
	recompute_enter(worker, choices->recomputes[index]);
	if (node_leave(worker, (double)choices->stage_count * choices->share_count))
		return;
	for (unsigned i = 0; i < choices->stage_count && !worker->failed; ++i)
		stage_visit(worker, &choices->stages[i]);
}

void order_choose(struct worker *worker, unsigned index)
{
	const struct choices *choices = &worker->choices;
	struct paradl_plan *plan = &worker->evaluation.plan;
	choices_order(choices, index, plan);
	plan->zero = choices->shares[0].zero;
	plan->shard = choices->shares[0].shard;
}

static void order_visit(struct worker *worker, unsigned index)
{
	const struct choices *choices = &worker->choices;
	struct evaluation *evaluation = &worker->evaluation;
	order_choose(worker, index);
	if (evaluation->serving) { /* inference has nothing left to choose */
		worker->report->breaks = index == 0 || worker->report->breaks;
		serving_visit(worker);
		return;
	}
	if (!evaluation_connect(evaluation, worker->oracle, worker->error)) {
		node_fail(worker, choices->plans / choices->orders);
		return;
	}
	if (!shares_begin(worker)) {
		worker->failed = true;
		return;
	}
	for (unsigned i = 0; i < choices->recompute_count && !worker->failed; ++i)
		recompute_visit(worker, i);
}

/* -- tasks ------------------------------------------------------------------------------------------------ */

/* Writes the options that plans of a task begin with: whether a plan counts as one with options depends on them. */
static void first_options(const struct choices *choices, struct paradl_plan *plan)
{
	const struct stage_choice *stage = &choices->stages[0];
	const struct share_choice *layer_plan = &choices->shares[0];
	plan->recompute = choices->recomputes[0];
	plan->schedule = stage->schedule;
	plan->chunks = stage->chunks;
	plan->apart = stage->apart | layer_plan->apart;
	plan->offload = stage->offload | layer_plan->offload;
	plan->zero = layer_plan->zero;
	plan->shard = layer_plan->shard;
}

/* Begins with the plans of a task; those of inference, whose estimates cut their own layers, are only checked. */
static bool cut_begin(struct worker *worker, const struct task *task, struct paradl_error *error)
{
	struct paradl_plan plan = task->plan;
	task_enter(worker, task);
	first_options(&worker->choices, &plan);
	worker->evaluation.net = NULL;
	return (worker->oracle->options.inference ? evaluation_enter : evaluation_cut)(
		&worker->evaluation, worker->oracle, &plan, 0, error);
}

/* Returns whether plans of a task can run; writes no error that only says why they cannot, which takes long. */
static bool task_runs(struct worker *worker, const struct task *task)
{
	if (cut_begin(worker, task, NULL))
		return true;
	return !worker->evaluation.net && cut_begin(worker, task, worker->error);
}

bool branch_bound(struct worker *worker, struct task *task, struct paradl_error *error)
{
	worker->error = error;
	task->runs = task_runs(worker, task);
	task->cut = PARADL_CUT_DEGREES;
	task->plans = worker->choices.plans;
	task->runs = task->runs && task->plans > 0; /* a program may have no such pipeline */
	task->screened = !screens(worker);
	task->bounds = (struct bounds){0};
	task->value_bound = 0;
	if (!task->runs)
		return error->status == PARADL_OK || error->status == PARADL_INFEASIBLE ||
		       error->status == PARADL_USAGE;
	task->cut = PARADL_CUT_COUNT;
	if (worker->evaluation.serving)
		return true;
	bounds_of_kernels(&worker->evaluation, &worker->open_choices, &task->bounds);
	const struct paradl_estimate *bound = bound_estimate(worker, &task->bounds);
	task->value_bound = worker->problem->value(bound, worker->problem->request->goal);
	task->cut = hopeless_cut(worker, bound);
	return true;
}

/* Screens a task. Where that leaves plans, it waits for its turn, and nothing is counted until then. */
static bool screen_only(struct worker *worker, struct report *report)
{
	struct bounds least;
	if (!screen(worker, &least) || worker->failed)
		return !worker->failed;
	*report = (struct report){.least_cut = HUGE_VAL,
		.best.value = HUGE_VAL,
		.nearest.value = HUGE_VAL,
		.waits = true,
		.bounds = least};
	report->value_bound =
		worker->problem->value(bound_estimate(worker, &least), worker->problem->request->goal);
	return true;
}

bool branch_search(struct worker *worker, const struct task *task, size_t place,
	const struct incumbents *incumbents, struct report *report, struct paradl_error *error)
{
	*report = (struct report){.least_cut = HUGE_VAL, .best.value = HUGE_VAL, .nearest.value = HUGE_VAL};
	worker->error = error;
	worker->report = report;
	worker->place = place;
	worker->incumbents = incumbents;
	worker->threshold = incumbents_threshold(incumbents, task->cell);
	worker->nearest = incumbents_nearest(incumbents, task->cell)->value;
	worker->front = (struct front){.goals = worker->problem->request->pareto, .arena = worker->arena};
	worker->failed = false;
	if (!cut_begin(worker, task, worker->error)) {
		node_fail(worker, task->plans);
		return !worker->failed;
	}
	worker->bounds = task->bounds;
	worker->estimate = worker->bound;
	worker->estimate.local_batch = worker->evaluation.local_batch;
	if (!task->screened)
		return screen_only(worker, report);
	for (unsigned i = 0; i < worker->choices.orders && !worker->failed; ++i)
		order_visit(worker, i);
	report->front = worker->front.items;
	report->front_count = worker->front.count;
	return !worker->failed;
}

void branch_frugal(struct worker *worker, const struct task *task, struct paradl_plan *plan)
{
	const struct choices *choices = &worker->choices;
	*plan = task->plan;
	task_enter(worker, task);
	first_options(choices, plan);
	plan->recompute = choices->recomputes[choices->recompute_count - 1];
	plan->zero = choices->shares[choices->share_count - 1].zero;
	plan->offload = worker->open_choices.offload;
}
