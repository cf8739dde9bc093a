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

/* A point by its kind and how much there is to do for it. */
struct load {
	char kind[POINT_NAME_LENGTH];
	double work;
	size_t index;
	unsigned stands_for; /* 0: it is left out */
};

/* Writes the words of a point's name that have no digit: "allreduce/window/" of "allreduce/1x2/64/window". */
static void kind_of(const char *name, char kind[POINT_NAME_LENGTH])
{
	size_t length = 0;
	for (const char *word = name; *word; word += *word == '/') {
		const size_t letters = strcspn(word, "/");
		if (strcspn(word, "0123456789/") == letters && length + letters + 2 < POINT_NAME_LENGTH) {
			memcpy(kind + length, word, letters);
			length += letters;
			kind[length++] = '/';
		}
		word += letters;
	}
	kind[length] = '\0';
}

static int by_work(const void *a, const void *b)
{
	const struct load *const one = a, *const other = b;
	const int kinds = strcmp(one->kind, other->kind);
	if (kinds != 0)
		return kinds;
	if (one->work < other->work || one->work > other->work)
		return one->work < other->work ? 1 : -1;
	return one->index < other->index ? -1 : one->index > other->index;
}

static int by_index(const void *a, const void *b)
{
	const struct load *const one = a, *const other = b;
	return one->index < other->index ? -1 : one->index > other->index;
}

/*
 * Keeps of a kind, in the order of work, the largest point, which may take as long as all others together, and one of every few that
 * follow: not always the same one of them, which may be one pass of each layer.
 */
static void kind_thin(struct load *loads, size_t count)
{
	enum { EVERY = 3 };
	loads[0].stands_for = 1;
	for (size_t begin = 1, k = 0; begin < count; begin += EVERY, ++k) {
		const size_t some = count - begin < EVERY ? count - begin : EVERY;
		loads[begin + (1 + 2 * k) % some].stands_for = (unsigned)some;
	}
}

static void bench_thin(const struct point *items, size_t count, struct load *loads)
{
	for (size_t i = 0; i < count; ++i) {
		const double work = items[i].flop > 0 ? items[i].flop : items[i].bytes;
		loads[i] = (struct load){.work = work * fmax(1, point_get(&items[i], "busy")), .index = i};
		kind_of(items[i].name, loads[i].kind);
	}
	qsort(loads, count, sizeof *loads, by_work);
	for (size_t begin = 0, end = 0; begin < count; begin = end) {
		while (end < count && strcmp(loads[end].kind, loads[begin].kind) == 0)
			++end;
		kind_thin(loads + begin, end - begin);
	}
	qsort(loads, count, sizeof *loads, by_index);
}

void points_thin(struct points *points)
{
	size_t kept = 0;
	struct load *const loads = malloc((points->count + 1) * sizeof *loads);
	points->failed = points->failed || !loads;
	for (size_t begin = 0, end = 0; loads && begin < points->count; begin = end) {
		while (end < points->count && points->items[end].bench == points->items[begin].bench)
			++end;
		bench_thin(points->items + begin, end - begin, loads);
		for (size_t i = begin; i < end; ++i) {
			points->items[i].stands_for = loads[i - begin].stands_for;
			if (points->items[i].stands_for > 0)
				points->items[kept++] = points->items[i];
		}
	}
	points->count = kept;
	free(loads);
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
