/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse vectors on the wire, and the allreduces that pass them around rings or double them. */
#include <math.h>
#include <stdio.h>

#include "network/algorithm/sparse.h"

double sparse_fill(const struct communicator *comm, double merged)
{
	const double d = comm->density, rho = comm->support_overlap;
	return rho * d - (1 - rho) * expm1(merged * log1p(-d));
}

double sparse_share(const struct communicator *comm, double part, double merged)
{
	const double item = (comm->value_bytes + comm->index_bytes) / comm->value_bytes;
	const double fill = item * sparse_fill(comm, merged);
	return fill < 1 ? part * fill : part;
}

void sparse_select(const struct communicator *comm, double searches, struct schedule *schedule)
{
	if (!comm->charge_selection)
		return;
	schedule_phase(schedule, "selection");
	schedule_step(schedule, 1, 0);
	schedule_memory(schedule, searches + 3);
}

/* ---- trips around rings ------------------------------------------------------------------------------- */

/*
 * Steps around rings: in step i = 0 .. steps - 1 every member passes on `part` of the vector, which holds the merged
 * non-zeros of first + i * more members.
 */
struct sparse_trip {
	const struct lines *lines; /* rings; NULL: one ring of the whole group, on its channels */
	double part, first, more;
	unsigned steps;
	bool reduces; /* each member combines what arrives */
};

static void flows(const struct communicator *comm, const struct sparse_trip *trip, double share,
	struct schedule *schedule)
{
	if (trip->lines)
		lines_ring_flows(trip->lines, share, schedule);
	else
		ring_flows(comm, share, schedule);
}

/* Emits the steps of a trip. */
static void sparse_trip_emit(
	const struct communicator *comm, const struct sparse_trip *trip, struct schedule *schedule)
{
	const unsigned ring = trip->lines ? trip->lines->count : comm->size, steps = trip->steps;
	const double full = sparse_share(comm, trip->part, trip->first + (steps - 1.0) * trip->more);
	double emitted = 0;
	for (unsigned i = 0; i < steps;) {
		const double share = sparse_share(comm, trip->part, trip->first + i * trip->more);
		const unsigned repeat = share < full ? 1 : steps - i; /* parts only grow */
		i += repeat;
		if (emitted > 0 && schedule_again(schedule, share / emitted, repeat))
			continue;
		schedule_step(schedule, repeat, ring);
		flows(comm, trip, share, schedule);
		if (trip->reduces)
			schedule_reduce(schedule, share);
		emitted = share;
	}
}

/* ---- allreduce-sparse-allgather ----------------------------------------------------------------------- */

/*
 * Every member gets the k = d N non-zeros of every other and merges them itself:
 *     ring      T = (P - 1) (alpha + k (value + index) beta)
 *     doubling  T = log2 P alpha + (P - 1) k (value + index) beta, powers of two
 */

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

/* ---- allreduce-sparse-ring ---------------------------------------------------------------------------- */

/*
 * The ring of dense vectors with sparse parts, which fill up on their way. With b_j the bytes of N / P items after j
 * members were merged (sparse.h),
 *     T = sum over j = 1 .. P - 1 of (alpha + b_j beta) + (P - 1) (alpha + b_P beta)
 */

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
	.variants = single_variant,
	.emit = allreduce_sparse_ring_emit,
};

/* ---- allreduce-sparse-ring-ring ----------------------------------------------------------------------- */

/*
 * Sparse rings in nodes of g members, then between n nodes, then back. With b(c, j) the bytes of c items that j
 * members have filled (sparse.h),
 *     T = sum over j = 1 .. g - 1 of (alpha_i + b(N / g, j) beta_i)
 *       + sum over j = 1 .. n - 1 of (alpha_e + b(N / P, g j) beta_e)
 *       + (n - 1) (alpha_e + b(N / P, P) beta_e) + (g - 1) (alpha_i + b(N / g, P) beta_i)
 */

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

/* ---- allreduce-sparse-doubling ------------------------------------------------------------------------ */

/*
 * Recursive doubling of all that was merged so far. With k = d N non-zeros of value + index bytes,
 *     log2 P (alpha + k (value + index) beta) <= T <= log2 P alpha + (P - 1) k (value + index) beta
 * T is at the lower bound when supports are equal, at the upper bound when they are disjoint. Numbers of ranks that
 * are no power of two fold first (lines.h), at the price of two more steps.
 */

/* Returns the number of members whose non-zeros a place has merged before it exchanges at this distance. */
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
	.variants = single_variant,
	.emit = allreduce_sparse_doubling_emit,
};
