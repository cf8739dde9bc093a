/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In step k every member sends the parts whose way has bit k to the member 2^k further on, about half of them:
 *     T = ceil(log2 P) (alpha + bytes / 2 beta)
 * Parts are collected and put back in each step (each read and written on both sides) and turned to their order before
 * the first and after the last.
 */
#include "network/collective/exchange.h"

static unsigned all_to_all_bruck_variants(const struct party *party)
{
	return party->size > 1;
}

/* Numbers below `size` that have this bit. */
static unsigned with_bit(unsigned size, unsigned bit)
{
	const unsigned rest = size % (2 * bit);
	return size / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

static void all_to_all_bruck_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(party);
	const unsigned last = fold_of(party->size - 1).kept;
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	for (unsigned bit = 1; bit <= last; bit *= 2) {
		const double share = (double)with_bit(party->size, bit) / party->size;
		lines_shift(&all, bit, share, schedule);
		schedule_memory(schedule, 4 * share + (bit == 1 ? 2 : 0) + (bit == last ? 2 : 0));
	}
}

const struct collective collective_all_to_all_bruck = {
	.name = "all-to-all-bruck",
	.summary = "half of the parts 1, 2, 4 ... members further on",
	.source = "Bruck et al., IEEE Trans. Parallel Distrib. Syst. 8 (1997)",
	.operation = ALL_TO_ALL,
	.variants = all_to_all_bruck_variants,
	.tell = all_to_all_bruck_tell,
};
