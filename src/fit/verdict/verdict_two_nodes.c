/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges collectives between nodes that were measured on two nodes only. A tree of two nodes sends each byte once, so
 * two nodes say nothing about more: bus bandwidth of HGX H100 is 469, 366 and 321 GB/s on 2, 4 and 8 nodes.
 */
#include <string.h>

#include "fit/verdict/verdict.h"

static bool has_more(const struct series_list *list, const struct series *series)
{
	for (size_t i = 0; i < list->count; ++i)
		if (list->items[i].nodes > 2 && strcmp(list->items[i].operation, series->operation) == 0 &&
			strcmp(list->items[i].library, series->library) == 0)
			return true;
	return false;
}

static bool was_said(const struct series_list *list, const struct series *series)
{
	for (const struct series *before = list->items; before < series; ++before)
		if (before->nodes == 2 && strcmp(before->operation, series->operation) == 0 &&
			strcmp(before->library, series->library) == 0)
			return true;
	return false;
}

static void judge_series(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	if (series->nodes != 2 || series_is(series, "point-to-point") || series_is(series, "halo") ||
		has_more(list, series) || was_said(list, series))
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "two-nodes",
		cell_place(calibration, series->cells[0]),
		"measure on 4 and 8 nodes too: three counts give what more nodes take within some 10 "
		"%"};
	verdict_say(calibration, &head,
		"%s of %s was measured on 2 nodes at most, which says little of more: two send "
		"each byte once",
		series->operation, *series->library ? series->library : "the library");
}

void judge_two_nodes(struct calibration *calibration)
{
	series_each(calibration, judge_series);
}
