/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct point *points_add(struct points *points, const struct bench *bench, const char *format, ...)
{
	static struct point spare; /* what is filled in when there is no memory, and thrown away */
	if (points->count == points->capacity) {
		const size_t capacity = points->capacity ? 2 * points->capacity : 64;
		struct point *items = realloc(points->items, capacity * sizeof *items);
		if (!items) {
			points->failed = true;
			return &spare;
		}
		points->items = items;
		points->capacity = capacity;
	}
	struct point *point = &points->items[points->count++];
	*point = (struct point){.bench = bench};
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(point->name, sizeof point->name, format, arguments);
	va_end(arguments);
	if (length < 1 || (size_t)length >= sizeof point->name || strpbrk(point->name, "\"\\ \n\t")) {
		fprintf(stderr, "%s: \"%s\" is no name of a point\n", bench->name, point->name);
		points->failed = true;
	}
	return point;
}

static struct parameter *parameter_add(struct point *point, const char *name)
{
	static struct parameter spare;
	if (point->parameter_count == PARAMETERS_MAX) {
		fprintf(stderr, "%s: more than %d parameters\n", point->name, PARAMETERS_MAX);
		abort();
	}
	struct parameter *parameter = &point->parameters[point->parameter_count++];
	*parameter = spare;
	parameter->name = name;
	return parameter;
}

void point_number(struct point *point, const char *name, double number)
{
	parameter_add(point, name)->number = number;
}

void point_text(struct point *point, const char *name, const char *text)
{
	parameter_add(point, name)->text = text;
}

static const struct parameter *parameter_find(const struct point *point, const char *name)
{
	for (unsigned i = 0; i < point->parameter_count; ++i)
		if (strcmp(point->parameters[i].name, name) == 0)
			return &point->parameters[i];
	return NULL;
}

double point_get(const struct point *point, const char *name)
{
	const struct parameter *parameter = parameter_find(point, name);
	return parameter ? parameter->number : 0;
}

const char *point_get_text(const struct point *point, const char *name)
{
	const struct parameter *parameter = parameter_find(point, name);
	return parameter ? parameter->text : NULL;
}

/* SplitMix64 (Steele, Lea, Flood, OOPSLA'14). */
static unsigned long long random_next(unsigned long long *state)
{
	unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

void points_shuffle(struct points *points, unsigned long long seed)
{
	for (size_t left = points->count; left > 1; --left) {
		const size_t i = (size_t)(random_next(&seed) % left);
		const struct point swap = points->items[i];
		points->items[i] = points->items[left - 1];
		points->items[left - 1] = swap;
	}
}

void points_free(struct points *points)
{
	free(points->items);
	*points = (struct points){0};
}
