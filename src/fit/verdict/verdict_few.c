/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes too few launches for intervals, and too few sizes for segments. */
#include <string.h>

#include "fit/verdict/verdict.h"

enum { SIZES_LEAST = 6 };
static const double decades_least = 100;

/*
 * Returns whether calls were timed one by one, by barrier or clock: only to compare with, nothing is fitted to them.
 */
static bool is_check(const struct series *series)
{
	return series->way[0] != '\0' && strcmp(series->way, "block") != 0;
}

static void judge_sizes(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	const double range = cell_bytes(series_last(series)) / cell_bytes(series->cells[0]);
	if (series->groups > 1 || is_check(series) ||
		(series->count >= SIZES_LEAST && range >= decades_least))
		return;
	const struct verdict_head head = {PARADL_NOTE, "few-sizes", cell_place(calibration, series->cells[0]),
		"four sizes for each power of ten, from 4 B to 64 MiB or more"};
	verdict_say(calibration, &head,
		"%s: %u size%s, the largest %.3g times the smallest, which is too little to tell "
		"start-up from rate",
		series_name(calibration, series), series->count, series->count > 1 ? "s" : "", range);
}

void judge_few(struct calibration *calibration)
{
	const struct cells *cells = calibration->cells;
	size_t few = 0;
	unsigned least = 0;
	for (size_t i = 0; i < cells->count; ++i) {
		if (!(cells->items[i].flags & CELL_FEW_LAUNCHES))
			continue;
		++few;
		least = least == 0 || cells->items[i].launches < least ? cells->items[i].launches : least;
	}
	const struct verdict_head head = {PARADL_NOTE, "few-launches", NULL,
		"5 launches: 'paradl calibrate --launches 5'; launches differ more than repetitions within "
		"one"};
	if (few > 0)
		verdict_say(calibration, &head,
			"%zu of %zu points were measured in fewer than 4 launches (the fewest %u): "
			"their ranges are no intervals",
			few, cells->count, least);
	series_each(calibration, judge_sizes);
}
