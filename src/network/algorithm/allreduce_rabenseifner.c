/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rabenseifner's algorithm: a reduce-scatter by recursive halving, then an allgather by recursive doubling. Without
 * contention, for P a power of two:
 *     T = 2 log2 P alpha + (P - 1) / P bytes (2 beta + gamma)
 * Other P take two steps more of the whole vector (fold.h). Libraries exchange the largest part with the nearest rank;
 * the other order suits networks with long links.
 */
#include <stdio.h>

#include "network/algorithm/fold.h"

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
