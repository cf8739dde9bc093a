/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inventories against closed forms of the topologies, and, on small networks, distances against breadth-first search,
 * least cuts against all ways to put the switches on a side, cables against a floor measured by hand.
 */
#include "test.h"

#include "network/graph/inventory.h"
#include "network/graph/topology.h"

#define RATE 12.5e9

enum { SWITCHES_MOST = 16, VERTICES_MOST = 512, FAR = 1000000 };

static int arena_setup(void **state)
{
	*state = paradl_arena_create();
	return *state ? 0 : -1;
}

static int arena_teardown(void **state)
{
	paradl_arena_free(*state);
	return 0;
}

static struct machine_network *rules_plain(struct paradl_arena *arena)
{
	struct machine_network *rules = arena_alloc(arena, 1, sizeof *rules);
	assert_non_null(rules);
	for (unsigned kind = 0; kind < LINK_KINDS; ++kind)
		rules->links[kind] = (struct link_class){
			.bytes_per_s = RATE, .sustained_bytes_per_s = RATE, .latency_s = 5e-7};
	return rules;
}

static const struct network *paper(
	struct paradl_arena *arena, const char *topology, const struct machine_network *rules)
{
	struct paradl_error error = {0};
	const struct network *network =
		network_on_paper(arena, topology, rules ? rules : rules_plain(arena), &error);
	if (!network)
		fail_msg("%s: %s", topology, error.message);
	return network;
}

static struct paradl_inventory taken(struct paradl_arena *arena, const struct network *network)
{
	struct paradl_inventory inventory;
	struct paradl_error error = {0};
	assert_true(inventory_take(arena, network, &inventory, &error));
	return inventory;
}

/* ---- closed forms ----------------------------------------------------------------------------------------------- */

struct form {
	const char *topology;
	unsigned devices, switches;
	double port_cables, switch_cables, global_cables, diameter;
	double bisection_links;
	double mean; /* 0: not compared */
};

static const struct form forms[] = {
	/* a switch: one cable each; half of the devices send at their own rate */
	{"switch:8", 8, 1, 8, 0, 0, 2, 4, 2},
	{"switch:9", 9, 1, 9, 0, 0, 2, 4, 2},
	{"switch:8:width=4", 8, 1, 32, 0, 0, 2, 16, 2},
	/* N/d leaves, u spines, N + N u / d cables, bisection N u / (2 d); mean: 7 of 63 pairs are on one leaf */
	{"fat-tree:8x8", 64, 16, 64, 64, 0, 4, 32, (7 * 2 + 56 * 4) / 63.0},
	{"fat-tree:8x8:up=2", 64, 10, 64, 16, 0, 4, 8, (7 * 2 + 56 * 4) / 63.0},
	{"fat-tree:32x32:up=8", 1024, 40, 1024, 256, 0, 4, 128, (31 * 2 + 992 * 4) / 1023.0},
	/* k-ary, k = 8: N = k^3 / 4 = 128, 5 k^2 / 4 = 80 switches, 3 k^3 / 4 = 384 cables, bisection N / 2 */
	{"fat-tree:8x4x4", 128, 80, 128, 128, 128, 6, 64, (3 * 2 + 12 * 4 + 112 * 6) / 127.0},
	{"fat-tree:4x4x4:core=1", 64, 16 + 16 + 4, 64, 64, 16, 6, 8, 0},
	{"fat-tree:8x8:up=4:bundle=1", 64, 9, 64, 32, 0, 4, 16, 0},
	/* leaves P x R, each with `up` uplinks */
	{"rail:4x16x8", 512, 32 + 16, 512, 512, 0, 4, 256, 0},
	{"rail:4x16x8:up=4", 512, 32 + 4, 512, 128, 0, 4, 64, 0},
	/* N routers, N D cables, sum of floor(k / 2), 2 N / k of the longest; with one cable to each router two links more */
	{"torus:8x8", 64, 0, 0, 128, 0, 8, 16, (2 + 2) * 64 / 63.0},
	{"torus:4x16x8", 512, 0, 0, 1536, 0, 2 + 8 + 4, 64, (1 + 4 + 2) * 512 / 511.0},
	{"torus:8x4:hosts=1", 32, 32, 32, 64, 0, 2 + 6, 8, 2 + (2 + 1) * 32 / 31.0},
	{"ring:30", 30, 0, 0, 30, 0, 15, 2, 7.5 * 30 / 29},
	/* N sum (k - 1) / k cables, sum (k - 1), N / k; mean distance in one dimension (k^2 - 1) / (3 k) */
	{"mesh:8x8", 64, 0, 0, 112, 0, 14, 8, 2 * 63 / 24.0 * 64 / 63},
	{"mesh:4x6x10", 240, 0, 0, 180 + 200 + 216, 0, 17, 24,
		(15 / 12.0 + 35 / 18.0 + 99 / 30.0) * 240 / 239},
	/* G a routers, G a (a - 1) / 2 local, one global for each pair, (G / 2)^2 of them between halves */
	{"dragonfly:8x8", 64, 0, 0, 8 * 28, 28, 3, 16, 0},
	{"dragonfly:8x7:hosts=4:width=3", 224, 56, 224, 8 * 21, 3 * 28, 5, 48, 0},
	/* n p (n + p - 2) / 2; the cut through the rows is p n^2 / 4 */
	{"hyperx:16x16", 256, 0, 0, 256 * 15, 0, 2, 1024, 480 / 255.0},
	{"hyperx:8x4", 32, 0, 0, 32 * 10 / 2, 0, 2, 8 * 4, (10 + 2 * 21) / 31.0},
	/* 17 ports a leaf, 4 leaves and 3 middle switches a rack, 6 and 4 cables to each above: 24 of 72 leave the rack */
	{"abci:32", 2176, 226, 2176, 2304, 768, 6, 384, 0},
	{"abci:2", 136, 16, 136, 144, 48, 6, 24, 0},
};

