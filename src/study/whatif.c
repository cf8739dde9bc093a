/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file multiplies each input by 1 - v and 1 + v, with all others as they are, and asks how much the goal's value
 * changes. Rows are sorted by the distance between the two. A change of less than a millionth of a millionth is
 * rounding.
 *
 * For a second setting, it compares the same plan in the two, and finds the best plan of the second.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/studies.h"

static const double rounding = 1e-12;

static double span_of(const struct paradl_whatif_row *row)
{
	double least = 0, most = 0;
	const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
	for (size_t i = 0; i < 2; i++) {
		least = points[i]->runs ? fmin(least, points[i]->change) : least;
		most = points[i]->runs ? fmax(most, points[i]->change) : most;
	}
	const double span = most - least;
	return span > rounding ? span : 0;
}

/* Returns whether an input matters; without an answer at one of the ends it does. */
static bool moves(const struct paradl_whatif_row *row)
{
	return row->span > 0 || !row->low.runs || !row->high.runs || row->low.other_plan ||
	       row->high.other_plan;
}

static int by_span(const void *a, const void *b)
{
	const struct paradl_whatif_row *const left = a, *const right = b;
	const bool moving[] = {moves(left), moves(right)};
	if (moving[0] != moving[1])
		return moving[0] ? -1 : 1;
	if (left->span > right->span || left->span < right->span)
		return left->span > right->span ? -1 : 1;
	return strcmp(left->input.name, right->input.name);
}

static bool point(const struct study *study, const struct factor_here *here, double times,
	struct paradl_whatif_point *point, struct paradl_error *error)
{
	struct variation variation;
	return factor_apply(study, here, times, &variation, error) &&
	       study_point(study, &variation, point, error);
}

bool paradl_tornado(const struct paradl_whatif_request *request, double vary, struct paradl_arena *arena,
	struct paradl_tornado *tornado, struct paradl_error *error)
{
	struct study study;
	const struct factor_here *here;
	size_t count;
	if (!(vary > 0 && vary < 1))
		return error_set(error, PARADL_USAGE, "inputs vary by more than 0 %% and less than 100 %%");
	if (!study_open(&study, arena, request, error) || !factors_here(&study, &here, &count, error))
		return false;
	struct paradl_whatif_row *const rows = arena_alloc(arena, count, sizeof *rows);
	if (!rows)
		return out_of_memory(error);
	*tornado = (struct paradl_tornado){
		.vary = vary, .value = study.value, .estimate = study.estimate, .rows = rows, .count = count};
	for (size_t i = 0; i < count; i++) {
		rows[i].input = factor_input(arena, &here[i]);
		if (!point(&study, &here[i], 1 - vary, &rows[i].low, error) ||
			!point(&study, &here[i], 1 + vary, &rows[i].high, error))
			return false;
		rows[i].span = span_of(&rows[i]);
	}
	qsort(rows, count, sizeof *rows, by_span);
	while (tornado->moving < count && moves(&rows[tornado->moving]))
		tornado->moving++;
	return true;
}

/* Returns the value by the goal: the time of a sample; of a token, where samples may have other lengths. */
static double value_of(const struct study *study)
{
	return study->value / study_tokens(study, study->inputs.oracle);
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
	static const double margin = 1e-9;
	struct paradl_estimate estimate;
	if (!with_replicas(after, replicas, &estimate) ||
		estimate.iteration_s / estimate.plan.batch > sample_s * (1 + margin))
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
	struct paradl_options readers;
	*pair = (struct paradl_whatif_pair){.has_best = !before->plan};
	if (!study_open(&first, arena, before, error))
		return false;
	pair->before = first.estimate;
	same.plan = &first.estimate.plan;
	if (pair->has_best && after->options) { /* the plan with the readers that were chosen for it */
		readers = *after->options;
		readers.prefill = first.estimate.inference.prefill;
		same.options = &readers;
	}
	if (!compare(&second, &same, &first, &pair->after, error))
		return false;
	if (pair->after.runs)
		find_equal(&first, &second, pair);
	return !pair->has_best || compare(&best, after, &first, &pair->best, error);
}
