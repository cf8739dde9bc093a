/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that follow from a seed, the same on every machine: splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
#ifndef TESTS_FUZZ_MUTATOR_CHANCE_H
#define TESTS_FUZZ_MUTATOR_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};

static inline uint64_t chance_next(struct chance *chance)
{
	uint64_t mixed = chance->state += 0x9e3779b97f4a7c15u;
	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
	return mixed ^ mixed >> 31;
}

/* A number below `count`; 0 where there is none. */
static inline size_t chance_below(struct chance *chance, size_t count)
{
	return count ? (size_t)(chance_next(chance) % count) : 0;
}

static inline bool chance_percent(struct chance *chance, unsigned percent)
{
	return chance_below(chance, 100) < percent;
}

#endif
