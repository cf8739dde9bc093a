/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This header has the best plans known so far, which tell what need not be looked at any more. */
#ifndef SEARCH_INCUMBENTS_H
#define SEARCH_INCUMBENTS_H

#include "search/tasks.h"

enum { GOALS = PARADL_THROUGHPUT + 1 };

/* Plan that was evaluated, and its values. */
struct found_plan {
	size_t place; /* index of its task in the list */
	double value; /* value for the goal */
	double work_s; /* work in device-seconds (value.h): among plans with the same value, the least is better */
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
	struct found_plan *cells, *groups; /* best plan of each cell and group; value infinite: none yet */
	unsigned cell_count, group_count;
	const unsigned *group_of; /* group of each cell */
	double *values;           /* scratch */
	double worst_kept;        /* value of the keep-th best cell */
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

#endif