/* Cables both ways, diameter and mean distance of 256 or 272 devices; the last to the digits given. */
static const struct table_row {
	const char *topology;
	double one_way_links, diameter, mean, half_digit;
} table[] = {
	{"ring:256", 512, 128, 64.3, 0.05},
	{"torus:16x16", 1024, 16, 8.03, 0.005},
	{"torus:8x8x4", 1536, 10, 5.02, 0.005},
	{"dln:256:strides=2", 1280, 33, 16.8, 0.05},
	{"dln:256:strides=4", 2304, 10, 5.44, 0.005},
	{"dln:256:strides=6", 3328, 5, 3.04, 0.005},
	{"dln:256", 3840, 4, 2.79, 0.005},
	{"torus:2x2x2x2x2x2x2x2", 2048, 8, 4.02, 0.005},
	{"hyperx:16x16", 7680, 2, 1.88, 0.005},
	{"kautz:16x2", 4352, 2, 1.94, 0.005},
	{"dragonfly:17x16", 4352, 3, 2.77, 0.005},
};

static void table_of_256(void **state)
{
	for (unsigned i = 0; i < sizeof table / sizeof *table; ++i) {
		const struct paradl_inventory inventory =
			taken(*state, paper(*state, table[i].topology, NULL));
		print_message("# %s %.4g\n", table[i].topology, inventory.mean_hops);
		assert_close(inventory.one_way_links, table[i].one_way_links, 0);
		assert_close(inventory.diameter_hops, table[i].diameter, 0);
		assert_true(fabs(inventory.mean_hops - table[i].mean) <= table[i].half_digit);
	}
}

static void form_check(struct paradl_arena *arena, const struct form *form)
{
	const struct paradl_inventory inventory = taken(arena, paper(arena, form->topology, NULL));
	print_message("# %s\n", form->topology);
	assert_int_equal(inventory.devices, form->devices);
	assert_int_equal(inventory.switches, form->switches);
	assert_int_equal(inventory.node_switches, 0);
	assert_close(inventory.port_cables, form->port_cables, 0);
	assert_close(inventory.switch_cables, form->switch_cables, 0);
	assert_close(inventory.global_cables, form->global_cables, 0);
	assert_close(inventory.cables, form->port_cables + form->switch_cables + form->global_cables, 0);
	assert_close(inventory.node_cables, 0, 0);
	assert_int_equal(inventory.nics, form->port_cables);
	assert_close(inventory.diameter_hops, form->diameter, 0);
	assert_close(inventory.bisection_bytes_per_s, form->bisection_links * RATE, 1e-9);
	if (form->mean > 0)
		assert_close(inventory.mean_hops, form->mean, 1e-12);
	assert_int_equal(inventory.sampled > 0, form->devices > 2048);
	assert_close(inventory.rack_cables + inventory.copper_cables + inventory.optical_cables,
		inventory.cables, 0);
	assert_false(inventory.schematic);
}

