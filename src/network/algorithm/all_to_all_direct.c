/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = alpha + the time of the most loaded link, which is (P - 1) / P bytes beta where only the members' own links
 * limit. On networks with a direct link or a unique shortest route for each pair (2-D fully connected, Kautz) the
 * routes alone decide.
 */
#include "network/algorithm/collective.h"

static unsigned all_to_all_direct_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void all_to_all_direct_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, 1.0 / comm->size);
}

const struct collective collective_all_to_all_direct = {
	.name = "all-to-all-direct",
	.summary = "every pair at once",
	.source = "basic linear algorithm of MPI libraries",
	.operation = ALL_TO_ALL,
	.variants = all_to_all_direct_variants,
	.emit = all_to_all_direct_emit,
};
