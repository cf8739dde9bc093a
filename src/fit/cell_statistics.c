/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The estimate of a cell is the median, over launches, of the median of each launch's samples. A launch with two
 * modes counts with the mode that is nearer to the launches with one mode.
 *
 * The interval is from 2.5 % to 97.5 % of that estimate over 1000 replicates. Each replicate draws launches again
 * and, in each launch, samples again. For a small number n of launches that interval is too narrow. Its distance from
 * the estimate (in the logarithm, so that it stays above 0) is therefore widened as for a mean of n normal values: by
 * t(n - 1) / z sqrt(n / (n - 1)).
 *
 * The median of n samples drawn again from n sorted ones needs no drawing of samples: the ranks of their middle ones
 * are those of order statistics of n uniform variables, the k-th of which has a beta distribution (k, n - k + 1).
 */
#include "fit/calibration.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/arena.h"

enum { REPLICATES = 1000, INTERVAL_LAUNCHES = 4, MODE_SAMPLES = 8 };
static const unsigned long seed = 1;
static const double mode_gap = 0.25, mode_share = 0.15;     /* shares of the median; of all values */
static const double noisy_spread = 0.20;                    /* (p90 - p10) / median */
static const double outlier_z = 4, outlier_distance = 0.15; /* robust standard deviations; relative */
static const double wild_distance = 1, wild_share = 0.01;   /* relative to the median; share of samples */
static const double normal_mad = 0.6745; /* median absolute deviation of a standard normal value */
static const double undisturbed_share =
	0.2; /* share of a busy machine's samples that count, whose median is the lowest decile of all */

/* Samples of one launch, ascending. */
struct launch {
	double *sorted;
	size_t count;
	size_t from, upto; /* samples of the mode that counts; all of them where there is one mode */
	size_t gap;        /* index of the first sample of the upper mode; 0: one mode */
};

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median_between(const double *sorted, size_t from, size_t upto)
{
	return (sorted[(from + upto - 1) / 2] + sorted[(from + upto) / 2]) / 2;
}

