/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T = (P - 1) (alpha + bytes / P beta); every step has its own contention. */
#include "network/algorithm/line_exchange.h"

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
