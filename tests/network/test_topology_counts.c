/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vertices, cables by kind and longest routes against their closed forms and the machines' own figures. */
#include "test.h"

#include "walk.h"

static const struct row {
	const char *text;
	unsigned devices, ports, switches;
	unsigned cables[LINK_KINDS]; /* each of a pipe */
	unsigned diameter;           /* links */
} rows[] = {
	/*                          devices ports switches  device pcie port switch global */
	{"switch:8", 8, 0, 1, {[LINK_PORT] = 8}, 2},
	{"switch:16:width=6:ports=8", 16, 8, 1, {[LINK_PORT] = 96, [LINK_PCIE] = 16}, 2},
	/* allreduce simulations: NVLinks of one node */
	{"nvlink:4:kind=1:ports=2", 4, 2, 0, {[LINK_DEVICE] = 8, [LINK_PCIE] = 4}, 1},
	{"nvlink:8:kind=2:ports=4", 8, 4, 0, {[LINK_DEVICE] = 8 * 2 + 8, [LINK_PCIE] = 8}, 2},
	{"nvlink:8:kind=3:ports=4", 8, 4, 0, {[LINK_DEVICE] = 512 / 32, [LINK_PCIE] = 8}, 2},
	{"nvlink:16:kind=4:ports=8", 16, 8, 0, {[LINK_DEVICE] = 512 / 16, [LINK_PCIE] = 16}, 4},
	{"nvlink:2:width=4", 2, 0, 0, {[LINK_DEVICE] = 4}, 1},
	{"nvlink:4:width=2", 4, 0, 0, {[LINK_DEVICE] = 12}, 1},
	/* N hosts, d = 8 down, u up: N / d leaves, N (1 + u / d) cables */
	{"fat-tree:8x8", 64, 0, 8 + 8, {[LINK_PORT] = 64, [LINK_SWITCH] = 64}, 4},
	{"fat-tree:8x8:up=2", 64, 0, 8 + 2, {[LINK_PORT] = 64, [LINK_SWITCH] = 16}, 4},
	{"fat-tree:8x8:up=2:bundle=1", 64, 0, 8 + 1, {[LINK_PORT] = 64, [LINK_SWITCH] = 16}, 4},
	/* k = 8: k^3 / 4 hosts, 5 k^2 / 4 switches, 3 k^3 / 4 cables */
	{"fat-tree:8x4x4", 128, 0, 80, {[LINK_PORT] = 128, [LINK_SWITCH] = 128, [LINK_GLOBAL] = 128}, 6},
	{"fat-tree:8x4x4:bundle=1", 128, 0, 32 + 8 + 1,
		{[LINK_PORT] = 128, [LINK_SWITCH] = 128, [LINK_GLOBAL] = 128}, 6},
	{"rail:4x32x8", 1024, 0, 32 + 32, {[LINK_PORT] = 1024, [LINK_SWITCH] = 1024}, 4},
	{"rail:4x32x8:up=16", 1024, 0, 32 + 16, {[LINK_PORT] = 1024, [LINK_SWITCH] = 512}, 4},
	/* 32 racks: 1,088 nodes, 224 edge switches and two directors */
	{"abci:32", 2176, 0, 224 + 2, {[LINK_PORT] = 2176, [LINK_SWITCH] = 2304, [LINK_GLOBAL] = 768}, 6},
	{"torus:8x8", 64, 0, 0, {[LINK_SWITCH] = 2 * 64}, 8},
	{"torus:5x4x3", 60, 0, 0, {[LINK_SWITCH] = 3 * 60}, 2 + 2 + 1},
	{"torus:4x4:hosts=3", 48, 0, 16, {[LINK_PORT] = 48, [LINK_SWITCH] = 32}, 2 + 4},
	{"torus:2x2x2x2", 16, 0, 0, {[LINK_SWITCH] = 4 * 16 / 2}, 4},
	/* TPU v4's slices; the diameter of n x 2n is n (Camara et al. 2010), of 4x4x8 and 4x8x8 it was counted by breadth-first search */
	{"twisted-torus:4x8", 32, 0, 0, {[LINK_SWITCH] = 2 * 32}, 4},
	{"twisted-torus:8x16", 128, 0, 0, {[LINK_SWITCH] = 2 * 128}, 8},
	{"mesh:8x8", 64, 0, 0, {[LINK_SWITCH] = 64 * 7 / 8 * 2}, 14},
	{"mesh:5x4x3", 60, 0, 0, {[LINK_SWITCH] = 48 + 45 + 40}, 4 + 3 + 2},
	{"ring:9", 9, 0, 0, {[LINK_SWITCH] = 9}, 4},
	/* a (a - 1) / 2 local cables of each group; a h / 2 global ones */
	{"dragonfly:17x16", 272, 0, 0, {[LINK_SWITCH] = 17 * 120, [LINK_GLOBAL] = 17 * 16 / 2}, 3},
	{"dragonfly:9x4:global=2:hosts=2:width=3", 72, 0, 36,
		{[LINK_PORT] = 72, [LINK_SWITCH] = 9 * 6, [LINK_GLOBAL] = 3 * 9 * 4 * 2 / 2}, 5},
	{"dragonfly:4x8", 32, 0, 0, {[LINK_SWITCH] = 4 * 28, [LINK_GLOBAL] = 6}, 3},
	{"dragonfly:4x8:links=2:width=5", 32, 0, 0, {[LINK_SWITCH] = 4 * 28, [LINK_GLOBAL] = 5 * 2 * 6}, 3},
	/* JUPITER's groups: 15 leaves of 64 ports, two cables to each of 16 spines, one cable of each spine to each group */
	{"dragonfly+:25x15:hosts=64:spines=16:up=2:links=16", 24000, 0, 25 * 31,
		{[LINK_PORT] = 24000, [LINK_SWITCH] = 25 * 15 * 16 * 2, [LINK_GLOBAL] = 16 * 25 * 24 / 2}, 5},
	{"dragonfly+:3x4", 12, 0, 12, {[LINK_SWITCH] = 3 * 16, [LINK_GLOBAL] = 3}, 3},
	{"hyperx:16x16", 256, 0, 0, {[LINK_SWITCH] = 256 * 30 / 2}, 2},
	{"hyperx:4x5x6", 120, 0, 0, {[LINK_SWITCH] = 120 * (3 + 4 + 5) / 2}, 3},
	{"hyperx:6x4:hosts=2", 48, 0, 24, {[LINK_PORT] = 48, [LINK_SWITCH] = 24 * 8 / 2}, 4},
	/* N of the ring, N / 2 of the stride N / 2, N of each other stride */
	{"dln:256:strides=4", 256, 0, 0, {[LINK_SWITCH] = 256 + 128 + 3 * 256}, 10},
	{"dln:64x16", 1024, 0, 64, {[LINK_PORT] = 1024, [LINK_SWITCH] = 64 + 32 + 4 * 64}, 2 + 3},
	{"dln:9:strides=1", 9, 0, 0, {[LINK_SWITCH] = 18}, 2},
	{"dln2d:8x16", 128, 0, 0, {[LINK_SWITCH] = 16 * (8 + 4 + 8) + 8 * (16 + 8 + 16 + 16)}, 2 + 2},
	/* (d + 1) d^(k - 1) words, d arcs out of each */
	{"kautz:16x2", 272, 0, 0, {[LINK_SWITCH] = 272 * 16}, 2},
	{"kautz:3x4", 108, 0, 0, {[LINK_SWITCH] = 324}, 4},
};

