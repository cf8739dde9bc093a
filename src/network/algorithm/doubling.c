/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive doubling and halving of all ranks' vectors, in pairs at distances that are powers of two. */
#include <stdio.h>

#include "network/algorithm/lines.h"

/* ---- allreduce-doubling ------------------------------------------------------------------------------- */

/*
 * Recursive doubling: ranks at distance 1, 2, 4 .. exchange the whole vector. Without contention, for P a power of
 * two:
 *     T = log2 P (alpha + bytes (beta + gamma))
 * Other P take two steps more of the whole vector (lines.h).
 */

static void allreduce_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "exchange");
	lines_doubling_allreduce(&all, 1, schedule);
}

const struct collective collective_allreduce_doubling = {
	.name = "allreduce-doubling",
	.summary = "recursive doubling: the whole vector at distances 1, 2, 4 ..",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLREDUCE,
	.variants = single_variant,
	.emit = allreduce_doubling_emit,
};

/* ---- allreduce-rabenseifner --------------------------------------------------------------------------- */

/*
 * Rabenseifner's algorithm: a reduce-scatter by recursive halving, then an allgather by recursive doubling. Without
 * contention, for P a power of two:
 *     T = 2 log2 P alpha + (P - 1) / P bytes (2 beta + gamma)
 * Other P take two steps more of the whole vector (lines.h). Libraries exchange the largest part with the
 * nearest rank; the other order suits networks with long links.
 */

static unsigned allreduce_rabenseifner_variants(const struct communicator *comm)
{
	return comm->size > 1 ? 2 : 0;
}

static void allreduce_rabenseifner_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	schedule_phase(schedule, "reduce-scatter");
	lines_fold(&all, 1, schedule);
	lines_halve(&all, 1, variant, schedule);
	schedule_phase(schedule, "allgather");
	lines_double(&all, 1, variant, schedule);
	lines_unfold(&all, 1, schedule);
}

static void allreduce_rabenseifner_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "order=%s", variant ? "far" : "near");
}

const struct collective collective_allreduce_rabenseifner = {
	.name = "allreduce-rabenseifner",
	.summary = "recursive halving and doubling: bytes / 2, bytes / 4 ..",
	.source = "Rabenseifner (2004); Thakur, Rabenseifner and Gropp (2005)",
	.operation = ALLREDUCE,
	.variants = allreduce_rabenseifner_variants,
	.emit = allreduce_rabenseifner_emit,
	.describe = allreduce_rabenseifner_describe,
};

/* ---- broadcast-scatter-doubling ----------------------------------------------------------------------- */

/* T = 2 log2 P alpha + 2 (P - 1) / P bytes beta; P a power of two. */

static unsigned broadcast_scatter_doubling_variants(const struct communicator *comm)
{
	return comm->size > 1 && is_power_of_two(comm->size);
}

static void broadcast_scatter_doubling_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "scatter");
	lines_scatter(&all, 1, schedule);
	schedule_phase(schedule, "allgather");
	lines_double(&all, 1, true, schedule);
}

const struct collective collective_broadcast_scatter_doubling = {
	.name = "broadcast-scatter-doubling",
	.summary = "binomial scatter, then allgather by doubling; powers of two",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = BROADCAST,
	.variants = broadcast_scatter_doubling_variants,
	.emit = broadcast_scatter_doubling_emit,
};
