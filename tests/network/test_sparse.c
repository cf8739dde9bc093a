/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse allreduces: fill by hand, closed forms on one switch, what must hold for any density. */
#include "network/switch.h"
#include "network/tally.h"

#include "network/algorithm/sparse.h"

enum { RANKS = 40 };

static void open_switch(struct paper *paper, unsigned ranks, double density, double overlap)
{
	switch_open(paper, ranks);
	paper->comm.density = density;
	paper->comm.support_overlap = overlap;
}

/* 1/128 of the items: 32 members fill 22.2 %, 44 % of the dense bytes; half, so no gain, at 88. */
static void fill_by_hand(void **state)
{
	struct communicator comm = {.density = 0.0078125, .value_bytes = 4, .index_bytes = 4};
	(void)state;
	assert_close(sparse_fill(&comm, 1), 0.0078125, 1e-14);
	assert_close(sparse_fill(&comm, 2), 0.0078125 * (2 - 0.0078125), 1e-14);
	assert_close(sparse_fill(&comm, 32), 0.222, 1e-3);
	assert_close(sparse_share(&comm, 1, 32), 0.444, 1e-3);
	assert_true(sparse_share(&comm, 1, 88) < 1);
	assert_close(sparse_share(&comm, 1, 89), 1, 0);
	assert_close(sparse_share(&comm, 0.25, 1e6), 0.25, 0);
	comm.support_overlap = 1;
	assert_close(sparse_fill(&comm, 1e6), 0.0078125, 1e-14);
	comm.support_overlap = 0.5;
	assert_close(sparse_fill(&comm, 1e6), 0.5 * 0.0078125 + 0.5, 1e-12);
	comm = (struct communicator){.density = 0.5, .value_bytes = 2, .index_bytes = 4};
	assert_close(sparse_share(&comm, 1, 1), 1, 0); /* 3 times the values' bytes */
	comm.density = 1;
	assert_close(sparse_fill(&comm, 1), 1, 0);
	comm.density = 1e-12; /* nothing lost to rounding */
	assert_close(sparse_fill(&comm, 1000), 1e-9, 1e-8);
}

/* Bytes of a part of the dense vector's, from the definition. */
static double share_of(double density, double overlap, double merged)
{
	const double fill = overlap * density + (1 - overlap) * (1 - pow(1 - density, merged));
	return fmin(2 * fill, 1);
}

static double log2_up(unsigned ranks)
{
	return ceil(log(ranks) / log(2) - 1e-9);
}

static void rings(struct paper *paper, double d, double rho)
{
	const double p = paper->comm.size;
	double there = 0;
	for (unsigned j = 1; j < paper->comm.size; ++j)
		there += share_of(d, rho, j) / p;
	switch_expect(paper, &collective_allreduce_sparse_ring, 0, 2 * (p - 1),
		there + (p - 1) / p * share_of(d, rho, p), there);
	switch_expect(paper, &collective_allreduce_sparse_allgather, 0, p - 1, (p - 1) * share_of(d, rho, 1),
		(p - 1) * share_of(d, rho, 1));
}

static void splits(struct paper *paper, double d, double rho)
{
	const double p = paper->comm.size, part = (p - 1) / p, up = log2_up(paper->comm.size);
	const double one = share_of(d, rho, 1), all = share_of(d, rho, p);
	switch_expect(
		paper, &collective_allreduce_sparse_split, 0, p - 1 + up, part * (one + all), part * one);
	switch_expect(paper, &collective_allreduce_sparse_split, 1, p - 1 + up, part * (one + 1), part * one);
	switch_expect(paper, &collective_allreduce_sparse_small, 0, 1 + up, part * (one + all), part * one);
	switch_expect(paper, &collective_allreduce_sparse_big, 0, 2, part * (one + 1), part * one);
	switch_expect(paper, &collective_allreduce_sparse_oktopk, 0, p - 1 + up, 2 * part * one, part * one);
	switch_expect(
		paper, &collective_allreduce_sparse_oktopk, 1, 2 * (p - 1) + up, 3 * part * one, part * one);
}

