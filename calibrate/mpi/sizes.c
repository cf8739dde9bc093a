/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "sizes.h"

static const double least_bytes = 4, most_bytes[] = {16 << 20, 64 << 20, 256 << 20};
static const double drawn_least_bytes = 64; /* smaller ones are all measured, or nearly */
static const unsigned drawn_count[] = {2, 4, 8};
static const double near_power = 0.2; /* of log2 */

struct list {
	size_t *sizes;
	unsigned count;
	size_t unit;
	double most;
};

static void add(struct list *list, double bytes)
{
	const size_t units = (size_t)llround(bytes / (double)list->unit);
	const size_t size = (units ? units : 1) * list->unit;
	for (unsigned i = 0; i < list->count; i++)
		if (list->sizes[i] == size)
			return;
	if (list->count < SIZES_MAX && (double)size <= list->most)
		list->sizes[list->count++] = size;
}

static int ascending(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

static double draw(unsigned long long seed, unsigned number) /* splitmix64; 0 .. 1 */
{
	uint64_t x = seed + (number + 1) * 0x9e3779b97f4a7c15U;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

unsigned sizes_powers(size_t least, size_t factor, size_t most, size_t unit, size_t sizes[SIZES_MAX])
{
	struct list list = {.sizes = sizes, .unit = unit, .most = (double)most};
	for (size_t bytes = least; bytes <= most; bytes *= factor)
		add(&list, (double)bytes);
	qsort(sizes, list.count, sizeof *sizes, ascending);
	return list.count;
}

unsigned sizes_sweep(
	enum effort effort, unsigned long long seed, size_t unit, size_t most, size_t sizes[SIZES_MAX])
{
	struct list list = {.sizes = sizes, .unit = unit, .most = fmin(most_bytes[effort], (double)most)};
	for (double bytes = least_bytes; bytes <= list.most; bytes *= 2)
		add(&list, bytes);
	for (int quarter = 3; effort != EFFORT_QUICK; quarter++) {
		const double bytes = pow(10, quarter / 4.0), power = log2(bytes);
		if (bytes > list.most)
			break;
		if (effort == EFFORT_FULL || fabs(power - round(power)) > near_power)
			add(&list, bytes);
	}
	for (unsigned i = 0; list.most > drawn_least_bytes && i < drawn_count[effort]; i++)
		add(&list, drawn_least_bytes * pow(list.most / drawn_least_bytes,
						       (i + draw(seed, i)) / drawn_count[effort]));
	qsort(sizes, list.count, sizeof *sizes, ascending);
	return list.count;
}
