/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allreduces by rings along one dimension after the other: of a torus or mesh, or of the machine's levels. */
#include "network/algorithm/lines.h"

/* ---- allreduce-torus-2d ------------------------------------------------------------------------------- */

/*
 * Allreduce on X x Y ranks: the extents of a two-dimensional torus or, where there is none, members of a node and
 * nodes. It is a reduce-scatter along X, an allreduce of what is left along Y, an allgather along X, all by rings:
 *     T = 2 (X - 1) (alpha_x + bytes / X beta_x) + 2 (Y - 1) (alpha_y + bytes / (X Y) beta_y)
 */

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

/* ---- allreduce-blueconnect ---------------------------------------------------------------------------- */

/*
 * P = p_1 p_2 .. p_k, the levels of the machine from the nodes outwards. Each level in turn runs ring reduce-scatters
 * on the part of the vector that the levels below have left; ring allgathers lead back. With phi_i rings that share a
 * link of level i:
 *     T = sum over i of 2 (p_i - 1) (alpha_i + bytes / (p_1 .. p_i) phi_i beta_i)
 */

/* Returns the rings of level d; inside nodes they use the group's channels, as other rings do there. */
static struct lines rings_of(const struct communicator *comm, unsigned d)
{
	struct lines rings = lines_along(comm, comm->domains, d);
	if (d == 0 && comm->per_node == comm->domains[0] && comm->channels > 1)
		rings.channels = comm->channels;
	return rings;
}

static unsigned allreduce_blueconnect_variants(const struct communicator *comm)
{
	return comm->domain_count > 1;
}

static void allreduce_blueconnect_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	double share = 1;
	(void)variant;
	schedule_phase(schedule, "reduce-scatter, level by level");
	for (unsigned d = 0; d < comm->domain_count; ++d) {
		const struct lines rings = rings_of(comm, d);
		lines_ring_reduce_scatter(&rings, share, schedule);
		share /= comm->domains[d];
	}
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather, level by level");
	for (unsigned d = comm->domain_count; d-- > 0;) {
		const struct lines rings = rings_of(comm, d);
		share *= comm->domains[d];
		lines_ring_allgather(&rings, share, schedule);
	}
}

const struct collective collective_allreduce_blueconnect = {
	.name = "allreduce-blueconnect",
	.summary = "ring reduce-scatters level by level outwards, allgathers back",
	.source = "Cho et al., BlueConnect, MLSys 2019",
	.operation = ALLREDUCE,
	.variants = allreduce_blueconnect_variants,
	.emit = allreduce_blueconnect_emit,
};

/* ---- allreduce-bucket --------------------------------------------------------------------------------- */

/*
 * Bucket allreduce on a torus of D dimensions, which keeps all 2 D ports of a rank busy. The vector is split into 2 D
 * parts, one per first dimension and direction. A part goes through ring reduce-scatters along its first dimension,
 * then the next, and so on around, and through allgathers back. No two parts use a link at the same time. With equal
 * extents
 *     T = 2 sum over d of (k_d - 1) alpha + 2 (P - 1) / P bytes beta / (2 D)
 * With unequal extents all parts wait for those in the longest dimension. The order of the parts is our reading.
 */

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
