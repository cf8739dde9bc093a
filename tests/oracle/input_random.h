/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same numbers in every run. */
#ifndef TESTS_INPUT_RANDOM_H
#define TESTS_INPUT_RANDOM_H

#include <math.h>
#include <stdint.h>

/* xorshift64*: below 1 */
static inline double random_share(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 0x2545f4914f6cdd1dULL) >> 11) * 0x1p-53;
}

/* Between two numbers, evenly over their logarithms. */
static inline double random_scale(uint64_t *state, double low, double high)
{
	return low * pow(high / low, random_share(state));
}

/* Normal, by Box and Muller. */
static inline double random_normal(uint64_t *state)
{
	const double radius = sqrt(-2 * log(1 - random_share(state)));
	return radius * cos(6.283185307179586 * random_share(state));
}

static inline double random_exponential(uint64_t *state, double mean)
{
	return -mean * log(1 - random_share(state));
}

#endif
