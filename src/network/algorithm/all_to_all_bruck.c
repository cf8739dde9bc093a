/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In step k every member sends to the member 2^k further on those parts whose distance to their destination has bit k
 * set, about half of all:
 *     T = ceil(log2 P) (alpha + bytes / 2 beta)
 * In each step the parts are packed and unpacked (each read and written on both sides); before the first step and
 * after the last they are rotated into order.
 */
#include "network/algorithm/line_exchange.h"

static unsigned all_to_all_bruck_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

/* Returns how many numbers below `size` have this bit set. */
static unsigned with_bit(unsigned size, unsigned bit)
{
	const unsigned rest = size % (2 * bit);
	return size / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

static void all_to_all_bruck_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const unsigned last = fold_of(comm->size - 1).kept;
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	for (unsigned bit = 1; bit <= last; bit *= 2) {
		const double share = (double)with_bit(comm->size, bit) / comm->size;
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
	.emit = all_to_all_bruck_emit,
};
