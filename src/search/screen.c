/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen leaves out plans that no order of the axes can save. Placement changes exchanges only, so bounds of time
 * without any exchange, and of memory, hold for all orders; where there is one order, exchanges take their lower bounds.
 * Plans left out here need not be connected, which would compile the curves of their groups.
 *
 * With a fixed order of work it is known what devices hold; with zero bubble that depends on times, and so on
 * exchanges.
 *
 * The other functions find what plans need at least of a device's memory, before their schedule has run.
 */
#include <math.h>
#include <string.h>

#include "oracle/replicas.h"
#include "oracle/training.h"
#include "search/worker.h"

/* Returns whether every zero level, over all replicas, needs too much memory. */
static bool all_lack(struct worker *worker)
{
	const struct choices *choices = &worker->choices;
	struct evaluation *evaluation = &worker->evaluation;
	if (schedule_splits_backward(evaluation->schedule) || worker->problem->variation.fixed.shard)
		return false;
	training_hold_least(evaluation, &worker->step);
	for (unsigned i = 0; i < choices->share_count; ++i) {
		const struct share_choice *choice = &choices->shares[i];
		if (choice->shard || choice->apart != choices->shares[0].apart)
			continue;
		evaluation->plan.zero = choice->zero;
		evaluation->plan.offload =
			(evaluation->plan.offload & ~(unsigned)PARADL_OFFLOAD_OPTIMIZER) | choice->offload;
		if (!training_memory_lacks(evaluation, worker->step.pipeline_ranks))
			return false;
	}
	return true;
}

/* Takes bounds, where they are lower than the least so far. */
static void least_take(const struct bounds *bounds, struct bounds *least)
{
	least->iteration_s = fmin(least->iteration_s, bounds->iteration_s);
	least->compute_s = fmin(least->compute_s, bounds->compute_s);
	least->memory_bytes = fmin(least->memory_bytes, bounds->memory_bytes);
}

static void stage_screen(struct worker *worker, const struct stage_choice *choice, struct bounds *least)
{
	const double plans = (double)worker->choices.orders * worker->choices.share_count;
	const struct bounds before = worker->bounds;
	if (stage_enter(worker, choice, plans)) {
		if (all_lack(worker))
			worker->report->cut[PARADL_CUT_MEMORY] += plans;
		else
			least_take(&worker->bounds, least);
	}
	worker->bounds = before;
}

/* Begins with what all orders of the axes have in common; false: no plan of the task can run. */
static bool screen_begin(struct worker *worker)
{
	struct evaluation *evaluation = &worker->evaluation;
	if (worker->choices.orders > 1) {
		evaluation_isolate(evaluation);
		return true;
	}
	order_choose(worker, 0);
	worker->oracle->floors = true;
	const bool runs = evaluation_connect(evaluation, worker->oracle, worker->error);
	worker->oracle->floors = false;
	if (!runs)
		node_fail(worker, worker->choices.plans);
	return runs;
}

bool screens(const struct worker *worker)
{
	return !worker->evaluation.serving && !worker->problem->request->exhaustive &&
	       worker->choices.plans >= 2; /* a single plan is evaluated as fast as screened */
}

bool screen(struct worker *worker, struct bounds *least)
{
	const struct choices *choices = &worker->choices;
	*least = worker->bounds;
	least->iteration_s = least->compute_s = least->memory_bytes = HUGE_VAL;
	if (!screen_begin(worker))
		return false;
	for (unsigned i = 0; i < choices->recompute_count && !worker->failed; ++i) {
		recompute_enter(worker, choices->recomputes[i]);
		if (node_leave(worker, choices->plans / choices->recompute_count))
			continue;
		for (unsigned k = 0; k < choices->stage_count && !worker->failed; ++k)
			stage_screen(worker, &choices->stages[k], least);
	}
	return least->iteration_s < HUGE_VAL;
}

/*
 * Returns whether this way stands for others in memory: sharding among fewer replicas needs no less, so the first way
 * of each zero level, among all replicas, stands for the rest.
 */
static bool stands_for_all(const struct worker *worker, const struct share_choice *choice)
{
	return (!choice->shard || worker->problem->variation.fixed.shard) &&
	       choice->apart == worker->choices.shares[0].apart;
}

bool memory_lacks(struct worker *worker)
{
	const struct choices *choices = &worker->choices;
	if (worker->problem->request->exhaustive)
		return false;
	training_hold_least(&worker->evaluation, &worker->step);
	for (unsigned i = 0; i < choices->share_count; ++i) {
		if (!stands_for_all(worker, &choices->shares[i]))
			continue;
		share_choose(worker, i);
		share_count(worker, i);
		if (!training_memory_lacks(&worker->evaluation, worker->step.pipeline_ranks))
			return false;
	}
	return true;
}

void memory_raise(struct worker *worker)
{
	const struct choices *choices = &worker->choices;
	double least = HUGE_VAL;
	if (!worker->front.goals || worker->problem->request->exhaustive)
		return;
	training_hold_least(&worker->evaluation, &worker->step);
	for (unsigned i = 0; i < choices->share_count; ++i) {
		const struct share_choice *choice = &choices->shares[i];
		struct paradl_estimate estimate = {0};
		if (!stands_for_all(worker, choice))
			continue;
		share_choose(worker, i);
		share_count(worker, i);
		training_memory(&worker->evaluation, worker->step.pipeline_ranks, &estimate);
		least = fmin(least, memory_sum(&estimate.memory));
	}
	worker->bounds.memory_bytes = fmax(worker->bounds.memory_bytes, bound_surely * least);
}
