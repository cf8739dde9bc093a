/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lower envelope of hulls against the least of them at many sizes. */
#include "test.h"

#include <float.h>

#include "network/cost/hull.h"

enum { HULLS = 10, SIZES = 400 };

static uint64_t state;

static double random_unit(void)
{
	state = state * 6364136223846793005U + 1442695040888963407U;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* Between 10^low and 10^high, evenly in the logarithm. */
static double random_log(double low, double high)
{
	return pow(10, low + (high - low) * random_unit());
}

static struct hull line_hull(double a_s, double b_s_per_byte)
{
	struct hull hull = {0};
	hull_include(&hull, (struct line){a_s, b_s_per_byte});
	return hull;
}

static struct curve curve_of(const struct hull *hulls, unsigned count)
{
	struct envelope envelope;
	struct curve curve;
	envelope_begin(&envelope);
	for (unsigned i = 0; i < count; ++i)
		envelope_add(&envelope, &hulls[i], i);
	assert_true(envelope_curve(&envelope, &curve));
	return curve;
}

static unsigned algorithm_at(const struct curve *curve, double bytes)
{
	unsigned i = 0;
	while (i + 1 < curve->count && bytes > curve->segments[i].upto_bytes)
		++i;
	return curve->segments[i].algorithm;
}

/* Doubling: log2 P (alpha + M beta); ring: 2 (P - 1) (alpha + M / P beta). They cross where the lines do. */
static void test_two_lines(void **unused)
{
	(void)unused;
	const double alpha = 2e-6, beta = 8e-11, p = 64;
	const struct hull hulls[] = {
		line_hull(2 * (p - 1) * alpha, 2 * (p - 1) / p * beta), line_hull(6 * alpha, 6 * beta)};
	const struct curve curve = curve_of(hulls, 2);
	assert_int_equal(curve.count, 2);
	assert_int_equal(curve.segments[0].algorithm, 1);
	assert_int_equal(curve.segments[1].algorithm, 0);
	/* (126 - 6) alpha = (6 - 126 / 64) beta M */
	assert_close(curve.segments[0].upto_bytes, 120 * alpha / (4.03125 * beta), 1e-12);
	assert_true(curve.segments[1].upto_bytes >= DBL_MAX);
	assert_close(curve_s(&curve, 0), 12e-6, 1e-12);
	assert_close(curve_s(&curve, 1e9), 126 * alpha + 1.96875 * beta * 1e9, 1e-12);
}

/* The line of one algorithm that is never the least leaves no trace; an equal one does not displace the first. */
static void test_beaten_and_equal(void **unused)
{
	(void)unused;
	const struct hull hulls[] = {line_hull(1e-6, 1e-10), line_hull(2e-6, 2e-10), line_hull(1e-6, 1e-10)};
	const struct curve curve = curve_of(hulls, 3);
	assert_int_equal(curve.count, 1);
	assert_int_equal(curve.segments[0].algorithm, 0);
}

/* max(5, M) us against max(1, 3 M - 20) us, M in MB: the second until 10, where they cross while both rise. */
static void test_hulls_cross(void **unused)
{
	(void)unused;
	struct hull hulls[2] = {line_hull(5e-6, 0), line_hull(1e-6, 0)};
	hull_include(&hulls[0], (struct line){0, 1e-12});
	hull_include(&hulls[1], (struct line){-20e-6, 3e-12});
	const struct curve curve = curve_of(hulls, 2);
	assert_int_equal(curve.count, 3);
	assert_close(curve.segments[0].upto_bytes, 7e6, 1e-12);
	assert_int_equal(curve.segments[0].algorithm, 1);
	assert_close(curve.segments[1].upto_bytes, 1e7, 1e-12);
	assert_int_equal(curve.segments[1].algorithm, 1);
	assert_int_equal(curve.segments[2].algorithm, 0);
	assert_close(curve_s(&curve, 8e6), 4e-6, 1e-12);
}

static void test_nothing(void **unused)
{
	(void)unused;
	struct envelope envelope;
	struct curve curve;
	const struct hull none = {0};
	envelope_begin(&envelope);
	assert_false(envelope_curve(&envelope, &curve));
	envelope_add(&envelope, &none, 3);
	assert_true(envelope_curve(&envelope, &curve));
	assert_int_equal(curve.segments[0].algorithm, 3);
	assert_true(curve_s(&curve, 1e9) <= 0);
}

static void hulls_random(struct hull *hulls, unsigned count, unsigned lines)
{
	for (unsigned i = 0; i < count; ++i) {
		hulls[i] = (struct hull){0};
		for (unsigned k = 0; k < lines; ++k)
			hull_include(&hulls[i], (struct line){random_log(-6, -3), random_log(-12, -9)});
	}
}

static double least_s(const struct hull *hulls, unsigned count, double bytes)
{
	double least = DBL_MAX;
	for (unsigned i = 0; i < count; ++i)
		least = fmin(least, hull_s(&hulls[i], bytes));
	return least;
}

/* Few lines: nothing is left out, so the curve is the least hull, and names one that attains it. */
static void test_random_exact(void **unused)
{
	(void)unused;
	struct hull hulls[4];
	state = 20240607;
	print_message("seed %llu\n", (unsigned long long)state);
	for (unsigned round = 0; round < 500; ++round) {
		hulls_random(hulls, 4, 3);
		const struct curve curve = curve_of(hulls, 4);
		if (curve.count == CURVE_MAX)
			continue;
		for (unsigned i = 0; i < SIZES; ++i) {
			const double bytes = random_log(0, 12), least = least_s(hulls, 4, bytes);
			assert_close(curve_s(&curve, bytes), least, 1e-9);
			assert_close(hull_s(&hulls[algorithm_at(&curve, bytes)], bytes), least, 1e-9);
		}
	}
}

/* Each algorithm starts later and rises more slowly than the one before, so each is the best for some sizes; each bends. */
static void hulls_in_turn(struct hull *hulls, unsigned count)
{
	for (unsigned i = 0; i < count; ++i) {
		const double a_s = 1e-6 * pow(3, i) * (1 + 0.1 * random_unit());
		const double b_s_per_byte = 1e-9 * pow(3, -(double)i) * (1 + 0.1 * random_unit());
		hulls[i] = line_hull(a_s, b_s_per_byte);
		hull_include(&hulls[i], (struct line){0.9 * a_s, 1.1 * b_s_per_byte});
	}
}

/* Many lines: the envelope itself stays exact, the curve of 16 segments within 3 %. */
static void test_random_thinned(void **unused)
{
	(void)unused;
	struct hull hulls[HULLS];
	unsigned most = 0;
	double worst = 0;
	state = 7;
	print_message("seed %llu\n", (unsigned long long)state);
	for (unsigned round = 0; round < 300; ++round) {
		struct envelope envelope;
		struct curve curve;
		hulls_in_turn(hulls, HULLS);
		envelope_begin(&envelope);
		for (unsigned i = 0; i < HULLS; ++i)
			envelope_add(&envelope, &hulls[i], i);
		assert_true(envelope_curve(&envelope, &curve));
		assert_in_range(curve.count, 1, CURVE_MAX);
		most = envelope.count > most ? envelope.count : most;
		for (unsigned i = 0; i < SIZES; ++i) {
			const double bytes = random_log(0, 12), least = least_s(hulls, HULLS, bytes);
			unsigned k = 0;
			while (k + 1 < envelope.count && bytes > envelope.segments[k].upto_bytes)
				++k;
			assert_close(line_s(&envelope.segments[k].line, bytes), least, 1e-9);
			worst = fmax(worst, fabs(curve_s(&curve, bytes) / least - 1));
		}
	}
	print_message("%u segments at the most; thinned, %.2f %% off at the worst\n", most, 100 * worst);
	assert_true(most > CURVE_MAX);
	assert_true(worst < 0.03);
}

/*
 * One line more than a curve has. The last one bends up by little, far to the right, and goes on to the left: where it meets the
 * line before is outside the segment between them, and a chord has no end. Nothing else changes.
 */
static void test_next_goes_on(void **unused)
{
	(void)unused;
	struct hull hulls[CURVE_MAX];
	for (unsigned i = 0; i < CURVE_MAX; ++i)
		hulls[i] = line_hull(ldexp(1e-6, (int)i), ldexp(1e-9, -(int)i));
	const double last_b = ldexp(1e-9, 1 - CURVE_MAX), bend = 1e12, steeper = 1e-3;
	hull_include(&hulls[CURVE_MAX - 1],
		(struct line){ldexp(1e-6, CURVE_MAX - 1) - steeper * last_b * bend, (1 + steeper) * last_b});
	const struct curve curve = curve_of(hulls, CURVE_MAX);
	const double begin = ldexp(1e3, 2 * CURVE_MAX - 3); /* of the segment that is left out */
	assert_int_equal(curve.count, CURVE_MAX);
	state = 11;
	for (unsigned i = 0; i < 10 * SIZES; ++i) {
		const double bytes = random_log(0, 14);
		const bool inside = bytes > 0.99 * begin && bytes < bend;
		assert_close(curve_s(&curve, bytes), least_s(hulls, CURVE_MAX, bytes), inside ? 1e-3 : 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_lines),
		cmocka_unit_test(test_beaten_and_equal),
		cmocka_unit_test(test_hulls_cross),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_random_exact),
		cmocka_unit_test(test_random_thinned),
		cmocka_unit_test(test_next_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
