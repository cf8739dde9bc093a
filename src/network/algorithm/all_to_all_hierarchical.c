/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An all-to-all inside nodes comes first, in which each member collects what its node sends to the members at its own
 * place in other nodes. Then those members run an all-to-all: n - 1 messages of g parts, over each member's own port.
 *     T = T_all-to-all(g, bytes) + T_all-to-all(n, bytes); between the two the vector is read and written once
 */
#include <stdio.h>

#include "network/algorithm/line_exchange.h"

static const double flows_most = 1 << 24;

static unsigned all_to_all_hierarchical_variants(const struct communicator *comm)
{
	if (comm->nodes < 2 || comm->per_node < 2)
		return 0;
	return (double)comm->size * comm->nodes <= flows_most ? 2 : 0;
}

static void exchange(const struct lines *lines, bool in_turn, const char *phase, struct schedule *schedule)
{
	const double share = 1.0 / lines->count;
	schedule_phase(schedule, phase);
	if (!in_turn)
		lines_pairs(lines, share, schedule);
	for (unsigned by = 1; in_turn && by < lines->count; ++by)
		lines_shift(lines, by, share, schedule);
}

static void all_to_all_hierarchical_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines nodes = lines_near(comm, comm->per_node);
	const struct lines rails = lines_across(comm, comm->per_node, comm->per_node);
	exchange(&nodes, variant == 1, "in nodes", schedule);
	schedule_memory(schedule, 2);
	exchange(&rails, variant == 1, "between nodes", schedule);
}

static void all_to_all_hierarchical_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "%s", variant == 1 ? "one partner at a time" : "all partners at once");
}

const struct collective collective_all_to_all_hierarchical = {
	.name = "all-to-all-hierarchical",
	.summary = "in nodes, then between members at the same place of all nodes",
	.source = "NCCL 2.12 (PXN); our reading",
	.operation = ALL_TO_ALL,
	.variants = all_to_all_hierarchical_variants,
	.emit = all_to_all_hierarchical_emit,
	.describe = all_to_all_hierarchical_describe,
};
