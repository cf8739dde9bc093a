/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives on routed networks against a simulator: the rows of tests/data/simgrid. */
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

/* Groups at once: PE i is on device i / groups, group j has PEs j, j + groups, .. */
static void groups_place(struct paper *paper, unsigned groups)
{
	static unsigned placement[1024];
	const unsigned devices = paper->group.size, size = devices / groups;
	for (unsigned i = 0; i < devices; ++i)
		placement[i] = i / groups;
	paper->group = (struct group){.size = size,
		.nodes = size,
		.devices = devices,
		.runs = {{groups, size}},
		.run_count = 1,
		.placement = placement};
	paper->comm = communicator_of(paper->network, &paper->group);
}

static void paper_compare(
	struct paper *paper, const struct csv *csv, size_t row, unsigned variant, double bytes, double bar)
{
	const struct collective *collective = collective_named(csv_cell(csv, row, "algorithm"));
	const double want = number(csv, row, "simgrid_s"), got = paper_s(paper, collective, variant, bytes);
	const double error = (got - want) / want;
	if (!(fabs(error) <= bar))
		fail_msg("%s on %s, %u ranks: %g s, simulated %g s (%+.2f %%)", collective->name,
			csv_cell(csv, row, "topology"), paper->group.size, got, want, 100 * error);
	paper_close(paper);
}

static void allreduce_check(const struct csv *csv, size_t row)
{
	struct paper paper;
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	const unsigned groups = (unsigned)number(csv, row, "groups");
	paper_open(&paper, csv_cell(csv, row, "topology"), &rules, (unsigned)number(csv, row, "ranks"));
	if (groups > 1)
		groups_place(&paper, groups);
	paper_compare(&paper, csv, row, 0, number(csv, row, "bytes") / groups, 1e-3);
}

static void collective_check(const struct csv *csv, size_t row)
{
	struct paper paper;
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	paper_open(&paper, csv_cell(csv, row, "topology"), &rules, 0);
	assert_int_equal(paper.group.size, (unsigned)number(csv, row, "ranks"));
	paper_compare(&paper, csv, row, (unsigned)number(csv, row, "variant"), number(csv, row, "bytes"),
		number(csv, row, "bar"));
}

static void rows_check(const char *path, unsigned rows, void (*check)(const struct csv *csv, size_t row))
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	if (!csv_load(arena, path, &csv, &error))
		fail_msg("%s", error.message);
	assert_int_equal(csv.rows, rows);
	for (size_t row = 0; row < csv.rows; ++row)
		check(&csv, row);
	paradl_arena_free(arena);
}

static void allreduces_within_a_thousandth(void **state)
{
	(void)state;
	rows_check("tests/data/simgrid/allreduce.csv", 35, allreduce_check);
}

static void others_within_their_bars(void **state)
{
	(void)state;
	rows_check("tests/data/simgrid/collectives.csv", 18, collective_check);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(allreduces_within_a_thousandth),
		cmocka_unit_test(others_within_their_bars),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
