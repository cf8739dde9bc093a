/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all measuring programs share: order of points, statistics, when samples suffice. */
#include "test.h"

#include "harness.h"

enum { MANY = 50, COUNTS = 1000, ORDERS = 6000 };

/* -- points ------------------------------------------------------------------------------------------------- */

static const struct bench of_test = {.name = "of-test"};

static void points_fill(struct points *points, unsigned count)
{
	*points = (struct points){0};
	for (unsigned i = 0; i < count; ++i)
		point_number(points_add(points, &of_test, "of-test/%u", i), "i", i);
	assert_false(points->failed);
	assert_int_equal(points->count, count);
}

static unsigned number_at(const struct points *points, size_t at)
{
	return (unsigned)point_get(&points->items[at], "i");
}

static void shuffled_points_are_the_same(void **state)
{
	struct points first, second, other;
	(void)state;
	points_fill(&first, MANY);
	points_fill(&second, MANY);
	points_fill(&other, MANY);
	points_shuffle(&first, 7);
	points_shuffle(&second, 7);
	points_shuffle(&other, 8);
	bool seen[MANY] = {false};
	unsigned moved = 0, differ = 0;
	for (unsigned i = 0; i < MANY; ++i) {
		char name[POINT_NAME_LENGTH];
		const unsigned number = number_at(&first, i);
		assert_true(number < MANY && !seen[number]);
		seen[number] = true;
		snprintf(name, sizeof name, "of-test/%u", number);
		assert_string_equal(first.items[i].name, name);
		assert_int_equal(number_at(&second, i), number);
		moved += number != i;
		differ += number_at(&other, i) != number;
	}
	assert_true(moved > MANY / 2 && differ > MANY / 2);
	points_free(&first);
	points_free(&second);
	points_free(&other);
}

/* Of 3 points each of the 6 orders as often: 1000 +- 5 standard deviations. */
static void orders_are_equally_likely(void **state)
{
	unsigned seen[27] = {0};
	(void)state;
	for (unsigned seed = 0; seed < ORDERS; ++seed) {
		struct points points;
		points_fill(&points, 3);
		points_shuffle(&points, seed);
		++seen[9 * number_at(&points, 0) + 3 * number_at(&points, 1) + number_at(&points, 2)];
		points_free(&points);
	}
	unsigned orders = 0;
	for (unsigned i = 0; i < 27; ++i) {
		orders += seen[i] > 0;
		if (seen[i])
			assert_in_range(seen[i], 855, 1145);
	}
	assert_int_equal(orders, 6);
}

static void names_are_checked(void **state)
{
	static const char *const bad[] = {"", "two words", "a\"b", "a\\b", "a\nb"};
	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; ++i) {
		struct points points = {0};
		points_add(&points, &of_test, "%s", bad[i]);
		assert_true(points.failed);
		points_free(&points);
	}
	struct points points = {0};
	points_add(&points, &of_test, "%0*d", POINT_NAME_LENGTH, 1);
	assert_true(points.failed);
	points_free(&points);
}

static void parameters_are_found(void **state)
{
	struct points points = {0};
	(void)state;
	struct point *point = points_add(&points, &of_test, "x");
	point_number(point, "m", 3);
	point_text(point, "precision", "fp32");
	assert_close(point_get(point, "m"), 3, 0);
	assert_close(point_get(point, "n"), 0, 0);
	assert_string_equal(point_get_text(point, "precision"), "fp32");
	assert_null(point_get_text(point, "m"));
	assert_null(point_get_text(point, "none"));
	points_free(&points);
}

/* -- statistics --------------------------------------------------------------------------------------------- */

static void medians(void **state)
{
	static const double values[] = {4, 1, 3, 100, 3}, sorted_values[] = {1, 3, 3, 4, 100},
			    medians_of[] = {0, 4, 2.5, 3, 3.5, 3};
	double sorted[5];
	(void)state;
	for (unsigned i = 0; i < 5; ++i) {
		assert_close(median_of(sorted, i), medians_of[i], 0);
		sorted_add(sorted, i, values[i]);
	}
	assert_close(median_of(sorted, 5), medians_of[5], 0);
	assert_memory_equal(sorted, sorted_values, sizeof sorted);
}

/* Which of `count` sorted values an end of the interval is: only those on its side of the median differ. */
static unsigned end_rank(unsigned count, bool upper)
{
	double *values = malloc(count * sizeof *values);
	const unsigned low = (count - 1) / 2, high = count / 2;
	assert_non_null(values);
	for (unsigned i = 0; i < count; ++i) {
		const double off = i < low ? -(double)(low - i) : i > high ? (double)(i - high) : 0;
		values[i] = 4096 + (upper == (off > 0) ? off : 0);
	}
	const double off = median_half_width(values, count) * 2 * 4096;
	free(values);
	const unsigned whole = (unsigned)(off + 0.5);
	return upper ? high + whole : low - whole;
}

/* Chance that the median of any continuous distribution is between the values of these ranks (from 0), of n. */
static double coverage(unsigned n, unsigned first, unsigned last)
{
	double sum = 0;
	for (unsigned below = first + 1; below <= last; ++below)
		sum += exp(lgamma(n + 1.) - lgamma(below + 1.) - lgamma(n - below + 1.) - n * log(2));
	return sum;
}

