/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Routes on the simulated machines: all pairs against closed forms of the vertices they visit, and against Floyd's
 * algorithm with predecessors, as the simulator has it, where there is no closed form.
 */
#include "test.h"

#include "base/arena.h"
#include "network/platforms.h"

enum { STOPS_MAX = 24 };

struct walk {
	unsigned count, stops[STOPS_MAX];
	unsigned links;
	double latency_s;
};

static void visit(struct walk *walk, unsigned vertex)
{
	if (walk->count && walk->stops[walk->count - 1] == vertex)
		return; /* relayed by where it is already */
	assert_true(walk->count < STOPS_MAX);
	walk->stops[walk->count++] = vertex;
}

static unsigned gpu(const struct platform *platform, unsigned node, unsigned i)
{
	return node * platform->per_node + i;
}

static unsigned plx(const struct platform *platform, unsigned node, unsigned h)
{
	return platform->first_plx + node * platform->plx + h;
}

/* The vertices of a route as it is: cables in turn, those inside a switch left out. */
static struct walk route_walk(const struct platform *platform, struct path *path, unsigned from, unsigned to)
{
	const struct graph *graph = platform->graph;
	graph_route(graph, from, to, path);
	struct walk walk = {.links = path->count, .latency_s = path->latency_s};
	visit(&walk, from);
	for (unsigned i = 0; i < path->count; ++i) {
		const struct cable *cable = &graph->cables[path->links[i]];
		const unsigned here = walk.stops[walk.count - 1];
		if (cable->from == cable->to)
			continue;
		assert_true(cable->from == here || cable->to == here);
		visit(&walk, cable->from == here ? cable->to : cable->from);
	}
	return walk;
}

static void same_walk(const struct platform *platform, unsigned from, unsigned to, const struct walk *got,
	const struct walk *want)
{
	const bool same = got->count == want->count && got->links == want->links &&
			  memcmp(got->stops, want->stops, want->count * sizeof *want->stops) == 0 &&
			  fabs(got->latency_s - want->latency_s) <= 1e-12 * want->latency_s;
	if (same)
		return;
	for (unsigned i = 0; i < got->count || i < want->count; ++i)
		print_message("%u: got %d, want %d\n", i, i < got->count ? (int)got->stops[i] : -1,
			i < want->count ? (int)want->stops[i] : -1);
	fail_msg("%s: route from %u to %u: %u links and %g s, not %u and %g s", platform_names[platform->id],
		from, to, got->links, got->latency_s, want->links, want->latency_s);
}

static void all_pairs(enum platform_id id,
	void (*closed_form)(const struct platform *platform, unsigned from, unsigned to, struct walk *walk))
{
	struct paradl_arena *arena = paradl_arena_create();
	const struct platform *platform = platform_create(arena, id, 0);
	struct path path;
	assert_true(path_create(arena, platform->graph, &path));
	for (unsigned from = 0; from < platform->graph->devices; ++from)
		for (unsigned to = 0; to < platform->graph->devices; ++to) {
			struct walk want = {0};
			if (from == to)
				continue;
			closed_form(platform, from, to, &want);
			if (want.count == 0)
				continue;
			const struct walk got = route_walk(platform, &path, from, to);
			same_walk(platform, from, to, &got, &want);
		}
	paradl_arena_free(arena);
}

/* ---- closed forms ---------------------------------------------------------------------------------------------- */

/*
 * In a leaf group by PLX 0 unless both ends are on PLX 1; an end on the other PLX relays over GPU 0 of its node.
 * `leaf` is that of PLX 0; that of PLX 1 is the next.
 */
static void by_first_plx(
	const struct platform *platform, unsigned from, unsigned to, unsigned leaf, struct walk *walk)
{
	const unsigned j = from / 4, i = from % 4, far_j = to / 4, far_i = to % 4;
	const unsigned h = i / 2 == far_i / 2 ? i / 2 : 0;
	visit(walk, from);
	visit(walk, i / 2 == h ? from : gpu(platform, j, 0));
	visit(walk, plx(platform, j, h));
	visit(walk, leaf + h);
	visit(walk, plx(platform, far_j, h));
	visit(walk, far_i / 2 == h ? to : gpu(platform, far_j, 0));
	visit(walk, to);
	walk->links = i / 2 == far_i / 2 ? 6 : 7;
}

static void tsubame3_walk(const struct platform *platform, unsigned from, unsigned to, struct walk *walk)
{
	const unsigned j = from / 4, far_j = to / 4, h = from % 4 / 2, far_h = to % 4 / 2;
	const unsigned root = platform->first_switch, leaves = root + 1;
	if (j == far_j) {
		*walk = (struct walk){2, {from, to}, 1, 0};
	} else if (j / 9 == far_j / 9) {
		by_first_plx(platform, from, to, leaves + j / 9 * 2, walk);
		walk->latency_s = 0.452e-6;
	} else {
		*walk = (struct walk){7,
			{from, plx(platform, j, h), leaves + j / 9 * 2 + h, root,
				leaves + far_j / 9 * 2 + far_h, plx(platform, far_j, far_h), to},
			10, 0.704e-6};
	}
}