static void doublings(struct paper *paper, double d, double rho)
{
	const unsigned ranks = paper->comm.size;
	const double up = log2_up(ranks);
	double merged = 0;
	if (ranks & (ranks - 1))
		return;
	for (unsigned have = 1; have < ranks; have *= 2)
		merged += share_of(d, rho, have);
	switch_expect(paper, &collective_allreduce_sparse_doubling, 0, up, merged, merged);
	switch_expect(paper, &collective_allreduce_sparse_allgather, 1, up, (ranks - 1) * share_of(d, rho, 1),
		(ranks - 1) * share_of(d, rho, 1));
}

static void closed_forms(void **state)
{
	static const double densities[] = {1e-4, 0.0078125, 0.05, 0.3, 1}, overlaps[] = {0, 0.4, 1};
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks)
		for (unsigned i = 0; i < 15; ++i) {
			struct paper paper;
			const double d = densities[i % 5], rho = overlaps[i / 5];
			open_switch(&paper, ranks, d, rho);
			rings(&paper, d, rho);
			splits(&paper, d, rho);
			doublings(&paper, d, rho);
			paper_close(&paper);
		}
}

/* Folded: with 6 members, places 0 and 1 have two members' items, 2 and 3 one each. */
static void doubling_of_six(void **state)
{
	struct paper paper;
	const double d = 0.05;
	(void)state;
	open_switch(&paper, 6, d, 0);
	const double exchanged = share_of(d, 0, 2) + share_of(d, 0, 4), first = share_of(d, 0, 1);
	switch_expect(&paper, &collective_allreduce_sparse_doubling, 0, 4,
		first + exchanged + share_of(d, 0, 6), first + exchanged);
	paper_close(&paper);
}

static void ring_of_rings(void **state)
{
	(void)state;
	for (unsigned nodes = 2; nodes < 7; ++nodes)
		for (unsigned each = 2; each < 7; ++each) {
			struct paper paper;
			const double n = nodes, g = each, p = n * g, d = 0.02, last = share_of(d, 0.1, p);
			double there = 0;
			open_switch(&paper, nodes * each, d, 0.1);
			paper.comm.nodes = nodes;
			paper.comm.per_node = each;
			for (unsigned j = 1; j < each; ++j)
				there += share_of(d, 0.1, j) / g;
			for (unsigned j = 1; j < nodes; ++j)
				there += share_of(d, 0.1, g * j) / p;
			switch_expect(&paper, &collective_allreduce_sparse_ring_ring, 0, 2 * (n - 1 + g - 1),
				there + last * ((n - 1) / p + (g - 1) / g), there);
			paper_close(&paper);
		}
}

static void linear(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, up = log2_up(ranks);
		open_switch(&paper, ranks, 1, 0);
		switch_expect(&paper, &collective_allreduce_linear, 0, 1 + up, p - 1 + up, p - 1);
		paper_close(&paper);
	}
}

/* To the last bit. */
static void equal(const struct compiled *a, const struct compiled *b)
{
	assert_int_equal(a->upper.count, b->upper.count);
	for (unsigned i = 0; i < a->upper.count; ++i) {
		assert_close(a->upper.lines[i].a_s, b->upper.lines[i].a_s, 0);
		assert_close(a->upper.lines[i].b_s_per_byte, b->upper.lines[i].b_s_per_byte, 0);
	}
	assert_close(a->vector_copies, b->vector_copies, 0);
}

static void full_vectors_are_dense(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks <= 64; ++ranks) {
		struct paper paper;
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		paper_open(&paper, "fat-tree:8x8:up=2", &rules, ranks);
		const struct compiled dense = paper_compile(&paper, &collective_allreduce_ring, 0, 0);
		const struct compiled sparse = paper_compile(&paper, &collective_allreduce_sparse_ring, 0, 0);
		equal(&dense, &sparse);
		paper_close(&paper);
	}
}

