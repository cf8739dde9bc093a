/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best plans known so far, and so what need not be looked at any more. */
#ifndef SEARCH_INCUMBENTS_H
#define SEARCH_INCUMBENTS_H

#include "search/tasks.h"

enum { GOALS = PARADL_THROUGHPUT + 1 };

/* A plan that was evaluated. */
struct finding {
	size_t place;         /* of its task in the list */
	double value;         /* of the goal */
	double work_s;        /* of plans with the same value the least is better: value.h */
	double traded[GOALS]; /* of the goals of a front; the others are 0 */
	struct paradl_plan plan;
};

struct front {
	unsigned goals; /* set of 1u << enum paradl_goal; 0: there is no front */
	struct finding *items;
	size_t count, room;
	struct paradl_arena *arena;
};

/* Of some cells together, if there are groups: the best. */
struct incumbents {
	size_t keep;                    /* the best of so many cells; 0: only groups count */
	struct finding *cells, *groups; /* value infinite: none yet */
	unsigned cell_count, group_count;
	const unsigned *group_of; /* by cell */
	double *values;           /* scratch */
	double worst_kept;        /* value of the keep-th best cell */
	struct front front;
};

/* As for qsort: the better value, then less work, then the place, then fewer options. */
int finding_compare(const void *a, const void *b);

bool incumbents_begin(struct incumbents *incumbents, struct paradl_arena *arena, struct paradl_error *error);
/* Findings come in the order of rounds; of equal plans with equal work that of the first task stays. */
bool incumbents_add(struct incumbents *incumbents, unsigned cell, const struct finding *finding,
	struct paradl_error *error);
/* After the findings of a round. */
void incumbents_settle(struct incumbents *incumbents);
/* No plan of this cell matters that is worse than this, but for the front. */
double incumbents_threshold(const struct incumbents *incumbents, unsigned cell);

/* Is a plan of the front no worse in any of its goals than these values? */
bool front_covers(const struct front *front, const double *traded);
/* Adds it unless covered, and drops what it covers. */
bool front_add(struct front *front, const struct finding *finding, struct paradl_error *error);

#endif
