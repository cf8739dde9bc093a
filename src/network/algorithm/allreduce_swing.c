/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Swing on a torus whose extents are powers of two: halving and doubling with partners that swing about a rank, at
 * distance
 *     rho(s) = 1, -1, 3, -5, 11, ..  = (1 - (-2)^(s + 1)) / 3
 * ahead of even coordinates and behind odd ones, where s counts the steps in one dimension; dimensions take turns. 2 D
 * such exchanges run at once, one per first dimension and sign of rho, each with its part of the vector, so that all
 * ports are busy. The parts are either halved and doubled in 2 log2 P steps, or exchanged whole in log2 P.
 */
#include <stdio.h>

#include "network/algorithm/lines.h"

struct torus {
	unsigned extents[GRID_MAX], dimensions;
	unsigned steps; /* steps of a half: log2 P */
};

static bool torus_of(const struct communicator *comm, struct torus *torus)
{
	*torus = (struct torus){.dimensions = 0};
	for (unsigned d = 0; d < comm->grid_count; ++d) {
		unsigned extent = comm->grid[d];
		if (extent > 1)
			torus->extents[torus->dimensions++] = extent;
		for (; extent > 1 && extent % 2 == 0; extent /= 2)
			++torus->steps;
		if (extent != 1)
			return false;
	}
	return (comm->grid_is_torus || comm->grid_is_lattice) && torus->steps > 0;
}

static unsigned allreduce_swing_variants(const struct communicator *comm)
{
	struct torus torus;
	return torus_of(comm, &torus) ? 2 : 0;
}

/*
 * Returns the dimension of a step, and in *turn its number in that dimension; long dimensions go on when short ones
 * end.
 */
static unsigned dimension_of(const struct torus *torus, unsigned first, unsigned step, unsigned *turn)
{
	for (*turn = 0;; ++*turn)
		for (unsigned i = 0; i < torus->dimensions; ++i) {
			const unsigned d = (first + i) % torus->dimensions;
			if (torus->extents[d] >> (*turn + 1) && step-- == 0)
				return d;
		}
}

/* Returns |rho|: 1, 1, 3, 5, 11 .. */
static unsigned distance_of(unsigned turn)
{
	return ((2u << turn) + 1) / 3;
}

/* Emits a step of all exchanges: with both signs of rho at once, a rank has a partner on either side. */
static void step_emit(const struct communicator *comm, const struct torus *torus, unsigned step, double share,
	struct schedule *schedule)
{
	const double part = share / (2 * torus->dimensions);
	schedule_step(schedule, 1, 0);
	for (unsigned first = 0; first < torus->dimensions; ++first) {
		unsigned turn = 0;
		const unsigned d = dimension_of(torus, first, step, &turn), k = torus->extents[d];
		const struct lines lines = lines_along(comm, torus->extents, d);
		const unsigned distance = distance_of(turn) % k;
		for (unsigned i = 0; i < k; ++i) {
			lines_flow(&lines, i, (i + distance) % k, part, schedule);
			lines_flow(&lines, i, (i + k - distance) % k, part, schedule);
		}
	}
}

static void allreduce_swing_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	struct torus torus;
	double share = 1;
	torus_of(comm, &torus);
	schedule_phase(schedule, variant ? "exchange" : "reduce-scatter");
	for (unsigned step = 0; step < torus.steps; ++step) {
		share /= variant ? 1 : 2;
		step_emit(comm, &torus, step, share, schedule);
		schedule_reduce(schedule, share);
	}
	if (variant)
		return;
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather");
	for (unsigned step = torus.steps; step-- > 0;) {
		step_emit(comm, &torus, step, share, schedule);
		share *= 2;
	}
}

static void allreduce_swing_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "parts=%s", variant ? "whole" : "halved");
}

const struct collective collective_allreduce_swing = {
	.name = "allreduce-swing",
	.summary = "halving and doubling with partners near on a torus, all ports busy",
	.source = "De Sensi et al., Swing, NSDI 2024",
	.operation = ALLREDUCE,
	.variants = allreduce_swing_variants,
	.emit = allreduce_swing_emit,
	.describe = allreduce_swing_describe,
};
