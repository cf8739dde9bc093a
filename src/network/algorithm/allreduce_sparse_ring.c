/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ring of dense vectors with sparse parts, which fill up on their way. With b_j the bytes of N / P items after j
 * members were merged (sparse.h),
 *     T = sum over j = 1 .. P - 1 of (alpha + b_j beta) + (P - 1) (alpha + b_P beta)
 */
#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_ring_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void allreduce_sparse_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double p = comm->size;
	const struct sparse_trip there = {NULL, 1 / p, 1, 1, comm->size - 1, true};
	const struct sparse_trip back = {NULL, 1 / p, p, 0, comm->size - 1, false};
	(void)variant;
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "reduce-scatter");
	sparse_trip_emit(comm, &there, schedule);
	schedule_phase(schedule, "allgather");
	sparse_trip_emit(comm, &back, schedule);
}

const struct collective collective_allreduce_sparse_ring = {
	.name = "allreduce-sparse-ring",
	.summary = "a ring of parts that fill up on their way",
	.source = "Nguyen, Wahib and Takano, IPCCC (2019)",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_ring_variants,
	.emit = allreduce_sparse_ring_emit,
};
