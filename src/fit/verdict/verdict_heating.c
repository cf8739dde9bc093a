/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges whether clocks of a GPU fell in the course of all points. A point lasts seconds, and cooling takes minutes to
 * settle, so that no point shows it. Points are measured in an order of chance: those of the first tenth and of the last
 * are alike but for when they were measured. As clocks also differ by what runs, each point has its share of the median
 * clock of its kind.
 */
#include <stdlib.h>
#include <string.h>

#include "fit/verdict/verdict.h"

enum { POINTS_LEAST = 50, TENTH = 10 };
static const double fallen = 0.98; /* as close as intervals of single points are */

/* A point whose clock is known, and its clock as a share of the median of its kind. */
struct clocked {
	const struct sample_point *point;
	double share;
};

static int text_compare(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a ? 1 : 0) - (b ? 1 : 0);
}

static int kind_compare(const void *left, const void *right)
{
	static const char *const parameters[] = {"kind", "precision"};
	const struct sample_point *const a = (*(const struct clocked *const *)left)->point,
					 *const b = (*(const struct clocked *const *)right)->point;
	int order = strcmp(a->bench, b->bench);
	for (size_t i = 0; i < sizeof parameters / sizeof *parameters && order == 0; ++i)
		order = text_compare(sample_text(a, parameters[i]), sample_text(b, parameters[i]));
	return order;
}

/* Fills in the shares of points, kind by kind. Returns false when out of memory. */
static bool shares_make(struct paradl_arena *arena, struct clocked *points, size_t count)
{
	struct clocked **const sorted = arena_alloc(arena, count, sizeof(struct clocked *));
	double *const clocks = arena_alloc(arena, count, sizeof *clocks);
	if (!sorted || !clocks)
		return false;
	for (size_t i = 0; i < count; ++i)
		sorted[i] = &points[i];
	qsort(sorted, count, sizeof(struct clocked *), kind_compare);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first; end < count && kind_compare(&sorted[first], &sorted[end]) == 0; ++end)
			clocks[end - first] = sorted[end]->point->clock_mhz;
		const double median = robust_median(clocks, end - first);
		for (size_t i = first; i < end; ++i)
			sorted[i]->share = sorted[i]->point->clock_mhz / median;
	}
	return true;
}

/* What a tenth of the points saw: medians. */
struct tenth {
	double share, watt, celsius;
};

static bool tenth_make(
	struct paradl_arena *arena, const struct clocked *points, size_t count, struct tenth *tenth)
{
	double *const shares = arena_alloc(arena, 3 * count, sizeof *shares);
	if (!shares)
		return false;
	for (size_t i = 0; i < count; ++i) {
		shares[i] = points[i].share;
		shares[count + i] = points[i].point->watt;
		shares[2 * count + i] = points[i].point->celsius;
	}
	*tenth = (struct tenth){robust_median(shares, count), robust_median(shares + count, count),
		robust_median(shares + 2 * count, count)};
	return true;
}

static void judge(struct calibration *calibration, struct clocked *points, size_t count)
{
	struct paradl_arena *const arena = calibration->arena;
	const size_t part = count / TENTH;
	struct tenth begin, end;
	if (!shares_make(arena, points, count) || !tenth_make(arena, points, part, &begin) ||
		!tenth_make(arena, points + count - part, part, &end)) {
		verdict_out_of_memory(calibration);
		return;
	}
	if (end.share > fallen * begin.share)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "heating",
		point_place(calibration, points[count - part].point),
		"cooling; measure again at once, while the device is warm: training of hours has the clocks "
		"of the "
		"end"};
	verdict_say(calibration, &head,
		"clocks of the last tenth of the points are %.1f %% below those of the first (%.0f and %.0f "
		"°C, "
		"%.0f and %.0f W)",
		100 * (1 - end.share / begin.share), end.celsius, begin.celsius, end.watt, begin.watt);
}

void judge_heating(struct calibration *calibration)
{
	const struct sample_set *const set = calibration->cells->set;
	struct clocked *const points = arena_alloc(calibration->arena, set->count + 1, sizeof *points);
	size_t count = 0;
	if (!points) {
		verdict_out_of_memory(calibration);
		return;
	}
	for (size_t i = 0; i < set->count; ++i)
		if (set->points[i].clock_mhz > 0 && set->points[i].count > 0)
			points[count++] = (struct clocked){&set->points[i], 1};
	if (count >= POINTS_LEAST)
		judge(calibration, points, count);
}
