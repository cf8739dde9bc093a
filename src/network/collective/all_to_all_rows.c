/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T = 2 alpha + (n + p) m beta on n x p ranks, m = bytes / P. The links of columns are idle in the first step, those
 * of rows in the second.
 */
#include "network/collective/plane.h"

static unsigned all_to_all_rows_variants(const struct party *party)
{
	return plane_applies(party);
}

static void all_to_all_rows_tell(const struct party *party, unsigned variant, struct schedule *schedule)
{
	const struct lines rows = plane_rows(party), columns = plane_columns(party);
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
	.tell = all_to_all_rows_tell,
};