static void abci_walk(const struct platform *platform, unsigned from, unsigned to, struct walk *walk)
{
	const unsigned j = from / 4, far_j = to / 4, h = from % 4 / 2, far_h = to % 4 / 2;
	const unsigned rack = j / 34, far_rack = far_j / 34;
	const unsigned spine = platform->first_switch, middles = spine + 2, leaves = middles + 6;
	const unsigned leaf = leaves + 4 * rack + 2 * (j % 2),
		       far_leaf = leaves + 4 * far_rack + 2 * (far_j % 2);
	if (j == far_j) {
		*walk = (struct walk){2, {from, to}, 1, 9e-6};
	} else if (leaf == far_leaf) {
		by_first_plx(platform, from, to, leaf, walk);
		walk->latency_s = h == far_h ? 15.232e-6 : 24.232e-6;
	} else if (rack == far_rack) {
		*walk = (struct walk){7,
			{from, plx(platform, j, h), leaf + h, middles + 3 * rack, far_leaf + far_h,
				plx(platform, far_j, far_h), to},
			10, 15.464e-6};
	} else {
		*walk = (struct walk){9,
			{from, plx(platform, j, h), leaf + h, middles + 3 * rack, spine,
				middles + 3 * far_rack, far_leaf + far_h, plx(platform, far_j, far_h), to},
			14, 16.316e-6};
	}
}

/* Between nodes on leaves of 48 GPUs: every device by its own PLX. */
static void between_nodes(const struct platform *platform, unsigned from, unsigned to, double leaf_s,
	double root_s, struct walk *walk)
{
	const unsigned g = platform->per_node, j = from / g, far_j = to / g;
	const unsigned up = plx(platform, j, from % g / 2), down = plx(platform, far_j, to % g / 2);
	const unsigned root = platform->first_switch, leaf = root + 1 + from / 48,
		       far_leaf = root + 1 + to / 48;
	if (leaf == far_leaf)
		*walk = (struct walk){5, {from, up, leaf, down, to}, 6, leaf_s};
	else
		*walk = (struct walk){7, {from, up, leaf, root, far_leaf, down, to}, 10, root_s};
}

/* In a node only where there is an NVLink: the studies' algorithms use no other pairs of it. */
static void nvcluster_walk(const struct platform *platform, unsigned from, unsigned to, struct walk *walk)
{
	const unsigned g = platform->per_node, i = from % g, far_i = to % g;
	if (from / g != to / g)
		between_nodes(platform, from, to, 0.452e-6, 0.704e-6, walk);
	else if (i / 4 == far_i / 4)
		*walk = (struct walk){2, {from, to}, 1, 0};
}

static void dgx1_walk(const struct platform *platform, unsigned from, unsigned to, struct walk *walk)
{
	static const unsigned char direct[8] = {0x1e, 0x2d, 0x4b, 0x87, 0xe1, 0xd2, 0xb4, 0x78};
	const unsigned node = from / 8 * 8, i = from % 8, far_i = to % 8;
	if (from / 8 != to / 8)
		between_nodes(platform, from, to, 15.232e-6, 16.084e-6, walk);
	else if (direct[i] >> far_i & 1)
		*walk = (struct walk){2, {from, to}, 1, 9e-6};
	else if (i < 4)
		*walk = (struct walk){3, {from, node + far_i - 4, to}, 2, 18e-6};
	else
		*walk = (struct walk){3, {from, node + i - 4, to}, 2, 18e-6};
}

static void dgx2_walk(const struct platform *platform, unsigned from, unsigned to, struct walk *walk)
{
	const unsigned last = from / 16 * 16 + 15;
	if (from / 16 != to / 16)
		between_nodes(platform, from, to, 15.232e-6, 16.084e-6, walk);
	else if (from == last || to == last)
		*walk = (struct walk){2, {from, to}, 2, 10e-6};
	else if (from / 2 == to / 2)
		*walk = (struct walk){3, {from, plx(platform, from / 16, from % 16 / 2), to}, 2, 15e-6};
	else
		*walk = (struct walk){3, {from, last, to}, 4, 20e-6};
}

static void tsubame3(void **state)
{
	(void)state;
	all_pairs(TSUBAME3, tsubame3_walk);
}

static void nvcluster(void **state)
{
	(void)state;
	all_pairs(NVCLUSTER_2, nvcluster_walk);
	all_pairs(NVCLUSTER_4, nvcluster_walk);
	all_pairs(NVCLUSTER_8, nvcluster_walk);
	all_pairs(NVCLUSTER_16, nvcluster_walk);
}

static void abci(void **state)
{
	(void)state;
	all_pairs(ABCI, abci_walk);
}

static void dgx1(void **state)
{
	(void)state;
	all_pairs(DGX1, dgx1_walk);
}

static void dgx2(void **state)
{
	(void)state;
	all_pairs(DGX2, dgx2_walk);
}

/* ---- Floyd with predecessors ------------------------------------------------------------------------------------ */

