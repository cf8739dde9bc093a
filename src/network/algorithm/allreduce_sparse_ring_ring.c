/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse rings in nodes of g members, then between n nodes, then back. With b(c, j) the bytes of c items that j
 * members have filled (sparse.h),
 *     T = sum over j = 1 .. g - 1 of (alpha_i + b(N / g, j) beta_i)
 *       + sum over j = 1 .. n - 1 of (alpha_e + b(N / P, g j) beta_e)
 *       + (n - 1) (alpha_e + b(N / P, P) beta_e) + (g - 1) (alpha_i + b(N / g, P) beta_i)
 */
#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_ring_ring_variants(const struct communicator *comm)
{
	return comm->nodes > 1 && comm->per_node > 1;
}

static void allreduce_sparse_ring_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double p = comm->size, g = comm->per_node;
	const unsigned inside = comm->per_node - 1, between = comm->nodes - 1;
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines rails = lines_across(comm, comm->per_node, comm->per_node);
	const struct sparse_trip trips[] = {{&nodes, 1 / g, 1, 1, inside, true},
		{&rails, 1 / p, g, g, between, true}, {&rails, 1 / p, p, 0, between, false},
		{&nodes, 1 / g, p, 0, inside, false}};
	static const char *const names[] = {"reduce-scatter in nodes", "reduce-scatter between nodes",
		"allgather between nodes", "allgather in nodes"};
	(void)variant;
	sparse_select(comm, sparse_searches(comm), schedule);
	for (unsigned i = 0; i < 4; ++i) {
		schedule_phase(schedule, names[i]);
		sparse_trip_emit(comm, &trips[i], schedule);
	}
}

const struct collective collective_allreduce_sparse_ring_ring = {
	.name = "allreduce-sparse-ring-ring",
	.summary = "sparse rings in nodes, then between them",
	.source = "Nguyen, Wahib and Takano, IPCCC (2019)",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_ring_ring_variants,
	.emit = allreduce_sparse_ring_ring_emit,
};
