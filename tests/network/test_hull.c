/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hulls of lines against the lines themselves: random sets, sums and maxima, evaluated one by one. */
#include "test.h"

#include "network/cost/hull.h"

enum { LINES_MOST = 40, TURNS = 2000 };

static double random_between(unsigned *seed, double least, double most)
{
	*seed = *seed * 1664525u + 1013904223u;
	return least + (most - least) * (*seed >> 8) / 16777216.0;
}

/* Start-ups up to 20 us, rates from 1 to 100 GB/s. */
static struct line random_line(unsigned *seed)
{
	return (struct line){random_between(seed, 0, 2e-5), 1e-9 / random_between(seed, 1, 100)};
}

static double most_s(const struct line *lines, unsigned count, double bytes)
{
	double s = 0;
	for (unsigned i = 0; i < count; ++i)
		s = fmax(s, lines[i].a_s + lines[i].b_s_per_byte * bytes);
	return s;
}

static double random_bytes(unsigned *seed)
{
	return pow(2, random_between(seed, 0, 30));
}

static void ordered(const struct hull *hull)
{
	assert_true(hull->count <= HULL_MAX);
	for (unsigned i = 1; i < hull->count; ++i) {
		assert_true(hull->lines[i].b_s_per_byte > hull->lines[i - 1].b_s_per_byte);
		assert_true(hull->lines[i].a_s < hull->lines[i - 1].a_s);
	}
}

/* At most as many lines as a hull holds, so that none is left out. */
static void is_the_maximum_of_its_lines(void **state)
{
	unsigned seed = 11;
	(void)state;
	print_message("# seed %u\n", seed);
	for (unsigned turn = 0; turn < TURNS; ++turn) {
		struct line lines[HULL_MAX];
		struct hull hull = {0};
		const unsigned count = 1 + turn % HULL_MAX;
		for (unsigned i = 0; i < count; ++i) {
			lines[i] = i && turn % 3 == 0 ? lines[i - 1] : random_line(&seed);
			if (turn % 4 == 1 && i)
				lines[i].a_s = lines[0].a_s;
			if (turn % 4 == 2 && i)
				lines[i].b_s_per_byte = lines[0].b_s_per_byte;
			hull_include(&hull, lines[i]);
		}
		ordered(&hull);
		assert_close(hull_s(&hull, 0), most_s(lines, count, 0), 0);
		for (unsigned i = 0; i < 20; ++i) {
			const double bytes = random_bytes(&seed);
			assert_close(hull_s(&hull, bytes), most_s(lines, count, bytes), 1e-14);
		}
	}
}

/* Lines tangent to a parabola all count; twelve of forty are below the maximum, but never by much, and never above. */
static void leaves_out_what_is_missed_least(void **state)
{
	struct line lines[LINES_MOST];
	struct hull hull = {0};
	double worst = 0;
	(void)state;
	for (unsigned i = 0; i < LINES_MOST; ++i) {
		const double x = 1 + i * 17 % LINES_MOST;
		lines[i] = (struct line){(LINES_MOST * LINES_MOST - x * x) * 1e-9, 2 * x * 1e-9};
		hull_include(&hull, lines[i]);
	}
	ordered(&hull);
	assert_int_equal(hull.count, HULL_MAX);
	for (double bytes = 0; bytes < 2 * LINES_MOST; bytes += 0.25) {
		const double want = most_s(lines, LINES_MOST, bytes), got = hull_s(&hull, bytes);
		assert_true(got <= want * (1 + 1e-14));
		worst = fmax(worst, 1 - got / want);
	}
	print_message("# at most %.3f %% below\n", 100 * worst);
	assert_true(worst > 0 && worst < 0.01);
}

static struct hull random_hull(unsigned *seed, unsigned lines)
{
	struct hull hull = {0};
	for (unsigned i = 0; i < lines; ++i)
		hull_include(&hull, random_line(seed));
	return hull;
}

static void adds_and_takes_the_larger(void **state)
{
	unsigned seed = 12;
	(void)state;
	print_message("# seed %u\n", seed);
	for (unsigned turn = 0; turn < TURNS; ++turn) {
		const struct hull a = random_hull(&seed, turn % 5), b = random_hull(&seed, turn / 5 % 6);
		const double times = turn % 7;
		struct hull sum = a, larger = a;
		hull_add(&sum, &b, times);
		hull_max(&larger, &b);
		ordered(&larger);
		for (unsigned i = 0; i < 20; ++i) {
			const double bytes = i ? random_bytes(&seed) : 0;
			assert_close(
				hull_s(&sum, bytes), hull_s(&a, bytes) + times * hull_s(&b, bytes), 1e-13);
			assert_close(
				hull_s(&larger, bytes), fmax(hull_s(&a, bytes), hull_s(&b, bytes)), 1e-14);
		}
	}
}

/* Many different steps: the sum keeps twelve lines; it is below by little. */
static void adds_many(void **state)
{
	unsigned seed = 13;
	struct hull sum = {0}, terms[64];
	double worst = 0;
	(void)state;
	print_message("# seed %u\n", seed);
	for (unsigned i = 0; i < 64; ++i) {
		terms[i] = random_hull(&seed, 4);
		hull_add(&sum, &terms[i], 1);
	}
	ordered(&sum);
	for (double bytes = 1; bytes < 1e9; bytes *= 1.1) {
		double want = 0;
		for (unsigned i = 0; i < 64; ++i)
			want += hull_s(&terms[i], bytes);
		assert_true(hull_s(&sum, bytes) <= want * (1 + 1e-13));
		worst = fmax(worst, 1 - hull_s(&sum, bytes) / want);
	}
	print_message("# at most %.3f %% below\n", 100 * worst);
	assert_true(worst < 0.01);
}

/* Slopes that differ by less than a sum of them can tell: still ordered, still the maximum. */
static void sums_of_nearly_equal_slopes(void **state)
{
	struct hull sum = {1, {{1e-6, 1e-3}}}, twice = {0};
	const struct hull term = {2, {{2e-6, 1e-22}, {1e-6, 2e-22}}};
	(void)state;
	hull_add(&sum, &term, 1);
	ordered(&sum);
	assert_close(hull_s(&sum, 1000), 3e-6 + 1, 1e-14);
	hull_add(&twice, &sum, 2);
	const struct hull steeper = {2, {{5e-6, 1e-9}, {1e-6, 1e-2}}};
	hull_add(&twice, &steeper, 1);
	ordered(&twice);
	assert_close(hull_s(&twice, 1), 2 * (3e-6 + 1e-3) + 1e-6 + 1e-2, 1e-14);
	assert_close(hull_s(&twice, 0), 1.1e-5, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_maximum_of_its_lines),
		cmocka_unit_test(leaves_out_what_is_missed_least),
		cmocka_unit_test(adds_and_takes_the_larger),
		cmocka_unit_test(adds_many),
		cmocka_unit_test(sums_of_nearly_equal_slopes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
