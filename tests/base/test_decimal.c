/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: what printf and strtod of this host say, digit for digit. */
#include "../test.h"

#include "base/quantity.h"

/* As it is defined: 15, 16 or 17 digits, the fewest that read back. */
static void check(double value)
{
	char got[DECIMAL_LENGTH], want[DECIMAL_LENGTH];
	for (int digits = 15; digits <= 17; ++digits) {
		snprintf(want, sizeof want, "%.*g", digits, value);
		const double back = strtod(want, NULL);
		if (!(back < value) && !(back > value))
			break;
	}
	decimal_shortest(got, sizeof got, value);
	if (strcmp(got, want) != 0)
		fail_msg("%a is \"%s\", not \"%s\"", value, got, want);
}

static void check_around(double value)
{
	double below = value, above = value;
	for (int i = 0; i < 4; ++i) {
		check(below);
		check(above);
		below = nextafter(below, 0);
		above = nextafter(above, HUGE_VAL);
	}
}

static void test_edges(void **state)
{
	(void)state;
	check(0);
	for (int exponent = -30; exponent <= 30; ++exponent) {
		check_around(pow(10, exponent));
		check_around(ldexp(1, exponent));
		check_around(ldexp(1, 2 * exponent));
		for (int digit = 2; digit < 10; ++digit)
			check_around(digit * pow(10, exponent));
	}
	for (int whole = 1; whole < 4096; ++whole) {
		check(whole);
		check(whole / 1024.0);
		check(whole / 1000.0);
		check(whole * 1e6 + 0.5);
	}
	check_around(1e300);
	check_around(5e-324);
	check(1.7976931348623157e308);
}

static unsigned long long draw(unsigned long long *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 12;
}

/* Any mantissa with any exponent around those of times and bytes; short decimals. */
static void test_random(void **state)
{
	unsigned long long seed = 1;
	(void)state;
	for (int i = 0; i < 200000; ++i) {
		const int exponent = (int)(draw(&seed) % 70) - 18;
		check(ldexp(1 + (double)draw(&seed) / 4503599627370496.0, exponent));
		check((double)(draw(&seed) % 1000000) / pow(10, (double)(draw(&seed) % 12)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