static struct graph *build(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	struct graph *graph = walk_build(arena, text, &error);
	if (!graph)
		fail_msg("%s: %s", text, error.message);
	return graph;
}

static unsigned diameter(const struct graph *graph, struct paradl_arena *arena)
{
	struct path path;
	double most = 0;
	assert_true(path_create(arena, graph, &path));
	for (unsigned from = 0; from<graph->devices; from += graph->devices> 600 ? 7 : 1)
		for (unsigned to = 0; to < graph->devices; ++to) {
			graph_route(graph, from, to, &path);
			most = walk_hops(&path) > most ? walk_hops(&path) : most;
		}
	return (unsigned)(most + 0.5);
}

static void counts_are_those_of_the_closed_forms(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct row *row = &rows[r];
		const struct graph *graph = build(arena, row->text);
		unsigned cables[LINK_KINDS] = {0};
		assert_int_equal(graph->devices, row->devices);
		assert_int_equal(graph->ports, row->ports);
		assert_int_equal(graph->vertices, row->devices + row->ports + row->switches);
		for (unsigned i = 0; i < graph->cable_count; ++i)
			cables[graph->cables[i].kind] += graph->cables[i].width;
		for (unsigned kind = 0; kind < LINK_KINDS; ++kind)
			if (cables[kind] != row->cables[kind])
				fail_msg("%s: %u cables of kind %u, not %u", row->text, cables[kind], kind,
					row->cables[kind]);
		const unsigned hops = diameter(graph, arena);
		if (hops != row->diameter)
			fail_msg("%s: diameter %u, not %u", row->text, hops, row->diameter);
		paradl_arena_free(arena);
	}
}

