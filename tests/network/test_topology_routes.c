/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every route of small instances of every topology, against the cables and a breadth-first search. */
#include "test.h"

#include "walk.h"

static const struct instance {
	const char *text;
	bool shortest; /* every route has as few links as there can be */
} instances[] = {
	{"switch:1", true},
	{"switch:5", true},
	{"switch:8:ports=4", true},
	{"switch:8:ports=8:width=6", true},
	{"switch:6:ports=1", true},
	{"nvlink:2:width=4", true},
	{"nvlink:7", true},
	{"nvlink:4:kind=1", true},
	{"nvlink:4:kind=1:ports=2", true},
	{"nvlink:8:kind=2", true},
	{"nvlink:8:kind=2:ports=4", true},
	{"nvlink:8:kind=3:ports=8", true},
	{"nvlink:16:kind=4", true},
	{"nvlink:16:kind=4:ports=8", true},
	{"fat-tree:4x6:up=3", true},
	{"fat-tree:4x4:bundle=1", true},
	{"fat-tree:3x2x4:up=2:core=3", true},
	{"fat-tree:4x2x2", true},
	{"fat-tree:3x2x4:up=2:core=3:bundle=1", true},
	{"fat-tree:4x6:up=3:split=1", true},
	{"fat-tree:3x2x4:up=2:core=3:split=1", true},
	{"fat-tree:3x2x4:bundle=1:split=1", true},
	{"rail:2x3x4:up=2:split=1", true},
	{"rail:2x3x4", true},
	{"rail:2x3x4:up=2", true},
	{"abci:1", true},
	{"abci:2", true},
	{"abci:2:first=1", true},
	{"torus:1", true},
	{"torus:2", true},
	{"torus:3", true},
	{"torus:4x3x2", true},
	{"torus:2x1x5", true},
	{"torus:5x4x3x2", true},
	{"torus:2x2x2x2x2x2", true},
	{"torus:4x4:split=1", true},
	{"torus:6x2x4:split=1:hosts=2", true},
	{"torus:3x3:hosts=1", true},
	{"twisted-torus:2x4", true},
	{"twisted-torus:6x3", true},
	{"twisted-torus:4x4x8", true},
	{"twisted-torus:3x6x6", true},
	{"mesh:4x3x2", true},
	{"mesh:1x6:hosts=1", true},
	{"mesh:3x3:hosts=2", true},
	{"ring:2", true},
	{"ring:7", true},
	{"ring:8:split=1", true},
	{"ring:8:hosts=3", true},
	{"hyperx:4x3", true},
	{"hyperx:1x5", true},
	{"hyperx:3x2x4", true},
	{"hyperx:3x4x2:split=1:hosts=2", true},
	{"hyperx:2x3x2x2:split=1", true},
	{"hyperx:5x4:split=1", true},
	{"hyperx:4x3:split=1:hosts=2", true},
	{"dragonfly+:5x4", true},
	{"dragonfly+:4x3:hosts=2:spines=4:links=3:width=2", true},
	{"dragonfly+:3x4:hosts=1:spines=5:up=2:links=2:split=1", true},
	{"dragonfly+:1x3", true},
	{"dragonfly:5x4", true},
	{"dragonfly:4x4:hosts=2", true},
	{"dragonfly:1x6", true},
	{"dragonfly:2x1", true},
	{"dragonfly:9x4:global=2:width=3", false},
	{"dragonfly:7x3:global=2:hosts=2", false},
	{"dragonfly:5x4:split=1", true},
	{"dragonfly:4x5:split=1:hosts=2", true},
	{"dragonfly:9x4:global=2:split=1", true},
	{"dragonfly:13x4:global=3:split=1", true},
	{"dragonfly:8x4:global=3:split=1", true},
	{"dragonfly:3x7", true},
	{"dragonfly:3x4:links=2", true},
	{"dragonfly:4x5:links=3:global=2", false},
	{"dragonfly:4x6:links=5:global=3:hosts=2", false},
	{"dragonfly:5x4:links=3:global=3", false},
	{"dragonfly:3x4:links=2:split=1", true},
	{"dragonfly:5x4:links=3:global=3:split=1", true},
	{"dragonfly:4x6:links=5:global=3:split=1:hosts=1", true},
	{"dragonfly:3x4:links=2:valiant=1", false},
	{"dragonfly:5x4:links=3:global=3:valiant=1", false},
	{"dragonfly:5x4:valiant=1", false},
	{"dragonfly:9x4:global=2:valiant=1:hosts=1", false},
	{"dragonfly:8x4:global=3:valiant=1", false},
	{"dragonfly:2x3:valiant=1", true},
	{"dragonfly:4x1:global=3:valiant=1", false},
	{"dln:1", true},
	{"dln:2", true},
	{"dln:3", true},
	{"dln:12", true},
	{"dln:16", true},
	{"dln:17:split=1", true},
	{"dln:31:strides=2", true},
	{"dln:32:strides=2:split=1", true},
	{"dln:13x3", true},
	{"dln:16x2:split=1", true},
	{"dln2d:6x5", true},
	{"dln2d:8x4:split=1", true},
	{"dln2d:8x6:strides=1:hosts=2", true},
	{"kautz:2x3", true},
	{"kautz:3x2", true},
	{"kautz:4x1", true},
	{"kautz:1x3", true},
	{"kautz:2x5", true},
	{"kautz:3x4", true},
};
enum { INSTANCES = sizeof instances / sizeof instances[0] };

