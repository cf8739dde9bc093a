/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduces on routed networks: closed forms where a network has none of the contention or a known one, and what holds
 * everywhere. phi is the time per byte of one half (reduce-scatter) in units of a link's, start-ups aside.
 */
#include "network/paper.h"

#define RATE  10e9
#define HOP_S 1e-6

static void open_network(struct paper *paper, const char *topology)
{
	const struct machine_network rules = paper_rules(RATE, HOP_S);
	paper_open(paper, topology, &rules, 0);
}

static double phi(struct paper *paper, const struct collective *collective, unsigned variant)
{
	const struct compiled compiled = paper_compile(paper, collective, variant, 0);
	return compiled.upper.lines[compiled.upper.count - 1].b_s_per_byte * RATE / 2;
}

static double start_s(struct paper *paper, const struct collective *collective, unsigned variant)
{
	const struct compiled compiled = paper_compile(paper, collective, variant, 0);
	return hull_s(&compiled.upper, 0);
}

/* All 2 D ports of a torus are busy, and steps are to neighbours. */
static void bucket_fills_tori(void **state)
{
	static const struct {
		const char *topology;
		double dimensions, extent, ranks;
	} cases[] = {{"torus:8", 1, 8, 8}, {"torus:4x4", 2, 4, 16}, {"torus:8x8", 2, 8, 64},
		{"torus:3x3x3", 3, 3, 27}, {"torus:4x4x4", 3, 4, 64}, {"torus:4x4x4x4", 4, 4, 256}};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		const double d = cases[i].dimensions, k = cases[i].extent, p = cases[i].ranks;
		open_network(&paper, cases[i].topology);
		assert_close(phi(&paper, &collective_allreduce_bucket, 0), (p - 1) / p / (2 * d), 1e-12);
		assert_close(
			start_s(&paper, &collective_allreduce_bucket, 0), 2 * d * (k - 1) * HOP_S, 1e-12);
		paper_close(&paper);
	}
}

/* 4 x 8: in each of the two phases the parts along the dimension of 8 take 7 steps, of 1/8, then of 1/32. */
static void bucket_waits_for_the_longest(void **state)
{
	struct paper paper;
	(void)state;
	open_network(&paper, "torus:4x8");
	assert_close(start_s(&paper, &collective_allreduce_bucket, 0), 2 * 14 * HOP_S, 1e-12);
	/* 3 steps: 1/4 and 1/8 at once; 4 steps of 1/8; second phase 1/32 in all 7 */
	assert_close(phi(&paper, &collective_allreduce_bucket, 0),
		(3 * 1.0 / 4 + 4 * 1.0 / 8 + 7 * 1.0 / 32) / 4, 1e-12);
	paper_close(&paper);
}

static void torus_2d(void **state)
{
	struct paper paper;
	(void)state;
	open_network(&paper, "torus:6x5");
	assert_close(phi(&paper, &collective_allreduce_torus_2d, 0), 29.0 / 30, 1e-12);
	assert_close(start_s(&paper, &collective_allreduce_torus_2d, 0), 2 * (5 + 4) * HOP_S, 1e-12);
	paper_close(&paper);
}

/*
 * A swing over distance delta loads each link of a ring with delta flows; dimensions take turns. The sum is the
 * bandwidth-optimal one times the congestion deficiency, 1.19 for large square tori and 1.03 for cubes (De Sensi et al.).
 */
static double swing_sum(unsigned dimensions, unsigned extent)
{
	double sum = 0, share = 1, delta = 1;
	for (unsigned turn = 0; 1u << turn < extent; ++turn) {
		/* 1, 1, 3, 5, 11; halfway around a ring the other way is no longer */
		const double reach = fmin(delta, extent - delta);
		for (unsigned d = 0; d < dimensions; ++d)
			sum += (share /= 2) * reach;
		delta = 2 * delta + (turn % 2 ? 1 : -1);
	}
	return sum / (2 * dimensions);
}

