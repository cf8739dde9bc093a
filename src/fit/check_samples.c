/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lint of files of samples: what of them says less than it seems to. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/check_samples.h"
#include "model/warnings.h"

enum { TWICE_SHOWN = 5, FEW_LAUNCHES = 4 };

static int compare_points(const void *left, const void *right)
{
	const struct sample_point *const a = *(const struct sample_point *const *)left;
	const struct sample_point *const b = *(const struct sample_point *const *)right;
	const int of_launch = strcmp(a->launch->id, b->launch->id);
	const int of_name = of_launch ? of_launch : strcmp(a->name, b->name);
	return of_name ? of_name : a->line - b->line;
}

/* A point that is there twice in a launch would count twice. */
static bool check_twice(struct paradl_arena *arena, const struct sample_set *set, struct warnings *warnings)
{
	const struct sample_point **const points =
		arena_alloc(arena, set->count + 1, sizeof(struct sample_point *));
	unsigned shown = 0;
	if (!points)
		return false;
	for (size_t i = 0; i < set->count; i++)
		points[i] = &set->points[i];
	qsort(points, set->count, sizeof(struct sample_point *), compare_points);
	for (size_t i = 1; i < set->count && shown < TWICE_SHOWN; i++) {
		const struct sample_point *const a = points[i - 1], *const b = points[i];
		if (strcmp(a->launch->id, b->launch->id) != 0 || strcmp(a->name, b->name) != 0)
			continue;
		warn(warnings, "line %d: launch %s has %s on line %d already", b->line, b->launch->id,
			b->name, a->line);
		shown++;
	}
	return true;
}

static void check_failed(const struct sample_set *set, struct warnings *warnings)
{
	const struct sample_point *first = NULL;
	size_t failed = 0;
	for (size_t i = 0; i < set->count; i++)
		if (set->points[i].failed) {
			first = first ? first : &set->points[i];
			failed++;
		}
	if (first)
		warn(warnings, "line %d: %s failed: %s (%zu of %zu points did)", first->line, first->name,
			first->failed, failed, set->count);
}

static void check_launches(const struct sample_set *set, struct warnings *warnings)
{
	for (size_t i = 0; i < set->launch_count; i++) {
		const struct sample_launch *const launch = set->launches[i];
		unsigned same = 0;
		bool is_first = true;
		for (size_t j = 0; j < set->launch_count; j++) {
			const bool is_same = strcmp(set->launches[j]->program, launch->program) == 0;
			same += is_same;
			is_first = is_first && !(is_same && j < i);
		}
		if (is_first && same < FEW_LAUNCHES)
			warn(warnings, "%s: %u launch%s: fitted numbers will have ranges, no intervals",
				launch->program, same, same == 1 ? "" : "es");
	}
}

bool samples_check(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_findings *findings, struct paradl_error *error)
{
	struct warnings warnings = {.arena = arena};
	struct sample_set set = {0};
	if (!reader_samples.read(arena, text, length, path, &set, error))
		return false;
	check_launches(&set, &warnings);
	check_failed(&set, &warnings);
	if (!check_twice(arena, &set, &warnings))
		return out_of_memory(error);
	if (set.torn > 0)
		warn(&warnings, "the last line has no end: a program was killed; it is passed over");
	return warnings_finish(&warnings, "paradl-samples", findings, error);
}
