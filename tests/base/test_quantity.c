/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <locale.h>

#include "base/quantity.h"

static bool equal(double a, double b)
{
	return !(a < b) && !(a > b);
}

static void every_unit_has_its_size(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum dimension dimension;
		double value;
	} cases[] = {
		{"1 ns", DIMENSION_TIME, 1e-9},
		{"1 us", DIMENSION_TIME, 1e-6},
		{"1 ms", DIMENSION_TIME, 1e-3},
		{"1 s", DIMENSION_TIME, 1},
		{"1 min", DIMENSION_TIME, 60},
		{"1 h", DIMENSION_TIME, 3600},
		{"1 d", DIMENSION_TIME, 86400},
		{"1 B", DIMENSION_BYTES, 1},
		{"1 kB", DIMENSION_BYTES, 1e3},
		{"1 MB", DIMENSION_BYTES, 1e6},
		{"1 GB", DIMENSION_BYTES, 1e9},
		{"1 TB", DIMENSION_BYTES, 1e12},
		{"1 PB", DIMENSION_BYTES, 1e15},
		{"1 KiB", DIMENSION_BYTES, 1024},
		{"1 MiB", DIMENSION_BYTES, 1024. * 1024},
		{"1 GiB", DIMENSION_BYTES, 1024. * 1024 * 1024},
		{"1 TiB", DIMENSION_BYTES, 1024. * 1024 * 1024 * 1024},
		{"1 B/s", DIMENSION_BYTES_PER_S, 1},
		{"1 kB/s", DIMENSION_BYTES_PER_S, 1e3},
		{"1 MB/s", DIMENSION_BYTES_PER_S, 1e6},
		{"1 GB/s", DIMENSION_BYTES_PER_S, 1e9},
		{"1 TB/s", DIMENSION_BYTES_PER_S, 1e12},
		{"1 PB/s", DIMENSION_BYTES_PER_S, 1e15},
		{"1 KiB/s", DIMENSION_BYTES_PER_S, 1024},
		{"1 MiB/s", DIMENSION_BYTES_PER_S, 1024. * 1024},
		{"1 GiB/s", DIMENSION_BYTES_PER_S, 1024. * 1024 * 1024},
		{"1 TiB/s", DIMENSION_BYTES_PER_S, 1024. * 1024 * 1024 * 1024},
		{"8 b/s", DIMENSION_BYTES_PER_S, 1},
		{"8 kb/s", DIMENSION_BYTES_PER_S, 1e3},
		{"8 Mb/s", DIMENSION_BYTES_PER_S, 1e6},
		{"100 Gb/s", DIMENSION_BYTES_PER_S, 12.5e9},
		{"8 Tb/s", DIMENSION_BYTES_PER_S, 1e12},
		{"1 flop", DIMENSION_FLOP, 1},
		{"1 kflop", DIMENSION_FLOP, 1e3},
		{"1 Mflop", DIMENSION_FLOP, 1e6},
		{"1 Gflop", DIMENSION_FLOP, 1e9},
		{"1 Tflop", DIMENSION_FLOP, 1e12},
		{"1 Pflop", DIMENSION_FLOP, 1e15},
		{"1 Eflop", DIMENSION_FLOP, 1e18},
		{"1 flop/s", DIMENSION_FLOP_PER_S, 1},
		{"1 kflop/s", DIMENSION_FLOP_PER_S, 1e3},
		{"1 Mflop/s", DIMENSION_FLOP_PER_S, 1e6},
		{"1 Gflop/s", DIMENSION_FLOP_PER_S, 1e9},
		{"312 Tflop/s", DIMENSION_FLOP_PER_S, 312e12},
		{"1 Pflop/s", DIMENSION_FLOP_PER_S, 1e15},
		{"1 Eflop/s", DIMENSION_FLOP_PER_S, 1e18},
		{"1 W", DIMENSION_POWER, 1},
		{"1 kW", DIMENSION_POWER, 1e3},
		{"1 MW", DIMENSION_POWER, 1e6},
		{"3600 /h", DIMENSION_RATE, 1},
		{"120/min", DIMENSION_RATE, 2},
		{"50/s", DIMENSION_RATE, 50},
	};
	size_t units;
	quantity_units(&units);
	assert_int_equal(sizeof cases / sizeof cases[0], units);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = -1;
		struct paradl_error error = {.status = PARADL_OK};
		if (!quantity_parse(cases[i].text, cases[i].dimension, "x", &value, &error))
			fail_msg("%s: %s", cases[i].text, error.message);
		if (!equal(value, cases[i].value))
			fail_msg("%s is %.17g", cases[i].text, value);
	}
}

