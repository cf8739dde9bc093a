/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges times of one point that differ: within launches (noisy), in two groups (bimodal), or that fall where
 * messages grow. Healthy machines have some such points, so the share of them in a bench or curve is judged.
 */
#include <string.h>

#include "fit/calibration.h"
#include "fit/verdict/verdict.h"

enum { POINTS_LEAST = 5 };

/* The noisy and bimodal points of one bench. */
struct tally {
	const char *bench;
	size_t count, noisy, bimodal;
	const struct cell *first_noisy, *first_bimodal;
	unsigned odd; /* index in the first bimodal cell of the launch that stands apart, else 0 */
	const struct sample_launch *launch; /* the only one that stands apart; NULL: none, or several */
};

/* Returns the index of the first launch that is unlike the others; the number of launches where none stands apart. */
static unsigned odd_find(const struct calibration *calibration, const struct cell *cell)
{
	for (unsigned i = 0; i < cell->launches; ++i)
		if (cell_outlier_text(calibration->arena, cell, i))
			return i;
	return cell->launches;
}

static void bimodal_add(const struct calibration *calibration, struct tally *tally, const struct cell *cell)
{
	const unsigned odd = odd_find(calibration, cell);
	const struct sample_launch *launch = odd < cell->launches ? cell->points[odd]->launch : NULL;
	for (unsigned i = odd + 1; i < cell->launches; ++i)
		if (cell_outlier_text(calibration->arena, cell, i))
			launch = NULL;
	if (tally->bimodal++ == 0) {
		tally->first_bimodal = cell;
		tally->odd = odd < cell->launches ? odd : 0;
		tally->launch = launch;
	} else if (tally->launch != launch) {
		tally->launch = NULL;
	}
}

static void tally_add(const struct calibration *calibration, struct tally *tally, const struct cell *cell)
{
	++tally->count;
	if (cell->flags & CELL_NOISY && tally->noisy++ == 0)
		tally->first_noisy = cell;
	if (cell->flags & CELL_BIMODAL)
		bimodal_add(calibration, tally, cell);
}

static void judge_bench(struct calibration *calibration, const struct tally *tally)
{
	const double noisy = (double)tally->noisy / (double)tally->count;
	const double bimodal = (double)tally->bimodal / (double)tally->count;
	if (tally->count < POINTS_LEAST)
		return;
	if (noisy > 0.2) {
		const struct verdict_head head = {noisy > 0.4 ? PARADL_BAD : PARADL_SUSPECT, "noisy",
			cell_place(calibration, tally->first_noisy),
			"other jobs on these nodes or switches, clocks (governor, power limits), binding of "
			"processes; "
			"lossy Ethernet (RoCE) needs PFC or ECN: ethtool -S, counters of pauses and drops"};
		verdict_say(calibration, &head,
			"%s: %zu of %zu points are noisy: nine in ten samples lie further apart than 20 "
			"%% of the median",
			tally->bench, tally->noisy, tally->count);
	}
	if (tally->bimodal == 0)
		return;
	const struct verdict_head head = {bimodal > 0.35 ? PARADL_SUSPECT : PARADL_NOTE, "bimodal",
		point_place(calibration, tally->first_bimodal->points[tally->odd]),
		"placement and binding of processes (they differ from launch to launch), huge pages, other "
		"jobs"};
	verdict_say(calibration, &head,
		"%s: %zu of %zu points have two groups of times more than 25 %% apart%s%s", tally->bench,
		tally->bimodal, tally->count, tally->launch ? ", all in launch " : "",
		tally->launch ? tally->launch->id : "");
}

static void judge_order(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	unsigned falls = 0;
	const struct cell *first = NULL;
	for (unsigned k = 0; k < series->count; ++k)
		if (series->cells[k]->flags & CELL_NOT_MONOTONE && falls++ == 0)
			first = series->cells[k];
	if (falls < 2)
		return;
	const struct verdict_head head = {falls * 5 > series->count ? PARADL_SUSPECT : PARADL_NOTE,
		"not-monotone", cell_place(calibration, first),
		"one fall may be a change of protocol or algorithm; several are noise: measure "
		"again"};
	verdict_say(calibration, &head, "%s: at %u of %u sizes a larger message is faster by 10 %% and more",
		series_name(calibration, series), falls, series->count);
}

void judge_noisy(struct calibration *calibration)
{
	const struct cells *cells = calibration->cells;
	for (size_t i = 0; i < cells->count; ++i) {
		struct tally tally = {.bench = cells->items[i].point->bench};
		bool was_done = false;
		for (size_t k = 0; k < i && !was_done; ++k)
			was_done = strcmp(cells->items[k].point->bench, tally.bench) == 0;
		for (size_t k = i; k < cells->count && !was_done; ++k)
			if (strcmp(cells->items[k].point->bench, tally.bench) == 0)
				tally_add(calibration, &tally, &cells->items[k]);
		if (!was_done)
			judge_bench(calibration, &tally);
	}
	series_each(calibration, judge_order);
}
