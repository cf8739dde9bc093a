/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings in the nodes and, for each leader, a ring through all nodes ("lr_lr" when all lead). */
#include "network/algorithm/leaders.h"

static void allreduce_leaders_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct leaders leaders = leaders_of(comm, variant);
	leaders_emit(comm, &leaders, lines_ring_allreduce, schedule);
}

const struct collective collective_allreduce_leaders_ring = {
	.name = "allreduce-leaders-ring",
	.summary = "rings in the nodes, and between the same places of all nodes",
	.source = "Nguyen, Wahib and Takano, Concurr. Comput. Pract. Exp. 33 (2021)",
	.operation = ALLREDUCE,
	.variants = leaders_variants,
	.emit = allreduce_leaders_ring_emit,
	.describe = leaders_describe,
};