static double quantile(const double *sorted, size_t count, double share)
{
	const double at = share * (double)(count - 1);
	const size_t i = (size_t)at;
	return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/*
 * Returns the index where the upper of two groups begins, or 0: the widest gap of more than 25 % of the median that
 * has more than 15 % of the values, and `least` values or more, on either side.
 */
static size_t gap_find(const double *sorted, size_t count, size_t least)
{
	const double center = median_between(sorted, 0, count);
	double widest = mode_gap * center;
	size_t gap = 0;
	for (size_t i = 1; i < count; ++i) {
		const size_t smaller = i < count - i ? i : count - i;
		if (smaller < least || (double)smaller <= mode_share * (double)count ||
			sorted[i] - sorted[i - 1] <= widest)
			continue;
		widest = sorted[i] - sorted[i - 1];
		gap = i;
	}
	return gap;
}

static bool launch_sort(struct paradl_arena *arena, const struct sample_point *point, struct launch *launch)
{
	*launch = (struct launch){.sorted = arena_alloc(arena, point->count, sizeof(double)),
		.count = point->count,
		.upto = point->count};
	if (!launch->sorted)
		return false;
	for (unsigned i = 0; i < point->count; ++i)
		launch->sorted[i] = point->seconds[i];
	qsort(launch->sorted, launch->count, sizeof(double), compare);
	if (sample_flagged(point, "contended")) /* other processes on the processor only add time */
		launch->upto = (size_t)ceil(undisturbed_share * (double)launch->count);
	else if (launch->count >= MODE_SAMPLES)
		launch->gap = gap_find(launch->sorted, launch->count, 1);
	return true;
}

/* Chooses the mode of each launch that has two: the one that launches with one mode agree with, if there are any. */
static void modes_choose(struct launch *launches, unsigned count, double *scratch)
{
	size_t single = 0;
	for (unsigned i = 0; i < count; ++i)
		if (!launches[i].gap)
			scratch[single++] = median_between(launches[i].sorted, 0, launches[i].count);
	if (!single || single == count)
		return;
	const double others = robust_median(scratch, single);
	for (unsigned i = 0; i < count; ++i) {
		struct launch *launch = &launches[i];
		if (!launch->gap)
			continue;
		const double low = median_between(launch->sorted, 0, launch->gap),
			     high = median_between(launch->sorted, launch->gap, launch->count),
			     all = median_between(launch->sorted, 0, launch->count);
		const double near = fabs(log(low / others)) < fabs(log(high / others)) ? low : high;
		if (fabs(near / others - 1) > fabs(all / others - 1))
			continue;
		if (near > low)
			launch->from = launch->gap;
		else
			launch->upto = launch->gap;
	}
}

static double median_drawn(const gsl_rng *random, const struct launch *launch)
{
	const double *sorted = launch->sorted + launch->from;
	const size_t n = launch->upto - launch->from, k = (n + 1) / 2;
	if (n == 1)
		return sorted[0];
	const double u = gsl_ran_beta(random, (double)k, (double)(n - k + 1));
	const size_t i = (size_t)(u * (double)n), low = i < n ? i : n - 1;
	if (n % 2)
		return sorted[low];
	const double next = u + (1 - u) * (1 - pow(gsl_rng_uniform_pos(random), 1 / (double)(n - k)));
	const size_t j = (size_t)(next * (double)n);
	return (sorted[low] + sorted[j < n ? j : n - 1]) / 2;
}

double interval_widening(unsigned launches)
{
	const double n = launches;
	return gsl_cdf_tdist_Pinv(0.975, n - 1) / gsl_cdf_ugaussian_Pinv(0.975) * sqrt(n / (n - 1));
}

static bool interval_fill(struct paradl_arena *arena, const struct launch *launches, struct cell *cell)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double *estimates = arena_alloc(arena, REPLICATES, sizeof *estimates);
	double *drawn = arena_alloc(arena, cell->launches, sizeof *drawn);
	const bool fine = random && estimates && drawn;
	if (fine) {
		gsl_rng_set(random, seed);
		for (unsigned n = 0; n < REPLICATES; ++n) {
			for (unsigned i = 0; i < cell->launches; ++i)
				drawn[i] = median_drawn(
					random, &launches[gsl_rng_uniform_int(random, cell->launches)]);
			estimates[n] = robust_median(drawn, cell->launches);
		}
		qsort(estimates, REPLICATES, sizeof *estimates, compare);
		const double wider = interval_widening(cell->launches);
		const double low = fmin(quantile(estimates, REPLICATES, 0.025) / cell->seconds, 1);
		const double high = fmax(quantile(estimates, REPLICATES, 0.975) / cell->seconds, 1);
		cell->low_s = cell->seconds * pow(low, wider);
		cell->high_s = cell->seconds * pow(high, wider);
	}
	if (random)
		gsl_rng_free(random);
	return fine;
}

/*
 * Returns the relative distance of a launch's median from that of all launches; 0 unless it is more than 15 % and
 * more than 4 robust standard deviations.
 */
static double distance_of(const struct cell *cell, unsigned launch, double *scratch)
{
	if (cell->launches < 3)
		return 0;
	for (unsigned i = 0; i < cell->launches; ++i)
		scratch[i] = fabs(cell->launch_s[i] - cell->seconds);
	const double deviation = robust_median(scratch, cell->launches) / normal_mad;
	const double off = cell->launch_s[launch] - cell->seconds;
	return fabs(off) > outlier_z * deviation && fabs(off) > outlier_distance * cell->seconds
		       ? off / cell->seconds
		       : 0;
}

static size_t wild_samples(const struct launch *launch)
{
	const double limit = (1 + wild_distance) * median_between(launch->sorted, 0, launch->count);
	size_t count = 0;
	while (count < launch->count && launch->sorted[launch->count - 1 - count] > limit)
		++count;
	return count;
}

