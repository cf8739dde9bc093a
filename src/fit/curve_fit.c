/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * network/cost/segments.c divides the points into segments, with the least sum of squared relative errors over all
 * divisions. Each segment with at least ROBUST_LEAST points is then fitted again, robustly.
 *
 * One segment more has to lower the median error of held-out sizes by more than a tenth. Beyond the usual three
 * segments, it has to lower that error by two fifths, since the error is itself uncertain and libraries rarely have
 * more protocols. It also has to lower the Bayesian information criterion n log(sum r^2 / n) + 3 segments log(n);
 * otherwise noise on one line would be divided into several.
 */
#include "fit/estimators.h"

#include <limits.h>
#include <math.h>

#include "base/error.h"
#include "fit/calibration.h"
#include "network/cost/measured_curves.h"

enum { ROBUST_LEAST = 5 };
static const double worth_a_segment = 0.9, worth_the_fourth = 0.6;
static const double exact = 1e-12; /* a squared relative error that counts as none */

static bool segments_robust(
	struct paradl_arena *arena, const struct points *points, unsigned most, struct segments *fit)
{
	segments_fit(points, most, fit);
	for (unsigned i = 0; i < fit->count; ++i) {
		struct fitted_segment *segment = &fit->segments[i];
		const unsigned count = segment->last - segment->first + 1;
		struct robust_line line;
		if (count < ROBUST_LEAST)
			continue;
		if (!robust_line_fit(arena, points->x + segment->first, points->y + segment->first, NULL,
			    count, &line, NULL))
			return false;
		segment->line = (struct line){line.a, line.b};
	}
	return true;
}

static double interpolated(const struct points *points, double bytes)
{
	const unsigned i = points_below(points, bytes);
	return points_between(points, i + 1 < points->count ? i : i - 1, bytes);
}

/*
 * Fits every other point, beginning with `from` (0 or 1), and fills the relative errors at the points of the other
 * half. Returns their number; UINT_MAX when out of memory.
 */
static unsigned half_errors(struct paradl_arena *arena, const struct points *points, unsigned from,
	unsigned segments, double *errors)
{
	double *bytes = arena_alloc(arena, points->count, sizeof *bytes);
	double *time_s = arena_alloc(arena, points->count, sizeof *time_s);
	struct points kept = {bytes, time_s, 0};
	struct segments fit;
	unsigned count = 0;
	if (!bytes || !time_s)
		return UINT_MAX;
	for (unsigned i = from; i < points->count; i += 2) {
		bytes[kept.count] = points->x[i];
		time_s[kept.count++] = points->y[i];
	}
	if (segments != INTERPOLATION && !segments_robust(arena, &kept, segments, &fit))
		return UINT_MAX;
	for (unsigned i = 1 - from; i < points->count; i += 2) {
		const double at = points->x[i];
		if (segments == INTERPOLATION && (at < bytes[0] || at > bytes[kept.count - 1]))
			continue;
		const double guess =
			segments == INTERPOLATION ? interpolated(&kept, at) : segments_s(&fit, &kept, at);
		errors[count++] = fabs(guess - points->y[i]) / points->y[i];
	}
	return count;
}

unsigned curve_held_out(
	struct paradl_arena *arena, const struct points *points, unsigned segments, double *errors)
{
	if (points->count < HELD_OUT_LEAST)
		return 0;
	const unsigned even = half_errors(arena, points, 0, segments, errors);
	if (even == UINT_MAX)
		return UINT_MAX;
	const unsigned odd = half_errors(arena, points, 1, segments, errors + even);
	return odd == UINT_MAX ? UINT_MAX : even + odd;
}

/* Finds the median held-out error, negative where there are too few points. Returns false when out of memory. */
static bool held_out_median(struct paradl_arena *arena, const struct points *points, unsigned segments,
	double *room, double *median)
{
	const unsigned count = curve_held_out(arena, points, segments, room);
	*median = count && count != UINT_MAX ? robust_median(room, count) : -1;
	return count != UINT_MAX;
}

static double information(const struct points *points, unsigned most)
{
	struct segments fit;
	const double n = points->count;
	double squares = 0;
	segments_fit(points, most, &fit);
	for (unsigned i = 0; i < fit.count; ++i) {
		const struct fitted_segment *segment = &fit.segments[i];
		squares += segment->residual * segment->residual * (segment->last - segment->first + 1);
	}
	return n * log(squares / n + exact) + 3 * fit.count * log(n);
}

static bool segments_choose(struct paradl_arena *arena, const struct points *points, double *room,
	unsigned *segments, double *held_out)
{
	*segments = 1;
	if (!held_out_median(arena, points, 1, room, held_out))
		return false;
	double limit = *held_out;
	for (unsigned more = 2; *held_out >= 0 && more <= SEGMENTS_FIT_MAX; ++more) {
		double error;
		if (!held_out_median(arena, points, more, room, &error))
			return false;
		limit *= more > SEGMENTS_USUAL ? worth_the_fourth : worth_a_segment;
		if (error < limit && information(points, more) < information(points, *segments)) {
			*segments = more;
			*held_out = limit = error;
		}
	}
	return true;
}

static bool fit_all(
	struct paradl_arena *arena, const struct points *points, struct paradl_fitted_curve *curve)
{
	struct segments fit;
	unsigned segments;
	double *room = arena_alloc(arena, points->count, sizeof *room);
	if (!room || !segments_choose(arena, points, room, &segments, &curve->held_out_error) ||
		!held_out_median(arena, points, INTERPOLATION, room, &curve->interpolation_error) ||
		!segments_robust(arena, points, segments, &fit))
		return false;
	curve->segment_count = fit.count;
	for (unsigned i = 0; i < fit.count; ++i)
		curve->segments[i] =
			(struct paradl_fitted_segment){.from_bytes = points->x[fit.segments[i].first],
				.upto_bytes = points->x[fit.segments[i].last],
				.a_s = fit.segments[i].line.a_s,
				.s_per_byte = fit.segments[i].line.b_s_per_byte};
	for (unsigned i = 0; i < points->count; ++i)
		room[i] = fabs(segments_s(&fit, points, points->x[i]) / points->y[i] - 1);
	curve->segment_error = robust_median(room, points->count);
	return true;
}

bool curve_fit(struct paradl_arena *arena, struct paradl_fitted_curve *curve, struct paradl_error *error)
{
	const struct points points = {curve->bytes, curve->time_s, curve->point_count};
	struct paradl_arena *scratch = arena_create_within(arena);
	return (scratch && fit_all(scratch, &points, curve)) || out_of_memory(error);
}