static void swing_on_tori(void **state)
{
	static const struct {
		const char *topology;
		unsigned dimensions, extent, steps;
		double deficiency;
	} cases[] = {{"torus:16", 1, 16, 4, 0}, {"torus:8x8", 2, 8, 6, 0}, {"torus:32x32", 2, 32, 10, 1.19},
		{"torus:16x16x16", 3, 16, 12, 1.03}};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		open_network(&paper, cases[i].topology);
		const double p = paper.comm.size, got = phi(&paper, &collective_allreduce_swing, 0);
		const double want = swing_sum(cases[i].dimensions, cases[i].extent);
		assert_close(got, want, 1e-12);
		assert_close(paper_compile(&paper, &collective_allreduce_swing, 0, 0).steps,
			2 * cases[i].steps, 1e-12);
		if (cases[i].deficiency > 0)
			assert_close(
				got / ((p - 1) / p / (2 * cases[i].dimensions)), cases[i].deficiency, 0.02);
		paper_close(&paper);
	}
}

/*
 * Why partners at these distances do: on a ring of 2^m, even ranks to r + rho and odd ones to r - rho are pairs, which have
 * data of different ranks each time, and of all in the end.
 */
static void swings_meet_all(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks <= 64; ranks *= 2) {
		static uint64_t has[64], next[64];
		int rho = 1;
		for (unsigned r = 0; r < ranks; ++r)
			has[r] = (uint64_t)1 << r;
		for (unsigned turn = 0; 2u << turn <= ranks; ++turn, rho = 1 - 2 * rho) {
			for (unsigned r = 0; r < ranks; ++r) {
				const int n = (int)ranks, to = (int)r + (r % 2 ? -rho : rho);
				const unsigned partner = (unsigned)((to % n + n) % n);
				assert_true((has[r] & has[partner]) == 0);
				next[r] = has[r] | has[partner];
			}
			memcpy(has, next, sizeof has);
		}
		for (unsigned r = 0; r < ranks; ++r)
			assert_true(has[r] == (ranks == 64 ? UINT64_MAX : ((uint64_t)1 << ranks) - 1));
	}
}

static void kautz_floods(void **state)
{
	static const struct {
		const char *topology;
		double d;
	} cases[] = {{"kautz:2x2", 2}, {"kautz:5x2", 5}, {"kautz:16x2", 16}};
	(void)state;
	for (unsigned i = 0; i < 3; ++i) {
		struct paper paper;
		open_network(&paper, cases[i].topology);
		assert_close(phi(&paper, &collective_allreduce_kautz, 0), 1 / cases[i].d, 1e-12);
		assert_close(start_s(&paper, &collective_allreduce_kautz, 0), 4 * HOP_S, 1e-12);
		paper_close(&paper);
	}
}

/* As printed, to two or three digits. */
static void assert_printed(const char *topology, double got, double want)
{
	if (!(fabs(got - want) <= 0.006 * fmax(1, want)))
		fail_msg("%s: %g, not %g", topology, got, want);
}

/*
 * Halving on 256 ranks, all shortest routes used alike, far and near pairs; and in both directions at once. The wanted were
 * found by adding up link loads by another program.
 */
static void orders_of_halving(void **state)
{
	static const struct {
		const char *topology;
		double far, near, both_ways;
	} cases[] = {{"torus:16x16:split=1", 3.52, 1.86, 2.82}, {"torus:8x8x4:split=1", 1.21, 1.42, 0.99},
		{"dln:256:split=1", 0.996, 0.996, 0.75}, {"dln:256:strides=6:split=1", 1.004, 1.25, 0.75},
		{"dln:256:strides=4:split=1", 1.27, 2.06, 0.89},
		{"dln:256:strides=2:split=1", 6.08, 3.01, 3.29}, {"ring:256:split=1", 53.3, 3.75, 42.7}};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		const char *const topology = cases[i].topology;
		open_network(&paper, topology);
		assert_printed(topology, phi(&paper, &collective_allreduce_rabenseifner, 1), cases[i].far);
		assert_printed(topology, phi(&paper, &collective_allreduce_rabenseifner, 0), cases[i].near);
		assert_printed(topology, phi(&paper, &collective_allreduce_shd, 0), cases[i].far);
		assert_printed(topology, phi(&paper, &collective_allreduce_shd, 1), cases[i].both_ways);
		paper_close(&paper);
	}
}