/* No cable twice between two vertices, none to itself; nothing without a cable. */
static void cables_are_simple(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct graph *graph = build(arena, rows[r].text);
		unsigned char *joined = arena_alloc(arena, graph->vertices, graph->vertices);
		for (unsigned i = 0; i < graph->cable_count; ++i) {
			const struct cable *cable = &graph->cables[i];
			unsigned char *there = &joined[(size_t)cable->from * graph->vertices + cable->to];
			unsigned char *back = &joined[(size_t)cable->to * graph->vertices + cable->from];
			assert_int_not_equal(cable->from, cable->to);
			assert_true(cable->width >= 1);
			if (*there || (!cable->one_way && *back))
				fail_msg("%s: %u and %u are joined twice", rows[r].text, cable->from,
					cable->to);
			*there = 1;
			if (!cable->one_way)
				*back = 1;
		}
		for (unsigned v = 0; v < graph->vertices; ++v)
			assert_non_null(memchr(&joined[(size_t)v * graph->vertices], 1, graph->vertices));
		paradl_arena_free(arena);
	}
}

/* Kautz graphs: arcs of words over d + 1 letters, counted apart from the arithmetic of the indices. */
static void kautz_arcs_are_shifts(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	const struct graph *graph = build(arena, "kautz:3x3");
	unsigned word[36][3], shifts = 0;
	(void)state;
	/* index = s1 d^2 + t2 d + t3, each t the number of letters passed over cyclically */
	for (unsigned v = 0; v < 36; ++v) {
		word[v][0] = v / 9;
		word[v][1] = (word[v][0] + v / 3 % 3 + 1) % 4;
		word[v][2] = (word[v][1] + v % 3 + 1) % 4;
		assert_true(word[v][0] != word[v][1] && word[v][1] != word[v][2]);
	}
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const unsigned *from = word[graph->cables[i].from], *to = word[graph->cables[i].to];
		shifts += from[1] == to[0] && from[2] == to[1];
	}
	assert_int_equal(shifts, 36 * 3);
	paradl_arena_free(arena);
}

static void extents_are_given_to_collectives(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	(void)state;
	const struct graph *torus = build(arena, "torus:4x3x2");
	assert_true(torus->wraps && torus->grid_count == 3);
	assert_true(torus->grid[0] == 4 && torus->grid[1] == 3 && torus->grid[2] == 2);
	const struct graph *mesh = build(arena, "mesh:4x3:hosts=1");
	assert_true(!mesh->wraps && mesh->grid_count == 2);
	const struct graph *hosted = build(arena, "torus:4x3:hosts=5");
	assert_true(hosted->grid_count == 0 && hosted->domain_count == 1 && hosted->domain[0] == 5);
	const struct graph *hyperx = build(arena, "hyperx:4x3");
	assert_true(!hyperx->wraps && hyperx->grid_count == 2 && hyperx->grid[0] == 4);
	const struct graph *dragonfly = build(arena, "dragonfly:5x4:hosts=2");
	assert_true(dragonfly->domain[0] == 2 && dragonfly->domain[1] == 8 && dragonfly->domain[2] == 40);
	const struct graph *rail = build(arena, "rail:4x32x8");
	assert_true(rail->domain[0] == 32 && rail->domain[1] == 256 && rail->domain[2] == 1024);
	const struct graph *abci = build(arena, "abci:32");
	assert_true(abci->domain[0] == 17 && abci->domain[1] == 68 && abci->domain[2] == 2176);
	paradl_arena_free(arena);
}