static void spellings_of_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"12.5 GB/s", 12.5e9},
		{"12.5GB/s", 12.5e9},
		{"  12.5\tGB/s  ", 12.5e9},
		{"1e3 B/s", 1000},
		{"1E+3B/s", 1000},
		{"25e-1 kB/s", 2500},
		{"0 B/s", 0},
		{"0.0 GB/s", 0},
		{"007 B/s", 7},
		{"0.1 GB/s", 1e8}, /* 0.1 * 1e9 would be off by a rounding */
		{"1e-400 B/s", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = -1;
		assert_true(quantity_parse(cases[i].text, DIMENSION_BYTES_PER_S, "x", &value, NULL));
		if (!equal(value, cases[i].value))
			fail_msg("%s is %.17g", cases[i].text, value);
	}
	double value;
	assert_true(quantity_parse("1.5 us", DIMENSION_TIME, "x", &value, NULL));
	assert_true(equal(value, 1.5e-6)); /* the nearest double; 1.5 * 1e-6 rounds elsewhere for some */
	assert_true(quantity_parse("0.3 us", DIMENSION_TIME, "x", &value, NULL));
	assert_true(equal(value, 3e-7));
	assert_true(quantity_parse("12.5", DIMENSION_NONE, "x", &value, NULL));
	assert_true(equal(value, 12.5));
}

static void refusals_say_what_to_write(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum dimension dimension;
		const char *says;
	} cases[] = {
		{"12.5", DIMENSION_BYTES_PER_S,
			"bandwidth needs a unit: write \"12.5 GB/s\" (bytes) or \"100 Gb/s\" (bits)"},
		{"100 Gbps", DIMENSION_BYTES_PER_S, "write \"GB/s\" (bytes) or \"Gb/s\" (bits)"},
		{"100 GBps", DIMENSION_BYTES_PER_S, "write \"GB/s\" (bytes) or \"Gb/s\" (bits)"},
		{"100 gb/s", DIMENSION_BYTES_PER_S, "write \"GB/s\" (bytes) or \"Gb/s\" (bits)"},
		{"100 gbit/s", DIMENSION_BYTES_PER_S, "not known: write \"12.5 GB/s\""},
		{"1 gib/s", DIMENSION_BYTES_PER_S, "write \"GiB/s\""},
		{"12.5 GB", DIMENSION_BYTES_PER_S, "which is a number of bytes: write"},
		{"16 GB/s", DIMENSION_BYTES, "which is a bandwidth: write \"16 GiB\""},
		{"16 G", DIMENSION_BYTES, "write \"GB\""},
		{"16 Gib", DIMENSION_BYTES, "write \"GiB\""},
		{"16 KB", DIMENSION_BYTES, "write \"kB\""},
		{"5 sec", DIMENSION_TIME, "write \"s\""},
		{"5 Hours", DIMENSION_TIME, "write \"h\""},
		{"5 \xc2\xb5s", DIMENSION_TIME, "write \"us\""},
		{"5 \xce\xbcs", DIMENSION_TIME, "write \"us\""},
		{"312 TFLOPS", DIMENSION_FLOP_PER_S, "write \"Tflop/s\""},
		{"312 TFLOP/s", DIMENSION_FLOP_PER_S, "write \"Tflop/s\""},
		{"7 GFLOPs", DIMENSION_FLOP, "write \"Gflop\""},
		{"300 Watt", DIMENSION_POWER, "write \"W\""},
		{"3 W", DIMENSION_NONE, "which is a power: write \"12.5\""},
		{"-1 s", DIMENSION_TIME, "must not be negative, is \"-1 s\""},
		{"-0 s", DIMENSION_TIME, "must not be negative"},
		{"nan s", DIMENSION_TIME, "must start with a number"},
		{"inf s", DIMENSION_TIME, "must start with a number"},
		{"Infinity", DIMENSION_TIME, "must start with a number"},
		{"0x10 s", DIMENSION_TIME, "not known"},
		{"+5 s", DIMENSION_TIME, "must start with a number"},
		{".5 s", DIMENSION_TIME, "must start with a number"},
		{"5. s", DIMENSION_TIME, "not known"},
		{"1,5 s", DIMENSION_TIME, "write the decimal point as '.'"},
		{"1 5 s", DIMENSION_TIME, "not known"},
		{"s", DIMENSION_TIME, "has a unit but no number"},
		{"", DIMENSION_TIME, "must start with a number"},
		{"   ", DIMENSION_TIME, "must start with a number"},
		{"1e999 s", DIMENSION_TIME, "is too large"},
		{"1e308 d", DIMENSION_TIME, "is too large"},
		{"1e99999999999999999999 s", DIMENSION_TIME, "is too large"},
		{"5 s s", DIMENSION_TIME, "not known"},
		{"5 seconds of something rather long indeed", DIMENSION_TIME, "not known"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = 7;
		struct paradl_error error = {.status = PARADL_OK};
		if (quantity_parse(cases[i].text, cases[i].dimension, "bandwidth", &value, &error))
			fail_msg("\"%s\" was read as %g", cases[i].text, value);
		assert_int_equal(error.status, PARADL_SCHEMA);
		assert_non_null(strstr(error.message, "bandwidth"));
		if (!strstr(error.message, cases[i].says))
			fail_msg("\"%s\" says: %s", cases[i].text, error.message);
		assert_true(equal(value, 7));
	}
}

