/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file compares plans by their values, and by the options that they ask a program for, and keeps the better ones. */
#include <math.h>

#include "search/branch.h"
#include "search/search_state.h"
#include "search/worker.h"

/* Returns the value of a plan for the goals of inference of text. */
static double serving_value(const struct paradl_inference *inference, unsigned goal, double devices)
{
	if (goal == PARADL_PER_DEVICE)
		return inference->tokens_per_s > 0 ? devices / inference->tokens_per_s : HUGE_VAL;
	return goal == PARADL_FIRST_TOKEN ? inference->prompts_s : inference->token_s;
}

/*
 * Returns the value of a plan, smaller is better. In inference, time is that of an answer, and throughput that of the
 * plan's own batch: larger ones may be too slow.
 */
double paradl_search_value(const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	if (goal > PARADL_THROUGHPUT)
		return serving_value(&estimate->inference, (unsigned)goal, estimate->devices);
	const bool serves = estimate->inference.largest_batch > 0;
	if (goal == PARADL_THROUGHPUT)
		return serves ? 1 / estimate->samples_per_s : estimate->iteration_s / estimate->plan.batch;
	const double value = paradl_goal_value(estimate, goal);
	const bool of_iteration = goal == PARADL_TIME ||
				  (goal == PARADL_COST && estimate->cost_per_epoch < 0) ||
				  (goal == PARADL_ENERGY && estimate->energy_joule_per_epoch < 0);
	return of_iteration && !serves ? value / estimate->plan.batch : value;
}

double work_s_of(const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	const double busy_s = estimate->iteration_s - estimate->phase_s[PARADL_INPUT];
	return goal == PARADL_MEMORY ? 0 : estimate->devices * (busy_s / estimate->plan.batch);
}

int options_compare(const struct paradl_plan *a, const struct paradl_plan *b)
{
	const unsigned of_a[] = {a->offload, a->shard, a->zero, (unsigned)a->recompute, (unsigned)a->schedule,
		a->chunks, a->apart, a->expert_tensor, (unsigned)a->context, !a->sequence, a->seqs, a->chunk};
	const unsigned of_b[] = {b->offload, b->shard, b->zero, (unsigned)b->recompute, (unsigned)b->schedule,
		b->chunks, b->apart, b->expert_tensor, (unsigned)b->context, !b->sequence, b->seqs, b->chunk};
	for (unsigned i = 0; i < sizeof of_a / sizeof *of_a; ++i)
		if (of_a[i] != of_b[i])
			return of_a[i] < of_b[i] ? -1 : 1;
	return 0;
}

bool paradl_promise_made(const struct paradl_promise *promise)
{
	return promise->latency_s > 0 || promise->first_s > 0 || promise->token_s > 0;
}

bool promise_holds(const struct paradl_promise *promise, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *inference = &estimate->inference;
	if (promise->latency_s > 0 && estimate->iteration_s > promise->latency_s)
		return false;
	if (promise->first_s > 0 && inference->first_percentile_s[promise->percentile] > promise->first_s)
		return false;
	return !(promise->token_s > 0) ||
	       inference->token_percentile_s[promise->percentile] <= promise->token_s;
}

void promise_binds(const struct paradl_promise *promise, struct paradl_estimate *estimate)
{
	struct paradl_inference *const inference = &estimate->inference;
	const struct {
		const char *what;
		double takes, most;
	} limits[] = {{"answer", estimate->iteration_s, promise->latency_s},
		{"first token", inference->first_percentile_s[promise->percentile], promise->first_s},
		{"each token", inference->token_percentile_s[promise->percentile], promise->token_s}};
	const bool closed = !(inference->most_per_s > 0);
	inference->binds = NULL;
	inference->binds_share = 0;
	if (!paradl_promise_made(promise) || !(inference->output_tokens > 0))
		return;
	if (closed && inference->largest_batch > 0 && estimate->plan.batch >= inference->largest_batch) {
		inference->binds = "memory";
		inference->binds_share = 1;
	}
	for (unsigned i = 0; i < sizeof limits / sizeof *limits; ++i) {
		const double part = limits[i].most > 0 ? limits[i].takes / limits[i].most : 0;
		const bool near = part > inference->binds_share;
		inference->binds = near ? limits[i].what : inference->binds;
		inference->binds_share = near ? part : inference->binds_share;
	}
}

bool constraints_hold(const struct search_problem *problem, const struct paradl_estimate *estimate)
{
	const struct paradl_search_request *request = problem->request;
	if (!promise_holds(&request->promise, estimate))
		return false;
	if (!(request->deadline_s > 0) && !(request->budget > 0))
		return true;
	const double run_s = problem->samples / estimate->plan.batch * estimate->iteration_s;
	return !(request->deadline_s > 0 && run_s > request->deadline_s) &&
	       (!(request->budget > 0) || run_s / 3600 * estimate->cost_per_hour <= request->budget);
}

bool job_holds(const struct paradl_oracle *oracle, const struct search_problem *problem,
	const struct paradl_estimate *estimate)
{
	const struct paradl_search_request *request = problem->request;
	struct paradl_run run;
	if (!request->job || (!(request->deadline_s > 0) && !(request->budget > 0)))
		return true;
	search_run(oracle, request, problem->samples, estimate, &run);
	return run.in_time && !(request->budget > 0 && run.cost > request->budget);
}

void search_run(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	double samples, const struct paradl_estimate *estimate, struct paradl_run *run)
{
	struct paradl_run_request job = *request->job;
	job.samples = samples;
	job.limit_s = request->deadline_s;
	paradl_run(oracle, estimate, &job, run);
}

void traded_fill(const struct search_problem *problem, const struct paradl_estimate *estimate, double *traded)
{
	for (unsigned goal = 0; goal < GOALS; ++goal)
		traded[goal] = (problem->request->pareto & 1u << goal)
				       ? paradl_search_value(estimate, (enum paradl_goal)goal)
				       : 0;
}

bool plan_is_better(const struct worker *worker)
{
	const enum paradl_goal goal = worker->problem->request->goal;
	const struct found_plan *const best = &worker->report->best;
	const double value = worker->problem->value(&worker->estimate, goal);
	if (!(best->value < HUGE_VAL))
		return value <= worker->threshold;
	if (value < best->value || value > best->value)
		return value < best->value;
	const double work_s = work_s_of(&worker->estimate, goal);
	if (work_s < best->work_s || work_s > best->work_s)
		return work_s < best->work_s;
	return options_compare(&worker->evaluation.plan, &best->plan) < 0;
}

void plan_offer(struct worker *worker)
{
	const struct search_problem *problem = worker->problem;
	struct report *report = worker->report;
	struct paradl_estimate *estimate = &worker->estimate;
	struct found_plan found;
	estimate->plan = worker->evaluation.plan; /* its ways to share say who writes checkpoints */
	if (estimate->memory_bytes > worker->oracle->machine->device.memory_bytes ||
		!constraints_hold(problem, estimate) || !job_holds(worker->oracle, problem, estimate))
		return;
	const bool better = plan_is_better(worker);
	if (!better && !worker->front.goals)
		return;
	found.value = problem->value(estimate, problem->request->goal);
	found.work_s = work_s_of(estimate, problem->request->goal);
	found.place = worker->place;
	found.plan = worker->evaluation.plan;
	traded_fill(problem, estimate, found.traded);
	if (better) {
		report->best = found;
		worker->threshold = found.value;
	}
	if (worker->front.goals && !front_covers(&worker->incumbents->front, found.traded) &&
		!front_add(&worker->front, &found, worker->error))
		worker->failed = true;
}
