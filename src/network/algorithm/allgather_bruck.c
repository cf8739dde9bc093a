/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = ceil(log2 P) alpha + (P - 1) / P bytes beta for any P. Step k brings min(2^k, P - 2^k) parts from the member 2^k
 * further on. At the end each member rotates its vector into order, which reads and writes it once.
 */
#include "network/algorithm/line_exchange.h"

static unsigned allgather_bruck_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allgather_bruck_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const unsigned p = comm->size, last = fold_of(p - 1).kept;
	(void)variant;
	schedule_phase(schedule, "allgather");
	for (unsigned distance = 1; distance <= last; distance *= 2) {
		const unsigned parts = p - distance < distance ? p - distance : distance;
		lines_shift(&all, p - distance, (double)parts / p, schedule);
		if (distance == last)
			schedule_memory(schedule, 2);
	}
}

const struct collective collective_allgather_bruck = {
	.name = "allgather-bruck",
	.summary = "doubling for any number of members, from distance 1, 2, 4 ...",
	.source = "Bruck et al., IEEE Trans. Parallel Distrib. Syst. 8 (1997)",
	.operation = ALLGATHER,
	.variants = allgather_bruck_variants,
	.emit = allgather_bruck_emit,
};
