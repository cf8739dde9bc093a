/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines under relative errors: exact ones, bounds, noise of a known law, wild points. */
#include "test.h"

#include "fit/calibration.h"
#include "fit/random.h"

enum { POINTS = 24, SEEDS = 200 };
static const double alpha_s = 5e-6, s_per_byte = 1e-10;

static struct robust_line line_of(const double *x, const double *t, size_t count)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct robust_line line;
	assert_true(robust_line_fit(arena, x, t, NULL, count, &line, &error));
	paradl_arena_free(arena);
	return line;
}

static void sizes_fill(double *x, double *t)
{
	for (unsigned i = 0; i < POINTS; ++i) {
		x[i] = 4 * pow(2, i);
		t[i] = alpha_s + s_per_byte * x[i];
	}
}

static void exact_lines(void **unused)
{
	(void)unused;
	double x[POINTS], t[POINTS];
	sizes_fill(x, t);
	const struct robust_line line = line_of(x, t, POINTS);
	assert_close(line.a, alpha_s, 1e-9);
	assert_close(line.b, s_per_byte, 1e-9);
	assert_true(line.residual < 1e-9);
	assert_close(line_of(x + 18, t + 18, 2).b, s_per_byte, 1e-6); /* two points are a line */
}

/* A line that would start below 0 starts at 0; one that would fall is level. */
static void bounds_hold(void **unused)
{
	(void)unused;
	const double x[] = {100, 200, 300, 400}, through[] = {0.5, 1.5, 2.5, 3.5}, falling[] = {4, 3, 2, 1};
	const struct robust_line steep = line_of(x, through, 4), level = line_of(x, falling, 4);
	assert_true(steep.a >= 0 && !(steep.a > 0));
	assert_true(steep.b > 0.005 && steep.b < 0.00875);
	assert_true(level.b >= 0 && !(level.b > 0));
	assert_true(level.a >= 1 && level.a <= 4);
	const struct robust_line point = line_of(x, falling, 1);
	assert_close(point.a, 4, 1e-15);
	assert_close(point.b, 0, 0);
}

/* Five in a hundred 3 to 10 times too slow, every one 5 % off: both within 2 % in nearly all, and never negative. */
static void noise_and_wild_points(void **unused)
{
	(void)unused;
	double errors_a[SEEDS], errors_b[SEEDS];
	for (unsigned seed = 0; seed < SEEDS; ++seed) {
		struct random random = {seed};
		double x[4 * POINTS], t[4 * POINTS];
		for (unsigned i = 0; i < 4 * POINTS; ++i) {
			x[i] = 4 * pow(2, i / 4.0);
			t[i] = (alpha_s + s_per_byte * x[i]) * exp(0.05 * random_normal(&random));
			if (random_uniform(&random) < 0.05)
				t[i] *= 3 + 7 * random_uniform(&random);
		}
		const struct robust_line line = line_of(x, t, 4 * POINTS);
		assert_true(line.a > 0 && line.b > 0);
		errors_a[seed] = fabs(line.a / alpha_s - 1);
		errors_b[seed] = fabs(line.b / s_per_byte - 1);
	}
	const double a = robust_median(errors_a, SEEDS), b = robust_median(errors_b, SEEDS);
	print_message("# alpha %.2f %%, slope %.2f %% off in the median, %.2f %% and %.2f %% in 95 of 100\n",
		100 * a, 100 * b, 100 * errors_a[190], 100 * errors_b[190]);
	assert_true(a < 0.006 && b < 0.008);
	assert_true(errors_a[190] < 0.02 && errors_b[190] < 0.03);
}

/* One point of eight 20 times too fast, the side that relative errors weigh most. */
static void one_point_cannot_move_it(void **unused)
{
	(void)unused;
	for (unsigned wild = 0; wild < 8; ++wild) {
		double x[8], t[8];
		struct random random = {wild};
		for (unsigned i = 0; i < 8; ++i) {
			x[i] = 1000 * pow(4, i);
			t[i] = (alpha_s + s_per_byte * x[i]) * (1 + 0.01 * random_normal(&random));
		}
		t[wild] /= 20;
		const struct robust_line line = line_of(x, t, 8);
		assert_close(line.a, alpha_s, 0.05);
		assert_close(line.b, s_per_byte, 0.05);
	}
}

/* The largest message 10 % slower: an ordinary least-squares line of the same points starts below zero. */
static void large_sizes_do_not_rule(void **unused)
{
	(void)unused;
	double x[POINTS], t[POINTS], n = POINTS, sx = 0, st = 0, sxx = 0, sxt = 0;
	sizes_fill(x, t);
	for (unsigned i = 0; i < POINTS; ++i) {
		t[i] *= i > 22 ? 1.1 : 1;
		sx += x[i];
		st += t[i];
		sxx += x[i] * x[i];
		sxt += x[i] * t[i];
	}
	const double slope = (n * sxt - sx * st) / (n * sxx - sx * sx), start = (st - slope * sx) / n;
	assert_true(start < 0);
	assert_close(line_of(x, t, POINTS).a, alpha_s, 0.02);
}

static void refuses_what_is_no_point(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct robust_line line;
	const double x[] = {1, 2}, t[] = {1, 2}, zero[] = {1, 0}, negative[] = {-1, 2};
	const double endless[] = {1, HUGE_VAL}, nothing[] = {1, (double)NAN};
	const double *const bad[] = {zero, negative, endless, nothing};
	struct paradl_error error = {0};
	assert_false(robust_line_fit(arena, x, t, NULL, 0, &line, &error));
	for (unsigned i = 0; i < 4; ++i) {
		error.status = PARADL_OK;
		assert_false(robust_line_fit(arena, x, bad[i], NULL, 2, &line, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_false(robust_line_fit(arena, x, t, bad[i], 2, &line, &error));
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_lines),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(noise_and_wild_points),
		cmocka_unit_test(one_point_cannot_move_it),
		cmocka_unit_test(large_sizes_do_not_rule),
		cmocka_unit_test(refuses_what_is_no_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
