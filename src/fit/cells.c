/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the points of several launches that are the same into cells; cell_statistics.c computes their statistics. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/calibration.h"

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static bool is_size(const struct sample_parameter *parameter)
{
	return !parameter->text &&
	       (strcmp(parameter->name, "bytes") == 0 || strcmp(parameter->name, "size") == 0);
}

static double size_of(const struct sample_point *point)
{
	for (unsigned i = 0; i < point->parameter_count; ++i)
		if (is_size(&point->parameters[i]))
			return point->parameters[i].number;
	return 0;
}

static int compare_parameters(const struct sample_parameter *a, const struct sample_parameter *b)
{
	const int names = strcmp(a->name, b->name);
	if (names)
		return names;
	if (!a->text || !b->text)
		return a->text ? 1 : b->text ? -1 : compare_numbers(a->number, b->number);
	return strcmp(a->text, b->text);
}

static int compare_but_size(const struct sample_point *a, const struct sample_point *b)
{
	int order = strcmp(a->launch->program, b->launch->program);
	if (!order)
		order = strcmp(a->bench, b->bench);
	if (order)
		return order;
	unsigned i = 0, j = 0;
	for (;; ++i, ++j) {
		while (i < a->parameter_count && is_size(&a->parameters[i]))
			++i;
		while (j < b->parameter_count && is_size(&b->parameters[j]))
			++j;
		if (i >= a->parameter_count || j >= b->parameter_count)
			return (i < a->parameter_count) - (j < b->parameter_count);
		order = compare_parameters(&a->parameters[i], &b->parameters[j]);
		if (order)
			return order;
	}
}

static int compare_points(const struct sample_point *a, const struct sample_point *b)
{
	int order = compare_but_size(a, b);
	if (!order)
		order = compare_numbers(size_of(a), size_of(b));
	return order ? order : strcmp(a->name, b->name);
}

static int compare_launches(const struct sample_launch *a, const struct sample_launch *b)
{
	int order = strcmp(a->id, b->id);
	if (!order)
		order = strcmp(a->date, b->date);
	if (!order)
		order = strcmp(a->host, b->host);
	return order ? order : strcmp(a->file, b->file);
}

static int compare(const void *left, const void *right)
{
	const struct sample_point *a = *(const struct sample_point *const *)left;
	const struct sample_point *b = *(const struct sample_point *const *)right;
	int order = compare_points(a, b);
	if (!order)
		order = compare_launches(a->launch, b->launch);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

bool cells_same_but_size(const struct cell *cell, const struct cell *other)
{
	return compare_but_size(cell->point, other->point) == 0;
}

/* Returns all points that were measured, sorted, and their number; NULL when out of memory. */
static const struct sample_point **points_sorted(
	struct paradl_arena *arena, const struct sample_set *set, size_t *count)
{
	const struct sample_point **points = arena_alloc(arena, set->count, sizeof(struct sample_point *));
	*count = 0;
	for (size_t i = 0; points && i < set->count; ++i)
		if (set->points[i].count)
			points[(*count)++] = &set->points[i];
	if (points && *count)
		qsort(points, *count, sizeof(struct sample_point *), compare);
	return points;
}

static bool twice_refused(const struct sample_point *const *points, size_t count, struct paradl_error *error)
{
	for (size_t i = 1; i < count; ++i)
		if (points[i]->launch == points[i - 1]->launch &&
			compare_points(points[i], points[i - 1]) == 0)
			return error_at(error, PARADL_SCHEMA, points[i]->launch->file, points[i]->line, 0,
				"has \"%.100s\" of launch \"%.40s\" a second time; the first is in line %d",
				points[i]->name, points[i]->launch->id, points[i - 1]->line);
	return true;
}

/* Flags cells that are faster by more than 10 % than a smaller message of the same curve. */
static void monotone_check(struct cell *items, size_t count)
{
	for (size_t i = 1; i < count; ++i)
		if (cells_same_but_size(&items[i], &items[i - 1]) &&
			size_of(items[i].point) > size_of(items[i - 1].point) &&
			items[i].seconds < 0.9 * items[i - 1].seconds)
			items[i].flags |= CELL_NOT_MONOTONE;
}

bool cells_make(struct paradl_arena *arena, const struct sample_set *set, struct cells *cells,
	struct paradl_error *error)
{
	size_t count;
	const struct sample_point **points = points_sorted(arena, set, &count);
	struct cell *items = points ? arena_alloc(arena, count, sizeof *items) : NULL;
	*cells = (struct cells){.items = items, .set = set};
	if (!items)
		return out_of_memory(error);
	if (!twice_refused(points, count, error))
		return false;
	for (size_t from = 0, upto; from < count; from = upto) {
		for (upto = from + 1; upto < count && compare_points(points[from], points[upto]) == 0;)
			++upto;
		struct cell *cell = &items[cells->count++];
		*cell = (struct cell){
			.point = points[from], .points = points + from, .launches = (unsigned)(upto - from)};
		if (!cell_fill(arena, cell))
			return out_of_memory(error);
	}
	monotone_check(items, cells->count);
	return true;
}

bool cells_outliers(struct calibration *calibration, struct paradl_error *error)
{
	for (size_t i = 0; i < calibration->cells->count; ++i) {
		const struct cell *cell = &calibration->cells->items[i];
		for (unsigned launch = 0; launch < cell->launches; ++launch) {
			const char *text = cell_outlier_text(calibration->arena, cell, launch);
			if (!text)
				continue;
			struct paradl_outlier *outlier = outlier_add(calibration, error);
			if (!outlier)
				return false;
			*outlier = (struct paradl_outlier){.file = cell->points[launch]->launch->file,
				.line = cell->points[launch]->line,
				.point = cell->point->name,
				.text = text};
		}
	}
	return true;
}
