/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

static struct found_plan *bests_create(struct paradl_arena *arena, size_t count)
{
	struct found_plan *bests = arena_alloc(arena, count + 1, sizeof *bests);
	for (size_t i = 0; bests && i <= count; ++i)
		bests[i].value = HUGE_VAL;
	return bests;
}

bool incumbents_begin(struct incumbents *incumbents, struct paradl_arena *arena, struct paradl_error *error)
{
	incumbents->cells = bests_create(arena, incumbents->cell_count);
	incumbents->groups = bests_create(arena, incumbents->group_count);
	incumbents->nearest = bests_create(arena, incumbents->group_count);
	incumbents->values = arena_alloc(arena, incumbents->cell_count + 1, sizeof *incumbents->values);
	incumbents->worst_kept = incumbents->keep ? HUGE_VAL : -HUGE_VAL;
	incumbents->front.arena = arena;
	if (incumbents->cells && incumbents->groups && incumbents->nearest && incumbents->values)
		return true;
	return out_of_memory(error);
}

bool front_covers(const struct front *front, const double *traded)
{
	for (size_t i = 0; i < front->count; ++i) {
		bool covers = true;
		for (unsigned goal = 0; covers && goal < GOALS; ++goal)
			covers = front->items[i].traded[goal] <= traded[goal];
		if (covers)
			return true;
	}
	return false;
}

bool front_add(struct front *front, const struct found_plan *found, struct paradl_error *error)
{
	struct found_plan copy = *found;
	const struct front one = {.goals = front->goals, .items = &copy, .count = 1};
	size_t kept = 0;
	if (front_covers(front, found->traded))
		return true;
	for (size_t i = 0; i < front->count; ++i)
		if (!front_covers(&one, front->items[i].traded))
			front->items[kept++] = front->items[i];
	front->count = kept;
	if (kept == front->room) {
		const size_t room = kept ? 2 * kept : 64;
		struct found_plan *grown = list_moved(front->arena, front->items, kept, room, sizeof *grown);
		if (!grown)
			return out_of_memory(error);
		front->items = grown;
		front->room = room;
	}
	front->items[front->count++] = copy;
	return true;
}

int found_plan_compare(const void *a, const void *b)
{
	const struct found_plan *x = a, *y = b;
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	if (x->work_s < y->work_s || x->work_s > y->work_s)
		return x->work_s < y->work_s ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return options_compare(&x->plan, &y->plan);
}

static void best_offer(struct found_plan *best, const struct found_plan *found)
{
	if (found_plan_compare(found, best) < 0)
		*best = *found;
}

bool incumbents_add(struct incumbents *incumbents, unsigned cell, const struct found_plan *found,
	struct paradl_error *error)
{
	best_offer(&incumbents->cells[cell], found);
	if (incumbents->group_of)
		best_offer(&incumbents->groups[incumbents->group_of[cell]], found);
	return !incumbents->front.goals || front_add(&incumbents->front, found, error);
}

struct found_plan *incumbents_nearest(const struct incumbents *incumbents, unsigned cell)
{
	return &incumbents->nearest[incumbents->group_of ? incumbents->group_of[cell] : 0];
}

void incumbents_near(struct incumbents *incumbents, unsigned cell, const struct found_plan *found)
{
	best_offer(incumbents_nearest(incumbents, cell), found);
}

static int compare_values(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

void incumbents_settle(struct incumbents *incumbents)
{
	size_t count = 0;
	if (!incumbents->keep)
		return;
	for (unsigned i = 0; i < incumbents->cell_count; ++i)
		if (incumbents->cells[i].value < HUGE_VAL)
			incumbents->values[count++] = incumbents->cells[i].value;
	if (count < incumbents->keep)
		return;
	qsort(incumbents->values, count, sizeof *incumbents->values, compare_values);
	incumbents->worst_kept = incumbents->values[incumbents->keep - 1];
}

double incumbents_threshold(const struct incumbents *incumbents, unsigned cell)
{
	const double own = incumbents->cells[cell].value, worst = incumbents->worst_kept;
	const double kept = own < worst ? own : worst;
	const double group =
		incumbents->keeps_groups ? incumbents->groups[incumbents->group_of[cell]].value : -HUGE_VAL;
	return kept > group ? kept : group;
}
