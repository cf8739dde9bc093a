/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file compares the same plan in two settings, and finds the best plan of the second. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "study/studies.h"

/* Returns the value by the goal: the time of a sample; of a token, where samples may have other lengths. */
static double value_of(const struct study *study)
{
	const double tokens = study->inputs.model->sequence;
	return study->request->goal == PARADL_TIME && tokens > 0 ? study->value / tokens : study->value;
}

/* Opens the second setting and says how it compares; a plan that does not run there is an answer. */
static bool compare(struct study *study, const struct paradl_whatif_request *request,
	const struct study *before, struct paradl_whatif_point *point, struct paradl_error *error)
{
	*point = (struct paradl_whatif_point){.times = 1};
	point->runs = study_open(study, before->arena, request, error);
	if (!point->runs) {
		snprintf(point->reason, sizeof point->reason, "%.*s", (int)sizeof point->reason - 1,
			error->message);
		return study->inputs.oracle &&
		       (error->status == PARADL_INFEASIBLE || error->status == PARADL_USAGE);
	}
	point->value = study->value;
	point->change = value_of(study) / value_of(before) - 1;
	point->estimate = study->estimate;
	return true;
}

static bool with_replicas(const struct study *study, double replicas, struct paradl_estimate *estimate)
{
	struct variation variation;
	struct paradl_error error;
	double value;
	study_vary(study, &variation);
	variation.plan.batch *= replicas / variation.plan.degree[PARADL_DATA];
	variation.plan.degree[PARADL_DATA] = (unsigned)replicas;
	return study_ask(study, &variation, estimate, &value, &error);
}

static bool is_as_fast(
	const struct study *after, double replicas, double sample_s, struct paradl_estimate *found)
{
	static const double rounding = 1e-9;
	struct paradl_estimate estimate;
	if (!with_replicas(after, replicas, &estimate) ||
		estimate.iteration_s / estimate.plan.batch > sample_s * (1 + rounding))
		return false;
	*found = estimate;
	return true;
}

/*
 * Finds the fewest replicas in the second setting that are as fast for a sample as the first setting. It is a
 * bisection: more replicas take less time for a sample, so long as they do not wait for each other for longer.
 */
static void find_equal(const struct study *before, const struct study *after, struct paradl_whatif_pair *pair)
{
	const double sample_s = before->estimate.iteration_s / before->estimate.plan.batch;
	const struct paradl_plan *const plan = after->request->plan;
	const double replica = paradl_plan_devices(plan) / plan->degree[PARADL_DATA];
	double low = 0, high = floor(after->inputs.machine->devices / replica);
	struct paradl_estimate found;
	if (high < 1 || !is_as_fast(after, high, sample_s, &found))
		return;
	while (high - low > 1) {
		const double middle = floor((low + high) / 2);
		if (is_as_fast(after, middle, sample_s, &found))
			high = middle;
		else
			low = middle;
	}
	pair->equal = found;
	pair->equal_devices = found.devices;
}

bool paradl_whatif_pair(const struct paradl_whatif_request *before, const struct paradl_whatif_request *after,
	struct paradl_arena *arena, struct paradl_whatif_pair *pair, struct paradl_error *error)
{
	struct study first, second, best;
	struct paradl_whatif_request same = *after;
	*pair = (struct paradl_whatif_pair){.has_best = !before->plan};
	if (!study_open(&first, arena, before, error))
		return false;
	pair->before = first.estimate;
	same.plan = &first.estimate.plan;
	if (!compare(&second, &same, &first, &pair->after, error))
		return false;
	if (pair->after.runs)
		find_equal(&first, &second, pair);
	return !pair->has_best || compare(&best, after, &first, &pair->best, error);
}
