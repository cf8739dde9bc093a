/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = 2 alpha + (n + p) m beta on n x p ranks, m = bytes / P. The links of columns are idle in the first step, those
 * of rows in the second.
 */
#include "network/algorithm/plane.h"

static unsigned all_to_all_rows_variants(const struct communicator *comm)
{
	return plane_applies(comm);
}

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
	.variants = all_to_all_rows_variants,
	.emit = all_to_all_rows_emit,
};
