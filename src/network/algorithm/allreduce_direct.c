/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Direct allreduce: every rank sends to every other at once, for few ranks with many links:
 *     two shots   each rank gets its part of every vector and sends the sum to all: 2 alpha + 2 (P - 1) / P bytes beta
 *     one shot    each rank gets every vector whole:                                    alpha + (P - 1) bytes beta
 * beta is that of one rank's port; where a cable joins each pair of ranks, a cable carries 1 / (P - 1) of what the
 * port does. More than MOST_RANKS ranks are not offered it: a rank starts its P - 1 messages one after the other,
 * which a single alpha does not account for.
 */
#include <stdio.h>

#include "network/algorithm/collective.h"

enum { TWO_SHOTS, ONE_SHOT, VARIANTS, MOST_RANKS = 16 };

static unsigned allreduce_direct_variants(const struct communicator *comm)
{
	return comm->size > 1 && comm->size <= MOST_RANKS ? VARIANTS : 0;
}

static void allreduce_direct_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double part = 1.0 / comm->size, others = comm->size - 1.0;
	if (variant == ONE_SHOT) {
		schedule_phase(schedule, "everything to all");
		schedule_step(schedule, 1, 0);
		schedule_all_pairs(schedule, 1);
		schedule_reduce(schedule, others);
		return;
	}
	schedule_phase(schedule, "parts to their owners");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, part);
	schedule_reduce(schedule, others * part);
	schedule_turn(schedule, true);
	schedule_phase(schedule, "sums to all");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, part);
}

static void allreduce_direct_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s", variant == ONE_SHOT ? "shots=1" : "shots=2");
}

const struct collective collective_allreduce_direct = {
	.name = "allreduce-direct",
	.summary = "every rank to every other at once, in two shots or one",
	.source = "one- and two-shot kernels of inference libraries",
	.operation = ALLREDUCE,
	.variants = allreduce_direct_variants,
	.emit = allreduce_direct_emit,
	.describe = allreduce_direct_describe,
};
