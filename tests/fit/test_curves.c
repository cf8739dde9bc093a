/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segments and interpolation of published curves with sizes left out, and segments of known ones. */
#include "fit/published.h"

#include <limits.h>

#include "fit/calibration.h"
#include "fit/estimators.h"
#include "fit/random.h"

enum { ERRORS_MAX = 8192 };

struct score {
	double medians[PUBLISHED_CURVES_MAX], errors[ERRORS_MAX];
	size_t curves, count;
};

static void score_add(struct paradl_arena *arena, const struct published_curve *curve, unsigned segments,
	struct score *score)
{
	const struct points points = {curve->bytes, curve->time_s, curve->points};
	double errors[PUBLISHED_POINTS_MAX];
	assert_true(score->count + PUBLISHED_POINTS_MAX < ERRORS_MAX);
	const unsigned count = curve_held_out(arena, &points, segments, errors);
	assert_true(count > 0 && count != UINT_MAX);
	memcpy(score->errors + score->count, errors, count * sizeof *errors);
	score->count += count;
	score->medians[score->curves++] = robust_median(errors, count);
}

/* The median over curves of their medians, and that of all points, are below the bar. */
static void score_all(unsigned segments, double bar)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct published published;
	struct score score = {.count = 0};
	published_load(arena, &published);
	for (size_t i = 0; i < published.count; ++i)
		if (published_is_healthy(&published.curves[i]))
			score_add(arena, &published.curves[i], segments, &score);
	assert_true(score.curves > 130);
	const double of_curves = robust_median(score.medians, score.curves);
	const double of_points = robust_median(score.errors, score.count);
	print_message("# %u segments, %zu curves: %.2f %%; %zu points: %.2f %%\n", segments, score.curves,
		100 * of_curves, score.count, 100 * of_points);
	assert_true(of_curves <= bar && of_points <= bar);
	paradl_arena_free(arena);
}

static void three_segments(void **unused)
{
	(void)unused;
	score_all(3, 0.03);
	score_all(1, 0.15);
	score_all(2, 0.06);
	score_all(4, 0.03);
}

static void raw_interpolation(void **unused)
{
	(void)unused;
	score_all(INTERPOLATION, 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_segments),
		cmocka_unit_test(raw_interpolation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