static unsigned hop_weight(const struct graph *graph, const struct cable *cable)
{
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (graph->cables[i].from == cable->to && graph->cables[i].to == cable->to)
			return 2;
	return 1;
}

static void floyd(
	const struct platform *platform, const unsigned *order, unsigned *cost, unsigned *predecessor)
{
	const struct graph *graph = platform->graph;
	const unsigned n = graph->vertices;
	for (unsigned i = 0; i < n * n; ++i)
		cost[i] = 1u << 20;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->from == cable->to)
			continue;
		cost[cable->from * n + cable->to] = cost[cable->to * n + cable->from] =
			hop_weight(graph, cable);
		predecessor[cable->from * n + cable->to] = cable->from;
		predecessor[cable->to * n + cable->from] = cable->to;
	}
	for (unsigned turn = 0; turn < n; ++turn)
		for (unsigned a = 0, c = order[turn]; a < n; ++a)
			for (unsigned b = 0; b < n; ++b)
				if (a != b && cost[a * n + c] + cost[c * n + b] < cost[a * n + b]) {
					cost[a * n + b] = cost[a * n + c] + cost[c * n + b];
					predecessor[a * n + b] = predecessor[c * n + b];
				}
}

/* Nodes one after the other, then the switches. */
static unsigned *order_of(struct paradl_arena *arena, const struct platform *platform)
{
	unsigned *order = arena_alloc(arena, platform->graph->vertices, sizeof *order), count = 0;
	for (unsigned j = 0; j < platform->nodes; ++j) {
		for (unsigned i = 0; i < platform->per_node; ++i)
			order[count++] = gpu(platform, j, i);
		for (unsigned h = 0; h < platform->plx; ++h)
			order[count++] = plx(platform, j, h);
	}
	for (unsigned i = platform->first_switch; i < platform->graph->vertices; ++i)
		order[count++] = i;
	return order;
}

static void predecessors(void **state)
{
	(void)state;
	for (unsigned id = 0; id < PLATFORM_COUNT; ++id) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct platform *platform = platform_create(arena, (enum platform_id)id, 0);
		const unsigned n = platform->graph->vertices;
		unsigned *cost = arena_alloc(arena, (size_t)n * n, sizeof *cost);
		unsigned *predecessor = arena_alloc(arena, (size_t)n * n, sizeof *predecessor);
		struct path path;
		assert_true(path_create(arena, platform->graph, &path));
		floyd(platform, order_of(arena, platform), cost, predecessor);
		for (unsigned from = 0; from < platform->graph->devices; ++from)
			for (unsigned to = 0; to < platform->graph->devices; ++to) {
				if (from == to)
					continue;
				const struct walk got = route_walk(platform, &path, from, to);
				assert_int_equal(got.links, cost[from * n + to]);
				unsigned at = got.count;
				for (unsigned b = to; b != from; b = predecessor[from * n + b])
					assert_int_equal(got.stops[--at], b);
			}
		paradl_arena_free(arena);
	}
}

/* ---- what the files hold ------------------------------------------------------------------------------------------ */

static void counts(void **state)
{
	static const struct {
		unsigned nvlinks, pcie, ports, switches, global, backplanes;
	} want[PLATFORM_COUNT] = {
		[TSUBAME3] = {384, 256, 128, 16, 0, 17},
		[NVCLUSTER_2] = {128, 256, 128, 6, 0, 7},
		[NVCLUSTER_4] = {384, 256, 128, 6, 0, 7},
		[NVCLUSTER_8] = {512, 256, 128, 6, 0, 7},
		[NVCLUSTER_16] = {512, 256, 128, 6, 0, 7},
		[DRAGONFLY_4_64] = {384, 256, 128, 96, 180, 64},
		[ABCI] = {408, 272, 136, 24, 12, 16},
		[DGX1] = {576, 288, 144, 6, 0, 7},
		[DGX2] = {288, 288, 144, 6, 0, 7},
	};
	(void)state;
	for (unsigned id = 0; id < PLATFORM_COUNT; ++id) {
		struct paradl_arena *arena = paradl_arena_create();
		const struct platform *platform = platform_create(arena, (enum platform_id)id, 0);
		unsigned count[LINK_KINDS] = {0};
		for (unsigned i = 0; i < platform->graph->cable_count; ++i)
			++count[platform->graph->cables[i].kind];
		assert_int_equal(count[LINK_DEVICE], want[id].nvlinks);
		assert_int_equal(count[LINK_PCIE], want[id].pcie);
		assert_int_equal(count[LINK_PORT], want[id].ports);
		assert_int_equal(count[LINK_SWITCH], want[id].switches);
		assert_int_equal(count[LINK_GLOBAL], want[id].global);
		assert_int_equal(count[LINK_BACKPLANE], want[id].backplanes);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(tsubame3),
		cmocka_unit_test(nvcluster),
		cmocka_unit_test(abci),
		cmocka_unit_test(dgx1),
		cmocka_unit_test(dgx2),
		cmocka_unit_test(predecessors),
	};
	return cmocka_run_group_tests_name("network/platforms", tests, NULL, NULL);
}
