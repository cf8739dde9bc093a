/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads of links at 256 devices: recursive halving with the distant partner first and with the near one first, and all
 * pairs at once. Figures to as many digits as a table that was computed independently, by routing over all
 * shortest routes of the graphs.
 */
#include <limits.h>

#include "test.h"

#include "walk.h"

static const struct row {
	const char *text;
	unsigned degree, links, diameter;                    /* one-way links */
	double mean;                                         /* distance */
	double far_first, near_first, both_ways, all_to_all; /* 0: none printed */
} rows[] = {
	{"ring:256:split=1", 2, 512, 128, 64.3, 53.3, 3.75, 42.7, 8192},
	{"torus:16x16:split=1", 4, 1024, 16, 8.03, 3.52, 1.86, 2.82, 512},
	{"torus:8x8x4:split=1", 6, 1536, 10, 5.02, 1.21, 1.42, 0.99, 256},
	{"dln:256:strides=2:split=1", 5, 1280, 33, 16.8, 6.08, 3.01, 3.29, 2048},
	{"dln:256:strides=4:split=1", 9, 2304, 10, 5.44, 1.27, 2.06, 0.885, 512}, /* 0.89 there */
	{"dln:256:strides=6:split=1", 13, 3328, 5, 3.04, 1.004, 1.25, 0.75, 128},
	{"dln:256:strides=7:split=1", 15, 3840, 4, 2.79, 0.996, 0.996, 0.75, 64},
	{"dln:256:split=1", 15, 3840, 4, 2.79, 0.996, 0.996, 0.75, 64},
	{"torus:2x2x2x2x2x2x2x2", 8, 2048, 8, 4.02, 0.996, 0.996, 0.996, 128},
	{"hyperx:16x16", 30, 7680, 2, 1.88, 0.996, 0.996, 0.76, 16},
	{"hyperx:16x16:split=1", 30, 7680, 2, 1.88, 0.996, 0.996, 0.76, 16},
	{"kautz:16x2", 16, 4352, 2, 1.94, 0, 0, 0, 33},
	{"dragonfly:17x16:split=1", 16, 4352, 3, 2.77, 0, 0, 0, 263.5},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

struct bench {
	struct paradl_arena *arena;
	struct graph *graph;
	struct path path;
	double *loads, hops;
	unsigned longest;
};

static struct bench bench_of(const char *text)
{
	struct bench bench = {.arena = paradl_arena_create()};
	struct paradl_error error = {0};
	bench.graph = walk_build(bench.arena, text, &error);
	assert_non_null(bench.graph);
	assert_true(path_create(bench.arena, bench.graph, &bench.path));
	bench.loads = arena_alloc(bench.arena, 2 * (size_t)bench.graph->cable_count, sizeof(double));
	assert_non_null(bench.loads);
	return bench;
}

static void send(struct bench *bench, unsigned from, unsigned to, double amount)
{
	graph_route(bench->graph, from, to, &bench->path);
	for (unsigned i = 0; i < bench->path.count; ++i)
		bench->loads[bench->path.links[i]] += amount * path_share(&bench->path, i);
	const double hops = walk_hops(&bench->path);
	bench->hops += hops;
	bench->longest = hops + 0.5 > bench->longest ? (unsigned)(hops + 0.5) : bench->longest;
}

/* The largest load, and forgets all. */
static double busiest(struct bench *bench)
{
	double most = 0;
	for (unsigned l = 0; l < 2 * bench->graph->cable_count; ++l) {
		most = bench->loads[l] > most ? bench->loads[l] : most;
		bench->loads[l] = 0;
	}
	return most;
}

static double halving(struct bench *bench, bool far_first, bool both_ways)
{
	const unsigned n = bench->graph->devices;
	double sum = 0, part = 0.5;
	for (unsigned step = 1; step < n; step *= 2, part /= 2) {
		const unsigned distance = far_first ? n / 2 / step : step;
		for (unsigned rank = 0; rank < n; ++rank)
			if (both_ways) {
				send(bench, rank, (rank + distance) % n, 0.5);
				send(bench, rank, (rank + n - distance) % n, 0.5);
			} else {
				send(bench, rank, rank ^ distance, 1);
			}
		sum += part * busiest(bench);
	}
	return sum;
}

static unsigned links_of(const struct graph *graph)
{
	unsigned links = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		links += graph->cables[i].one_way ? 1 : 2;
	return links;
}

/* Equal once rounded to as many digits as were printed. */
static bool as_printed(double got, double printed)
{
	for (double unit = 1; unit > 1e-4; unit /= 10)
		if (fabs(printed / unit - floor(printed / unit + 0.5)) < 1e-6)
			return fabs(got - printed) <= 0.5 * unit * (1 + 1e-9);
	return false;
}

static void check(const char *text, const char *what, double got, double printed)
{
	if (printed > 0 && !as_printed(got, printed))
		fail_msg("%s: %s is %.6g, printed %g", text, what, got, printed);
}

static void loads_are_those_of_the_table(void **state)
{
	(void)state;
	for (unsigned r = 0; r < ROWS; ++r) {
		const struct row *row = &rows[r];
		struct bench bench = bench_of(row->text);
		const unsigned n = bench.graph->devices;
		for (unsigned pair = 0; pair < n * n; ++pair)
			if (pair / n != pair % n)
				send(&bench, pair / n, pair % n, 1);
		check(row->text, "mean distance", bench.hops / n / (n - 1), row->mean);
		assert_int_equal(bench.longest, row->diameter);
		assert_int_equal(links_of(bench.graph), row->links);
		assert_int_equal(row->links, row->degree * n);
		check(row->text, "all-to-all", busiest(&bench), row->all_to_all);
		if (row->far_first > 0) {
			check(row->text, "far first", halving(&bench, true, false), row->far_first);
			check(row->text, "near first", halving(&bench, false, false), row->near_first);
			check(row->text, "both ways", halving(&bench, true, true), row->both_ways);
		}
		paradl_arena_free(bench.arena);
	}
}

/* Loads of the steps of recursive doubling, the near partner first: contention in simulations by SimGrid 3.32. */
static void steps_are_as_simulated(void **state)
{
	static const struct {
		const char *text;
		unsigned steps;
		double load[10];
	} expected[] = {
		{"torus:8x8", 6, {1, 2, 4, 1, 2, 4}},
		{"torus:4x4x4", 6, {1, 2, 1, 2, 1, 2}},
		{"torus:32x32", 10, {1, 2, 4, 8, 16, 1, 2, 4, 8, 16}},
		{"torus:16x8x8", 10, {1, 2, 4, 8, 1, 2, 4, 1, 2, 4}},
		{"fat-tree:8x8", 6, {1, 1, 1, 1, 1, 1}},
		{"fat-tree:8x8:up=2", 6, {1, 1, 1, 4, 4, 4}},
		{"fat-tree:32x32:up=8", 10, {1, 1, 1, 1, 1, 4, 4, 4, 4, 4}},
		{"dln:64", 6, {1, 1, 1, 1, 1, 1}},
		/* strides 1, 16, 32 there: the same ring steps below 16 */
		{"dln:64:strides=2", 6, {1, 2, 4, 8, 1, 1}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
		struct bench bench = bench_of(expected[i].text);
		const unsigned n = bench.graph->devices;
		for (unsigned step = 0; step < expected[i].steps; ++step) {
			for (unsigned rank = 0; rank < n; ++rank)
				send(&bench, rank, rank ^ (1U << step), 1);
			const double load = busiest(&bench);
			if (fabs(load - expected[i].load[step]) > 1e-9)
				fail_msg("%s: step %u loads a link by %g, not %g", expected[i].text, step,
					load, expected[i].load[step]);
		}
		assert_int_equal(1U << expected[i].steps, n);
		paradl_arena_free(bench.arena);
	}
}

static double all_to_all(const char *text)
{
	struct bench bench = bench_of(text);
	const unsigned n = bench.graph->devices;
	for (unsigned pair = 0; pair < n * n; ++pair)
		if (pair / n != pair % n)
			send(&bench, pair / n, pair % n, 1);
	const double most = busiest(&bench);
	paradl_arena_free(bench.arena);
	return most;
}

/* Sum of the distances between all pairs, by breadth-first search over the cables, which knows nothing of routes. */
static double distances(const char *text)
{
	struct bench bench = bench_of(text);
	const struct graph *const graph = bench.graph;
	unsigned *const queue = arena_alloc(bench.arena, graph->vertices, sizeof *queue);
	unsigned *const far = arena_alloc(bench.arena, graph->vertices, sizeof *far);
	double sum = 0;
	for (unsigned from = 0; from < graph->devices; ++from) {
		unsigned count = 1;
		for (unsigned i = 0; i < graph->vertices; ++i)
			far[i] = UINT_MAX;
		far[queue[0] = from] = 0;
		for (unsigned i = 0; i < count; ++i)
			for (unsigned c = 0; c < graph->cable_count; ++c) {
				const struct cable *const cable = &graph->cables[c];
				const unsigned next = cable->from == queue[i] ? cable->to : cable->from;
				if ((cable->from != queue[i] && cable->to != queue[i]) ||
					far[next] != UINT_MAX)
					continue;
				far[next] = far[queue[i]] + 1;
				sum += far[next];
				queue[count++] = next;
			}
	}
	paradl_arena_free(bench.arena);
	return sum;
}

/*
 * Where every link has the same load, that is all distances over all links: of n x 2n, whose cables all are alike. Of three extents none is
 * below, and all-to-alls gain 1.63 (4x4x8) and 1.31 (4x8x8) on TPU v4 (Jouppi et al. 2023), which are bounds on a perfect network.
 */
static void twisted_tori_load_links_alike(void **state)
{
	(void)state;
	assert_close(all_to_all("twisted-torus:4x8"), distances("twisted-torus:4x8") / (2 * 64), 1e-12);
	assert_close(all_to_all("twisted-torus:10x5"), distances("twisted-torus:10x5") / (2 * 100), 1e-12);
	const double small = all_to_all("twisted-torus:4x4x8"), large = all_to_all("twisted-torus:4x8x8");
	assert_true(small >= distances("twisted-torus:4x4x8") / (2 * 3 * 128.0) * (1 - 1e-12));
	assert_true(large >= distances("twisted-torus:4x8x8") / (2 * 3 * 256.0) * (1 - 1e-12));
	assert_close(all_to_all("torus:4x4x8:split=1") / small, 1.63, 0.08);
	assert_close(all_to_all("torus:4x8x8:split=1") / large, 1.31, 0.08);
}

static void all_pairs_load_as_counted(void **state)
{
	(void)state;
	/* SimGrid: ties all one way 8 (1 + 2 + 3 + 4), balanced 8 (1 + 2 + 3 + 4 / 2) */
	assert_close(all_to_all("torus:8x8"), 80, 1e-12);
	assert_close(all_to_all("torus:8x8:split=1"), 64, 1e-12);
	/* a leaf's 8 devices to the 56 outside over 2 uplinks; full: over 8 */
	assert_close(all_to_all("fat-tree:8x8:up=2"), 8 * 56 / 2, 1e-12);
	assert_close(all_to_all("fat-tree:8x8"), 63, 1e-12);
	assert_close(all_to_all("fat-tree:4x4x4"), 63, 1e-12);
	assert_close(all_to_all("fat-tree:8x8:up=2:bundle=1"), 8 * 56, 1e-12);
	/* evenly over all ways up: no better than D-mod-k for all pairs; 64 devices of 2 pods of 4 leaves, over 4 x 2 cores */
	assert_close(all_to_all("fat-tree:8x8:up=2:split=1"), 8 * 56 / 2, 1e-12);
	assert_close(all_to_all("fat-tree:2x4x8:up=4:core=2:split=1"), 32 * 32 / 8.0, 1e-12);
	assert_close(all_to_all("rail:4x4x4:up=2:split=1"), 4 * 60 / 2, 1e-12);
	/* one cable for 16 x 16 pairs of routers; by way of any group, every flow takes two: 512 */
	assert_close(all_to_all("dragonfly:17x16"), 256, 1e-12);
	assert_close(all_to_all("dragonfly:17x16:valiant=1"), 512, 1e-12);
	assert_close(all_to_all("dragonfly:9x16:links=2:valiant=1"), 2 * 256 / 2.0, 1e-12);
	/* Kautz K(d, 2): 2 d + 1 */
	assert_close(all_to_all("kautz:7x2"), 15, 1e-12);
	/* a mesh's middle: 4 devices of a row to the other 4, 8 rows' worth of destinations */
	assert_close(all_to_all("mesh:8x8"), 4.0 * 4 * 8, 1e-12);
	/* ABCI: a leaf takes from 51 ports of the rack, down 3 pipes that serve 6, 6 and 5 of its 17 ports */
	assert_close(all_to_all("abci:1"), 51.0 * 6, 1e-12);
	assert_close(all_to_all("abci:1:first=1"), 17.0 * 51, 1e-12);
}

/* A leaf's devices to the first ones of the other leaves: all by one spine with D-mod-k; spread, an eighth by each. */
static void spreading_mends_what_one_way_crowds(void **state)
{
	(void)state;
	for (unsigned split = 0; split < 2; ++split) {
		struct bench bench = bench_of(split ? "fat-tree:8x8:split=1" : "fat-tree:8x8");
		for (unsigned i = 0; i < 8; ++i)
			send(&bench, i, 8 * (i % 7 + 1), 1);
		/* two of the eight end at device 8: its cable carries 2, the uplink all 8 or one */
		assert_close(busiest(&bench), split ? 2 : 8, 1e-12);
		paradl_arena_free(bench.arena);
	}
}

/* Each group to the next: one cable takes all 16 flows; Valiant's two halves of each put 2 * 16 / 15 on the others. */
static void valiant_spreads_the_worst_case(void **state)
{
	(void)state;
	for (unsigned valiant = 0; valiant < 2; ++valiant) {
		struct bench bench = bench_of(valiant ? "dragonfly:17x16:valiant=1" : "dragonfly:17x16");
		double most = 0;
		for (unsigned from = 0; from < 272; ++from)
			send(&bench, from, (from + 16) % 272, 1);
		for (unsigned l = 0; l < 2 * bench.graph->cable_count; ++l)
			if (bench.graph->cables[l / 2].kind == LINK_GLOBAL && bench.loads[l] > most)
				most = bench.loads[l];
		assert_close(most, valiant ? 32.0 / 15 : 16, 1e-12);
		paradl_arena_free(bench.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_those_of_the_table),
		cmocka_unit_test(steps_are_as_simulated),
		cmocka_unit_test(all_pairs_load_as_counted),
		cmocka_unit_test(twisted_tori_load_links_alike),
		cmocka_unit_test(spreading_mends_what_one_way_crowds),
		cmocka_unit_test(valiant_spreads_the_worst_case),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
