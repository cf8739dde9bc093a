/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has branch and bound over the plans of one task. */
#ifndef SEARCH_BRANCH_H
#define SEARCH_BRANCH_H

#include "search/incumbents.h"

/* Search request as all workers see it. */
struct search_problem {
	const struct paradl_search_request *request;
	struct variation variation;
	double (*value)(const struct paradl_estimate *estimate,
		enum paradl_goal goal); /* value by which plans are compared */
	double samples;                 /* samples that deadline and budget refer to; 0: they do not count */
	bool spends;                    /* whether the cost of plans, or the energy they take, matters */
};

/* Report on a searched task: plans evaluated, plans cut by reason, and those that were found. */
struct report {
	double evaluated, cut[PARADL_CUT_COUNT];
	double least_cut; /* least bound of the plans that were cut for their bound; infinite: none was */
	struct found_plan best;   /* best plan; value infinite: none that matters */
	struct found_plan *front; /* plans for the front, in the worker's arena */
	size_t front_count;
};

/* State of one thread. */
struct worker;
struct worker *worker_create(const struct search_problem *problem, struct paradl_oracle *oracle,
	struct paradl_arena *arena, struct paradl_error *error);

/* Fills the task's bounds, its number of plans, and whether it runs; false: the search must end. */
bool branch_bound(struct worker *worker, struct task *task, struct paradl_error *error);
/*
 * Searches all plans of a task that could matter, given the best plans known when the round began; false: the search
 * must end.
 */
bool branch_search(struct worker *worker, const struct task *task, size_t place,
	const struct incumbents *incumbents, struct report *report, struct paradl_error *error);
/*
 * Returns why a task can be left out by its bounds; PARADL_CUT_COUNT: it cannot. *least_cut goes down to the task's
 * value, unless a constraint of the request leaves it out.
 */
enum paradl_cut branch_cut(struct worker *worker, const struct task *task,
	const struct incumbents *incumbents, double *least_cut);
/* Writes the plan of a task that needs least memory, as far as bounds know. */
void branch_frugal(struct worker *worker, const struct task *task, struct paradl_plan *plan);

#endif
