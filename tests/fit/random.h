/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers of known laws, the same on every machine: splitmix64 and Box-Muller. */
#ifndef TESTS_FIT_RANDOM_H
#define TESTS_FIT_RANDOM_H

#include <math.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline double random_uniform(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double random_normal(struct random *random)
{
	const double radius = sqrt(-2 * log(random_uniform(random)));
	return radius * cos(2 * 3.14159265358979323846 * random_uniform(random));
}

#endif
