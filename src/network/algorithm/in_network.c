/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives whose data switches reduce or copy: NVLink SHARP inside a node, InfiniBand SHARP between nodes. */
#include "network/algorithm/lines.h"

/* ---- NVLink SHARP, inside a node ---------------------------------------------------------------------- */

/*
 * Collectives in the switch of a node (NVLink SHARP). The switch sums up what it reads from all devices, and copies to
 * all what one device writes. Each of the g devices reads its g-th of the sum, or writes its g-th of the vector to
 * all, so the vector crosses each port at most once in each direction:
 *     T = start + alpha + share bytes beta / efficiency       share: 1; (g + 1) / g for an allreduce, which does both
 */

/* Returns 1 if the group is several devices of one node whose switch reduces, else 0. */
static unsigned nvls_variants(const struct communicator *comm)
{
	return comm->nvls.efficiency > 0 && comm->size > 1 && comm->nodes == 1;
}

/* Emits the step in which `share` of the vector crosses each port, in a phase of this name. */
static void nvls_emit(
	const struct communicator *comm, double share, const char *phase, struct schedule *schedule)
{
	schedule_phase(schedule, phase);
	schedule_step(schedule, 1, 0);
	for (unsigned rank = 0; rank < comm->size; ++rank)
		schedule_flow(schedule, rank, (rank + 1) % comm->size, share / comm->nvls.efficiency);
	schedule_wait(schedule, comm->nvls.start_s);
}

static void allreduce_nvls_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, (comm->size + 1.0) / comm->size, "reduce in the switch", schedule);
}

const struct collective collective_allreduce_nvls = {
	.name = "allreduce-nvls",
	.summary = "reduction in the switch of one node (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc",
	.operation = ALLREDUCE,
	.variants = nvls_variants,
	.emit = allreduce_nvls_emit,
};

static void copy_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "copy in the switch", schedule);
}

static void reduce_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	nvls_emit(comm, 1, "reduce in the switch", schedule);
}

const struct collective collective_allgather_nvls = {
	.name = "allgather-nvls",
	.summary = "the switch of one node copies each part to all (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc; registered buffers",
	.operation = ALLGATHER,
	.variants = nvls_variants,
	.emit = copy_emit,
};

const struct collective collective_reduce_scatter_nvls = {
	.name = "reduce-scatter-nvls",
	.summary = "the switch of one node sums up each part for its owner (NVLink SHARP)",
	.source = "NCCL, src/graph/tuning.cc; registered buffers",
	.operation = REDUCE_SCATTER,
	.variants = nvls_variants,
	.emit = reduce_emit,
};

const struct collective collective_broadcast_nvls = {
	.name = "broadcast-nvls",
	.summary = "the switch of one node copies the vector to all (NVLink SHARP)",
	.source = "our reading of multicast on NVLink switches",
	.operation = BROADCAST,
	.variants = nvls_variants,
	.emit = copy_emit,
};

const struct collective collective_reduce_nvls = {
	.name = "reduce-nvls",
	.summary = "the switch of one node sums up what rank 0 reads (NVLink SHARP)",
	.source = "our reading of reductions on NVLink switches",
	.operation = REDUCE,
	.variants = nvls_variants,
	.emit = reduce_emit,
};

/* ---- SHARP, between nodes ----------------------------------------------------------------------------- */

/*
 * Reduction in the switches between nodes (InfiniBand SHARP, NCCL's CollNet), with rings in the nodes. Every device's
 * part goes up its port once and comes down once, where a ring would send it twice. With R ports a node:
 *     T = T_reduce-scatter(g) + start + alpha + bytes / R beta / efficiency + T_allgather(g)
 * The data that goes up is emitted as a message to the same place of the next node. It loads both ports as the tree of
 * switches does, and links between switches no more than that tree.
 */

static unsigned allreduce_sharp_variants(const struct communicator *comm)
{
	return comm->sharp.efficiency > 0 && comm->nodes > 1 && !comm->rest;
}

static void allreduce_sharp_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned g = comm->per_node;
	const struct lines nodes = lines_near(comm, g);
	const struct lines across = lines_across(comm, g, g);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter in the nodes");
	schedule_turn(schedule, false);
	lines_ring_reduce_scatter(&nodes, 1, schedule);
	schedule_phase(schedule, "reduce in the switches");
	schedule_step(schedule, 1, 0);
	schedule_wait(schedule, comm->sharp.start_s);
	for (unsigned node = 0; node < comm->nodes; ++node)
		lines_flow(
			&across, node, (node + 1) % comm->nodes, 1.0 / g / comm->sharp.efficiency, schedule);
	schedule_phase(schedule, "allgather in the nodes");
	schedule_turn(schedule, true);
	lines_ring_allgather(&nodes, 1, schedule);
}

const struct collective collective_allreduce_sharp = {
	.name = "allreduce-sharp",
	.summary = "rings in the nodes, reduction in the switches between them",
	.source = "Graham et al., SHARP, COMHPC 2016; NCCL, src/graph/tuning.cc",
	.operation = ALLREDUCE,
	.variants = allreduce_sharp_variants,
	.emit = allreduce_sharp_emit,
};
