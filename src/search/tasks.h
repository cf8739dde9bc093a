/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search divides its space into tasks: plans of the same degrees and micro-batch. */
#ifndef SEARCH_TASKS_H
#define SEARCH_TASKS_H

#include "search/open_choices.h"
#include "search/search.h"

struct task {
	struct paradl_plan plan; /* what the plans of the task have in common; axes in canonical order */
	unsigned cell; /* number of its degrees and devices: tasks with the same ones follow one another */
	struct bounds bounds;
	double value_bound; /* lower bound on the value for the goal */
	double plans;
	bool runs; /* whether a plan of the task can run */
};

struct tasks {
	struct task *items;
	size_t count, room;
	unsigned cells;
};

/* Collects every task, in the order in which plans count when they are equal. */
bool tasks_list(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct variation *variation, const bool *families, struct paradl_arena *arena,
	struct tasks *tasks, struct paradl_error *error);

#endif
