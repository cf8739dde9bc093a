/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and bound over the plans of one task. */
#ifndef SEARCH_BRANCH_H
#define SEARCH_BRANCH_H

#include "search/incumbents.h"

/* The question, for all workers. */
struct quest {
	const struct paradl_search_request *request;
	struct variation variation;
	double (*value)(const struct paradl_estimate *estimate,
		enum paradl_goal goal); /* what plans are compared by */
	double samples;                 /* that deadline and budget are of; 0: they do not count */
	bool spends;                    /* what plans cost, or the energy they take, matters */
};

/* What became of a task. */
struct report {
	double evaluated, cut[PARADL_CUT_COUNT];
	double least_cut;      /* the least bound of what was cut for it; infinite: nothing was */
	struct finding best;   /* value infinite: none that matters */
	struct finding *front; /* in the worker's arena */
	size_t front_count;
};

/* One thread's. */
struct worker;
struct worker *worker_create(const struct quest *quest, struct paradl_oracle *oracle,
	struct paradl_arena *arena, struct paradl_error *error);

/* Fills the task's bounds and number of plans. */
bool branch_bound(struct worker *worker, struct task *task, struct paradl_error *error);
/* Looks at all plans of a task that could matter, given the best plans known when the round began. */
bool branch_search(struct worker *worker, const struct task *task, size_t place,
	const struct incumbents *incumbents, struct report *report, struct paradl_error *error);
/*
 * May a task be left out, as its bounds are? PARADL_CUT_COUNT: no. *least_cut goes down to its value, unless what was
 * asked for leaves it out.
 */
enum paradl_cut branch_cut(struct worker *worker, const struct task *task,
	const struct incumbents *incumbents, double *least_cut);
/* The plan of a task that needs least memory, as far as bounds know. */
void branch_frugal(struct worker *worker, const struct task *task, struct paradl_plan *plan);

#endif
