/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce on X x Y ranks: the extents of a two-dimensional torus or, where there is none, members of a node and
 * nodes. It is a reduce-scatter along X, an allreduce of what is left along Y, an allgather along X, all by rings:
 *     T = 2 (X - 1) (alpha_x + bytes / X beta_x) + 2 (Y - 1) (alpha_y + bytes / (X Y) beta_y)
 */
#include "network/algorithm/lines.h"

static void extents_of(const struct communicator *comm, unsigned extents[2])
{
	const bool torus = comm->grid_count == 2 && comm->grid_is_torus;
	extents[0] = torus ? comm->grid[0] : comm->per_node;
	extents[1] = torus ? comm->grid[1] : comm->nodes;
}

static unsigned allreduce_torus_2d_variants(const struct communicator *comm)
{
	unsigned extents[2];
	extents_of(comm, extents);
	return extents[0] > 1 && extents[1] > 1;
}

static void allreduce_torus_2d_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	unsigned extents[2];
	extents_of(comm, extents);
	const struct lines x = lines_along(comm, extents, 0), y = lines_along(comm, extents, 1);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter along x");
	lines_ring_reduce_scatter(&x, 1, schedule);
	schedule_phase(schedule, "allreduce along y");
	lines_ring_allreduce(&y, 1.0 / extents[0], schedule);
	schedule_phase(schedule, "allgather along x");
	lines_ring_allgather(&x, 1, schedule);
}

const struct collective collective_allreduce_torus_2d = {
	.name = "allreduce-torus-2d",
	.summary = "rings along x, then along y on bytes / X, and back along x",
	.source = "Mikami et al., arXiv 1811.05233 (2018)",
	.operation = ALLREDUCE,
	.variants = allreduce_torus_2d_variants,
	.emit = allreduce_torus_2d_emit,
};