static struct graph *build(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	struct graph *graph = walk_build(arena, text, &error);
	if (!graph)
		fail_msg("%s: %s", text, error.message);
	return graph;
}

/* From every device and, of a node, every port. */
static void check_routes(struct paradl_arena *arena, const struct instance *instance)
{
	const struct graph *graph = build(arena, instance->text);
	const unsigned ends = graph->devices + graph->ports;
	double *balance = arena_alloc(arena, graph->vertices, sizeof *balance);
	unsigned *distance = arena_alloc(arena, graph->vertices, sizeof *distance);
	struct path path;
	assert_true(path_create(arena, graph, &path));
	for (unsigned from = 0; from < ends; ++from) {
		walk_distances(graph, from, distance);
		for (unsigned to = 0; to < ends; ++to) {
			graph_route(graph, from, to, &path);
			const char *problem = walk_check(graph, from, to, &path, balance);
			const double hops = walk_hops(&path);
			if (problem)
				fail_msg("%s: %u to %u %s", instance->text, from, to, problem);
			if (hops < distance[to] - 1e-9 || (instance->shortest && hops > distance[to] + 1e-9))
				fail_msg("%s: %u to %u takes %g links instead of %u", instance->text, from,
					to, hops, distance[to]);
		}
	}
}

static void every_route_is_a_way(void **state)
{
	(void)state;
	for (unsigned i = 0; i < INSTANCES; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		check_routes(arena, &instances[i]);
		paradl_arena_free(arena);
	}
}

static void every_topology_is_here(void **state)
{
	(void)state;
	for (unsigned t = 0; topologies[t]; ++t) {
		const size_t length = strlen(topologies[t]->name);
		unsigned i = 0;
		while (i < INSTANCES && (strncmp(instances[i].text, topologies[t]->name, length) != 0 ||
						instances[i].text[length] != ':'))
			++i;
		if (i == INSTANCES)
			fail_msg("no instance of %s", topologies[t]->name);
		assert_true(*topologies[t]->summary && *topologies[t]->source && *topologies[t]->shape);
		for (unsigned k = 0; k < TOPOLOGY_KEYS_MAX && topologies[t]->keys[k].name; ++k) {
			const struct topology_key *key = &topologies[t]->keys[k];
			assert_true(*key->summary && key->min <= key->initial && key->initial <= key->max);
		}
	}
}

