/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of curves: more groups than a table begins with, and a thread's table beside the first. */
#include "network/paper.h"

#include "network/cost/curve_table.h"

enum { GROUPS = 3000 };

/* Pairs of neighbours: the first of so many that run at once. */
static struct group pair_of(const struct paper *paper, unsigned index)
{
	return (struct group){.size = 2,
		.nodes = 2,
		.devices = paper->network->devices,
		.concurrent = index + 1,
		.runs = {{1, 2}},
		.run_count = 1};
}

/* Every group keeps the curve that it had, which is that of a table which was asked for nothing else. */
static void curves_stay(void **state)
{
	static const struct collective *const algorithms[] = {&collective_allreduce_ring, NULL};
	static const struct choice choice = {.operation = ALLREDUCE, .channels = 1, .algorithms = algorithms};
	static const struct curve *curves[GROUPS];
	const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:8192", &rules, 0);
	struct table *const table = table_create(paper.arena, paper.network);
	assert_non_null(table);
	for (unsigned i = 0; i < GROUPS; ++i) {
		const struct group group = pair_of(&paper, i);
		curves[i] = table_curve(table, &group, &choice);
		assert_non_null(curves[i]);
		/* two steps of half the vector */
		assert_close(curve_s(curves[i], 1e6), 2 * (2 * PAPER_LATENCY_S + 0.5e6 / PAPER_BYTES_PER_S),
			1e-12);
	}
	struct table *const other = table_clone(table, paper.arena);
	assert_non_null(other);
	for (unsigned i = GROUPS; i-- > 0;) {
		const struct group group = pair_of(&paper, i);
		assert_ptr_equal(table_curve(table, &group, &choice), curves[i]);
		assert_ptr_equal(table_curve(other, &group, &choice), curves[i]);
	}
	assert_false(table_failed(table) || table_failed(other));
	paper_close(&paper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