static void long_text_is_refused(void **state)
{
	(void)state;
	enum { SIZE = 1 << 20 };
	char *const text = malloc(SIZE + 1);
	double value;
	struct paradl_error error;
	assert_non_null(text);
	memset(text, '1', SIZE);
	text[SIZE] = '\0';
	assert_false(quantity_parse(text, DIMENSION_TIME, "x", &value, &error));
	memset(text + 1, 'x', SIZE - 1);
	assert_false(quantity_parse(text, DIMENSION_TIME, "x", &value, &error));
	free(text);
}

static void formats_three_digits(void **state)
{
	(void)state;
	static const struct {
		double value;
		enum dimension dimension;
		const char *want;
	} cases[] = {
		{0, DIMENSION_TIME, "0 s"},
		{34.7, DIMENSION_TIME, "34.7 s"},
		{4464, DIMENSION_TIME, "1.24 h"},
		{1e-10, DIMENSION_TIME, "0.1 ns"},
		{5e-7, DIMENSION_TIME, "500 ns"},
		{1.5e-6, DIMENSION_TIME, "1.50 us"},
		{0.0123, DIMENSION_TIME, "12.3 ms"},
		{0.9994, DIMENSION_TIME, "999 ms"},
		{0.9996, DIMENSION_TIME, "1.00 s"},
		{59.94, DIMENSION_TIME, "59.9 s"},
		{59.96, DIMENSION_TIME, "1.00 min"},
		{3599, DIMENSION_TIME, "1.00 h"},
		{86400, DIMENSION_TIME, "1.00 d"},
		{86400. * 365, DIMENSION_TIME, "365 d"},
		{86400. * 4000, DIMENSION_TIME, "4000 d"},
		{-2, DIMENSION_TIME, "-2.00 s"},
		{0, DIMENSION_BYTES, "0 B"},
		{512, DIMENSION_BYTES, "512 B"},
		{1023, DIMENSION_BYTES, "1023 B"},
		{1024, DIMENSION_BYTES, "1.00 KiB"},
		{9.8 * 1073741824, DIMENSION_BYTES, "9.80 GiB"},
		{16 * 1073741824., DIMENSION_BYTES, "16.0 GiB"},
		{3 * 1099511627776., DIMENSION_BYTES, "3.00 TiB"},
		{12.5e9, DIMENSION_BYTES_PER_S, "12.5 GB/s"},
		{999.6e6, DIMENSION_BYTES_PER_S, "1.00 GB/s"},
		{3.35e12, DIMENSION_BYTES_PER_S, "3.35 TB/s"},
		{7.7e9, DIMENSION_FLOP, "7.70 Gflop"},
		{312e12, DIMENSION_FLOP_PER_S, "312 Tflop/s"},
		{300, DIMENSION_POWER, "300 W"},
		{1200, DIMENSION_POWER, "1.20 kW"},
		{3.14159, DIMENSION_NONE, "3.14"},
		{4096, DIMENSION_NONE, "4096"},
		{0, DIMENSION_NONE, "0"},
		{1e300, DIMENSION_NONE, "1e+300"},
		{(double)INFINITY, DIMENSION_TIME, "?"},
		{(double)NAN, DIMENSION_TIME, "?"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[48];
		assert_string_equal(quantity_format(text, sizeof text, cases[i].value, cases[i].dimension),
			cases[i].want);
	}
}

/* What is printed reads back within half a unit of its third digit, for every size: at most 0.5 %. */
static void formats_read_back(void **state)
{
	(void)state;
	for (int dimension = DIMENSION_NONE + 1; dimension < DIMENSION_COUNT; dimension++)
		for (double value = 1.2345e-8; value < 1e17; value *= 1.37) {
			char text[48];
			double back;
			quantity_format(text, sizeof text, value, (enum dimension)dimension);
			assert_true(quantity_parse(text, (enum dimension)dimension, "x", &back, NULL));
			assert_close(back, value, 0.0051);
		}
}

static void the_locale_changes_nothing(void **state)
{
	(void)state;
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
	for (size_t i = 0; i < sizeof names / sizeof names[0] && !setlocale(LC_ALL, names[i]); i++)
		;
	double value;
	char text[DECIMAL_LENGTH];
	assert_true(quantity_parse("12.5 GB/s", DIMENSION_BYTES_PER_S, "x", &value, NULL));
	assert_true(equal(value, 12.5e9));
	assert_string_equal(quantity_format(text, sizeof text, 34.7, DIMENSION_TIME), "34.7 s");
	assert_string_equal(decimal_shortest(text, sizeof text, 0.1), "0.1");
	setlocale(LC_ALL, "C");
}

static void decimals(void **state)
{
	(void)state;
	const char *end;
	double value;
	char text[DECIMAL_LENGTH];
	assert_true(decimal_read("2e", 0, &value, &end));
	assert_string_equal(end, "e");
	assert_true(decimal_read("2e+x", 0, &value, &end));
	assert_string_equal(end, "e+x");
	assert_true(decimal_read("2.e1", 0, &value, &end));
	assert_string_equal(end, ".e1");
	assert_true(decimal_read("2.25e1x", 2, &value, &end));
	assert_string_equal(end, "x");
	assert_true(equal(value, 2250));
	assert_true(decimal_read(
		"123456789012345678901234567890123456789012345678901234567890123", 0, &value, &end));
	assert_true(equal(value, 1.23456789012345678901e62));
	assert_false(decimal_read(
		"1234567890123456789012345678901234567890123456789012345678901234", 0, &value, &end));
	assert_false(decimal_read(
		"1e00000000000000000000000000000000000000000000000000000000000001", 0, &value, &end));
	assert_false(decimal_read("", 0, &value, &end));
	assert_true(decimal_read("1e400", 0, &value, &end));
	assert_true(isinf(value));
	assert_string_equal(decimal_shortest(text, sizeof text, 0.1 + 0.2), "0.30000000000000004");
	assert_string_equal(decimal_shortest(text, sizeof text, 5e-324), "4.94065645841247e-324");
	assert_string_equal(decimal_shortest(text, sizeof text, 25557032), "25557032");
	assert_string_equal(decimal_shortest(text, sizeof text, -0.5), "-0.5");
}

static void units_are_described(void **state)
{
	(void)state;
	size_t count;
	const struct paradl_entry *const units = quantity_units(&count);
	for (size_t i = 0; i < count; i++) {
		assert_true(strlen(units[i].name) > 0 && strlen(units[i].summary) > 0);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(units[i].name, units[j].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_unit_has_its_size),
		cmocka_unit_test(spellings_of_numbers),
		cmocka_unit_test(refusals_say_what_to_write),
		cmocka_unit_test(long_text_is_refused),
		cmocka_unit_test(formats_three_digits),
		cmocka_unit_test(formats_read_back),
		cmocka_unit_test(the_locale_changes_nothing),
		cmocka_unit_test(decimals),
		cmocka_unit_test(units_are_described),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
