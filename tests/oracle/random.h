/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers of a fixed seed: the same tests everywhere (xorshift64*, Vigna 2016). */
#ifndef TESTS_ORACLE_RANDOM_H
#define TESTS_ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state; /* not 0 */
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t x = random->state;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	random->state = x;
	return x * 0x2545f4914f6cdd1dU;
}

/* From low to high, both included. */
static inline unsigned random_between(struct random *random, unsigned low, unsigned high)
{
	return low + (unsigned)((random_next(random) >> 32) % (high - low + 1));
}

static inline bool random_true(struct random *random)
{
	return random_between(random, 0, 1) == 1;
}

static inline double random_real(struct random *random, double low, double high)
{
	return low + (high - low) * ((double)(random_next(random) >> 11) / 9007199254740992.0);
}

#endif
