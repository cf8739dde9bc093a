/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges what fits rest on: too few launches or sizes, and points that the fitted numbers do not follow. */
#include <string.h>

#include "fit/verdict/verdict.h"

/* Notes too few launches for intervals, and too few sizes for segments. */

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

/*
 * Judges fits that do not follow their points: where half of the points are more than 30 % off the fitted numbers,
 * those numbers describe no machine. Healthy fits are within 20 %, mostly within 10 %.
 */

static const double most = 0.3;

/* Returns whether the same fit was named before, by another of its numbers. */
static bool is_named(const struct calibration *calibration, size_t index)
{
	const struct paradl_fitted_number *number = &calibration->numbers[index];
	for (size_t i = 0; i < index; ++i) {
		const struct paradl_fitted_number *before = &calibration->numbers[i];
		if (before->file == number->file && before->points == number->points &&
			!(before->residual < number->residual) && !(before->residual > number->residual))
			return true;
	}
	return false;
}

static void say(struct calibration *calibration, const char *what, double residual, const char *where)
{
	const struct verdict_head head = {PARADL_BAD, "residual", where,
		"what else ran meanwhile; clocks; measure again when the machine is idle"};
	verdict_say(calibration, &head,
		"%s: half of the points are more than %.0f %% off what was fitted to them", what,
		100 * residual);
	verdict_refuses(calibration);
}

void judge_residual(struct calibration *calibration)
{
	for (size_t i = 0; i < calibration->result->number_count && !calibration->failed; ++i) {
		const struct paradl_fitted_number *number = &calibration->numbers[i];
		if (number->residual > most && !is_named(calibration, i))
			say(calibration, number->path, number->residual, number->path);
	}
}