static void flags_fill(const struct launch *launches, struct cell *cell, double *scratch)
{
	unsigned noisy = 0;
	size_t wild = 0, samples = 0;
	for (unsigned i = 0; i < cell->launches; ++i) {
		const struct launch *launch = &launches[i];
		const double center = median_between(launch->sorted, 0, launch->count);
		noisy += quantile(launch->sorted, launch->count, 0.9) -
				 quantile(launch->sorted, launch->count, 0.1) >
			 noisy_spread * center;
		wild += wild_samples(launch);
		samples += launch->count;
		if (launch->gap)
			cell->flags |= CELL_BIMODAL;
		if (fabs(distance_of(cell, i, scratch)) > 0)
			cell->flags |= CELL_OUTLIERS;
	}
	for (unsigned i = 0; i < cell->launches; ++i)
		scratch[i] = cell->launch_s[i];
	qsort(scratch, cell->launches, sizeof *scratch, compare);
	if (gap_find(scratch, cell->launches, 2))
		cell->flags |= CELL_BIMODAL;
	if (2 * noisy > cell->launches)
		cell->flags |= CELL_NOISY;
	if ((double)wild > wild_share * (double)samples)
		cell->flags |= CELL_OUTLIERS;
	if (cell->launches < INTERVAL_LAUNCHES)
		cell->flags |= CELL_FEW_LAUNCHES;
}

static bool spread_fill(struct paradl_arena *arena, const struct launch *launches, struct cell *cell)
{
	size_t count = 0;
	for (unsigned i = 0; i < cell->launches; ++i)
		count += launches[i].count;
	double *all = arena_alloc(arena, count, sizeof *all);
	if (!all)
		return false;
	count = 0;
	for (unsigned i = 0; i < cell->launches; ++i)
		for (size_t j = 0; j < launches[i].count; ++j)
			all[count++] = launches[i].sorted[j];
	qsort(all, count, sizeof *all, compare);
	cell->spread =
		(quantile(all, count, 0.9) - quantile(all, count, 0.1)) / median_between(all, 0, count);
	return true;
}

static bool statistics_fill(struct paradl_arena *scratch_arena, double *launch_s, struct cell *cell)
{
	struct launch *launches = arena_alloc(scratch_arena, cell->launches, sizeof *launches);
	double *scratch = arena_alloc(scratch_arena, cell->launches, sizeof *scratch);
	if (!launches || !scratch)
		return false;
	for (unsigned i = 0; i < cell->launches; ++i)
		if (!launch_sort(scratch_arena, cell->points[i], &launches[i]))
			return false;
	modes_choose(launches, cell->launches, scratch);
	for (unsigned i = 0; i < cell->launches; ++i)
		scratch[i] = launch_s[i] =
			median_between(launches[i].sorted, launches[i].from, launches[i].upto);
	cell->launch_s = launch_s;
	cell->seconds = robust_median(scratch, cell->launches);
	cell->best_s = cell->low_s = scratch[0];
	cell->high_s = scratch[cell->launches - 1];
	flags_fill(launches, cell, scratch);
	return spread_fill(scratch_arena, launches, cell) &&
	       (cell->launches < INTERVAL_LAUNCHES || interval_fill(scratch_arena, launches, cell));
}

bool cell_fill(struct paradl_arena *arena, struct cell *cell)
{
	double *launch_s = arena_alloc(arena, cell->launches, sizeof *launch_s);
	struct paradl_arena *scratch = launch_s ? paradl_arena_create() : NULL;
	const bool fine = scratch && statistics_fill(scratch, launch_s, cell);
	paradl_arena_free(scratch);
	return fine;
}

const char *cell_outlier_text(struct paradl_arena *arena, const struct cell *cell, unsigned launch)
{
	struct launch samples = {.gap = 0};
	struct paradl_arena *scratch = paradl_arena_create();
	double *room = scratch ? arena_alloc(scratch, cell->launches, sizeof *room) : NULL;
	const char *text = NULL;
	if (room && launch_sort(scratch, cell->points[launch], &samples)) {
		const double off = distance_of(cell, launch, room);
		const double low = median_between(samples.sorted, 0, samples.gap ? samples.gap : 1),
			     high = median_between(samples.sorted, samples.gap, samples.count);
		if (fabs(off) > 0)
			text = arena_printf(
				arena, "%.3g times the median of the %u launches", 1 + off, cell->launches);
		else if (samples.gap)
			text = arena_printf(arena, "two modes, %.0f %% of the samples %.3g times the others",
				100 * (double)(samples.count - samples.gap) / (double)samples.count,
				high / low);
	}
	paradl_arena_free(scratch);
	return text;
}
