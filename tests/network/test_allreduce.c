/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allreduce algorithms on one switch against their closed forms. */
#include "network/switch.h"

enum { RANKS = 70 };

static void flat_algorithms(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, below = log2_below(ranks), kept = pow(2, below);
		const double above = log2_above(ranks), folds = kept < p ? 1 : 0;
		switch_open(&paper, ranks);
		switch_expect(
			&paper, &collective_allreduce_ring, 0, 2 * (p - 1), 2 * (p - 1) / p, (p - 1) / p);
		switch_expect(&paper, &collective_allreduce_doubling, 0, below + 2 * folds, below + 2 * folds,
			below + folds);
		for (unsigned order = 0; order < 2; ++order)
			switch_expect(&paper, &collective_allreduce_rabenseifner, order,
				2 * below + 2 * folds, 2 * (kept - 1) / kept + 2 * folds,
				(kept - 1) / kept + folds);
		switch_expect(&paper, &collective_allreduce_tree, 0, 2 * above, 2 * above, above);
		paper_close(&paper);
	}
}

/* The ranks of one switch taken as n nodes of g: start-ups and rates inside and between them are the same here. */
static void open_nodes(struct paper *paper, unsigned nodes, unsigned per_node)
{
	switch_open(paper, nodes * per_node);
	paper->comm.nodes = nodes;
	paper->comm.per_node = per_node;
	paper->comm.domains[0] = per_node;
	paper->comm.domains[1] = nodes;
	paper->comm.domain_count = 2;
}

static void ring_in_segments(void **state)
{
	static const double segments[] = {4, 16, 64};
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks;
		switch_open(&paper, ranks);
		for (unsigned v = 0; v < 3; ++v)
			switch_expect(&paper, &collective_allreduce_ring_segmented, v,
				(p - 1) * (segments[v] + 1), 2 * (p - 1) / p, (p - 1) / p);
		paper_close(&paper);
	}
}

/* Inner members have two children but for those below the root, and send up, down twice, and up as a leaf. */
static void double_tree(void **state)
{
	(void)state;
	for (unsigned levels = 2; levels <= 7; ++levels) {
		struct paper paper;
		double chunks = 1;
		switch_open(&paper, 1u << levels);
		for (unsigned v = 0; v < 6; ++v, chunks *= 4)
			switch_expect(&paper, &collective_allreduce_double_tree, v, 2 * levels + chunks - 1,
				(2 * (levels - 1) + 1) / chunks + (chunks - 1) * 2 / chunks,
				(levels - 0.5) / chunks + (chunks - 1) / chunks);
		paper_close(&paper);
	}
}

/* Of an algorithm between the nodes. */
struct terms {
	double steps, volume, reduced;
};

static struct terms ring_terms(unsigned ranks)
{
	const double p = ranks;
	return (struct terms){2 * (p - 1), 2 * (p - 1) / p, (p - 1) / p};
}

static struct terms doubling_terms(unsigned ranks)
{
	const double below = log2_below(ranks), folds = pow(2, below) < ranks ? 1 : 0;
	return (struct terms){below + 2 * folds, below + 2 * folds, below + folds};
}

static struct terms rabenseifner_terms(unsigned ranks)
{
	const double below = log2_below(ranks), kept = pow(2, below), folds = kept < ranks ? 1 : 0;
	return (struct terms){
		2 * below + 2 * folds, 2 * (kept - 1) / kept + 2 * folds, (kept - 1) / kept + folds};
}

static struct terms tree_terms(unsigned ranks)
{
	const double above = log2_above(ranks);
	return (struct terms){2 * above, 2 * above, above};
}

static void multi_leaders(void **state)
{
	static const struct {
		const struct collective *collective;
		struct terms (*terms)(unsigned ranks);
	} inter[] = {
		{&collective_allreduce_leaders_ring, ring_terms},
		{&collective_allreduce_leaders_rabenseifner, rabenseifner_terms},
		{&collective_allreduce_leaders_doubling, doubling_terms},
	};
	(void)state;
	for (unsigned nodes = 2; nodes <= 9; ++nodes)
		for (unsigned per_node = 2; per_node <= 8; ++per_node) {
			struct paper paper;
			open_nodes(&paper, nodes, per_node);
			for (unsigned i = 0; i < sizeof inter / sizeof *inter; ++i)
				for (unsigned k = 1, v = 0; k <= per_node; ++k) {
					const struct terms terms = inter[i].terms(nodes);
					const double g = per_node, gathers = k < per_node ? 2 : 0;
					if (per_node % k)
						continue;
					switch_expect(&paper, inter[i].collective, v++,
						2 * (g - 1) + gathers + terms.steps,
						2 * (g - 1) / g + gathers * (g / k - 1) / g +
							terms.volume / k,
						(g - 1) / g + terms.reduced / k);
				}
			paper_close(&paper);
		}
}

