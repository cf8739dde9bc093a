/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursive doubling of all that was merged so far. With k = d N non-zeros of value + index bytes,
 *     log2 P (alpha + k (value + index) beta) <= T <= log2 P alpha + (P - 1) k (value + index) beta
 * T is at the lower bound when supports are equal, at the upper bound when they are disjoint. Numbers of ranks that
 * are no power of two fold first (fold.h), at the price of two more steps.
 */
#include <math.h>

#include "network/algorithm/sparse.h"

static unsigned allreduce_sparse_doubling_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

/* Returns the number of members whose non-zeros a place (fold.h) has merged before it exchanges at this distance. */
static double merged(const struct fold *fold, unsigned place, unsigned distance)
{
	const unsigned first = place - place % distance;
	const unsigned folded = fold->folded > first ? fold->folded - first : 0;
	return distance + (folded < distance ? folded : distance);
}

static void allreduce_sparse_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const struct fold fold = fold_of(comm->size);
	(void)variant;
	sparse_select(comm, sparse_searches(comm), schedule);
	schedule_phase(schedule, "allreduce");
	lines_fold(&all, sparse_share(comm, 1, 1), schedule);
	for (unsigned distance = 1; distance < fold.kept; distance *= 2) {
		double most = 0;
		schedule_step(schedule, 1, 0);
		for (unsigned place = 0; place < fold.kept; ++place) {
			const double share = sparse_share(comm, 1, merged(&fold, place, distance));
			schedule_flow(
				schedule, fold_rank(&fold, place), fold_rank(&fold, place ^ distance), share);
			most = fmax(most, share);
		}
		schedule_reduce(schedule, most);
	}
	lines_unfold(&all, sparse_share(comm, 1, comm->size), schedule);
}

const struct collective collective_allreduce_sparse_doubling = {
	.name = "allreduce-sparse-doubling",
	.summary = "recursive doubling of what was merged so far",
	.source = "Renggli et al., SparCML, SC (2019): SSAR recursive doubling",
	.operation = ALLREDUCE,
	.sparse = true,
	.variants = allreduce_sparse_doubling_variants,
	.emit = allreduce_sparse_doubling_emit,
};
