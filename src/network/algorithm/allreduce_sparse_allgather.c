/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every member gets the k = d N non-zeros of every other and merges them itself:
 *     ring      T = (P - 1) (alpha + k (value + index) beta)
 *     doubling  T = log2 P alpha + (P - 1) k (value + index) beta, powers of two
 */
#include <stdio.h>

#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_allgather_variants(const struct communicator *comm)
{
	if (comm->size < 2)
		return 0;
	return is_power_of_two(comm->size) ? 2 : 1;
}

static void allreduce_sparse_allgather_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const struct sparse_trip trip = {NULL, 1, 1, 0, comm->size - 1, true};
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "allgather");
	if (variant == 0) {
		sparse_trip_emit(comm, &trip, schedule);
		return;
	}
	for (unsigned members = 1; members < comm->size; members *= 2) {
		const double share = members * sparse_share(comm, 1, 1);
		lines_exchange(&all, members, share, schedule);
		schedule_reduce(schedule, share);
	}
}

static void allreduce_sparse_allgather_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s", variant == 0 ? "ring" : "doubling");
}

const struct collective collective_allreduce_sparse_allgather = {
	.name = "allreduce-sparse-allgather",
	.summary = "all non-zeros to all, merged there",
	.source = "Lin et al., Deep Gradient Compression, ICLR (2018)",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_allgather_variants,
	.emit = allreduce_sparse_allgather_emit,
	.describe = allreduce_sparse_allgather_describe,
};