static void closed_forms(void **state)
{
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; ++i)
		form_check(*state, &forms[i]);
}

/* Every end of a cable is a port of a switch, or of a device. */
static void ports_of_switches(void **state)
{
	const struct paradl_inventory tree = taken(*state, paper(*state, "fat-tree:8x8:up=2", NULL));
	assert_close(tree.switch_ports, 64 + 2 * 16, 0);
	assert_close(tree.most_ports, 10, 0); /* a leaf: 8 down, 2 up; a spine has 8 */
	assert_close(tree.one_way_links, 2 * 80, 0);
	struct machine_network *rules = rules_plain(*state);
	rules->half_duplex = true;
	assert_close(taken(*state, paper(*state, "fat-tree:8x8:up=2", rules)).one_way_links, 80, 0);
	/* a device that relays has the ports; d one-way cables out and d in are d ports */
	const struct paradl_inventory kautz = taken(*state, paper(*state, "kautz:4x2", NULL));
	assert_close(kautz.most_ports, 4, 0);
	assert_close(kautz.cables, 80, 0);
	assert_close(kautz.switch_ports, 0, 0);
}

/* ---- distances and cuts of small networks, by brute force --------------------------------------------------------- */

static void breadth_first(const struct graph *graph, unsigned from, unsigned *hops)
{
	for (unsigned v = 0; v < graph->vertices; ++v)
		hops[v] = v == from ? 0 : FAR;
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < graph->cable_count; ++i) {
			const struct cable *cable = &graph->cables[i];
			for (unsigned way = 0; way < (cable->one_way ? 1u : 2u); ++way) {
				const unsigned near = way ? cable->to : cable->from;
				const unsigned far = way ? cable->from : cable->to;
				if (hops[near] + 1 < hops[far]) {
					hops[far] = hops[near] + 1;
					more = true;
				}
			}
		}
	}
}

static void distances_check(struct paradl_arena *arena, const struct network *network)
{
	const struct graph *graph = network->graph;
	unsigned hops[VERTICES_MOST], most = 0;
	double sum = 0;
	assert_true(graph->vertices <= VERTICES_MOST);
	for (unsigned from = 0; from < graph->devices; ++from) {
		breadth_first(graph, from, hops);
		for (unsigned to = 0; to < graph->devices; ++to) {
			assert_true(hops[to] < FAR);
			most = hops[to] > most ? hops[to] : most;
			sum += hops[to];
		}
	}
	const struct paradl_inventory inventory = taken(arena, network);
	const double pairs = graph->devices * (graph->devices - 1.0);
	assert_close(inventory.diameter_hops, most, 0);
	assert_close(inventory.mean_hops, sum / pairs, 1e-12);
}

/* Rates of the cables from vertices on side 0 to vertices on side 1. */
static double cut_rate(const struct graph *graph, const unsigned char *side)
{
	double rate = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		const bool forth = !side[cable->from] && side[cable->to];
		const bool back = side[cable->from] && !side[cable->to] && !cable->one_way;
		if (forth || back)
			rate += graph->classes[cable->class_].sustained_bytes_per_s * cable->width;
	}
	return rate;
}

/* The least over all sides that the vertices that are no devices may take. */
static double cut_brute(const struct graph *graph, const unsigned char *devices)
{
	unsigned char side[VERTICES_MOST];
	const unsigned others = graph->vertices - graph->devices;
	double least = -1;
	assert_true(others <= SWITCHES_MOST && graph->vertices <= VERTICES_MOST);
	memcpy(side, devices, graph->devices);
	for (unsigned mask = 0; mask < 1u << others; ++mask) {
		for (unsigned v = 0; v < others; ++v)
			side[graph->devices + v] = mask >> v & 1;
		const double rate = cut_rate(graph, side);
		least = least < 0 || rate < least ? rate : least;
	}
	return least;
}

