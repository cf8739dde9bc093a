/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Half of the data goes along rows first, half along columns first, so that all links are busy in both steps:
 *     T = 2 alpha + max(n, p) m beta on n x p, m = bytes / P
 * This equals the lower bound that follows from the mean distance where n = p.
 */
#include "network/algorithm/plane.h"

static unsigned all_to_all_two_way_variants(const struct communicator *comm)
{
	return plane_applies(comm);
}

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
	.variants = all_to_all_two_way_variants,
	.emit = all_to_all_two_way_emit,
};
