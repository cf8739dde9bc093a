/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts into which a search divides its space: plans of the same degrees and micro-batch. */
#ifndef SEARCH_TASKS_H
#define SEARCH_TASKS_H

#include "search/choices.h"
#include "search/search.h"

struct task {
	struct paradl_plan plan; /* what its plans have in common; the canonical order */
	unsigned cell; /* of its degrees and devices: tasks with the same ones come after each other */
	struct bounds bounds;
	double value_bound; /* of the goal */
	double plans;
	bool runs; /* else no plan of it can */
};

struct tasks {
	struct task *items;
	size_t count, room;
	unsigned cells;
};

/* Every task, in the order in which plans count when they are equal. */
bool tasks_list(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct variation *variation, const bool *families, struct paradl_arena *arena,
	struct tasks *tasks, struct paradl_error *error);

#endif
