/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a pipeline may cut: after position i if exactly one value made up to i is read after it. Counted with a
 * difference array: a value is alive after every position from its maker to just before its last reader.
 * A network of tokens is cut between the repetitions of its outermost groups, not within.
 */
#include "base/error.h"
#include "model/expand.h"

struct alive { /* changes of what is alive, then (summed up) what is */
	long long values,
		identity; /* how many; the sum of their indices, which is the index where it is one */
};

static void count_alive(const struct expansion *expansion, struct alive *alive)
{
	for (unsigned i = 0; i <= expansion->count; i++) {
		const struct value *const value = &expansion->values[i];
		if (value->last_reader == NO_POSITION)
			continue;
		const int from = value->maker == NO_POSITION ? 0 : value->maker;
		alive[from].values++;
		alive[from].identity += i;
		alive[value->last_reader].values--;
		alive[value->last_reader].identity -= i;
	}
	for (unsigned i = 1; i < expansion->count; i++) {
		alive[i].values += alive[i - 1].values;
		alive[i].identity += alive[i - 1].identity;
	}
}

static bool may_end(const struct expansion *expansion, const struct alive *alive, bool tokens, unsigned i)
{
	if (i + 1 == expansion->count)
		return true;
	if (alive[i].values != 1)
		return false;
	return !tokens || expansion->blocks[i] == 0 || expansion->blocks[i] != expansion->blocks[i + 1];
}

bool expansion_units(struct paradl_arena *arena, const struct expansion *expansion,
	struct paradl_model *model, struct paradl_error *error)
{
	struct alive *const alive = arena_alloc(arena, expansion->count, sizeof(*alive));
	struct unit *const units = arena_alloc(arena, expansion->count, sizeof(*units));
	unsigned first = 0;
	if (!alive || !units)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	count_alive(expansion, alive);
	model->units = units;
	model->unit_count = 0;
	for (unsigned i = 0; i < expansion->count; i++) {
		const bool last = i + 1 == expansion->count;
		if (!may_end(expansion, alive, model->tokens, i))
			continue;
		units[model->unit_count++] = (struct unit){
			.first = first,
			.end = i + 1,
			.boundary_items = last ? expansion->placings[i]->layer.y_items
					       : expansion->values[alive[i].identity].items,
			.boundary_kept = !last && expansion->values[alive[i].identity].read_back,
			.is_block = model->tokens && expansion->blocks[i] != 0,
		};
		first = i + 1;
	}
	return true;
}
