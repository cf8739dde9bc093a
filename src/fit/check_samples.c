/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks files of samples: warns about repeated and failed points, too few launches and an unfinished last line. */
#include <string.h>

#include "base/error.h"
#include "fit/check_samples.h"
#include "model/model.h"

enum { TWICE_SHOWN = 5, FEW_LAUNCHES = 4 };

/* The points to check, by launch, name and line, and the warnings about them. */
struct lint {
	const struct sample_point **points;
	size_t count;
	struct warnings *warnings;
};

/* Warns about points that a launch has twice, since they would count twice. */
static void check_twice(const struct lint *lint)
{
	unsigned shown = 0;
	for (size_t i = 0; i + 1 < lint->count && shown < TWICE_SHOWN; i++) {
		const struct sample_point *const a = lint->points[i], *const b = lint->points[i + 1];
		if (a->failed || !sample_is_repeated(lint->points, lint->count, i))
			continue;
		warn(lint->warnings, "line %d: launch %s has %s on line %d already", b->line, b->launch->id,
			b->name, a->line);
		shown++;
	}
}

/* Warns about points that failed and were not measured again after that, and about those that were. */
static void check_failed(const struct lint *lint)
{
	const struct sample_point *first = NULL, *first_again = NULL;
	size_t failed = 0, again = 0;
	for (size_t i = 0; i < lint->count; i++) {
		const struct sample_point *const point = lint->points[i];
		if (!point->failed)
			continue;
		const bool repeated = sample_is_repeated(lint->points, lint->count, i);
		const struct sample_point **const least = repeated ? &first_again : &first;
		if (!*least || point->line < (*least)->line)
			*least = point;
		again += repeated;
		failed += !repeated;
	}
	if (first)
		warn(lint->warnings, "line %d: %s failed: %s (%zu of %zu points did)", first->line,
			first->name, first->failed, failed, lint->count - again);
	if (first_again)
		warn(lint->warnings, "line %d: %s was measured again, after: %s (%zu of %zu points were)",
			first_again->line, first_again->name, first_again->failed, again,
			lint->count - again);
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
	const struct lint lint = {samples_by_name(arena, &set), set.count, &warnings};
	if (!lint.points)
		return out_of_memory(error);
	check_launches(&set, &warnings);
	check_failed(&lint);
	check_twice(&lint);
	if (set.torn > 0)
		warn(&warnings, "the last line has no end: a program was killed; it is passed over");
	return warnings_finish(&warnings, "paradl-samples", findings, error);
}
