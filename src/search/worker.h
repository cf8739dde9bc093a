/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one thread of a search works with; branch.c walks, screen.c looks ahead. */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include "oracle/training.h"
#include "search/branch.h"

static const double bound_surely = 1 - 1e-8; /* of sums in another order */

enum { LIKES = 32, LIKE_TERMS = 5 };

/* What is known of one way to share. */
struct kept_share {
	struct replicas dense, experts;
	bool counted, compiled; /* of these: how many there are; and their routes */
	unsigned known;         /* which of the next: a set of 1U << number */
	unsigned like;          /* the first way with the same memory: what runs beside compute takes none */
	double memory_bytes;    /* of that one under this schedule; negative: not known yet */
	struct device_share of[LIKES]; /* of devices, by number */
};

struct worker {
	const struct quest *quest;
	struct paradl_oracle *oracle;
	struct paradl_arena *arena;
	struct evaluation evaluation;
	struct choices choices;
	struct freedom freedom;
	struct bounds bounds; /* of the node */
	struct step step;
	/* The stages that are cut and timed, those of `staged` ways to run a pipeline; 0 chunks: none. */
	struct stage_choice staged;
	struct step staged_step;
	struct paradl_estimate bound, estimate; /* what bounds say as an estimate; of a plan */
	/* By share choice, under the order of the axes, and room for so many; shares.c. */
	struct kept_share *shares;
	unsigned share_room;
	double likes[LIKES][LIKE_TERMS]; /* sums of devices, by number */
	unsigned like_count;
	bool numbered;   /* the devices of this schedule have numbers */
	unsigned needed; /* these: a set of 1U << holder.like */
	/* Whatever the order of the axes; the others are so many. */
	bool hopeless[RECOMPUTE_CHOICES][STAGE_CHOICES];
	unsigned hopeful;
	bool screened; /* of memory, too, where the order of work is fixed */
	/* Of the task at hand. */
	size_t place;
	const struct incumbents *incumbents;
	double threshold;
	struct front front;
	struct report *report, own; /* own: where no task is searched */
	struct paradl_error *error;
	bool failed;
};

/* Fills bounds of plans with this recomputation, then of those that run the pipeline in this way; false: it cannot run. */
void recompute_enter(struct worker *worker, enum paradl_recompute recompute);
bool stage_enter(struct worker *worker, const struct stage_choice *choice);
/* Is a node with so many plans left out, as worker->bounds are? */
bool node_leave(struct worker *worker, double plans);
/*
 * Before the schedule of the way that was entered runs: does every way to share need too much? Of a fixed order of work, that is seen
 * before any order of the axes; screen.c.
 */
bool memory_lacks(struct worker *worker);
/* Of fronts: raises the bound of memory to what plans need at least that run the pipeline in the way that was entered. */
void memory_raise(struct worker *worker);
/* Plans that cannot run are counted; any other error ends the search. */
void node_fail(struct worker *worker, double plans);

/* Fills hopeless; false: nothing is left of the task. */
bool screen(struct worker *worker);

#endif