/* Equal supports: merging adds nothing, so every step carries what the first did. */
static void equal_supports_stay(void **state)
{
	struct paper paper;
	(void)state;
	open_switch(&paper, 16, 0.01, 1);
	const struct compiled ring = paper_compile(&paper, &collective_allreduce_sparse_ring, 0, 0);
	const struct compiled dense = paper_compile(&paper, &collective_allreduce_ring, 0, 0);
	assert_close(ring.vector_copies, 0.02 * dense.vector_copies, 1e-12);
	paper_close(&paper);
}

/* More bytes, more non-zeros, less overlap: never less time; never more than the same steps with dense vectors. */
static void monotone(void **state)
{
	static const double densities[] = {1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1};
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c) {
		struct paper paper;
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		if (!collectives[c]->sparse)
			continue;
		paper_open(&paper, "fat-tree:4x4:up=2", &rules, 0);
		paper.comm.nodes = paper.comm.per_node = 4;
		for (unsigned v = 0; v < collectives[c]->variants(&paper.comm); ++v)
			for (double bytes = 1; bytes < 1e9; bytes *= 10) {
				double before = 0;
				for (unsigned i = 0; i < sizeof densities / sizeof *densities; ++i) {
					paper.comm.density = densities[i];
					paper.comm.support_overlap = 0;
					const double s = paper_s(&paper, collectives[c], v, bytes);
					assert_true(s >= before * (1 - 1e-12));
					assert_true(paper_s(&paper, collectives[c], v, 2 * bytes) >= s);
					before = s;
					paper.comm.support_overlap = 0.5;
					assert_true(
						paper_s(&paper, collectives[c], v, bytes) <= s * (1 + 1e-12));
				}
			}
		paper_close(&paper);
	}
}

/* 4 bytes a value: 4 radix passes, one that collects, three for what stays behind. */
static void selection_is_charged_if_asked(void **state)
{
	struct paper paper;
	(void)state;
	open_switch(&paper, 8, 0.01, 0);
	for (unsigned c = 0; collectives[c]; ++c) {
		if (!collectives[c]->sparse || !collectives[c]->variants(&paper.comm))
			continue;
		const double passes = collectives[c] == &collective_allreduce_sparse_oktopk ? 4 : 8;
		paper.network->memory_s_per_byte = 1e-12;
		paper.comm.charge_selection = false;
		const struct compiled without = paper_compile(&paper, collectives[c], 0, 0);
		paper.comm.charge_selection = true;
		const struct compiled with = paper_compile(&paper, collectives[c], 0, 0);
		assert_close(with.steps, without.steps + 1, 0);
		assert_close(hull_s(&with.upper, 1e9) - hull_s(&without.upper, 1e9), passes * 1e-3, 1e-9);
	}
	paper_close(&paper);
}

static void everybody_hears_of_all(void **state)
{
	static struct tally tally;
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c)
		for (unsigned size = 2; size <= 33; ++size) {
			const struct communicator comm = {.size = size,
				.nodes = size / (size % 3 ? 1 : 3),
				.per_node = size % 3 ? 1 : 3,
				.channels = 1,
				.density = 0.01,
				.value_bytes = 4,
				.index_bytes = 4};
			if (!collectives[c]->sparse)
				continue;
			for (unsigned v = 0; v < collectives[c]->variants(&comm); ++v) {
				tally_take(&tally, &comm, collectives[c], v);
				for (unsigned i = 0; i < size * size; ++i)
					if (!tally.knows[i / size][i % size])
						fail_msg("%s %u: rank %u of %u has nothing from %u",
							collectives[c]->name, v, i / size, size, i % size);
			}
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fill_by_hand),
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(doubling_of_six),
		cmocka_unit_test(ring_of_rings),
		cmocka_unit_test(linear),
		cmocka_unit_test(full_vectors_are_dense),
		cmocka_unit_test(equal_supports_stay),
		cmocka_unit_test(monotone),
		cmocka_unit_test(selection_is_charged_if_asked),
		cmocka_unit_test(everybody_hears_of_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
