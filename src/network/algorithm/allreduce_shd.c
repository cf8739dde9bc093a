/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shifted halving and doubling: a rank that is still responsible for n parts sends floor(n / 2) of them to the rank
 * ceil(n / 2) ahead and keeps ceil(n / 2). P parts have become one after ceil(log2 P) steps, and the allgather goes
 * back. For P a power of two the shifts are P/2, P/4 .., which DLN networks have as cables, so no step has contention:
 *     T = 2 log2 P alpha + (P - 1) / P bytes (2 beta + gamma)
 * In two directions, half of the vector goes ahead and half back; on long links this leaves 3/4 of the time per byte.
 * For P a power of two the shifts may come in any order. On networks with such shortcuts, 2 log2 P parts of the vector
 * therefore go at once, one for each first shift and direction, and all cables are busy in all steps.
 * Shifts that are the strides of the network are our reading; for other P it is the circulant scheme of Traeff (2024).
 */
#include <stdio.h>

#include "network/algorithm/lines.h"

enum { AHEAD, BOTH_WAYS, ALL_SHIFTS };

static unsigned allreduce_shd_variants(const struct communicator *comm)
{
	if (comm->size < 2)
		return 0;
	return comm->shortcuts && is_power_of_two(comm->size) ? ALL_SHIFTS + 1 : ALL_SHIFTS;
}

static void shift_run(unsigned size, unsigned by, double share, struct schedule *schedule)
{
	schedule_flows(schedule, 0, by, share, size - by, 1);
	schedule_flows(schedule, size - by, 0, share, by, 1);
}

static void shift_step(const struct communicator *comm, unsigned distance, double share, bool split,
	struct schedule *schedule)
{
	const unsigned size = comm->size;
	const bool both = split && 2 * distance != size; /* halfway around, both directions are one */
	schedule_step(schedule, 1, 0);
	if (schedule->reorders) {
		shift_run(size, distance, both ? share / 2 : share, schedule);
		if (both)
			shift_run(size, size - distance, share / 2, schedule);
		return;
	}
	for (unsigned rank = 0; rank < size; ++rank) {
		schedule_flow(schedule, rank, (rank + distance) % size, both ? share / 2 : share);
		if (both)
			schedule_flow(schedule, rank, (rank + size - distance) % size, share / 2);
	}
}

/* Emits a step of all parts; those that begin with shift 2^first are at shift 2^((first + turn) mod shifts). */
static void shifts_step(const struct communicator *comm, unsigned shifts, unsigned turn, double share,
	struct schedule *schedule)
{
	schedule_step(schedule, 1, 0);
	for (unsigned first = 0; first < shifts; ++first) {
		const unsigned distance = 1u << (first + turn) % shifts;
		for (unsigned rank = 0; rank < comm->size; ++rank) {
			schedule_flow(schedule, rank, (rank + distance) % comm->size, share / 2 / shifts);
			schedule_flow(schedule, rank, (rank + comm->size - distance) % comm->size,
				share / 2 / shifts);
		}
	}
}

static void shifts_tell_all(const struct communicator *comm, struct schedule *schedule)
{
	const unsigned shifts = fold_of(comm->size).steps;
	double share = 1;
	schedule_phase(schedule, "reduce-scatter");
	for (unsigned turn = 0; turn < shifts; ++turn) {
		share /= 2;
		shifts_step(comm, shifts, turn, share, schedule);
		schedule_reduce(schedule, share);
	}
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather");
	for (unsigned turn = shifts; turn-- > 0;) {
		shifts_step(comm, shifts, turn, share, schedule);
		share *= 2;
	}
}

static void allreduce_shd_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	unsigned parts[32] = {0}, steps = 0; /* parts that a rank is responsible for before each step */
	if (variant == ALL_SHIFTS) {
		shifts_tell_all(comm, schedule);
		return;
	}
	for (unsigned n = comm->size; n > 1; n -= n / 2)
		parts[steps++] = n;
	schedule_phase(schedule, "reduce-scatter");
	for (unsigned i = 0; i < steps; ++i) {
		const unsigned sent = parts[i] / 2;
		const double share = (double)sent / comm->size;
		shift_step(comm, parts[i] - sent, share, variant == BOTH_WAYS, schedule);
		schedule_reduce(schedule, share);
	}
	schedule_turn(schedule, true);
	schedule_phase(schedule, "allgather");
	for (unsigned i = steps; i-- > 0;) {
		const unsigned sent = parts[i] / 2;
		shift_step(comm, parts[i] - sent, (double)sent / comm->size, variant == BOTH_WAYS, schedule);
	}
}

static void allreduce_shd_describe(const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	static const char *const texts[] = {"directions=1", "directions=2", "all shifts at once"};
	snprintf(text, size, "%s", texts[variant]);
}

const struct collective collective_allreduce_shd = {
	.name = "allreduce-shd",
	.summary = "shifted halving and doubling: ranks P/2, P/4 .. ahead",
	.source = "our reading of SHD on DLN networks (Koibuchi et al. 2012); Traeff, arXiv 2410.14234",
	.operation = ALLREDUCE,
	.variants = allreduce_shd_variants,
	.emit = allreduce_shd_emit,
	.describe = allreduce_shd_describe,
};
