/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file multiplies each input by 1 - v and 1 + v, with all others as they are, and asks how much the goal's value
 * changes. Rows are sorted by the distance between the two. A change of less than a millionth of a millionth is
 * rounding.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/studies.h"

static const double rounding = 1e-12;

static double span_of(const struct paradl_whatif_row *row)
{
	double least = 0, most = 0;
	const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
	for (size_t i = 0; i < 2; i++) {
		least = points[i]->runs ? fmin(least, points[i]->change) : least;
		most = points[i]->runs ? fmax(most, points[i]->change) : most;
	}
	const double span = most - least;
	return span > rounding ? span : 0;
}

/* Returns whether an input matters; without an answer at one of the ends it does. */
static bool moves(const struct paradl_whatif_row *row)
{
	return row->span > 0 || !row->low.runs || !row->high.runs || row->low.other_plan ||
	       row->high.other_plan;
}

static int by_span(const void *a, const void *b)
{
	const struct paradl_whatif_row *const left = a, *const right = b;
	const bool moving[] = {moves(left), moves(right)};
	if (moving[0] != moving[1])
		return moving[0] ? -1 : 1;
	if (left->span > right->span || left->span < right->span)
		return left->span > right->span ? -1 : 1;
	return strcmp(left->input.name, right->input.name);
}

static bool point(const struct study *study, const struct factor_here *here, double times,
	struct paradl_whatif_point *point, struct paradl_error *error)
{
	struct variation variation;
	return factor_apply(study, here, times, &variation, error) &&
	       study_point(study, &variation, point, error);
}

bool paradl_tornado(const struct paradl_whatif_request *request, double vary, struct paradl_arena *arena,
	struct paradl_tornado *tornado, struct paradl_error *error)
{
	struct study study;
	const struct factor_here *here;
	size_t count;
	if (!(vary > 0 && vary < 1))
		return error_set(error, PARADL_USAGE, "inputs vary by more than 0 %% and less than 100 %%");
	if (!study_open(&study, arena, request, error) || !factors_here(&study, &here, &count, error))
		return false;
	struct paradl_whatif_row *const rows = arena_alloc(arena, count, sizeof *rows);
	if (!rows)
		return out_of_memory(error);
	*tornado = (struct paradl_tornado){
		.vary = vary, .value = study.value, .estimate = study.estimate, .rows = rows, .count = count};
	for (size_t i = 0; i < count; i++) {
		rows[i].input = factor_input(arena, &here[i]);
		if (!point(&study, &here[i], 1 - vary, &rows[i].low, error) ||
			!point(&study, &here[i], 1 + vary, &rows[i].high, error))
			return false;
		rows[i].span = span_of(&rows[i]);
	}
	qsort(rows, count, sizeof *rows, by_span);
	while (tornado->moving < count && moves(&rows[tornado->moving]))
		tornado->moving++;
	return true;
}
