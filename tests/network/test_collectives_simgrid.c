/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives on routed networks against a simulator: tests/data/simgrid/collectives.csv, to the bar of each row. */
#include "network/paper.h"

#include "base/csv.h"

static const struct collective *collective_named(const char *name)
{
	for (unsigned i = 0; collectives[i]; ++i)
		if (strcmp(collectives[i]->name, name) == 0)
			return collectives[i];
	fail_msg("no collective %s", name);
	return NULL;
}

static double number(const struct csv *csv, size_t row, const char *column)
{
	char *end = NULL;
	const char *const text = csv_cell(csv, row, column);
	const double value = strtod(text, &end);
	assert_true(*text && !*end);
	return value;
}

static void row_check(const struct csv *csv, size_t row)
{
	struct paper paper;
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	const char *const topology = csv_cell(csv, row, "topology");
	const struct collective *collective = collective_named(csv_cell(csv, row, "algorithm"));
	const double want = number(csv, row, "simgrid_s");
	paper_open(&paper, topology, &rules, 0);
	assert_int_equal(paper.group.size, (unsigned)number(csv, row, "ranks"));
	const double got =
		paper_s(&paper, collective, (unsigned)number(csv, row, "variant"), number(csv, row, "bytes"));
	const double error = (got - want) / want;
	if (!(fabs(error) <= number(csv, row, "bar")))
		fail_msg("%s on %s: %g s, simulated %g s (%+.2f %%)", collective->name, topology, got, want,
			100 * error);
	paper_close(&paper);
}

static void within_the_bars(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	(void)state;
	if (!csv_load(arena, "tests/data/simgrid/collectives.csv", &csv, &error))
		fail_msg("%s", error.message);
	assert_int_equal(csv.rows, 18);
	for (size_t row = 0; row < csv.rows; ++row)
		row_check(&csv, row);
	paradl_arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(within_the_bars),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