/* Blocks of several nodes are nodes of that size. */
static void leaders_over_nodes(void **state)
{
	struct paper paper, larger;
	(void)state;
	open_nodes(&paper, 16, 3);
	open_nodes(&larger, 4, 12);
	for (double bytes = 1; bytes < 1e9; bytes *= 100) {
		/* 1, 3; 2, 4, 8 nodes; and 1, 2, 3, 4, 6, 12 */
		assert_int_equal(collective_allreduce_leaders_ring.variants(&paper.comm), 5);
		assert_close(paper_s(&paper, &collective_allreduce_leaders_ring, 3, bytes),
			paper_s(&larger, &collective_allreduce_leaders_ring, 5, bytes), 1e-12);
	}
	paper_close(&paper);
	paper_close(&larger);
}

/* Where all hops are alike, paying for a ring's once a trip or every step is the same: 2 (P - 1) hops. */
static void trips_and_steps(void **state)
{
	static const struct collective *const rings[] = {&collective_allreduce_ring,
		&collective_allreduce_ring_segmented, &collective_allreduce_leaders_ring,
		&collective_allreduce_pipelined, &collective_allreduce_blueconnect,
		&collective_allreduce_torus_2d};
	struct paper stepwise, tripwise;
	(void)state;
	open_nodes(&stepwise, 8, 4);
	open_nodes(&tripwise, 8, 4);
	tripwise.rules.synchronous = false;
	for (unsigned i = 0; i < sizeof rings / sizeof *rings; ++i)
		for (unsigned v = 0; v < rings[i]->variants(&stepwise.comm); ++v)
			for (double bytes = 1; bytes < 1e9; bytes *= 100)
				assert_close(paper_s(&tripwise, rings[i], v, bytes),
					paper_s(&stepwise, rings[i], v, bytes), 1e-12);
	paper_close(&stepwise);
	paper_close(&tripwise);
}

static void no_nodes_no_leaders(void **state)
{
	struct paper paper;
	(void)state;
	switch_open(&paper, 12);
	assert_int_equal(collective_allreduce_leaders_ring.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_leader.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_pipelined.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_torus_2d.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_bucket.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_swing.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_kautz.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_nvls.variants(&paper.comm), 0);
	assert_int_equal(collective_allreduce_sharp.variants(&paper.comm), 0);
	paper_close(&paper);
}

static void single_leader(void **state)
{
	static struct terms (*const between[])(unsigned ranks) = {
		ring_terms, tree_terms, doubling_terms, rabenseifner_terms};
	(void)state;
	for (unsigned nodes = 2; nodes <= 9; ++nodes)
		for (unsigned per_node = 2; per_node <= 8; ++per_node) {
			struct paper paper;
			const double trees = log2_above(per_node);
			open_nodes(&paper, nodes, per_node);
			for (unsigned v = 0; v < 4; ++v) {
				const struct terms terms = between[v](nodes);
				switch_expect(&paper, &collective_allreduce_leader, v,
					2 * trees + terms.steps, 2 * trees + terms.volume,
					trees + terms.reduced);
			}
			paper_close(&paper);
		}
}

/* (T_in + T_out) / S + (S - 1) / S max(T_in, T_out), with the start-ups of every segment. */
static void pipelined(void **state)
{
	static const double segments[] = {4, 16, 64};
	struct paper paper;
	(void)state;
	open_nodes(&paper, 8, 4);
	for (unsigned v = 0; v < 9; ++v) /* of eight nodes, what PAT and Rabenseifner take is the same */
		for (double bytes = 1; bytes < 1e9; bytes *= 10) {
			const struct terms in = ring_terms(4),
					   out = v < 3 ? ring_terms(8) : rabenseifner_terms(8);
			const double s = segments[v % 3], b = bytes / s;
			const double in_s = in.steps * 2e-6 + b * (in.volume / 10e9 + in.reduced * 3e-12);
			const double out_s =
				out.steps * 2e-6 + b / 4 * (out.volume / 10e9 + out.reduced * 3e-12);
			assert_close(paper_s(&paper, &collective_allreduce_pipelined, v, bytes),
				in_s + out_s + (s - 1) * fmax(in_s, out_s), 1e-12);
		}
	paper_close(&paper);
}

