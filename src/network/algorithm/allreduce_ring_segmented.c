/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ring allreduce whose reduce-scatter is done once per segment of the vector, so that buffers stay small; the
 * allgather moves whole parts. With S segments
 *     T = (P - 1) ((S + 1) alpha + 2 bytes / P beta) + (P - 1) / P bytes gamma
 */
#include <stdio.h>

#include "network/algorithm/ring.h"

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
	ring_step(comm, share / segments[variant], schedule);
	schedule_reduce(schedule, share / segments[variant]);
	schedule_phase(schedule, "allgather");
	if (schedule_again(schedule, segments[variant], steps)) {
		schedule_reduce(schedule, 0);
		return;
	}
	schedule_step(schedule, steps, comm->size);
	ring_step(comm, share, schedule);
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
