/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file finds what plans need at least of a device's memory, before their schedule has run. */
#include <math.h>

#include "oracle/training.h"
#include "search/worker.h"

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
	const bool is_known = worker->screened && !schedule_splits_backward(worker->evaluation.schedule);
	if (worker->problem->request->exhaustive || is_known)
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
