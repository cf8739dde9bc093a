/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allreduces on routed networks against a simulator: tests/data/simgrid/allreduce.csv. */
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

static void row_check(const struct csv *csv, size_t row)
{
	struct paper paper;
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	const struct collective *collective = collective_named(csv_cell(csv, row, "algorithm"));
	const unsigned groups = (unsigned)number(csv, row, "groups");
	const double bytes = number(csv, row, "bytes") / groups, want = number(csv, row, "simgrid_s");
	paper_open(&paper, csv_cell(csv, row, "topology"), &rules, (unsigned)number(csv, row, "ranks"));
	if (groups > 1)
		groups_place(&paper, groups);
	const double got = paper_s(&paper, collective, 0, bytes);
	if (!(fabs(got - want) <= 1e-3 * want))
		fail_msg("%s on %s, %u ranks: %g s, simulated %g s", collective->name,
			csv_cell(csv, row, "topology"), paper.group.size, got, want);
	paper_close(&paper);
}

static void within_a_thousandth(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	(void)state;
	if (!csv_load(arena, "tests/data/simgrid/allreduce.csv", &csv, &error))
		fail_msg("%s", error.message);
	assert_int_equal(csv.rows, 35);
	for (size_t row = 0; row < csv.rows; ++row)
		row_check(&csv, row);
	paradl_arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(within_a_thousandth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
