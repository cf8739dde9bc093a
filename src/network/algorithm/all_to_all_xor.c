/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = (P - 1) (alpha + bytes / P beta): in step s each member exchanges with the member rank XOR s; P a power of two.
 */
#include "network/algorithm/line_exchange.h"

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
