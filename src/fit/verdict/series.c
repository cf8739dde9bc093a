/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/verdict/verdict.h"
#include "machine/machine.h"
#include "network/algorithm/collective.h"

static const char *text_or_none(const struct sample_point *point, const char *parameter)
{
	const char *text = sample_text(point, parameter);
	return text ? text : "";
}

double cell_bytes(const struct cell *cell)
{
	return sample_number(cell->point, "bytes", 0);
}

static unsigned count_of(const struct sample_point *point, const char *parameter, double otherwise)
{
	const double number = sample_number(point, parameter, otherwise);
	return number >= 1 && number < 1e9 ? (unsigned)number : 0;
}

static bool is_communication(const struct sample_point *point)
{
	static const char *const benches[] = {"point-to-point", "allreduce", "allgather", "reduce-scatter",
		"all-to-all", "broadcast", "reduce", "halo"};
	for (size_t i = 0; i < sizeof benches / sizeof *benches; ++i)
		if (strcmp(point->bench, benches[i]) == 0)
			return sample_number(point, "bytes", 0) > 0 && !sample_text(point, "host") &&
			       sample_number(point, "from", -1) < 0;
	return false;
}

static struct series series_of(const struct sample_point *point)
{
	const char *way = sample_text(point, "way");
	return (struct series){.operation = point->bench,
		.library = text_or_none(point, "library"),
		.buffer = text_or_none(point, "buffer"),
		.distance = text_or_none(point, "distance"),
		.way = way ? way : "block",
		.nodes = count_of(point, "nodes", 1),
		.devices = count_of(point, "devices", 2),
		.groups = count_of(point, "groups", 1)};
}

static bool is_alike(const struct series *a, const struct series *b)
{
	return a->nodes == b->nodes && a->devices == b->devices && a->groups == b->groups &&
	       strcmp(a->operation, b->operation) == 0 && strcmp(a->library, b->library) == 0 &&
	       strcmp(a->buffer, b->buffer) == 0 && strcmp(a->distance, b->distance) == 0 &&
	       strcmp(a->way, b->way) == 0;
}

static int by_bytes(const void *a, const void *b)
{
	const double left = cell_bytes(*(const struct cell *const *)a);
	const double right = cell_bytes(*(const struct cell *const *)b);
	return (left > right) - (left < right);
}

/* Returns the index of the series that is like `wanted`, a new one where there is none. */
static size_t series_place(struct series_list *list, const struct series *wanted)
{
	for (size_t s = list->count; s > 0; --s)
		if (is_alike(&list->items[s - 1], wanted))
			return s - 1;
	list->items[list->count] = *wanted;
	return list->count++;
}

bool series_make(const struct calibration *calibration, struct series_list *list, struct paradl_error *error)
{
	const struct cells *cells = calibration->cells;
	size_t *owner = arena_alloc(calibration->arena, cells->count + 1, sizeof *owner);
	*list = (struct series_list){
		arena_alloc(calibration->arena, cells->count + 1, sizeof(struct series)), 0};
	if (!owner || !list->items)
		return out_of_memory(error);
	for (size_t i = 0; i < cells->count; ++i) {
		const struct sample_point *point = cells->items[i].point;
		owner[i] = SIZE_MAX;
		if (!is_communication(point) || !(cells->items[i].seconds > 0))
			continue;
		const struct series wanted = series_of(point);
		if (!wanted.nodes || !wanted.devices || !wanted.groups) /* no machine has such numbers */
			continue;
		owner[i] = series_place(list, &wanted);
		++list->items[owner[i]].count;
	}
	for (size_t s = 0; s < list->count; ++s) {
		struct series *series = &list->items[s];
		series->cells = arena_alloc(calibration->arena, series->count, sizeof(struct cell *));
		if (!series->cells)
			return out_of_memory(error);
		series->count = 0;
	}
	for (size_t i = 0; i < cells->count; ++i)
		if (owner[i] != SIZE_MAX) {
			struct series *series = &list->items[owner[i]];
			series->cells[series->count++] = &cells->items[i];
		}
	for (size_t s = 0; s < list->count; ++s)
		qsort(list->items[s].cells, list->items[s].count, sizeof(struct cell *), by_bytes);
	return true;
}

