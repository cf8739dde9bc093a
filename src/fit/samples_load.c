/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "fit/calibration.h"

static const size_t file_limit = (size_t)1 << 30;

static const struct sample_reader *const readers[] = {
#define X(id) &reader_##id,
#include "fit/reader/list.def"
#undef X
	NULL};

static const struct sample_parameter *parameter_find(const struct sample_point *point, const char *name)
{
	for (unsigned i = 0; i < point->parameter_count; ++i)
		if (strcmp(point->parameters[i].name, name) == 0)
			return &point->parameters[i];
	return NULL;
}

bool sample_flagged(const struct sample_point *point, const char *flag)
{
	for (const char *const *at = point->flags; at && *at; ++at)
		if (strcmp(*at, flag) == 0)
			return true;
	return false;
}

double sample_number(const struct sample_point *point, const char *parameter, double otherwise)
{
	const struct sample_parameter *found = parameter_find(point, parameter);
	return found && !found->text ? found->number : otherwise;
}

const char *sample_text(const struct sample_point *point, const char *parameter)
{
	const struct sample_parameter *found = parameter_find(point, parameter);
	return found ? found->text : NULL;
}

struct sample_launch *sample_launch_add(struct paradl_arena *arena, struct sample_set *set)
{
	struct sample_launch *launch = arena_alloc(arena, 1, sizeof *launch);
	if (!launch || !list_grow(arena, &set->launches, set->launch_count, sizeof(struct sample_launch *)))
		return NULL;
	return set->launches[set->launch_count++] = launch;
}

struct sample_point *sample_point_add(struct paradl_arena *arena, struct sample_set *set)
{
	static const char *const none[] = {NULL};
	struct sample_point *point = LIST_ADD(arena, set->points, set->count);
	if (point)
		point->flags = none;
	return point;
}

static int compare_names(const struct sample_point *a, const struct sample_point *b)
{
	const int of_launch = strcmp(a->launch->id, b->launch->id);
	return of_launch ? of_launch : strcmp(a->name, b->name);
}

static int compare_lines(const void *left, const void *right)
{
	const struct sample_point *const a = *(const struct sample_point *const *)left;
	const struct sample_point *const b = *(const struct sample_point *const *)right;
	const int of_name = compare_names(a, b);
	return of_name ? of_name : a->line - b->line;
}

const struct sample_point **samples_by_name(struct paradl_arena *arena, const struct sample_set *set)
{
	const struct sample_point **const points =
		arena_alloc(arena, set->count + 1, sizeof(struct sample_point *));
	for (size_t i = 0; points && i < set->count; i++)
		points[i] = &set->points[i];
	if (points && set->count)
		qsort(points, set->count, sizeof(struct sample_point *), compare_lines);
	return points;
}

bool sample_is_repeated(const struct sample_point *const *points, size_t count, size_t at)
{
	return at + 1 < count && points[at]->launch == points[at + 1]->launch &&
	       compare_names(points[at], points[at + 1]) == 0;
}

static bool unknown_format(
	struct paradl_arena *arena, const char *path, const char *text, struct paradl_error *error)
{
	const char *names = "";
	for (size_t i = 0; names && readers[i]; ++i)
		names = arena_printf(arena, "%s%s%s", names, i ? ", " : "", readers[i]->name);
	error_at(error, PARADL_SYNTAX, path, 0, 0, "is in no format of measurements that is known");
	if (strstr(text, "fio-") && strstr(text, "IOPS="))
		error_hint(error, "of fio the output of --output-format=json is read");
	else
		error_hint(error, "formats: %s", names ? names : "");
	return false;
}

bool samples_load(
	struct paradl_arena *arena, const char *path, struct sample_set *set, struct paradl_error *error)
{
	size_t length;
	const char *own_path = arena_text(arena, path);
	const char *text = own_path ? file_read(arena, path, file_limit, &length, error) : NULL;
	if (!own_path)
		return out_of_memory(error);
	if (!text)
		return false;
	if (length == 0)
		return error_at(error, PARADL_SYNTAX, path, 0, 0, "is empty: nothing was measured");
	for (size_t i = 0; readers[i]; ++i)
		if (readers[i]->knows(text, length))
			return readers[i]->read(arena, text, length, own_path, set, error);
	return unknown_format(arena, path, text, error);
}