/* What a device can send at most. */
static double injection_bytes_per_s(const struct paper *paper)
{
	const struct graph *graph = paper->network->graph;
	double rate = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->from == 0 || (cable->to == 0 && !cable->one_way))
			rate += cable->width * RATE;
	}
	return rate;
}

static void bounds_of(
	struct paper *paper, const char *topology, const struct collective *collective, unsigned variant)
{
	const double p = paper->comm.size, rate = injection_bytes_per_s(paper);
	const struct compiled compiled = paper_compile(paper, collective, variant, 0);
	double before = 0;
	for (double bytes = 1; bytes < 1e10; bytes *= 7) {
		const double upper = hull_s(&compiled.upper, bytes), lower = hull_s(&compiled.lower, bytes);
		if (!(isfinite(upper) && lower <= upper * (1 + 1e-12) && upper >= before))
			fail_msg("%s %u on %s: %g bytes in %g to %g s, fewer in %g s", collective->name,
				variant, topology, bytes, lower, upper, before);
		if (!(lower >= 2 * (p - 1) / p * bytes / rate * (1 - 1e-12)))
			fail_msg("%s %u on %s: %g bytes in %g s are more than the ports take",
				collective->name, variant, topology, bytes, lower);
		before = upper;
	}
}

/* More bytes never take less time; no bound is below what the ports need for 2 (P - 1) / P of the vector. */
static void bounds_everywhere(void **state)
{
	static const char *const topologies_tried[] = {"switch:7", "fat-tree:4x6:up=2", "fat-tree:2x3x4",
		"torus:4x4", "torus:5x3", "torus:2x2x8", "mesh:4x5", "ring:9", "hyperx:4x4", "dln:48",
		"kautz:4x2", "dragonfly:5x4:hosts=2"};
	(void)state;
	for (unsigned t = 0; t < sizeof topologies_tried / sizeof *topologies_tried; ++t) {
		struct paper paper;
		open_network(&paper, topologies_tried[t]);
		for (unsigned c = 0; collectives[c]; ++c)
			for (unsigned v = 0;
				collectives[c]->operation == ALLREDUCE && !collectives[c]->sparse &&
				v < collectives[c]->variants(&paper.comm);
				++v)
				bounds_of(&paper, topologies_tried[t], collectives[c], v);
		paper_close(&paper);
	}
}

static void one_rank_is_free(void **state)
{
	struct paper paper;
	(void)state;
	open_network(&paper, "switch:4");
	paper.group = (struct group){.size = 1, .nodes = 1, .devices = 4};
	paper.comm = communicator_of(paper.network, &paper.group);
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct compiled compiled = paper_compile(&paper, collectives[c], 0, 1e6);
		assert_true(hull_s(&compiled.upper, 1e9) <= 0 && hull_s(&compiled.lower, 1e9) <= 0);
	}
	paper_close(&paper);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bucket_fills_tori),
		cmocka_unit_test(bucket_waits_for_the_longest),
		cmocka_unit_test(torus_2d),
		cmocka_unit_test(swing_on_tori),
		cmocka_unit_test(swings_meet_all),
		cmocka_unit_test(kautz_floods),
		cmocka_unit_test(orders_of_halving),
		cmocka_unit_test(bounds_everywhere),
		cmocka_unit_test(one_rank_is_free),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
