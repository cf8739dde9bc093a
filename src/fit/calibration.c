/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/calibration.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "base/arena.h"
#include "base/error.h"
#include "fit/profile_edit.h"

static bool (*const fitters[])(struct calibration *, struct paradl_error *) = {
#define X(id) fit_##id,
#include "fit/fitter/list.def"
#undef X
	NULL};

static void (*const judges[])(struct calibration *) = {
#define X(id) judge_##id,
#include "fit/verdict/list.def"
#undef X
	NULL};

/* ADDER: `type` is a type, `function` and `member` are names. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define ADDER(type, function, member, counted)                                                               \
	type *function(struct calibration *calibration, struct paradl_error *error)                          \
	{                                                                                                    \
		type *const row =                                                                            \
			LIST_ADD(calibration->arena, calibration->member, calibration->result->counted);     \
		calibration->result->member = calibration->member;                                           \
		return row ? row : out_of_memory_null(error);                                                \
	}
ADDER(struct paradl_fitted_number, fitted_number_add, numbers, number_count)
ADDER(struct paradl_fitted_curve, fitted_curve_add, curves, curve_count)
ADDER(struct paradl_outlier, outlier_add, outliers, outlier_count)
ADDER(struct paradl_verdict, verdict_add, verdicts, verdict_count)
#undef ADDER
/* NOLINTEND(bugprone-macro-parentheses) */

const struct paradl_fitted_number *fitted_number_find(
	const struct calibration *calibration, enum paradl_fitted_file file, const char *path)
{
	for (size_t i = 0; i < calibration->result->number_count; ++i)
		if (calibration->numbers[i].file == file && strcmp(calibration->numbers[i].path, path) == 0)
			return &calibration->numbers[i];
	return NULL;
}

static int compare_launches(const void *left, const void *right)
{
	const struct sample_launch *a = *(const struct sample_launch *const *)left;
	const struct sample_launch *b = *(const struct sample_launch *const *)right;
	int order = strcmp(a->program, b->program);
	if (!order)
		order = strcmp(a->id, b->id);
	if (!order)
		order = strcmp(a->host, b->host);
	if (!order)
		order = strcmp(a->date, b->date);
	return order;
}

/*
 * Refuses launches that are there twice, as when a file or its copy is given again: they would make intervals too
 * narrow.
 */
static bool copies_refused(
	struct paradl_arena *arena, const struct sample_set *set, struct paradl_error *error)
{
	const struct sample_launch **sorted =
		arena_alloc(arena, set->launch_count, sizeof(struct sample_launch *));
	if (!sorted)
		return out_of_memory(error);
	for (size_t i = 0; i < set->launch_count; ++i)
		sorted[i] = set->launches[i];
	if (set->launch_count)
		qsort(sorted, set->launch_count, sizeof(struct sample_launch *), compare_launches);
	for (size_t i = 1; i < set->launch_count; ++i) {
		const struct sample_launch *a = sorted[i - 1], *b = sorted[i];
		if (!*a->date || compare_launches(&a, &b) != 0)
			continue;
		const bool swap = strcmp(a->file, b->file) > 0;
		error_at(error, PARADL_SCHEMA, swap ? a->file : b->file, 0, 0,
			"has launch \"%.40s\" of %.40s, which %.200s has too", a->id, a->date,
			swap ? b->file : a->file);
		error_hint(error, "give each file of measurements once");
		return false;
	}
	return true;
}

static bool load_all(struct paradl_arena *arena, const char *const *paths, size_t count,
	struct sample_set *set, struct paradl_error *error)
{
	for (size_t i = 0; i < count; ++i)
		if (!samples_load(arena, paths[i], set, error))
			return false;
	return copies_refused(arena, set, error);
}

static bool run_all(struct calibration *calibration, struct paradl_error *error)
{
	if (!cells_outliers(calibration, error))
		return false;
	for (size_t i = 0; fitters[i]; ++i)
		if (!fitters[i](calibration, error))
			return false;
	if (!calibration_compare(calibration, error))
		return false;
	calibration->error = error;
	for (size_t i = 0; judges[i] && !calibration->failed; ++i)
		judges[i](calibration);
	return !calibration->failed;
}

/* Counts the points that failed and were not measured again after that. */
static bool failed_count(
	struct paradl_arena *arena, const struct sample_set *set, size_t *failed, struct paradl_error *error)
{
	const struct sample_point **const points = samples_by_name(arena, set);
	if (!points)
		return out_of_memory(error);
	for (size_t i = 0; i < set->count; ++i)
		*failed += points[i]->failed && !sample_is_repeated(points, set->count, i);
	return true;
}

bool paradl_calibration_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_machine *machine, struct paradl_calibration *result, struct paradl_error *error)
{
	struct sample_set *set = arena_alloc(arena, 1, sizeof *set);
	struct cells *cells = arena_alloc(arena, 1, sizeof *cells);
	*result = (struct paradl_calibration){.files = count};
	if (!set || !cells)
		return out_of_memory(error);
	if (!load_all(arena, paths, count, set, error))
		return false;
	result->launches = set->launch_count;
	result->points = set->count;
	result->torn = set->torn;
	if (!failed_count(arena, set, &result->failed, error))
		return false;
	struct calibration calibration = {
		.arena = arena, .cells = cells, .before = machine, .result = result};
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	const bool fine = cells_make(arena, set, cells, error) && run_all(&calibration, error) &&
			  calibration_describe(&calibration, paths, count, error);
	gsl_set_error_handler(handler);
	return fine;
}
