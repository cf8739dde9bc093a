/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduction in the switches between nodes (InfiniBand SHARP, NCCL's CollNet), with rings in the nodes. Every device's
 * part goes up its port once and comes down once, where a ring would send it twice. With R ports a node:
 *     T = T_reduce-scatter(g) + start + alpha + bytes / R beta / efficiency + T_allgather(g)
 * The data that goes up is emitted as a message to the same place of the next node. It loads both ports as the tree of
 * switches does, and links between switches no more than that tree.
 */
#include "network/algorithm/leaders.h"

static unsigned allreduce_sharp_variants(const struct communicator *comm)
{
	return comm->sharp.efficiency > 0 && comm->nodes > 1;
}

static void allreduce_sharp_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned g = comm->per_node;
	const struct leaders all = {g, g};
	const struct lines across = lines_across(comm, g, g);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter in the nodes");
	leaders_collect(comm, &all, 1, 1, schedule);
	schedule_phase(schedule, "reduce in the switches");
	schedule_step(schedule, 1, 0);
	schedule_wait(schedule, comm->sharp.start_s);
	for (unsigned node = 0; node < comm->nodes; ++node)
		lines_flow(
			&across, node, (node + 1) % comm->nodes, 1.0 / g / comm->sharp.efficiency, schedule);
	schedule_phase(schedule, "allgather in the nodes");
	leaders_spread(comm, &all, 1, 1, schedule);
}

const struct collective collective_allreduce_sharp = {
	.name = "allreduce-sharp",
	.summary = "rings in the nodes, reduction in the switches between them",
	.source = "Graham et al., SHARP, COMHPC 2016; NCCL, src/graph/tuning.cc",
	.operation = ALLREDUCE,
	.variants = allreduce_sharp_variants,
	.emit = allreduce_sharp_emit,
};
