/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has the state of one thread of a search: branch.c walks the tree, screen.c looks ahead. */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include "oracle/training.h"
#include "search/branch.h"

static const double bound_surely = 1 - 1e-8; /* tolerance for the rounding of sums in another order */

enum { LIKES = 32, LIKE_TERMS = 7 };

/* Values known of one way to share. */
struct kept_share {
	struct replicas dense, experts;
	bool counted, compiled;        /* which of these is known: the sizes of groups, and their routes */
	unsigned known;                /* devices known in `of`: a set of 1U << number */
	double memory_bytes;           /* memory of that way under this schedule; negative: not known yet */
	struct device_share of[LIKES]; /* shares of devices, by number */
};

struct worker {
	const struct search_problem *problem;
	struct paradl_oracle *oracle;
	struct paradl_arena *arena;
	struct evaluation evaluation;
	struct choices choices;
	struct open_choices open_choices;
	unsigned chosen[PARADL_AXIS_COUNT]; /* degrees of these choices, which depend on nothing else */
	struct bounds bounds;               /* bounds of the node in the tree */
	struct step step;
	/* Stages that are cut and timed, those of `staged` ways to run a pipeline; 0 chunks: none. */
	struct stage_choice staged;
	struct step staged_step;
	/* bound: the node's bounds as an estimate; estimate: of a plan. */
	struct paradl_estimate bound, estimate;
	/* By share choice, under the order of the axes, with its capacity; see shares.c. */
	struct kept_share *shares;
	unsigned share_room;
	struct device_share least_of[LIKES]; /* lower bounds of the shares of devices, by number */
	double likes[LIKES][LIKE_TERMS];     /* sums of devices, by number */
	unsigned like_count;
	bool numbered;   /* whether the devices of this schedule have numbers */
	unsigned needed; /* numbers in use: a set of 1U << pipeline_rank.like */
	/* Values of the task at hand. */
	size_t place;
	const struct incumbents *incumbents;
	double threshold;
	double nearest; /* distance of the plan that came closest before this task */
	struct front front;
	struct report *report, own; /* own: report where no task is searched */
	struct paradl_error *error;
	bool failed;
};

/*
 * Returns whether the plan that was estimated is no worse than the best known one, memory aside. Bounds leave out no
 * plan that is equal, so the least work is found.
 */
bool plan_is_better(const struct worker *worker);
/* Takes the plan that was estimated, if it fits and meets the constraints, and matters. */
void plan_offer(struct worker *worker);
/* Estimates and offers a plan of inference, and under a promise larger batches that keep it: served.c. */
void serving_visit(struct worker *worker);
/* Writes an order of the axes into the plan, with the first way to share. */
void order_choose(struct worker *worker, unsigned index);
/* Fills the bounds of plans with this recomputation. */
void recompute_enter(struct worker *worker, enum paradl_recompute recompute);
/* Takes a way to run the pipeline, with bounds of what it holds; false: it cannot run. */
bool stage_choose(struct worker *worker, const struct stage_choice *choice);
/* Takes it with its stages; false: no such plan can run or matters, and its `plans` plans are counted. */
bool stage_enter(struct worker *worker, const struct stage_choice *choice, double plans);
/* Returns whether a node with `plans` plans is left out by worker->bounds, and counts them then. */
bool node_leave(struct worker *worker, double plans);
/* Returns whether every way to share needs too much memory, before the schedule of the way that was entered runs. */
bool memory_lacks(struct worker *worker);
/*
 * Raises the bound of memory, for fronts, to what plans need at least that run the pipeline in the way that was
 * entered.
 */
void memory_raise(struct worker *worker);
/* Counts plans that cannot run; any other error ends the search. */
void node_fail(struct worker *worker, double plans);

/* Returns whether the plans of the task at hand can be screened, which a single plan is not worth. */
bool screens(const struct worker *worker);
/* Finds the least bounds of all plans of a task that the screen leaves; false: it leaves none. */
bool screen(struct worker *worker, struct bounds *least);

/* The leaves of a search are the ways to share under one partition into stages and one schedule. */

/* Forgets what is known of another order of the axes; false when out of memory. */
bool shares_begin(struct worker *worker);
/* Gives numbers to the devices of another schedule, and forgets the memory under the one before. */
void shares_schedule(struct worker *worker);
/* Writes a way to share into the plan. */
void share_choose(struct worker *worker, unsigned index);
/* Takes as much of the groups of a chosen way as its memory depends on. */
void share_count(struct worker *worker, unsigned index);
/*
 * Fills in worker->estimate the iteration that a way takes and its wait for input; where the cost or energy of plans
 * matters, all phases and what follows from them. False: the way cannot run.
 */
bool share_time(struct worker *worker, unsigned index);
/* Fills in worker->estimate the memory that a way needs. */
void share_memory(struct worker *worker, unsigned index);
/* Evaluates a way under the schedule that was followed, as far as it matters, and offers the plan. */
void share_visit(struct worker *worker, unsigned index);
/*
 * Returns whether a way is known to lack memory, or can be known to in less time than its iteration takes, because
 * nobody has asked for its routes yet.
 */
bool share_lacks(struct worker *worker, unsigned index);

#endif
