/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps rows of kernels in lists: their devices, what has no formula, and which rows are left out together. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "fit/kernels_profile.h"

bool kernel_passed_count(
	struct paradl_arena *arena, struct kernel_rows *rows, const char *kind, const char *format)
{
	const char *what = arena_printf(arena, "%s %s", kind, format);
	if (!what)
		return false;
	for (size_t i = 0; i < rows->passed_count; ++i)
		if (strcmp(rows->passed[i].what, what) == 0)
			return ++rows->passed[i].rows;
	struct paradl_kernels_passed *passed = LIST_ADD(arena, rows->passed, rows->passed_count);
	if (passed)
		*passed = (struct paradl_kernels_passed){what, 1};
	return passed != NULL;
}

size_t kernel_device_add(struct paradl_arena *arena, struct kernel_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->device_count; ++i)
		if (strcmp(rows->devices[i], name) == 0)
			return i;
	if (!list_grow(arena, &rows->devices, rows->device_count, sizeof(const char *)) ||
		!(rows->devices[rows->device_count] = arena_text(arena, name)))
		return SIZE_MAX;
	return rows->device_count++;
}

/* Returns the fold by the hash FNV-1a. */
unsigned kernel_fold(double a, double b)
{
	enum { BYTES = 8, BITS = 8 };
	const unsigned long long numbers[] = {(unsigned long long)a, (unsigned long long)b};
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < 2; ++i)
		for (unsigned byte = 0; byte < BYTES; ++byte)
			hash = (hash ^ (unsigned)(numbers[i] >> (BITS * byte) & 255)) * 16777619u;
	return (hash >> 16 ^ hash) % KERNEL_FOLDS;
}
