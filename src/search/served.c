/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file visits plans of inference, which have no options of training, and finds the largest batch within a promise. */
#include <math.h>

#include "oracle/inference.h"
#include "search/worker.h"

unsigned answers_omit(const struct search_problem *problem)
{
	const struct paradl_search_request *request = problem->request;
	const bool largest = request->goal == PARADL_THROUGHPUT && problem->value != paradl_search_value;
	return (problem->spends || request->job ? 0 : 1u << OMITTED_PHASES) |
	       (largest ? 0 : 1u << OMITTED_LARGEST);
}

/* Estimates the plan at hand as far as plans are compared; where it refuses a rate, a bound may say so. */
static bool plan_estimate(struct worker *worker, struct paradl_error *error)
{
	return estimate_without(worker->oracle, &worker->evaluation.plan,
		answers_omit(worker->problem) | 1u << OMITTED_MOST, &worker->estimate, error);
}

/* Estimates a plan of inference with another batch, and offers it; returns whether it meets the constraints. */
static bool batch_offer(struct worker *worker, double batch)
{
	worker->evaluation.plan.batch = batch;
	if (!plan_estimate(worker, NULL) || !worker->estimate.fits ||
		!constraints_hold(worker->problem, &worker->estimate))
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

/* Returns the distance of a plan from running, whose estimate was filled, or refused. */
static double distance_of(const struct search_problem *problem, const struct paradl_oracle *oracle,
	bool estimated, const struct paradl_estimate *estimate)
{
	const double answered_per_s = estimate->inference.most_per_s;
	if (estimated)
		return estimate_distance(problem->request, problem->samples, estimate);
	return answered_per_s > 0 ? share_distance(answered_per_s / oracle->options.rate_per_s) : HUGE_VAL;
}

double plan_distance(
	const struct search_problem *problem, struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate = {.iteration_s = 0};
	const bool estimated = estimate_without(oracle, plan, answers_omit(problem), &estimate, NULL);
	return distance_of(problem, oracle, estimated, &estimate);
}

/* Keeps a plan that breaks a limit, if none of the task came closer; its distance may be a bound where it is refused. */
static void nearest_offer(struct worker *worker, bool estimated)
{
	const struct search_problem *problem = worker->problem;
	double distance = distance_of(problem, worker->oracle, estimated, &worker->estimate);
	if (!estimated && distance <= fmin(worker->nearest, worker->report->nearest.value))
		distance = plan_distance(problem, worker->oracle, &worker->evaluation.plan);
	const struct found_plan found = {
		.place = worker->place, .value = distance, .plan = worker->evaluation.plan};
	if (found_plan_compare(&found, &worker->report->nearest) < 0)
		worker->report->nearest = found;
}

void serving_visit(struct worker *worker)
{
	const struct search_problem *problem = worker->problem;
	const struct paradl_promise *const promise = &problem->request->promise;
	const double *const token_s = worker->estimate.inference.token_percentile_s;
	if (!plan_estimate(worker, worker->error)) {
		worker->report->breaks = false;
		nearest_offer(worker, false);
		node_fail(worker, 1);
		return;
	}
	++worker->report->evaluated;
	const bool holds = worker->estimate.fits && constraints_hold(problem, &worker->estimate);
	worker->report->breaks = worker->report->breaks && promise->token_s > 0 &&
				 token_s[promise->percentile] > promise->token_s;
	if (!holds) {
		nearest_offer(worker, true);
		return;
	}
	/* Twice as many requests take no less time, so twice as many are answered at most. */
	const double least = problem->value(&worker->estimate, problem->request->goal) / 2;
	plan_offer(worker);
	if (problem->grows &&
		(problem->request->exhaustive || worker->front.goals || !(least > worker->threshold)))
		batch_grow(worker);
}
