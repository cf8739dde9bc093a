/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file keeps sets of labels. Their order is total, so that the sort of every C library gives the same. */
#include "base/arena.h"
#include "search/assign_graph.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_identity(const struct label *a, const struct label *b)
{
	if (a->left != b->left)
		return a->left < b->left ? -1 : 1;
	if (a->right != b->right)
		return a->right < b->right ? -1 : 1;
	return (a->middle > b->middle) - (a->middle < b->middle);
}

static int by_cost(const void *left, const void *right)
{
	const struct label *const a = left, *const b = right;
	const int cost = order(a->cost, b->cost);
	const int total = order(a->cost + a->exposed, b->cost + b->exposed);
	const int memory = order(a->memory, b->memory);
	return cost ? cost : total ? total : memory ? memory : by_identity(a, b);
}

static int by_bound(const void *left, const void *right)
{
	const struct label *const a = left, *const b = right;
	const int bound = order(a->bound, b->bound);
	return bound ? bound : by_cost(left, right);
}

bool label_pile_create(struct label_pile *pile, size_t width, struct paradl_arena *arena)
{
	*pile = (struct label_pile){
		.arena = arena,
		.labels = arena_alloc(arena, FIRST_CAPACITY, sizeof *pile->labels),
		.memory = arena_alloc(arena, FIRST_CAPACITY, sizeof *pile->memory),
		.total = arena_alloc(arena, FIRST_CAPACITY, sizeof *pile->total),
		.capacity = FIRST_CAPACITY,
		.width = width,
		.dropped = HUGE_VAL,
	};
	return pile->labels && pile->memory && pile->total;
}

/*
 * Drops the labels that another one beats, and returns how many stay. In order of cost, a label is beaten if one
 * before it has no more memory and no more in total. Those before it that can beat another are the steps of a
 * staircase: more memory, less total.
 */
static size_t unbeaten(struct label_pile *pile)
{
	double *const memory = pile->memory, *const total = pile->total;
	size_t steps = 0, kept = 0;
	for (size_t k = 0; k < pile->count; ++k) {
		const struct label label = pile->labels[k];
		const double label_total = label.cost + label.exposed;
		size_t low = 0, high = steps; /* bounds of the search for the first step with more memory */
		while (low < high) {
			const size_t middle = (low + high) / 2;
			if (memory[middle] <= label.memory)
				low = middle + 1;
			else
				high = middle;
		}
		if (low > 0 && total[low - 1] <= label_total)
			continue;
		if (low > 0 && memory[low - 1] >= label.memory)
			--low;
		size_t end = low;
		while (end < steps && total[end] >= label_total)
			++end;
		memmove(memory + low + 1, memory + end, (steps - end) * sizeof *memory);
		memmove(total + low + 1, total + end, (steps - end) * sizeof *total);
		memory[low] = label.memory;
		total[low] = label_total;
		steps = steps - (end - low) + 1;
		pile->labels[kept++] = label;
	}
	return kept;
}

static void sift(struct label_pile *pile)
{
	if (pile->count < 2)
		return;
	qsort(pile->labels, pile->count, sizeof *pile->labels, by_cost);
	pile->count = unbeaten(pile);
	if (pile->count <= pile->width)
		return;
	qsort(pile->labels, pile->count, sizeof *pile->labels, by_bound);
	pile->dropped = fmin(pile->dropped, pile->labels[pile->width].bound);
	pile->count = pile->width;
}

static bool pile_widen(struct label_pile *pile)
{
	const size_t capacity = 2 * pile->capacity;
	struct label *const labels =
		list_moved(pile->arena, pile->labels, pile->count, capacity, sizeof *labels);
	pile->memory = arena_alloc(pile->arena, capacity, sizeof *pile->memory);
	pile->total = arena_alloc(pile->arena, capacity, sizeof *pile->total);
	if (!labels || !pile->memory || !pile->total)
		return false;
	pile->labels = labels;
	pile->capacity = capacity;
	return true;
}

bool label_pile_add(struct label_pile *pile, const struct label *label)
{
	if (pile->count == pile->capacity) {
		sift(pile);
		if (pile->count > pile->capacity / 2 && !pile_widen(pile))
			return false;
	}
	pile->labels[pile->count++] = *label;
	return true;
}

bool label_cells_create(struct label_cells *cells, size_t count, struct paradl_arena *arena)
{
	*cells = (struct label_cells){
		.arena = arena,
		.labels = arena_alloc(arena, FIRST_CAPACITY, sizeof *cells->labels),
		.capacity = FIRST_CAPACITY,
		.range = arena_alloc(arena, count, sizeof *cells->range),
	};
	return cells->labels && cells->range;
}

bool label_cell_take(struct label_cells *cells, size_t cell, struct label_pile *pile)
{
	sift(pile);
	if (cells->count + pile->count > cells->capacity) {
		const size_t capacity = 2 * (cells->count + pile->count);
		struct label *const labels = capacity < UINT_MAX
						     ? list_moved(cells->arena, cells->labels, cells->count,
							       capacity, sizeof *labels)
						     : NULL;
		if (!labels)
			return false;
		cells->labels = labels;
		cells->capacity = capacity;
	}
	memcpy(cells->labels + cells->count, pile->labels, pile->count * sizeof *pile->labels);
	cells->range[cell] = (struct label_range){
		.begin = (unsigned)cells->count, .end = (unsigned)(cells->count + pile->count)};
	cells->count += pile->count;
	pile->count = 0;
	return true;
}
