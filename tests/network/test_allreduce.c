/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduce algorithms on one switch against their closed forms: a route is two links, so alpha is twice a link's, and no
 * step has contention. T = steps * alpha + volume * bytes * beta + reduced * bytes * gamma.
 */
#include "network/paper.h"

enum { RANKS = 70 };

static struct machine_network rules(void)
{
	struct machine_network rules = paper_rules(10e9, 1e-6);
	rules.reduce_s_per_byte = 3e-12;
	return rules;
}

static void open_switch(struct paper *paper, unsigned ranks)
{
	char topology[32];
	const struct machine_network with_gamma = rules();
	snprintf(topology, sizeof topology, "switch:%u", ranks);
	paper_open(paper, topology, &with_gamma, 0);
}

static unsigned log2_below(unsigned ranks)
{
	return (unsigned)(log(ranks) / log(2) + 1e-9);
}

static unsigned log2_above(unsigned ranks)
{
	return (unsigned)ceil(log(ranks) / log(2) - 1e-9);
}

static void expect(struct paper *paper, const struct collective *collective, unsigned variant, double steps,
	double volume, double reduced)
{
	static const double sizes[] = {0, 1, 4096, 1e6, 3e8};
	const struct compiled compiled = paper_compile(paper, collective, variant, 0);
	assert_close(compiled.steps, steps, 1e-12);
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
		const double want = steps * 2e-6 + sizes[i] * (volume / 10e9 + reduced * 3e-12);
		assert_close(hull_s(&compiled.upper, sizes[i]), want, 1e-12);
		assert_close(hull_s(&compiled.lower, sizes[i]), want, 1e-12);
	}
}

static void flat_algorithms(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, below = log2_below(ranks), kept = pow(2, below);
		const double above = log2_above(ranks), folds = kept < p ? 1 : 0;
		open_switch(&paper, ranks);
		expect(&paper, &collective_allreduce_ring, 0, 2 * (p - 1), 2 * (p - 1) / p, (p - 1) / p);
		expect(&paper, &collective_allreduce_doubling, 0, below + 2 * folds, below + 2 * folds,
			below + folds);
		for (unsigned order = 0; order < 2; ++order)
			expect(&paper, &collective_allreduce_rabenseifner, order, 2 * below + 2 * folds,
				2 * (kept - 1) / kept + 2 * folds, (kept - 1) / kept + folds);
		expect(&paper, &collective_allreduce_tree, 0, 2 * above, 2 * above, above);
		paper_close(&paper);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_algorithms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
