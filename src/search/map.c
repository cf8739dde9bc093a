/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file makes maps, with the best plan for each pair of degrees, and finds the leanest one where there is none. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "search/search_state.h"

/* Returns the task of a group (-1: of all) that may need least memory; NULL: none runs. */
static const struct task *task_leanest(const struct search_state *state, long group)
{
	const struct task *leanest = NULL;
	for (size_t i = 0; i < state->tasks.count; ++i) {
		const struct task *task = &state->tasks.items[i];
		if (!task->runs || (group >= 0 && state->incumbents.group_of[task->cell] != (unsigned)group))
			continue;
		if (!leanest || task->bounds.memory_bytes < leanest->bounds.memory_bytes)
			leanest = task;
	}
	return leanest;
}

bool leanest_estimate(struct search_state *state, long group, struct paradl_estimate *estimate)
{
	const struct task *task = task_leanest(state, group);
	struct paradl_plan plan;
	if (!task)
		return false;
	branch_frugal(state->workers[0], task, &plan);
	return paradl_estimate(state->oracle, &plan, estimate, NULL);
}

static void map_degrees(
	const struct paradl_search_request *request, const struct paradl_plan *plan, unsigned degree[2])
{
	unsigned count = 0;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (request->map >> axis & 1)
			degree[count++] = plan->degree[axis];
}

/* Makes one group for each number of devices and pair of degrees, in the order in which they come. */
bool map_groups(struct search_state *state, struct paradl_arena *arena, struct paradl_map_cell **cells,
	struct paradl_error *error)
{
	const struct paradl_search_request *request = state->problem.request;
	struct incumbents *incumbents = &state->incumbents;
	unsigned *groups = arena_alloc(arena, state->tasks.cells + 1, sizeof *groups);
	*cells = arena_alloc(arena, state->tasks.cells + 1, sizeof **cells);
	if (!groups || !*cells)
		return out_of_memory(error);
	for (size_t i = 0; i < state->tasks.count; ++i) {
		const struct task *task = &state->tasks.items[i];
		struct paradl_map_cell cell = {.devices = (unsigned)paradl_plan_devices(&task->plan)};
		unsigned group = 0;
		map_degrees(request, &task->plan, cell.degree);
		while (group < incumbents->group_count &&
			((*cells)[group].devices != cell.devices ||
				(*cells)[group].degree[0] != cell.degree[0] ||
				(*cells)[group].degree[1] != cell.degree[1]))
			++group;
		if (group == incumbents->group_count)
			(*cells)[incumbents->group_count++] = cell;
		groups[task->cell] = group;
	}
	incumbents->group_of = groups;
	incumbents->keeps_groups = true;
	return true;
}

static int compare_cells(const void *a, const void *b)
{
	const struct paradl_map_cell *x = a, *y = b;
	if (x->devices != y->devices)
		return x->devices < y->devices ? -1 : 1;
	if (x->degree[0] != y->degree[0])
		return x->degree[0] < y->degree[0] ? -1 : 1;
	return x->degree[1] < y->degree[1] ? -1 : x->degree[1] > y->degree[1];
}

bool map_fill(struct search_state *state, struct paradl_map_cell *cells, struct paradl_search *search,
	struct paradl_error *error)
{
	const struct incumbents *incumbents = &state->incumbents;
	for (unsigned i = 0; i < incumbents->group_count; ++i) {
		const bool found = incumbents->groups[i].value < HUGE_VAL;
		if (found &&
			!paradl_estimate(state->oracle, &incumbents->groups[i].plan, &cells[i].best, error))
			return false;
		cells[i].runs = found || leanest_estimate(state, (long)i, &cells[i].best);
		cells[i].fits = found;
	}
	qsort(cells, incumbents->group_count, sizeof *cells, compare_cells);
	search->cells = cells;
	search->cell_count = incumbents->group_count;
	return true;
}
