/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrays.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 4096 };

void floats_fill(float *values, size_t count, unsigned seed)
{
	uint32_t state = seed * 2654435761U + 12345;
	for (size_t i = 0; i < count; i++) {
		state = state * 1664525U + 1013904223U;
		values[i] = (float)((double)(state >> 8) + 0.5) / 16777216.0F - 0.5F;
	}
}

float *floats_create(size_t count, unsigned seed)
{
	void *memory = NULL;
	if (count > SIZE_MAX / sizeof(float) - ALIGNMENT)
		return NULL;
	if (posix_memalign(&memory, ALIGNMENT, (count ? count : 1) * sizeof(float)) != 0)
		return NULL;
	floats_fill(memory, count, seed);
	return memory;
}

void exact_add(struct exact_sum *exact, float a, float b)
{
	double product = (double)a * (double)b;
	exact->sum += product;
	exact->size += fabs(product);
}

bool exact_agrees(const struct exact_sum *exact, float got)
{
	return fabs((double)got - exact->sum) <= 1e-5 * exact->size + 1e-7;
}
