/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header says what a plan is worth, and whether it meets the constraints of a request. */
#ifndef SEARCH_VALUE_H
#define SEARCH_VALUE_H

#include "paradl/oracle.h"
#include "search/branch.h"

/* Returns whether the plan keeps all that is promised. */
bool promise_holds(const struct paradl_promise *promise, const struct paradl_estimate *estimate);
/*
 * Returns whether a plan meets deadline, budget and promises. A lower bound on a plan's times is refused only if the
 * plan would be.
 */
bool constraints_hold(const struct search_problem *problem, const struct paradl_estimate *estimate);
/*
 * Returns whether a plan meets deadline and budget with the checkpoints and failures of the job. This holds for
 * plans, not for bounds.
 */
bool job_holds(const struct paradl_oracle *oracle, const struct search_problem *problem,
	const struct paradl_estimate *estimate);
/* Fills in the run that `samples` samples take, with the checkpoints and failures of the job. */
void search_run(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	double samples, const struct paradl_estimate *estimate, struct paradl_run *run);
/*
 * Returns the device-seconds of a sample without what the step waits for input: where input is the bottleneck, many
 * plans take equally long, and among those the one that computes and sends least is best. 0 for memory, which does
 * not depend on time.
 */
double work_s_of(const struct paradl_estimate *estimate, enum paradl_goal goal);

/*
 * Compares plans with the same degrees, as for qsort, by the options that they ask a program for: fewer and lower
 * ones first. A search takes the first of plans that are worth the same.
 */
int options_compare(const struct paradl_plan *a, const struct paradl_plan *b);

/* Fills the values for the front's goals; 0 for others. */
void traded_fill(
	const struct search_problem *problem, const struct paradl_estimate *estimate, double *traded);

/* Says how far the best plan is from the request, in the terms of the first constraint that it does not meet. */
void constraint_explain(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_estimate *best, struct paradl_infeasible *closest);

#endif