static unsigned random_next(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

/* The halves in order, and sides drawn at random. */
static void cuts_check(struct paradl_arena *arena, const struct network *network, unsigned *seed)
{
	const struct graph *graph = network->graph;
	unsigned char side[VERTICES_MOST];
	for (unsigned turn = 0; turn < 8; ++turn) {
		double cut = 0;
		for (unsigned v = 0; v < graph->devices; ++v)
			side[v] = (unsigned char)(turn ? random_next(seed) & 1 : v >= graph->devices / 2);
		assert_true(cut_bytes_per_s(arena, graph, side, &cut));
		assert_close(cut, cut_brute(graph, side), 1e-9);
		if (turn == 0 && network->devices_per_node == 1)
			assert_true(taken(arena, network).bisection_bytes_per_s <= cut * (1 + 1e-9));
	}
}

static const char *const small[] = {
	"switch:2",
	"switch:7",
	"fat-tree:4x4",
	"fat-tree:4x4:up=1",
	"fat-tree:5x3:up=2",
	"fat-tree:2x2x2",
	"fat-tree:2x2x3:up=2:core=1",
	"fat-tree:3x2x2:core=1:up=1",
	"torus:5x4",
	"torus:3x2x4:split=1",
	"torus:4x3:hosts=1",
	"twisted-torus:3x6",
	"mesh:3x5",
	"ring:9",
	"dln:30",
	"dln:12x3:strides=2",
	"dln2d:6x5",
	"hyperx:5x4",
	"hyperx:3x5:hosts=2",
	"hyperx:2x3x2:split=1",
	"kautz:3x2",
	"kautz:2x4",
	"dragonfly:5x4:split=1",
	"dragonfly+:3x2:hosts=2:links=2:split=1",
	"dragonfly:4x3:hosts=2:split=1",
	"rail:2x3x2",
	"switch:6:ports=3",
	"nvlink:8:kind=2",
	"nvlink:4:kind=1:ports=2",
};

static void small_networks(void **state)
{
	unsigned seed = 20260101;
	print_message("# seed %u\n", seed);
	for (unsigned i = 0; i < sizeof small / sizeof *small; ++i) {
		struct machine_network *rules = rules_plain(*state);
		for (unsigned kind = 0; kind < LINK_KINDS; ++kind)
			rules->links[kind].sustained_bytes_per_s = RATE * (1 + random_next(&seed) % 4);
		const struct network *network = paper(*state, small[i], rules);
		print_message("# %s\n", small[i]);
		distances_check(*state, network);
		cuts_check(*state, network, &seed);
	}
}

/* Any graph: random cables, also one-way ones, of random rates between 6 devices and 8 switches. */
static void cuts_of_random_graphs(void **state)
{
	unsigned seed = 7;
	print_message("# seed %u\n", seed);
	for (unsigned turn = 0; turn < 100; ++turn) {
		const struct machine_network *rules = rules_plain(*state);
		struct graph *graph = graph_create(*state, rules->links, turn % 2);
		unsigned char side[6];
		double cut = 0;
		graph->devices = 6;
		graph_vertices(graph, 14);
		for (unsigned i = 0; i < 30; ++i) {
			const unsigned from = random_next(&seed) % 14, to = random_next(&seed) % 14;
			const unsigned width = 1 + random_next(&seed) % 5;
			if (random_next(&seed) % 3)
				graph_cable(graph, from, to, LINK_SWITCH, width);
			else
				graph_one_way(graph, from, to, LINK_SWITCH, width);
		}
		assert_true(graph_finish(graph, NULL));
		for (unsigned v = 0; v < 6; ++v)
			side[v] = random_next(&seed) & 1;
		assert_true(cut_bytes_per_s(*state, graph, side, &cut));
		assert_close(cut, cut_brute(graph, side), 1e-9);
	}
}

/* A cable without a rate does not limit; only such cables on the way: no figure. */
static void cuts_without_rates(void **state)
{
	struct machine_network *rules = rules_plain(*state);
	rules->links[LINK_PORT].sustained_bytes_per_s = 0;
	const struct paradl_inventory tree = taken(*state, paper(*state, "fat-tree:4x4:up=1", rules));
	assert_close(tree.bisection_bytes_per_s, 2 * RATE, 1e-9);
	assert_true(taken(*state, paper(*state, "switch:4", rules)).bisection_bytes_per_s < 0);
	assert_close(taken(*state, paper(*state, "switch:1", rules)).bisection_bytes_per_s, 0, 0);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

static const struct network *cluster(struct paradl_arena *arena, const char *node, const char *topology,
	struct rails rails, unsigned nodes)
{
	struct topology_spec spec;
	struct paradl_error error = {0};
	const struct machine_network *rules = rules_plain(arena);
	assert_true(topology_parse(node, &spec, &error));
	struct graph *inside = topology_build(arena, &spec, rules->links, false, true, &error);
	assert_true(topology_parse(topology, &spec, &error));
	struct graph *outside = topology_build(arena, &spec, rules->links, false, false, &error);
	assert_true(inside && outside);
	struct network *network = arena_alloc(arena, 1, sizeof *network);
	*network = (struct network){.graph = graph_hierarchy(arena, inside, outside, nodes, &rails, &error),
		.rules = rules,
		.devices_per_node = inside->devices,
		.ports = rails.ports};
	if (!network->graph)
		fail_msg("%s", error.message);
	network->devices = network->graph->devices;
	return network;
}

/* 6 nodes of 4 devices behind one switch each; devices 0 and 2 are ports to a fat tree with places for 8 nodes. */
static void nodes_in_a_cluster(void **state)
{
	const struct network *network =
		cluster(*state, "switch:4", "fat-tree:4x4:up=2", (struct rails){2, 1, 0}, 6);
	const struct paradl_inventory inventory = taken(*state, network);
	assert_int_equal(inventory.devices, 24);
	assert_int_equal(inventory.node_switches, 6);
	assert_int_equal(inventory.switches, 4 + 2);
	assert_int_equal(inventory.nics, 12); /* 16 places, 4 of them free */
	assert_close(inventory.node_cables, 24, 0);
	assert_close(inventory.port_cables, 12, 0);
	assert_close(inventory.switch_cables, 8, 0);
	assert_close(inventory.cables, 44, 0);
	assert_close(inventory.one_way_links, 88, 0);
	assert_close(inventory.switch_ports, 12 + 2 * 8, 0);
	assert_close(inventory.most_ports, 6, 0); /* a leaf; a spine has 4 */
	/* half of the nodes: leaf 0 with 2 of them and one node of leaf 1, cut off before its leaf or with it */
	assert_close(inventory.bisection_bytes_per_s, 4 * RATE, 1e-9);
	assert_close(inventory.diameter_hops, 4, 0);
}

/* 3 nodes of 2 devices, one of them a port: halves are of whole nodes, one and two. */
static void odd_numbers_of_nodes(void **state)
{
	const struct network *network = cluster(*state, "switch:2", "switch:4", (struct rails){1, 1, 0}, 3);
	assert_close(taken(*state, network).bisection_bytes_per_s, RATE, 1e-9);
}

/*
 * ABCI: 1088 nodes of 4 V100 (every pair two links) and 2 PLX with a port each; a pair of neighbouring nodes has a port on each of
 * the rack's 4 leaves, so 17 nodes share leaves.
 */
static void abci(void **state)
{
	const struct rails rails = {.ports = 2, .planes = 4, .leaf = 17};
	const struct network *network = cluster(*state, "nvlink:4:width=2:ports=2", "abci:32", rails, 1088);
	const struct paradl_inventory inventory = taken(*state, network);
	assert_int_equal(inventory.devices, 4352);
	assert_int_equal(inventory.nics, 2176);
	assert_int_equal(inventory.switches, 224 + 2);
	assert_int_equal(inventory.node_switches, 0);
	assert_close(inventory.node_cables, 1088 * (6 * 2 + 4), 0);
	assert_close(inventory.port_cables, 2176, 0);
	assert_close(inventory.switch_cables, 2304, 0);
	assert_close(inventory.global_cables, 768, 0);
	assert_close(inventory.most_ports, 384, 0); /* a spine: 4 from each of 96 middle switches */
	assert_close(inventory.bisection_bytes_per_s, 16 * 24 * RATE, 1e-9);
	/* PCIe at both ends, 2, 4 or 6 links between */
	assert_close(inventory.diameter_hops, 8, 0);
	assert_close(inventory.cables, inventory.node_cables + 2176 + 2304 + 768, 0);
}

/* ---- the floor ----------------------------------------------------------------------------------------------------------- */

/*
 * Four leaves of 2 in racks of 2: places 0 to 4 in rows of 2 (3 rows), the two spines in a rack at the start of the
 * middle row, place 2:
 *     0 1        racks of leaves 0 1
 *     2 3        spines, leaf 2
 *     4          leaf 3
 */
static void floor_by_hand(void **state)
{
	const struct network *network = paper(*state, "fat-tree:4x2:up=2", NULL);
	const struct floor_plan plan = {1, 10, 3, 5, 21, 2, 16};
	struct paradl_inventory inventory;
	assert_true(inventory_take_on(*state, network, &plan, &inventory, NULL));
	assert_int_equal(inventory.racks, 5);
	assert_close(inventory.rack_cables, 8, 0); /* of devices */
	/* a cable of each leaf to each spine: one row, a row and a place, one place, one row away; 5 m at each end */
	const double leaf_m[] = {20, 21, 11, 20};
	assert_close(inventory.cable_m, 8 * 3 + 2 * (leaf_m[0] + leaf_m[1] + leaf_m[2] + leaf_m[3]), 1e-12);
	assert_close(inventory.longest_cable_m, 21, 1e-12);
	assert_close(inventory.copper_cables, 8, 0);
	struct floor_plan shorter = plan;
	shorter.copper_m = 20;
	assert_true(inventory_take_on(*state, network, &shorter, &inventory, NULL));
	assert_close(inventory.copper_cables, 6, 0);
	assert_close(inventory.optical_cables, 2, 0);
}

/* One spine to a rack: two racks fill the middle row, places 2 and 3; leaf 2 and 3 are in places 4 and 5. */
static void floor_with_more_racks_of_switches(void **state)
{
	const struct network *network = paper(*state, "fat-tree:4x2:up=2", NULL);
	const struct floor_plan plan = {1, 10, 3, 5, 0, 2, 1};
	struct paradl_inventory inventory;
	assert_true(inventory_take_on(*state, network, &plan, &inventory, NULL));
	assert_int_equal(inventory.racks, 6);
	assert_close(inventory.cable_m, 8 * 3 + 4 * (20 + 21), 1e-12);
	assert_close(inventory.optical_cables, 8, 0);
}

/* One spine is the middle place of the middle row of two, or of four, the later one; leaves before and after it. */
static void floor_with_an_even_number_of_rows(void **state)
{
	static const struct {
		const char *tree;
		unsigned leaves, columns, spine;
	} cases[] = {{"fat-tree:2x2:up=1", 2, 2, 2}, {"fat-tree:14x2:up=1", 14, 4, 2 * 4 + 1}};
	const struct floor_plan plan = {1, 10, 3, 5, 0, 2, 16};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_inventory inventory;
		const unsigned columns = cases[i].columns, spine = cases[i].spine;
		double expected_m = 2 * cases[i].leaves * plan.inside_m;
		for (unsigned place = 0; place <= cases[i].leaves; ++place)
			if (place != spine)
				expected_m += abs((int)(place % columns) - (int)(spine % columns)) *
						      plan.rack_width_m +
					      abs((int)(place / columns) - (int)(spine / columns)) *
						      plan.row_pitch_m +
					      2 * plan.overhead_m;
		assert_true(inventory_take_on(
			*state, paper(*state, cases[i].tree, NULL), &plan, &inventory, NULL));
		assert_int_equal(inventory.racks, cases[i].leaves + 1);
		assert_close(inventory.cable_m, expected_m, 1e-12);
	}
}

/* In one rack, switches need none of their own; the default rack takes 32 devices, in whole nodes. */
static void floor_defaults(void **state)
{
	const struct paradl_inventory small_tree = taken(*state, paper(*state, "fat-tree:8x4", NULL));
	assert_int_equal(small_tree.racks, 1);
	assert_close(small_tree.rack_cables, small_tree.cables, 0);
	assert_close(small_tree.cable_m, 2 * small_tree.cables, 1e-12);
	struct machine_network *rules = rules_plain(*state);
	struct network network = {.rules = rules, .devices_per_node = 5};
	assert_int_equal(floor_plan_of(&network).devices_per_rack, 30);
	network.devices_per_node = 72;
	assert_int_equal(floor_plan_of(&network).devices_per_rack, 72);
	rules->devices_per_rack = 136;
	assert_int_equal(floor_plan_of(&network).devices_per_rack, 136);
}

/* ---- power and price --------------------------------------------------------------------------------------------------------- */

static void power_and_price(void **state)
{
	struct machine_network *rules = rules_plain(*state);
	rules->links[LINK_PORT].idle_watt = 3;
	rules->links[LINK_SWITCH].idle_watt = 5;
	rules->links[LINK_PORT].price = 100;
	rules->switch_watt = 400;
	rules->switch_price = 10000;
	struct paradl_inventory inventory = taken(*state, paper(*state, "fat-tree:4x4:up=2", rules));
	assert_close(inventory.cables_watt, 16 * 3 + 8 * 5, 1e-12);
	assert_close(inventory.switches_watt, 6 * 400, 1e-12);
	assert_true(inventory.nics_watt < 0);
	assert_close(inventory.static_watt, 88 + 2400, 1e-12);
	assert_close(inventory.switches_price, 60000, 1e-12);
	assert_true(inventory.cables_price < 0); /* those between switches are not known */
	assert_true(inventory.price < 0);
	rules->links[LINK_SWITCH].price = 500;
	rules->port_watt = 20;
	inventory = taken(*state, paper(*state, "fat-tree:4x4:up=2", rules));
	assert_close(inventory.nics_watt, 16 * 20, 1e-12);
	assert_close(inventory.static_watt, 88 + 2400 + 320, 1e-12);
	assert_close(inventory.cables_price, 16 * 100 + 8 * 500, 1e-12);
	assert_close(inventory.price, 65600, 1e-12);
	const struct paradl_inventory unknown = taken(*state, paper(*state, "switch:4", NULL));
	assert_true(unknown.cables_watt < 0 && unknown.switches_watt < 0 && unknown.nics_watt < 0);
	assert_true(unknown.static_watt < 0 && unknown.price < 0);
}

/* ---- large networks ----------------------------------------------------------------------------------------------------------- */

/* Above 2048 devices distances are of some devices only; these networks look the same from all, or nearly. */
static void large_networks(void **state)
{
	const struct paradl_inventory tree = taken(*state, paper(*state, "fat-tree:64x32x32", NULL));
	assert_int_equal(tree.devices, 65536);
	assert_int_equal(tree.sampled, 32);
	assert_close(tree.diameter_hops, 6, 0);
	assert_close(tree.mean_hops, (31 * 2 + 31 * 32 * 4 + 63.0 * 1024 * 6) / 65535, 1e-12);
	assert_close(tree.bisection_bytes_per_s, 32768 * RATE, 1e-6);
	assert_close(tree.cables, 3 * 65536, 0);
	const struct paradl_inventory ring = taken(*state, paper(*state, "ring:65536", NULL));
	assert_close(ring.diameter_hops, 32768, 0);
	assert_close(ring.mean_hops, 16384, 1e-3);
	assert_close(ring.bisection_bytes_per_s, 2 * RATE, 1e-9);
	const struct paradl_inventory mesh = taken(*state, paper(*state, "mesh:256x256", NULL));
	assert_close(mesh.diameter_hops, 510, 0);
	assert_close(mesh.mean_hops, 2 * 65535 / (3 * 256.0), 3e-3);
	assert_close(mesh.bisection_bytes_per_s, 256 * RATE, 1e-9);
	const struct paradl_inventory torus = taken(*state, paper(*state, "torus:64x32x32:hosts=2", NULL));
	assert_close(torus.diameter_hops, 2 + 32 + 16 + 16, 0);
	assert_close(torus.bisection_bytes_per_s, 2 * 64 * 32 * RATE, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(table_of_256),
		cmocka_unit_test(ports_of_switches),
		cmocka_unit_test(small_networks),
		cmocka_unit_test(cuts_of_random_graphs),
		cmocka_unit_test(cuts_without_rates),
		cmocka_unit_test(nodes_in_a_cluster),
		cmocka_unit_test(odd_numbers_of_nodes),
		cmocka_unit_test(abci),
		cmocka_unit_test(floor_by_hand),
		cmocka_unit_test(floor_with_more_racks_of_switches),
		cmocka_unit_test(floor_with_an_even_number_of_rows),
		cmocka_unit_test(floor_defaults),
		cmocka_unit_test(power_and_price),
		cmocka_unit_test(large_networks),
	};
	return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
