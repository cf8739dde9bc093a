/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file visits plans of inference, which have no options of training, and finds the largest batch within a promise. */
#include <math.h>

#include "oracle/inference.h"
#include "search/worker.h"

/* Estimates a plan of inference with another batch, and offers it; returns whether it meets the constraints. */
static bool batch_offer(struct worker *worker, double batch)
{
	worker->evaluation.plan.batch = batch;
	if (!paradl_estimate(worker->oracle, &worker->evaluation.plan, &worker->estimate, NULL) ||
		!worker->estimate.fits || !constraints_hold(worker->problem, &worker->estimate))
		return false;
	plan_offer(worker);
	return true;
}

/*
 * Goes on from a batch that keeps the promise to the largest one that does, if that is less than twice as large: the
 * next task has that. Requests are slower the more are under way.
 */
static void batch_grow(struct worker *worker)
{
	const double replicas = serving_replicas(&worker->evaluation.plan),
		     batch = worker->evaluation.plan.batch;
	double held = batch / replicas, broken = 2 * held;
	if (!batch_offer(worker, broken * replicas))
		while (broken - held > 1) {
			const double middle = floor((held + broken) / 2);
			*(batch_offer(worker, middle * replicas) ? &held : &broken) = middle;
		}
	worker->evaluation.plan.batch = batch;
}

void serving_visit(struct worker *worker)
{
	const struct search_problem *problem = worker->problem;
	if (!paradl_estimate(worker->oracle, &worker->evaluation.plan, &worker->estimate, worker->error)) {
		node_fail(worker, 1);
		return;
	}
	++worker->report->evaluated;
	const bool holds = worker->estimate.fits && constraints_hold(problem, &worker->estimate);
	/* Twice as many requests take no less time, so twice as many are answered at most. */
	const double least = problem->value(&worker->estimate, problem->request->goal) / 2;
	plan_offer(worker);
	if (holds && problem->grows &&
		(problem->request->exhaustive || worker->front.goals || !(least > worker->threshold)))
		batch_grow(worker);
}