static void level_by_level(void **state)
{
	struct paper paper;
	(void)state;
	open_nodes(&paper, 8, 4);
	switch_expect(&paper, &collective_allreduce_torus_2d, 0, 2 * (3 + 7), 2 * 31.0 / 32, 31.0 / 32);
	switch_expect(&paper, &collective_allreduce_blueconnect, 0, 2 * (3 + 7), 2 * 31.0 / 32, 31.0 / 32);
	paper.comm.domains[1] = 2;
	paper.comm.domains[2] = 4;
	paper.comm.domain_count = 3;
	switch_expect(
		&paper, &collective_allreduce_blueconnect, 0, 2 * (3 + 1 + 3), 2 * 31.0 / 32, 31.0 / 32);
	paper_close(&paper);
}

static void shifted_halving(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks;
		switch_open(&paper, ranks);
		for (unsigned v = 0; v < 2; ++v)
			switch_expect(&paper, &collective_allreduce_shd, v, 2.0 * log2_above(ranks),
				2 * (p - 1) / p, (p - 1) / p);
		paper_close(&paper);
	}
}

static void kautz(void **state)
{
	(void)state;
	for (unsigned d = 1; d <= 7; ++d) {
		struct paper paper;
		switch_open(&paper, d * (d + 1));
		paper.comm.kautz = d;
		/* every port takes what d arcs carry; d / P of it is a rank's own data come back */
		switch_expect(&paper, &collective_allreduce_kautz, 0, 4, 2, 1);
		paper_close(&paper);
	}
}

static void reduction_in_switches(void **state)
{
	struct paper paper;
	(void)state;
	open_nodes(&paper, 1, 8);
	paper.comm.nvls = (struct in_network){25e-6, 0.85};
	for (double bytes = 1; bytes < 1e9; bytes *= 100)
		assert_close(paper_s(&paper, &collective_allreduce_nvls, 0, bytes),
			25e-6 + 2e-6 + 9.0 / 8 * bytes / 10e9 / 0.85, 1e-12);
	assert_int_equal(collective_allreduce_sharp.variants(&paper.comm), 0);
	paper_close(&paper);
	open_nodes(&paper, 4, 8);
	paper.comm.nvls = (struct in_network){25e-6, 0.85};
	paper.comm.sharp = (struct in_network){18e-6, 0.9};
	for (double bytes = 1; bytes < 1e9; bytes *= 100)
		assert_close(paper_s(&paper, &collective_allreduce_sharp, 0, bytes),
			18e-6 + 15 * 2e-6 +
				bytes * (14.0 / 8 / 10e9 + 1.0 / 8 / 10e9 / 0.9 + 7.0 / 8 * 3e-12),
			1e-12);
	assert_int_equal(collective_allreduce_nvls.variants(&paper.comm), 0);
	/*
	 * One link for each device: the vector goes up to the node's switch, an eighth of it through two levels of two
	 * trees and back, and the vector comes down; of every further chunk all of this at once.
	 */
	for (unsigned v = 0; v < 6; ++v) {
		const double c = pow(4, v), first = 2 / 0.85 + 3.0 / 8, other = 9.0 / 8 / 0.85 + 2.0 / 8;
		for (double bytes = 1; bytes < 1e9; bytes *= 100)
			assert_close(paper_s(&paper, &collective_allreduce_nvls_tree, v, bytes),
				25e-6 + (5 + c) * 2e-6 +
					bytes / c *
						((first + (c - 1) * other) / 10e9 +
							(1.5 + c - 1) / 8 * 3e-12),
				1e-12);
	}
	paper_close(&paper);
	switch_open(&paper, 9); /* nodes of one device */
	paper.comm.nvls = (struct in_network){25e-6, 0.85};
	assert_int_equal(collective_allreduce_nvls_tree.variants(&paper.comm), 0);
	paper.comm.sharp = (struct in_network){18e-6, 0.9};
	assert_close(
		paper_s(&paper, &collective_allreduce_sharp, 0, 1e6), 18e-6 + 2e-6 + 1e6 / 10e9 / 0.9, 1e-12);
	paper_close(&paper);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_algorithms),
		cmocka_unit_test(ring_in_segments),
		cmocka_unit_test(double_tree),
		cmocka_unit_test(multi_leaders),
		cmocka_unit_test(leaders_over_nodes),
		cmocka_unit_test(trips_and_steps),
		cmocka_unit_test(no_nodes_no_leaders),
		cmocka_unit_test(single_leader),
		cmocka_unit_test(pipelined),
		cmocka_unit_test(level_by_level),
		cmocka_unit_test(shifted_halving),
		cmocka_unit_test(kautz),
		cmocka_unit_test(reduction_in_switches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
