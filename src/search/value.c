/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/value.h"

/* Of inference, time is that of an answer, and throughput that of the plan's own batch: larger ones may be too slow. */
double paradl_search_value(const struct paradl_estimate *estimate, enum paradl_goal goal)
{
	const bool serves = estimate->inference.largest_batch > 0;
	if (goal == PARADL_THROUGHPUT)
		return estimate->iteration_s / estimate->plan.batch;
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
		a->chunks, a->apart, a->expert_tensor, (unsigned)a->context, !a->sequence};
	const unsigned of_b[] = {b->offload, b->shard, b->zero, (unsigned)b->recompute, (unsigned)b->schedule,
		b->chunks, b->apart, b->expert_tensor, (unsigned)b->context, !b->sequence};
	for (unsigned i = 0; i < sizeof of_a / sizeof *of_a; ++i)
		if (of_a[i] != of_b[i])
			return of_a[i] < of_b[i] ? -1 : 1;
	return 0;
}

bool wishes_hold(const struct quest *quest, const struct paradl_estimate *estimate)
{
	const struct paradl_search_request *request = quest->request;
	if (request->latency_s > 0 && estimate->iteration_s > request->latency_s)
		return false;
	if (request->first_latency_s > 0 && estimate->inference.prompts_s > request->first_latency_s)
		return false;
	if (request->token_latency_s > 0 && estimate->inference.token_s > request->token_latency_s)
		return false;
	if (!(request->deadline_s > 0) && !(request->budget > 0))
		return true;
	const double run_s = quest->samples / estimate->plan.batch * estimate->iteration_s;
	if (request->deadline_s > 0 && run_s > request->deadline_s)
		return false;
	return !(request->budget > 0) || run_s / 3600 * estimate->cost_per_hour <= request->budget;
}

void traded_fill(const struct quest *quest, const struct paradl_estimate *estimate, double *traded)
{
	for (unsigned goal = 0; goal < GOALS; ++goal)
		traded[goal] = (quest->request->pareto & 1u << goal)
				       ? paradl_search_value(estimate, (enum paradl_goal)goal)
				       : 0;
}
