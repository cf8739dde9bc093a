/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header has branch and bound over the plans of one task, the best plans known so far, and what makes one plan
 * better than another.
 */
#ifndef SEARCH_BRANCH_H
#define SEARCH_BRANCH_H

#include "paradl/oracle.h"
#include "search/tasks.h"

/* ---- incumbents: the best plans known so far tell what need not be looked at any more ---- */

enum { GOALS = PARADL_GOALS };

/* Plan that was evaluated, and its values. */
struct found_plan {
	size_t place; /* index of its task in the list */
	double value; /* value for the goal */
	double work_s; /* work in device-seconds (value.c): among plans with the same value, the least is better */
	double traded[GOALS]; /* values for the goals of a front; 0 for others */
	struct paradl_plan plan;
};

struct front {
	unsigned goals; /* set of 1u << enum paradl_goal; 0: there is no front */
	struct found_plan *items;
	size_t count, room;
	struct paradl_arena *arena;
};

/* Best plans of each cell and, if there are groups, of each group of cells. */
struct incumbents {
	size_t keep;                       /* number of best cells that are kept; 0: only groups count */
	bool keeps_groups;                 /* whether the best of each group is kept, too */
	struct found_plan *cells, *groups; /* best plan of each cell and group; value infinite: none yet */
	unsigned cell_count, group_count;
	const unsigned *group_of; /* group of each cell */
	/* Of each group, or of all, the plan that came closest; `value` is its distance. */
	struct found_plan *nearest;
	double *values;    /* scratch */
	double worst_kept; /* value of the keep-th best cell */
	struct front front;
};

/* Compares findings as for qsort: the better value comes first, then less work, the earlier place, fewer options. */
int found_plan_compare(const void *a, const void *b);

bool incumbents_begin(struct incumbents *incumbents, struct paradl_arena *arena, struct paradl_error *error);
/*
 * Adds a finding of a round. Findings come in the order of rounds; among equal plans with equal work, that of the
 * first task stays. Returns false when out of memory.
 */
bool incumbents_add(struct incumbents *incumbents, unsigned cell, const struct found_plan *found,
	struct paradl_error *error);
/* Keeps a plan of a cell that breaks a limit, by its distance, if none came closer. */
void incumbents_near(struct incumbents *incumbents, unsigned cell, const struct found_plan *found);
/* Returns the plan that came closest of those that are told with a cell. */
struct found_plan *incumbents_nearest(const struct incumbents *incumbents, unsigned cell);
/* Updates the value of the worst cell that is kept, after the findings of a round. */
void incumbents_settle(struct incumbents *incumbents);
/* Returns the value beyond which no plan of this cell matters, except for the front. */
double incumbents_threshold(const struct incumbents *incumbents, unsigned cell);

/* Returns whether a plan of the front is no worse in any of its goals than these values. */
bool front_covers(const struct front *front, const double *traded);
/*
 * Adds a finding to the front unless a plan there covers it, and drops plans that it covers; false when out of
 * memory.
 */
bool front_add(struct front *front, const struct found_plan *found, struct paradl_error *error);

/* Search request as all workers see it. */
struct search_problem {
	const struct paradl_search_request *request;
	struct variation variation;
	double (*value)(const struct paradl_estimate *estimate,
		enum paradl_goal goal); /* value by which plans are compared */
	double samples;                 /* samples that deadline and budget refer to; 0: they do not count */
	bool grows; /* whether batches between 1, 2, 4, ... are tried, too: the largest that keeps a promise */
	bool spends; /* whether the cost of plans, or the energy they take, matters */
};

/* Report on a searched task: plans evaluated, plans cut by reason, and those that were found. */
struct report {
	double evaluated, cut[PARADL_CUT_COUNT];
	double least_cut; /* least bound of the plans that were cut for their bound; infinite: none was */
	struct found_plan best;    /* best plan; value infinite: none that matters */
	struct found_plan nearest; /* plan that does not run and came closest; value: its distance */
	/* The task was screened, and waits for its turn by these bounds; nothing of it is counted yet. */
	bool waits;
	struct bounds bounds;
	double value_bound;
	bool breaks; /* in inference: in no order of the axes the plan keeps what is promised of each token */
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

/* ---- value: what a plan is worth, and whether it meets the constraints of a request ---- */

/* Returns which parts of estimates of inference no plan of the search is compared by: a set of 1u << enum omitted. */
unsigned answers_omit(const struct search_problem *problem);
/* Returns whether the plan keeps all that is promised. */
bool promise_holds(const struct paradl_promise *promise, const struct paradl_estimate *estimate);
/* Fills which limit of the promise is nearest to being broken by the plan. */
void promise_binds(const struct paradl_promise *promise, struct paradl_estimate *estimate);
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

/*
 * ---- distance of a plan that does not run: closest.c. From 0 to 1 are plans that break a promise, a deadline or a
 * budget, then up to 2 those that answer fewer requests than come, up to 3 those that lack memory, and then others.
 */

/* Returns the largest multiple of one of its limits that a plan takes, 0 where nothing is promised. */
double promise_missed(const struct paradl_promise *promise, const struct paradl_estimate *estimate);
/* Returns the distance of a plan that takes `missed` times its limit: 0 where it keeps it. */
double missed_distance(double missed);
/* Returns the distance of a plan that answers a share of the requests that come. */
double share_distance(double answered);
/* Returns the distance of a plan that has an estimate, 0: it runs, and breaks nothing. */
double estimate_distance(
	const struct paradl_search_request *request, double samples, const struct paradl_estimate *estimate);

/* Returns the distance of a plan of inference; infinite: it has none. */
double plan_distance(
	const struct search_problem *problem, struct paradl_oracle *oracle, const struct paradl_plan *plan);

/* Says how far a plan is from the request, in the terms of the limit that it misses by most. */
void constraint_explain(const struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct paradl_estimate *best, struct paradl_infeasible *closest);

#endif
