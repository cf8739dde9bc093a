/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbour exchange: ranks around a ring exchange with the right and the left neighbour in turn. */
#include "network/algorithm/collective.h"

static unsigned neighbour_variants(const struct communicator *comm)
{
	return comm->size > 1 && comm->size % 2 == 0;
}

/*
 * Emits a step in which the pairs (first, first + 1), (first + 2, first + 3) ... around the ring exchange `parts`
 * parts of 1 / P of the vector, `repeat` times.
 */
static void neighbour_step(const struct communicator *comm, double repeat, unsigned first, double parts,
	bool reduce, struct schedule *schedule)
{
	const double share = parts / comm->size;
	if (!(repeat > 0))
		return;
	schedule_step(schedule, repeat, 0);
	for (unsigned i = 0, runs = schedule->reorders; runs && i < 2; ++i) {
		schedule_flows(schedule, first + i, first + 1 - i, share, (comm->size - first) / 2, 2);
		if (first == 1)
			schedule_flow(schedule, i ? 0 : comm->size - 1, i ? comm->size - 1 : 0, share);
	}
	for (unsigned i = 0; i < comm->size && !schedule->reorders; i += 2) {
		const unsigned a = i + first, b = (a + 1) % comm->size;
		schedule_flow(schedule, a, b, share);
		schedule_flow(schedule, b, a, share);
	}
	if (reduce)
		schedule_reduce(schedule, share);
}

/* Most ranks for which steps are emitted turn by turn; for more, all steps with the same side are emitted together. */
enum { NEIGHBOUR_TURNS_MAX = 128 };

/*
 * Emits the exchanges of two parts, with the right and the left neighbour in turn: the right one first or, backwards,
 * last.
 */
static void neighbour_turns(const struct communicator *comm, bool backwards, struct schedule *schedule)
{
	const unsigned count = comm->size / 2 - 1, left = count / 2;
	schedule_phase(schedule, "pairs of parts");
	if (comm->size > NEIGHBOUR_TURNS_MAX) {
		neighbour_step(comm, count - left, 1, 2, backwards, schedule);
		neighbour_step(comm, left, 0, 2, backwards, schedule);
		return;
	}
	for (unsigned turn = 0; turn < count; ++turn)
		neighbour_step(comm, 1, (backwards ? count - turn : turn + 1) % 2, 2, backwards, schedule);
}

/*
 * Emits an allgather: pairs of neighbours exchange their own parts, then each rank exchanges the two parts that came
 * last, with its right and its left neighbour in turn. With `reduce` emits a reduce-scatter, the same backwards.
 */
static void neighbour_emit(const struct communicator *comm, bool reduce, struct schedule *schedule)
{
	if (reduce)
		neighbour_turns(comm, true, schedule);
	schedule_phase(schedule, "own parts");
	neighbour_step(comm, 1, 0, 1, reduce, schedule);
	if (!reduce)
		neighbour_turns(comm, false, schedule);
}

/* ---- allreduce-neighbour ------------------------------------------------------------------------------ */

/*
 * T = P alpha + 2 (P - 1) / P bytes beta + (P - 1) / P bytes gamma, P even. Where a rank has two ports, the steps use
 * them in turn.
 */

static void allreduce_neighbour_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	neighbour_emit(comm, true, schedule);
	schedule_turn(schedule, true);
	neighbour_emit(comm, false, schedule);
}

const struct collective collective_allreduce_neighbour = {
	.name = "allreduce-neighbour",
	.summary = "neighbours exchange sums, turn by turn left and right; even numbers",
	.source = "Chen et al., HPC Asia (2005), backwards and forwards",
	.operation = ALLREDUCE,
	.variants = neighbour_variants,
	.emit = allreduce_neighbour_emit,
};

/* ---- allgather-neighbour ------------------------------------------------------------------------------ */

/*
 * T = P / 2 alpha + (P - 1) / P bytes beta, P even. The often given P / 2 steps of two parts each would send one part
 * more.
 */

static void allgather_neighbour_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)variant;
	neighbour_emit(comm, false, schedule);
}

const struct collective collective_allgather_neighbour = {
	.name = "allgather-neighbour",
	.summary = "neighbours exchange, turn by turn left and right; even numbers",
	.source = "Chen et al., HPC Asia (2005)",
	.operation = ALLGATHER,
	.variants = neighbour_variants,
	.emit = allgather_neighbour_emit,
};
