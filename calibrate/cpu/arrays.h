/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of floats that benches work on. */
#ifndef CALIBRATE_ARRAYS_H
#define CALIBRATE_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * `count` floats on a boundary of pages, all written: even in -1/2..1/2, no zeros, the same for a seed. Zeros draw less
 * power and run faster. NULL: out of memory.
 */
float *floats_create(size_t count, unsigned seed);
void floats_fill(float *values, size_t count, unsigned seed);

/* A sum of products that can be compared with what single precision made of it. */
struct exact_sum {
	double sum, size; /* size: of the products' absolute values */
};
void exact_add(struct exact_sum *exact, float a, float b);
/* Within what rounding may do to a sum of any order: 1e-5 of `size`, and a little for sums of nothing. */
bool exact_agrees(const struct exact_sum *exact, float got);

#endif
