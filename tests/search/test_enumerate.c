/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The enumeration visits every plan of a space once, and no other. */
#include "oracle/random.h"
#include "search/plans.h"

static bool keep(const struct paradl_plan *plan, void *context)
{
	plans_add(context, plan);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct paradl_plan *const one = a, *const two = b;
	const int degrees = memcmp(one->degree, two->degree, sizeof one->degree);
	return degrees ? degrees : memcmp(one->spatial, two->spatial, sizeof one->spatial);
}

/* The slow list without what the space leaves out. */
static void filter(struct plans *plans, const struct space *space)
{
	size_t kept = 0;
	for (size_t i = 0; i < plans->count; ++i) {
		const struct paradl_plan *const plan = &plans->items[i];
		bool wanted = space->families[plans_family(plan)];
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			wanted =
				wanted && (space->most[axis] <= 0 || plan->degree[axis] <= space->most[axis]);
		if (wanted)
			plans->items[kept++] = *plan;
	}
	plans->count = kept;
}

static void check(const struct space *space)
{
	struct plans got = {NULL, 0, 0}, want = {NULL, 0, 0};
	assert_true(enumerate(space, keep, &got));
	plans_list(&want, space->devices, space->dimensions, ALL_AXES);
	filter(&want, space);
	assert_int_equal(got.count, want.count);
	if (got.count) {
		qsort(got.items, got.count, sizeof *got.items, compare);
		qsort(want.items, want.count, sizeof *want.items, compare);
	}
	for (size_t i = 0; i < got.count; ++i) {
		assert_int_equal(compare(&got.items[i], &want.items[i]), 0);
		for (unsigned k = 0; k < PARADL_AXIS_COUNT; ++k)
			assert_int_equal(got.items[i].order[k], k); /* the canonical order */
	}
	plans_free(&got);
	plans_free(&want);
}

static bool every_family[FAMILIES];

static int want_every_family(void **state)
{
	(void)state;
	memset(every_family, true, sizeof every_family);
	return 0;
}

static void every_plan_once(void **state)
{
	(void)state;
	for (unsigned devices = 1; devices <= 100; ++devices)
		check(&(struct space){
			.devices = devices, .families = every_family, .dimensions = 1 + devices % 3});
}

static void only_wanted_families_within_limits(void **state)
{
	(void)state;
	struct random random = {61};
	for (unsigned i = 0; i < 400; ++i) {
		bool families[FAMILIES] = {false};
		struct space space = {.devices = random_between(&random, 1, 96),
			.families = families,
			.dimensions = random_between(&random, 1, 3)};
		for (unsigned k = random_between(&random, 0, 12); k > 0; --k)
			families[random_between(&random, 0, FAMILIES - 1)] = true;
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			space.most[axis] = random_true(&random) ? random_between(&random, 0, 24) : 0;
		check(&space);
	}
}

/* The serial plan is one of its family's, whatever other families are wanted. */
static void one_device_runs_the_serial_plan(void **state)
{
	(void)state;
	for (unsigned family = 0; family < FAMILIES; ++family) {
		bool families[FAMILIES] = {true};
		families[family] = true;
		for (unsigned devices = 1; devices <= 12; ++devices)
			check(&(struct space){.devices = devices, .families = families, .dimensions = 3});
	}
}

static double choose(unsigned n, unsigned k)
{
	double result = 1;
	for (unsigned i = 1; i <= k; ++i)
		result = result * (n - k + i) / i;
	return result;
}

static bool count(const struct paradl_plan *plan, void *context)
{
	(void)plan;
	++*(double *)context;
	return true;
}

/* 2^k over a axes: C(k + a - 1, a - 1) ways; 2^s over two dimensions, larger first: floor(s / 2) + 1. */
static void counts_of_powers_of_two(void **state)
{
	(void)state;
	double images = 0, lines = 0;
	for (unsigned s = 0; s <= 12; ++s) {
		images += choose(12 - s + 6, 6) * (s / 2 + 1);
		lines += choose(12 - s + 6, 6);
	}
	for (unsigned dimensions = 1; dimensions <= 2; ++dimensions) {
		double visited = 0;
		const struct space space = {
			.devices = 4096, .families = every_family, .dimensions = dimensions};
		assert_true(enumerate(&space, count, &visited));
		assert_close(visited, dimensions == 1 ? lines : images, 0);
	}
	assert_close(lines, choose(12 + 7, 7), 0);
}

static void primes_and_large_counts(void **state)
{
	(void)state;
	static const struct {
		unsigned devices;
		double plans; /* along eight axes, one dimension */
	} cases[] = {{1, 1}, {2, 8}, {4294967291u, 8}, {65521, 8}, {4294967295u, 8.0 * 8 * 8 * 8 * 8},
		{10000, 330.0 * 330}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		double visited = 0;
		const struct space space = {
			.devices = cases[i].devices, .families = every_family, .dimensions = 1};
		assert_true(enumerate(&space, count, &visited));
		assert_close(visited, cases[i].plans, 0);
	}
}

static bool stop_at_ten(const struct paradl_plan *plan, void *context)
{
	count(plan, context);
	return *(double *)context < 10;
}

static void stops_when_told_to(void **state)
{
	(void)state;
	double visited = 0;
	const struct space space = {.devices = 4096, .families = every_family, .dimensions = 2};
	assert_false(enumerate(&space, stop_at_ten, &visited));
	assert_close(visited, 10, 0);
}

/* Names of axes joined by +, lists of them joined by commas. */
static void families_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned families[4], count; /* sets of axes */
	} cases[] = {{"serial", {0}, 1}, {"data", {1}, 1}, {"pipeline", {2}, 1}, {"expert", {4}, 1},
		{"context", {8}, 1}, {"tensor", {16}, 1}, {"filter", {32}, 1}, {"channel", {64}, 1},
		{"spatial", {128}, 1}, {"data+spatial", {129}, 1}, {"spatial+data", {129}, 1},
		{"data,data+filter,serial", {1, 33, 0}, 3},
		{"data+pipeline+expert+context+tensor+filter+channel+spatial", {255}, 1}};
	bool families[FAMILIES];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		bool wanted[FAMILIES] = {false};
		for (unsigned k = 0; k < cases[i].count; ++k)
			wanted[cases[i].families[k]] = true;
		memset(families, true, sizeof families);
		assert_true(families_parse(cases[i].text, families, NULL));
		assert_memory_equal(families, wanted, sizeof wanted);
	}
	assert_true(families_parse(NULL, families, NULL));
	assert_memory_equal(families, every_family, sizeof families);
	static const char *const wrong[] = {
		"", "data,", ",data", "data+", "+data", "data++filter", "dta", "data filter", "DATA"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
		struct paradl_error error = {0};
		if (families_parse(wrong[i], families, &error))
			fail_msg("\"%s\" is accepted", wrong[i]);
		assert_int_equal(error.status, PARADL_USAGE);
		assert_non_null(strstr(error.message, "is not a strategy; write axes joined by +"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_plan_once),
		cmocka_unit_test(only_wanted_families_within_limits),
		cmocka_unit_test(one_device_runs_the_serial_plan),
		cmocka_unit_test(counts_of_powers_of_two),
		cmocka_unit_test(primes_and_large_counts),
		cmocka_unit_test(stops_when_told_to),
		cmocka_unit_test(families_are_read),
	};
	return cmocka_run_group_tests(tests, want_every_family, NULL);
}