/* Built twice, the same; half-duplex, the same cables. */
static void routes_do_not_change(void **state)
{
	(void)state;
	for (unsigned i = 0; i < INSTANCES; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct link_class classes[LINK_KINDS];
		struct topology_spec spec;
		struct path one, two, half;
		const struct graph *first = build(arena, instances[i].text);
		const struct graph *second = build(arena, instances[i].text);
		walk_classes(classes);
		assert_true(topology_parse(instances[i].text, &spec, &error));
		const struct graph *shared = topology_build(arena, &spec, classes, true, false, &error);
		assert_non_null(shared);
		assert_true(path_create(arena, first, &one) && path_create(arena, second, &two) &&
			    path_create(arena, shared, &half));
		for (unsigned pair = 0; pair < first->devices * first->devices; ++pair) {
			const unsigned from = pair / first->devices, to = pair % first->devices;
			graph_route(first, from, to, &one);
			graph_route(second, from, to, &two);
			graph_route(shared, from, to, &half);
			assert_int_equal(one.count, two.count);
			assert_int_equal(one.count, half.count);
			assert_memory_equal(one.links, two.links, one.count * sizeof *one.links);
			assert_memory_equal(one.shares, two.shares, one.count * sizeof *one.shares);
			assert_close(two.latency_s, one.latency_s, 0);
			assert_close(half.latency_s, one.latency_s, 0);
			for (unsigned l = 0; l < one.count; ++l)
				assert_int_equal(one.links[l] / 2, half.links[l]);
		}
		paradl_arena_free(arena);
	}
}

/* Inside a node all cables but PCIe are of one class, here of latency 1: a shortest way's latency is its links. */
static void ways_inside_a_node_have_its_latency(void **state)
{
	(void)state;
	for (unsigned i = 0; i < INSTANCES; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct link_class classes[LINK_KINDS];
		struct topology_spec spec;
		struct path path;
		walk_classes(classes);
		assert_true(topology_parse(instances[i].text, &spec, &error));
		const struct graph *graph = topology_build(arena, &spec, classes, false, true, &error);
		assert_true(graph && path_create(arena, graph, &path));
		for (unsigned pair = 0; pair < graph->devices * graph->devices; ++pair) {
			graph_route(graph, pair / graph->devices, pair % graph->devices, &path);
			const double hops = walk_hops(&path);
			if (instances[i].shortest ? fabs(path.latency_s - hops) > 1e-9
						  : path.latency_s < hops - 1e-9 || path.latency_s > 7)
				fail_msg("%s: %u links of latency 1 take %g", instances[i].text,
					(unsigned)(hops + 0.5), path.latency_s);
		}
		paradl_arena_free(arena);
	}
}

/* Between groups of one router, by way of a third group: two global cables and no other. */
static void detours_of_lone_routers_have_no_local_cable(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	const struct graph *graph = build(arena, "dragonfly:4x1:global=3:valiant=1");
	struct link_class classes[LINK_KINDS];
	struct path path;
	(void)state;
	walk_classes(classes);
	assert_true(path_create(arena, graph, &path));
	for (unsigned pair = 0; pair < 16; ++pair) {
		graph_route(graph, pair / 4, pair % 4, &path);
		assert_close(
			path.latency_s, pair / 4 == pair % 4 ? 0 : 2 * classes[LINK_GLOBAL].latency_s, 1e-12);
	}
	paradl_arena_free(arena);
}

/* An extent of devices and what lies below one switch divide the devices. */
static void grids_and_domains_hold_all_devices(void **state)
{
	(void)state;
	for (unsigned i = 0; i < INSTANCES; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct graph *graph = build(arena, instances[i].text);
		unsigned product = 1;
		for (unsigned d = 0; d < graph->grid_count; ++d)
			product *= graph->grid[d];
		assert_true(graph->grid_count == 0 || product == graph->devices);
		for (unsigned d = 0; d < graph->domain_count; ++d)
			assert_int_equal(graph->devices % graph->domain[d], 0);
		for (unsigned d = 1; d < graph->domain_count; ++d)
			assert_int_equal(graph->domain[d] % graph->domain[d - 1], 0);
		paradl_arena_free(arena);
	}
}

