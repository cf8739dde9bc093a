/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings over the whole group, whose steps go from each rank to the next on all channels side by side (lines.h), and the
 * exchange that sends parts straight home in as many steps.
 */
#include <stdio.h>

#include "network/algorithm/lines.h"

/* ---- allreduce-ring ----------------------------------------------------------------------------------- */

/*
 * Ring allreduce: a reduce-scatter and an allgather, 2 (P - 1) steps of 1/P of the vector. With `channels` rings side
 * by side, each carries its share of the vector and starts at another device of the node, so that it leaves by another
 * port:
 *     T = 2 (P - 1) (alpha + bytes / P beta) + (P - 1) / P bytes gamma        Patarasuk and Yuan (2009)
 */

static void allreduce_ring_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double steps = comm->size - 1.0, share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, steps, comm->size);
	ring_flows(comm, share, schedule);
	schedule_reduce(schedule, share);
	schedule_phase(schedule, "allgather");
	if (schedule_again(schedule, 1, steps)) {
		schedule_reduce(schedule, 0);
		return;
	}
	schedule_step(schedule, steps, comm->size);
	ring_flows(comm, share, schedule);
}

const struct collective collective_allreduce_ring = {
	.name = "allreduce-ring",
	.summary = "reduce-scatter and allgather around a ring, bytes / P per step",
	.source = "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
	.operation = ALLREDUCE,
	.variants = single_variant,
	.emit = allreduce_ring_emit,
};

/* ---- allreduce-ring-segmented ------------------------------------------------------------------------- */

/*
 * Ring allreduce whose reduce-scatter is done once per segment of the vector, so that buffers stay small; the
 * allgather moves whole parts. With S segments
 *     T = (P - 1) ((S + 1) alpha + 2 bytes / P beta) + (P - 1) / P bytes gamma
 */

enum { VARIANTS = 3 };
static const unsigned segments[VARIANTS] = {4, 16, 64};

static unsigned allreduce_ring_segmented_variants(const struct communicator *comm)
{
	return comm->size > 1 ? VARIANTS : 0;
}

static void allreduce_ring_segmented_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double steps = comm->size - 1.0, share = 1.0 / comm->size;
	schedule_phase(schedule, "reduce-scatter of the segments");
	schedule_step(schedule, steps * segments[variant], comm->size);
	ring_flows(comm, share / segments[variant], schedule);
	schedule_reduce(schedule, share / segments[variant]);
	schedule_phase(schedule, "allgather");
	if (schedule_again(schedule, segments[variant], steps)) {
		schedule_reduce(schedule, 0);
		return;
	}
	schedule_step(schedule, steps, comm->size);
	ring_flows(comm, share, schedule);
}

static void allreduce_ring_segmented_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "segments=%u", segments[variant]);
}

const struct collective collective_allreduce_ring_segmented = {
	.name = "allreduce-ring-segmented",
	.summary = "ring whose reduce-scatter goes segment by segment",
	.source = "Open MPI, coll_base_allreduce.c",
	.operation = ALLREDUCE,
	.variants = allreduce_ring_segmented_variants,
	.emit = allreduce_ring_segmented_emit,
	.describe = allreduce_ring_segmented_describe,
};

/* ---- allgather-ring ----------------------------------------------------------------------------------- */

/* T = (P - 1) (alpha + bytes / P beta), by Thakur, Rabenseifner and Gropp (2005). */

static void allgather_ring_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "allgather");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_flows(comm, 1.0 / comm->size, schedule);
}

const struct collective collective_allgather_ring = {
	.name = "allgather-ring",
	.summary = "every part once around a ring",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALLGATHER,
	.variants = single_variant,
	.emit = allgather_ring_emit,
};

/* ---- reduce-scatter-ring ------------------------------------------------------------------------------ */

/* T = (P - 1) (alpha + bytes / P beta) + (P - 1) / P bytes gamma, by Patarasuk and Yuan (2009). */

static void reduce_scatter_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_flows(comm, share, schedule);
	schedule_reduce(schedule, share);
}

const struct collective collective_reduce_scatter_ring = {
	.name = "reduce-scatter-ring",
	.summary = "every part once around a ring, combined on the way",
	.source = "Patarasuk and Yuan, J. Parallel Distrib. Comput. 69 (2009)",
	.operation = REDUCE_SCATTER,
	.variants = single_variant,
	.emit = reduce_scatter_ring_emit,
};

/* ---- reduce-scatter-pairwise -------------------------------------------------------------------------- */

/*
 * In step s every member sends the member s further on its part: T is that of the ring, but each part goes straight
 * home.
 */

static unsigned reduce_scatter_pairwise_variants(const struct communicator *comm)
{
	return shifts_apply(comm);
}

static void reduce_scatter_pairwise_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const double share = 1.0 / comm->size;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	shifts_emit(comm, share, share, schedule);
}

const struct collective collective_reduce_scatter_pairwise = {
	.name = "reduce-scatter-pairwise",
	.summary = "each part straight to its member, one partner at a time",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = REDUCE_SCATTER,
	.variants = reduce_scatter_pairwise_variants,
	.emit = reduce_scatter_pairwise_emit,
};

/* ---- broadcast-scatter-ring --------------------------------------------------------------------------- */

/* T = (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P bytes beta. */

static void broadcast_scatter_ring_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "scatter");
	lines_scatter(&all, 1, schedule);
	schedule_phase(schedule, "allgather");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_flows(comm, 1.0 / comm->size, schedule);
}

const struct collective collective_broadcast_scatter_ring = {
	.name = "broadcast-scatter-ring",
	.summary = "binomial scatter, then allgather around a ring (van de Geijn)",
	.source = "Barnett et al., InterCom, SHPCC (1994)",
	.operation = BROADCAST,
	.variants = single_variant,
	.emit = broadcast_scatter_ring_emit,
};

/* ---- reduce-ring-gather ------------------------------------------------------------------------------- */

/* T = (P - 1 + ceil(log2 P)) alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma for any P. */

static void reduce_ring_gather_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter");
	schedule_step(schedule, comm->size - 1.0, comm->size);
	ring_flows(comm, 1.0 / comm->size, schedule);
	schedule_reduce(schedule, 1.0 / comm->size);
	schedule_phase(schedule, "gather");
	lines_gather(&all, 1, schedule);
}

const struct collective collective_reduce_ring_gather = {
	.name = "reduce-ring-gather",
	.summary = "reduce-scatter around a ring, then binomial gather",
	.source = "Barnett et al., InterCom, SHPCC (1994)",
	.operation = REDUCE,
	.variants = single_variant,
	.emit = reduce_ring_gather_emit,
};