/* ABCI: a pair of neighbouring nodes has one port on each of its rack's leaves. */
static void rails_deal_ports_out_to_leaves(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct rails rails = {.ports = 2, .planes = 4, .leaf = 17};
	const struct graph *cluster = build(arena, "abci:2");
	const struct graph *node = build(arena, "nvlink:4:width=2:ports=2");
	const struct graph *graph = graph_hierarchy(arena, node, cluster, 68, &rails, &error);
	struct path path;
	(void)state;
	assert_non_null(graph);
	assert_int_equal(graph->devices, 272);
	assert_true(path_create(arena, graph, &path));
	for (unsigned from = 0; from < 272; ++from)
		for (unsigned to = 0; to < 272; ++to) {
			const unsigned j = from / 4, k = to / 4, port = from % 4 / 2, far_port = to % 4 / 2;
			unsigned links = 8;
			if (j == k)
				links = from != to;
			else if (j / 34 == k / 34)
				links = j % 2 == k % 2 && port == far_port ? 4 : 6;
			graph_route(graph, from, to, &path);
			assert_int_equal(path.count, links);
			const char *problem = walk_check(graph, from, to, &path, NULL);
			if (problem)
				fail_msg("%u to %u %s", from, to, problem);
		}
	paradl_arena_free(arena);
}

/* A twisted torus takes the latency of its own links wherever it stands, inside nodes or between them. */
static void twisted_tori_stand_in_clusters(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct rails rails = {.ports = 8, .planes = 1};
	const struct graph *node = build(arena, "twisted-torus:4x2");
	const struct graph *cluster = build(arena, "twisted-torus:8x4");
	const struct graph *graph = graph_hierarchy(arena, node, cluster, 4, &rails, &error);
	struct path alone, path;
	(void)state;
	if (!graph)
		fail_msg("%s", error.message);
	assert_true(path_create(arena, node, &alone) && path_create(arena, graph, &path));
	for (unsigned j = 0; j < 4; ++j)
		for (unsigned from = 0; from < 8; ++from)
			for (unsigned to = 0; to < 8; ++to) {
				graph_route(node, from, to, &alone);
				graph_route(graph, 8 * j + from, 8 * j + to, &path);
				assert_int_equal(path.count, alone.count);
				assert_close(path.latency_s, alone.latency_s, 1e-12);
			}
	paradl_arena_free(arena);
}

/* Ports of one rail meet on a leaf of their pod. */
static void rails_of_a_pod_stay_on_their_leaf(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct rails rails = {.ports = 4, .planes = 4, .leaf = 3};
	const struct graph *cluster = build(arena, "rail:2x3x4");
	const struct graph *node = build(arena, "switch:8:ports=4");
	const struct graph *graph = graph_hierarchy(arena, node, cluster, 6, &rails, &error);
	struct path path;
	(void)state;
	assert_non_null(graph);
	assert_true(path_create(arena, graph, &path));
	for (unsigned from = 0; from < 48; ++from)
		for (unsigned to = 0; to < 48; ++to) {
			const unsigned j = from / 8, k = to / 8;
			unsigned links = j == k ? 2 * (from != to) : 6;
			if (j != k && j / 3 == k / 3 && from % 8 / 2 == to % 8 / 2)
				links = 4;
			graph_route(graph, from, to, &path);
			assert_int_equal(path.count, links);
			assert_null(walk_check(graph, from, to, &path, NULL));
		}
	paradl_arena_free(arena);
}

/* The largest that are allowed build and route. */
static void large_networks_build(void **state)
{
	static const char *const texts[] = {"torus:64x64x32", "fat-tree:64x32x64",
		"dragonfly:257x128:global=2:hosts=2", "dln:8192x16", "kautz:40x3", "hyperx:160x128:hosts=6",
		"dln2d:512x256", "rail:64x256x8", "mesh:2x2x2x2x2x2x2x1024", "switch:131072"};
	(void)state;
	for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct graph *graph = build(arena, texts[t]);
		struct path path;
		assert_true(path_create(arena, graph, &path));
		unsigned from = 12345;
		for (unsigned i = 0; i < 1000; ++i) {
			const unsigned to = (from * 2654435761U + 99991) % graph->devices;
			from %= graph->devices;
			graph_route(graph, from, to, &path);
			assert_null(walk_check(graph, from, to, &path, NULL));
			from = to;
		}
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_those_of_the_closed_forms),
		cmocka_unit_test(cables_are_simple),
		cmocka_unit_test(kautz_arcs_are_shifts),
		cmocka_unit_test(extents_are_given_to_collectives),
		cmocka_unit_test(rails_deal_ports_out_to_leaves),
		cmocka_unit_test(twisted_tori_stand_in_clusters),
		cmocka_unit_test(rails_of_a_pod_stay_on_their_leaf),
		cmocka_unit_test(large_networks_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