static void half_width_holds_the_median(void **state)
{
	(void)state;
	static const double few[] = {1, 2, 3, 4, 5};
	assert_true(isinf(median_half_width(few, 5)));
	for (unsigned n = 6; n <= COUNTS; n += n < 100 ? 1 : 37) {
		const unsigned first = end_rank(n, false), last = end_rank(n, true);
		assert_int_equal(first + last, n - 1);
		const double covered = coverage(n, first, last);
		if (covered < 0.95)
			fail_msg("%u values: ranks %u to %u hold the median in %.4f of cases", n, first, last,
				covered);
		/* No wider than needed by more than what rounding to whole ranks costs. */
		if (last - first > 5 && !(coverage(n, first + 2, last - 2) < 0.95))
			fail_msg("%u values: ranks %u to %u are further apart than needed", n, first, last);
	}
}

/* -- repeat ------------------------------------------------------------------------------------------------- */

struct behaviour {
	double seconds, spread; /* of one call; every other sample is so many times as long */
	unsigned fails_at;      /* that sample fails; 0: none */
	unsigned samples;
	unsigned long long most_calls;
	double takes_s; /* of real time */
};

static double behave(struct run *run, unsigned long long calls)
{
	struct behaviour *behaviour = run->state;
	if (++behaviour->samples == behaviour->fails_at)
		return -1;
	if (calls > behaviour->most_calls)
		behaviour->most_calls = calls;
	for (const double until_s = clock_s() + behaviour->takes_s; clock_s() < until_s;)
		continue;
	return behaviour->seconds * (double)calls * (behaviour->samples % 2 ? 1 : behaviour->spread);
}

static const struct bench behaving = {.name = "behaving", .sample = behave, .most_samples = 100};

static bool repeated(
	struct behaviour *behaviour, const struct ranks *ranks, double cap_s, struct samples *samples)
{
	const struct point point = {.bench = &behaving, .name = "x"};
	struct run run = {.point = &point, .state = behaviour, .until_s = clock_s() + cap_s};
	return repeat(&run, ranks, cap_s, samples);
}

static void samples_suffice(void **state)
{
	struct samples samples;
	(void)state;
	assert_true(samples_create(&samples));
	struct behaviour steady = {.seconds = 1e-3, .spread = 1};
	assert_true(repeated(&steady, NULL, 5, &samples));
	assert_string_equal(samples.stopped, "interval");
	assert_int_equal(samples.count, 10);
	assert_int_equal(samples.calls, 1);
	assert_close(samples.median_s, 1e-3, 0);
	assert_close(samples.half_width, 0, 0);

	struct behaviour two_modes = {.seconds = 1e-3, .spread = 1.5};
	assert_true(repeated(&two_modes, NULL, 0.05, &samples));
	assert_string_equal(samples.stopped, "count");
	assert_int_equal(samples.count, 100);
	assert_close(samples.median_s, 1.25e-3, 1e-12);
	assert_close(samples.half_width, 0.2, 1e-12);

	struct behaviour slow = {.seconds = 1e-3, .spread = 1.5, .takes_s = 0.02};
	assert_true(repeated(&slow, NULL, 0.1, &samples));
	assert_string_equal(samples.stopped, "time");
	assert_in_range(samples.count, 3, 8);
	samples_free(&samples);
}

/* A sample lasts 20 us at least, however short a call is; what is kept is the time of one. */
static void short_calls_are_repeated(void **state)
{
	struct samples samples;
	(void)state;
	assert_true(samples_create(&samples));
	for (double seconds = 1e-9; seconds < 1e-4; seconds *= 7) {
		struct behaviour behaviour = {.seconds = seconds, .spread = 1};
		assert_true(repeated(&behaviour, NULL, 1, &samples));
		assert_true((double)samples.calls * seconds >= 20e-6);
		assert_true((double)samples.calls * seconds < 100e-6 || samples.calls == 1);
		assert_int_equal(behaviour.most_calls, samples.calls);
		for (unsigned i = 0; i < samples.count; ++i)
			assert_close(samples.seconds[i], seconds, 1e-12);
	}
	samples_free(&samples);
}

static void failures_end_it(void **state)
{
	struct samples samples;
	(void)state;
	assert_true(samples_create(&samples));
	for (unsigned at = 1; at < 12; ++at) {
		struct behaviour behaviour = {.seconds = 1e-3, .spread = 1, .fails_at = at};
		assert_false(repeated(&behaviour, NULL, 1, &samples));
		assert_int_equal(behaviour.samples, at);
	}
	samples_free(&samples);
}

static double agree_on_it(double mine)
{
	return mine;
}

/* Another rank takes three times as long. */
static double another_is_slower(double mine)
{
	return 3 * mine;
}

static double another_fails(double mine)
{
	(void)mine;
	return HUGE_VAL;
}

static void the_slowest_rank_counts(void **state)
{
	struct samples samples;
	struct ranks ranks = {.count = 2, .agree = agree_on_it, .most = another_is_slower};
	(void)state;
	assert_true(samples_create(&samples));
	struct behaviour behaviour = {.seconds = 1e-3, .spread = 1};
	assert_true(repeated(&behaviour, &ranks, 1, &samples));
	assert_close(samples.median_s, 3e-3, 1e-12);
	ranks.most = another_fails;
	assert_false(repeated(&behaviour, &ranks, 1, &samples));
	samples_free(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shuffled_points_are_the_same),
		cmocka_unit_test(orders_are_equally_likely),
		cmocka_unit_test(names_are_checked),
		cmocka_unit_test(parameters_are_found),
		cmocka_unit_test(medians),
		cmocka_unit_test(half_width_holds_the_median),
		cmocka_unit_test(samples_suffice),
		cmocka_unit_test(short_calls_are_repeated),
		cmocka_unit_test(failures_end_it),
		cmocka_unit_test(the_slowest_rank_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