void series_each(struct calibration *calibration, series_judge *judge)
{
	struct series_list list;
	calibration->failed |= !series_make(calibration, &list, calibration->error);
	for (size_t i = 0; !calibration->failed && i < list.count; ++i)
		judge(calibration, &list, &list.items[i]);
}

const struct cell *series_last(const struct series *series)
{
	return series->cells[series->count - 1];
}

double series_small_s(const struct series *series, double most_bytes)
{
	double least = 0;
	for (unsigned i = 0; i < series->count && cell_bytes(series->cells[i]) <= most_bytes; ++i)
		if (!(least > 0) || series->cells[i]->seconds < least)
			least = series->cells[i]->seconds;
	return least;
}

bool series_is(const struct series *series, const char *operation)
{
	return strcmp(series->operation, operation) == 0;
}

bool series_is_library(const struct series *series, const char *name)
{
	const size_t length = strlen(name);
	return strncmp(series->library, name, length) == 0 &&
	       (series->library[length] == ' ' || !series->library[length]);
}

double series_bus_rate(const struct series *series, const struct cell *cell)
{
	unsigned operation = 0;
	while (operation < POINT_TO_POINT && !series_is(series, operation_names[operation]))
		++operation;
	const double factor = bus_factor((enum operation)operation, series->devices);
	return factor * cell_bytes(cell) / cell->seconds;
}

double series_best_bus_rate(const struct series *series)
{
	double best = 0;
	for (unsigned i = 0; i < series->count; ++i) {
		const double rate = series_bus_rate(series, series->cells[i]);
		best = rate > best ? rate : best;
	}
	return best;
}

const char *series_name(const struct calibration *calibration, const struct series *series)
{
	const char *name = arena_printf(calibration->arena, "%s%s%s, %s%s%u node%s, %u device%s%s",
		series->operation, *series->distance ? " " : "", series->distance, series->library,
		*series->library ? ", " : "", series->nodes, series->nodes > 1 ? "s" : "", series->devices,
		series->devices > 1 ? "s" : "", series->groups > 1 ? " a group" : "");
	return name ? name : series->operation;
}

const char *point_place(const struct calibration *calibration, const struct sample_point *point)
{
	const char *place = arena_printf(calibration->arena, "%s:%d", point->launch->file, point->line);
	return place ? place : "";
}

const char *cell_place(const struct calibration *calibration, const struct cell *cell)
{
	return point_place(calibration, cell->point);
}

const char *verdict_quantity(const struct calibration *calibration, double value, enum dimension dimension)
{
	char text[64];
	const char *copy =
		arena_text(calibration->arena, quantity_format(text, sizeof text, value, dimension));
	return copy ? copy : "";
}

const struct level *verdict_far_level(const struct calibration *calibration)
{
	const struct paradl_machine *machine = calibration->before;
	return machine && machine->level_count > 1 ? &machine->levels[1] : NULL;
}

void verdict_out_of_memory(struct calibration *calibration)
{
	calibration->failed = true;
	out_of_memory(calibration->error);
}

void verdict_say(struct calibration *calibration, const struct verdict_head *head, const char *format, ...)
{
	char text[400];
	va_list arguments;
	struct paradl_verdict *verdict = verdict_add(calibration, calibration->error);
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (!verdict) {
		calibration->failed = true;
		return;
	}
	*verdict = (struct paradl_verdict){.severity = head->severity,
		.judge = head->judge,
		.text = arena_text(calibration->arena, text),
		.check = head->check,
		.where = head->where};
	if (!verdict->text)
		verdict_out_of_memory(calibration);
}

void verdict_refuses(struct calibration *calibration)
{
	if (!calibration->failed)
		calibration->verdicts[calibration->result->verdict_count - 1].refuses = true;
}
