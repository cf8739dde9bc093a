/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-to-all: each member has a part for every other. */
#include <stdio.h>

#include "network/algorithm/lines.h"

/* ---- all-to-all-direct -------------------------------------------------------------------------------- */

/*
 * T = alpha + the time of the most loaded link, which is (P - 1) / P bytes beta where only the members' own links
 * limit. On networks with a direct link or a unique shortest route for each pair (2-D fully connected, Kautz) the
 * routes alone decide.
 */

static void all_to_all_direct_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	schedule_step(schedule, 1, 0);
	schedule_all_pairs(schedule, 1.0 / comm->size);
}

const struct collective collective_all_to_all_direct = {
	.name = "all-to-all-direct",
	.summary = "every pair at once",
	.source = "basic linear algorithm of MPI libraries",
	.operation = ALL_TO_ALL,
	.variants = single_variant,
	.emit = all_to_all_direct_emit,
};

/* ---- all-to-all-shift --------------------------------------------------------------------------------- */

/* T = (P - 1) (alpha + bytes / P beta); every step has its own contention. */

static unsigned all_to_all_shift_variants(const struct communicator *comm)
{
	return shifts_apply(comm);
}

static void all_to_all_shift_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	shifts_emit(comm, 1.0 / comm->size, 0, schedule);
}

const struct collective collective_all_to_all_shift = {
	.name = "all-to-all-shift",
	.summary = "in step s to the member s further on",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALL_TO_ALL,
	.variants = all_to_all_shift_variants,
	.emit = all_to_all_shift_emit,
};

/* ---- all-to-all-xor ----------------------------------------------------------------------------------- */

/*
 * T = (P - 1) (alpha + bytes / P beta): in step s each member exchanges with the member rank XOR s; P a power of two.
 */

static unsigned all_to_all_xor_variants(const struct communicator *comm)
{
	return shifts_apply(comm) && is_power_of_two(comm->size);
}

static void all_to_all_xor_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	if (schedule_rounds(schedule, comm->size, ROUNDS_XOR, 1.0 / comm->size, 0))
		return;
	for (unsigned mask = 1; mask < comm->size; ++mask)
		lines_exchange(&all, mask, 1.0 / comm->size, schedule);
}

const struct collective collective_all_to_all_xor = {
	.name = "all-to-all-xor",
	.summary = "in step s pairs of ranks that differ by XOR s; powers of two",
	.source = "Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19 (2005)",
	.operation = ALL_TO_ALL,
	.variants = all_to_all_xor_variants,
	.emit = all_to_all_xor_emit,
};

/* ---- all-to-all-bruck --------------------------------------------------------------------------------- */

/*
 * In step k every member sends to the member 2^k further on those parts whose distance to their destination has bit k
 * set, about half of all:
 *     T = ceil(log2 P) (alpha + bytes / 2 beta)
 * In each step the parts are packed and unpacked (each read and written on both sides); before the first step and
 * after the last they are rotated into order.
 */

/* Returns how many numbers below `size` have this bit set. */
static unsigned with_bit(unsigned size, unsigned bit)
{
	const unsigned rest = size % (2 * bit);
	return size / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

static void all_to_all_bruck_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	const unsigned last = fold_of(comm->size - 1).kept;
	(void)variant;
	schedule_phase(schedule, "all-to-all");
	for (unsigned bit = 1; bit <= last; bit *= 2) {
		const double share = (double)with_bit(comm->size, bit) / comm->size;
		lines_shift(&all, bit, share, schedule);
		schedule_memory(schedule, 4 * share + (bit == 1 ? 2 : 0) + (bit == last ? 2 : 0));
	}
}

const struct collective collective_all_to_all_bruck = {
	.name = "all-to-all-bruck",
	.summary = "half of the parts 1, 2, 4 ... members further on",
	.source = "Bruck et al., IEEE Trans. Parallel Distrib. Syst. 8 (1997)",
	.operation = ALL_TO_ALL,
	.variants = single_variant,
	.emit = all_to_all_bruck_emit,
};

/* ---- all-to-all-hierarchical -------------------------------------------------------------------------- */

/*
 * An all-to-all inside nodes comes first, in which each member collects what its node sends to the members at its own
 * place in other nodes. Then those members run an all-to-all: n - 1 messages of g parts, over each member's own port.
 *     T = T_all-to-all(g, bytes) + T_all-to-all(n, bytes); between the two the vector is read and written once
 */

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

/* ---- all-to-all-rows and all-to-all-two-way, on two-dimensional networks ------------------------------ */

/*
 * Returns 1 where the group is a whole grid of n x p ranks, rank = column + n row, that does not wrap around: its rows
 * and columns are fully connected, or those of a mesh, where messages take several hops.
 */
static unsigned plane_variants(const struct communicator *comm)
{
	return comm->grid_count == 2 && !comm->grid_is_torus && comm->grid[0] > 1 && comm->grid[1] > 1 &&
	       comm->grid[0] * comm->grid[1] == comm->size;
}

static struct lines plane_rows(const struct communicator *comm)
{
	return lines_along(comm, comm->grid, 0);
}

static struct lines plane_columns(const struct communicator *comm)
{
	return lines_along(comm, comm->grid, 1);
}

/*
 * T = 2 alpha + (n + p) m beta on n x p ranks, m = bytes / P. The links of columns are idle in the first step, those
 * of rows in the second.
 */

static void all_to_all_rows_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines rows = plane_rows(comm), columns = plane_columns(comm);
	(void)variant;
	schedule_phase(schedule, "rows");
	lines_pairs(&rows, 1.0 / rows.count, schedule);
	schedule_phase(schedule, "columns");
	lines_pairs(&columns, 1.0 / columns.count, schedule);
}

const struct collective collective_all_to_all_rows = {
	.name = "all-to-all-rows",
	.summary = "along rows, then along columns of a 2-D fully connected network",
	.source = "dimension by dimension, as on meshes and tori",
	.operation = ALL_TO_ALL,
	.variants = plane_variants,
	.emit = all_to_all_rows_emit,
};

/*
 * Half of the data goes along rows first, half along columns first, so that all links are busy in both steps:
 *     T = 2 alpha + max(n, p) m beta on n x p, m = bytes / P
 * This equals the lower bound that follows from the mean distance where n = p.
 */

static void all_to_all_two_way_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines rows = plane_rows(comm), columns = plane_columns(comm);
	(void)variant;
	schedule_phase(schedule, "rows and columns");
	schedule_step(schedule, 2, 0);
	lines_pairs_flows(&rows, 0.5 / rows.count, schedule);
	lines_pairs_flows(&columns, 0.5 / columns.count, schedule);
}

const struct collective collective_all_to_all_two_way = {
	.name = "all-to-all-two-way",
	.summary = "half by rows, half by columns first, on a 2-D fully connected network",
	.source = "our reading of the bandwidth-optimal exchange on 2-D fully connected networks",
	.operation = ALL_TO_ALL,
	.variants = plane_variants,
	.emit = all_to_all_two_way_emit,
};
