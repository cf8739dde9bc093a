/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bucket allreduce on a torus of D dimensions, which keeps all 2 D ports of a rank busy. The vector is split into 2 D
 * parts, one per first dimension and direction. A part goes through ring reduce-scatters along its first dimension,
 * then the next, and so on around, and through allgathers back. No two parts use a link at the same time. With equal
 * extents
 *     T = 2 sum over d of (k_d - 1) alpha + 2 (P - 1) / P bytes beta / (2 D)
 * With unequal extents all parts wait for those in the longest dimension. The order of the parts is our reading.
 */
#include "network/algorithm/line_exchange.h"

static unsigned dimensions_of(const struct communicator *comm, unsigned extents[GRID_MAX])
{
	unsigned count = 0;
	for (unsigned d = 0; d < comm->grid_count; ++d)
		if (comm->grid[d] > 1)
			extents[count++] = comm->grid[d];
	return count;
}

static bool is_lattice(const struct communicator *comm)
{
	return comm->grid_is_torus || comm->grid_is_lattice;
}

static unsigned allreduce_bucket_variants(const struct communicator *comm)
{
	unsigned extents[GRID_MAX];
	return dimensions_of(comm, extents) > 0;
}

/* Emits the messages of one step of the rings along dimension d, `share` in each direction. */
static void both_ways(const struct communicator *comm, const unsigned *extents, unsigned d, double share,
	struct schedule *schedule)
{
	const struct lines lines = lines_along(comm, extents, d);
	for (unsigned i = 0; i < lines.count; ++i) {
		const unsigned next = i + 1 < lines.count ? i + 1 : 0;
		lines_flow(&lines, i, next, share, schedule);
		lines_flow(&lines, next, i, share, schedule);
	}
}

/* Returns what a step of phase `phase` sends of a part that began with dimension `first`, as a share of the vector. */
static double share_of(const unsigned *extents, unsigned dimensions, unsigned first, unsigned phase)
{
	double share = 0.5 / dimensions;
	for (unsigned i = 0; i <= phase; ++i)
		share /= extents[(first + i) % dimensions];
	return share;
}

/*
 * Returns the shortest extent longer than `done`, or 0 if there is none; sets *alike if no extent is longer than it.
 */
static unsigned shortest_left(const unsigned *extents, unsigned dimensions, unsigned done, bool *alike)
{
	unsigned shortest = 0, longest = 0;
	for (unsigned d = 0; d < dimensions; ++d) {
		if (extents[d] > done && (shortest == 0 || extents[d] < shortest))
			shortest = extents[d];
		if (extents[d] > longest)
			longest = extents[d];
	}
	*alike = shortest == longest;
	return shortest;
}

/* Emits one phase on rings: each part goes along another dimension, and those in short dimensions end sooner. */
static void phase_emit(const struct communicator *comm, const unsigned *extents, unsigned dimensions,
	unsigned phase, bool reduce, struct schedule *schedule)
{
	bool alike = false;
	unsigned done = 1, next = 0;
	for (; (next = shortest_left(extents, dimensions, done, &alike)); done = next) {
		double reduced = 0;
		schedule_step(schedule, next - done, alike ? next : 0);
		for (unsigned first = 0; first < dimensions; ++first) {
			const unsigned d = (first + phase) % dimensions;
			const double share = share_of(extents, dimensions, first, phase);
			if (extents[d] <= done)
				continue;
			both_ways(comm, extents, d, share, schedule);
			reduced += 2 * share;
		}
		schedule_reduce(schedule, reduce ? reduced : 0);
	}
}

/* Emits one phase, as one step, where a cable joins every two ranks of a line. */
static void phase_at_once(const struct communicator *comm, const unsigned *extents, unsigned dimensions,
	unsigned phase, bool reduce, struct schedule *schedule)
{
	double reduced = 0;
	schedule_step(schedule, 1, 0);
	for (unsigned first = 0; first < dimensions; ++first) {
		const unsigned d = (first + phase) % dimensions;
		const double share = 2 * share_of(extents, dimensions, first, phase);
		const struct lines lines = lines_along(comm, extents, d);
		lines_pairs_flows(&lines, share, schedule);
		reduced += share * (extents[d] - 1.0);
	}
	schedule_reduce(schedule, reduce ? reduced : 0);
}

static void allreduce_bucket_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	unsigned extents[GRID_MAX];
	const unsigned dimensions = dimensions_of(comm, extents);
	const bool rings = is_lattice(comm);
	(void)variant;
	schedule_phase(schedule, "reduce-scatter, dimension by dimension");
	for (unsigned phase = 0; phase < dimensions; ++phase)
		(rings ? phase_emit : phase_at_once)(comm, extents, dimensions, phase, true, schedule);
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather, dimension by dimension");
	for (unsigned phase = dimensions; phase-- > 0;)
		(rings ? phase_emit : phase_at_once)(comm, extents, dimensions, phase, false, schedule);
}

const struct collective collective_allreduce_bucket = {
	.name = "allreduce-bucket",
	.summary = "rings along all dimensions of a torus or mesh at once, both directions",
	.source = "our reading of multi-dimensional bucket algorithms (Barnett et al. 1995; TPU tori)",
	.operation = ALLREDUCE,
	.variants = allreduce_bucket_variants,
	.emit = allreduce_bucket_emit,
};
