/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan is worth, and whether it is what was asked for. */
#ifndef SEARCH_VALUE_H
#define SEARCH_VALUE_H

#include "search/branch.h"

/* Is anything promised, and does this plan keep it? */
bool promise_made(const struct paradl_promise *promise);
bool promise_holds(const struct paradl_promise *promise, const struct paradl_estimate *estimate);
/* Deadline, budget, promises. A lower bound on a plan's times is refused only if the plan would be. */
bool wishes_hold(const struct quest *quest, const struct paradl_estimate *estimate);
/* The same of deadline and budget with the checkpoints and failures of the job: of plans, not of bounds. */
bool job_holds(const struct paradl_oracle *oracle, const struct quest *quest,
	const struct paradl_estimate *estimate);
/* What so many samples take with them. */
void search_run(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	double samples, const struct paradl_estimate *estimate, struct paradl_run *run);
/*
 * Device-seconds of a sample without what the step waits for input: where input binds, many plans take equally long, and of
 * those the one that computes and sends least is best. 0 for memory, which does not depend on time.
 */
double work_s_of(const struct paradl_estimate *estimate, enum paradl_goal goal);

/*
 * Orders plans with the same degrees by the options that they ask a program for, as for qsort: fewer and lower ones first.
 * A search takes the first of plans that are worth the same.
 */
int options_compare(const struct paradl_plan *a, const struct paradl_plan *b);

/* The values of the front's goals; 0 for others. */
void traded_fill(const struct quest *quest, const struct paradl_estimate *estimate, double *traded);

/* Says how far the best is from what was asked for, in the terms of the first wish that it does not hold. */
void wish_explain(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_estimate *best, struct paradl_infeasible *closest);

#endif
