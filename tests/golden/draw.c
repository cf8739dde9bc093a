/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "golden/golden.h"

#include <string.h>

static uint64_t next(struct draw *draw)
{
	uint64_t z = draw->state += 0x9e3779b97f4a7c15U;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

/* Returns a state of its own for each question, so that no answer changes what is asked next. */
struct draw draw_begin(const char *kind, unsigned block, unsigned subject, unsigned question)
{
	struct draw draw = {hash_bytes(HASH_BEGIN, kind, strlen(kind))};
	const unsigned numbers[] = {block, subject, question};
	for (unsigned i = 0; i < COUNT(numbers); ++i) {
		const uint64_t mixed = next(&draw);
		draw.state = mixed + numbers[i];
	}
	return draw;
}

unsigned draw_between(struct draw *draw, unsigned low, unsigned high)
{
	return low + (unsigned)((next(draw) >> 32) % (high - low + 1));
}

bool draw_chance(struct draw *draw, unsigned percent)
{
	return draw_between(draw, 0, 99) < percent;
}

double draw_real(struct draw *draw, double low, double high)
{
	return low + (high - low) * ((double)(next(draw) >> 11) / 9007199254740992.0);
}

unsigned draw_power(struct draw *draw, unsigned most)
{
	unsigned powers = 0;
	while (most >> powers > 1)
		++powers;
	return 1u << draw_between(draw, 0, powers);
}