static void expect_links(
	const char *text, unsigned from, unsigned to, const unsigned *vertices, unsigned count)
{
	struct paradl_arena *arena = paradl_arena_create();
	const struct graph *graph = build(arena, text);
	struct path path;
	assert_true(path_create(arena, graph, &path));
	graph_route(graph, from, to, &path);
	assert_int_equal(path.count, count);
	for (unsigned i = 0; i < count; ++i) {
		unsigned begin = 0, end = 0;
		assert_true(walk_ends(graph, path.links[i], &begin, &end));
		if (end != vertices[i])
			fail_msg("%s: %u to %u passes %u, not %u", text, from, to, end, vertices[i]);
	}
	paradl_arena_free(arena);
}
#define EXPECT(text, from, to, ...)                                                                          \
	do {                                                                                                 \
		const unsigned expected[] = {__VA_ARGS__};                                                   \
		expect_links(text, from, to, expected, sizeof expected / sizeof expected[0]);                \
	} while (0)

static void chosen_ways_are_as_documented(void **state)
{
	(void)state;
	/* own port; another port by the switch and its device: 8 devices, ports 8 .. 11, switch 12 */
	EXPECT("switch:8:ports=4", 5, 10, 10);
	EXPECT("switch:8:ports=4", 5, 8, 12, 1, 8);
	EXPECT("switch:8:ports=4", 8, 5, 1, 12, 5);
	EXPECT("switch:8:ports=4", 11, 7, 7);
	/* a cube mesh crosses to the low quad's partner, there and back the same way */
	EXPECT("nvlink:8:kind=2", 0, 6, 2, 6);
	EXPECT("nvlink:8:kind=2", 6, 0, 2, 0);
	EXPECT("nvlink:8:kind=2", 3, 4, 0, 4);
	EXPECT("nvlink:8:kind=2:ports=4", 0, 9, 2, 9);
	/* dimension order, innermost first; a tie goes up; the shorter way round */
	EXPECT("torus:4x4", 0, 10, 1, 2, 6, 10);
	EXPECT("torus:4x4", 2, 0, 3, 0);
	EXPECT("torus:5", 0, 3, 4, 3);
	EXPECT("ring:6", 0, 3, 1, 2, 3);
	EXPECT("ring:6", 3, 0, 4, 5, 0);
	EXPECT("mesh:5", 0, 3, 1, 2, 3);
	EXPECT("hyperx:4x3", 0, 11, 3, 11);
	/* D-mod-k: leaves 24 .. 27, spines 28 .. 30 of fat-tree:4x6:up=3 */
	EXPECT("fat-tree:4x6:up=3", 0, 10, 24, 28 + 10 % 3, 25, 10);
	/* palm tree: groups of 4, link l of group 0 to group 4 - l at router l */
	EXPECT("dragonfly:5x4", 0, 7, 3, 4, 7);
	EXPECT("dragonfly:5x4", 0, 16, 19, 16);
	/* words 012 -> 120 overlaps in two letters; K(2,3): index 4 s1 + 2 t2 + t3 with t = 0, 0 */
	EXPECT("kautz:2x3", 0, 4, 4);
	/* DLN: the longest stride first */
	EXPECT("dln:16:strides=2", 0, 5, 4, 5);
	EXPECT("dln:16", 0, 8, 8);
	/* ports of one rail meet on a leaf: 24 ports, leaves 24 .. 31, spines 32 .. 34 */
	EXPECT("rail:2x3x4", 3, 5, 25, 5);
	EXPECT("rail:2x3x4", 3, 6, 25, 32, 26, 6);
	/* ABCI: 68 ports, leaves 68 .. 71, middle switches 72 .. 74 */
	EXPECT("abci:1", 0, 40, 68, 72 + 40 % 3, 70, 40);
	EXPECT("abci:1:first=1", 0, 40, 68, 72, 70, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_route_is_a_way),
		cmocka_unit_test(every_topology_is_here),
		cmocka_unit_test(routes_do_not_change),
		cmocka_unit_test(ways_inside_a_node_have_its_latency),
		cmocka_unit_test(detours_of_lone_routers_have_no_local_cable),
		cmocka_unit_test(grids_and_domains_hold_all_devices),
		cmocka_unit_test(chosen_ways_are_as_documented),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
