/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices of a node in an order of their own: routes are those of the devices they were, over cables at the right ends. */
#include "test.h"

#include "network/cost/compile.h"
#include "network/walk.h"

static const unsigned hybrid_cube[] = {0, 3, 2, 1, 5, 6, 7, 4};
static const unsigned shuffled[] = {6, 0, 7, 3, 1, 5, 2, 4};

static const struct site {
	const char *node, *cluster;
	unsigned nodes, ports;
	const unsigned *order;
	bool fewest_links;
} sites[] = {
	{"nvlink:8:kind=2", NULL, 1, 1, hybrid_cube, false},
	{"nvlink:8:kind=2", NULL, 1, 1, shuffled, true},
	{"torus:2x4", NULL, 1, 1, shuffled, false},
	{"nvlink:8:kind=2:ports=4", "fat-tree:3x8:up=2", 6, 4, hybrid_cube, false},
	{"nvlink:8:kind=2:ports=4", "fat-tree:3x8:up=2", 6, 4, shuffled, true},
	{"nvlink:8:kind=3", "fat-tree:3x16:up=4", 6, 8, shuffled, false},
	{"switch:8", "torus:4x4x2", 4, 8, shuffled, false},
	{"switch:8", "torus:4x4x2", 4, 8, shuffled, true},
};
enum { SITES = sizeof sites / sizeof *sites, PER_NODE = 8 };

/* The site's machine with its order, or in order. */
static struct network *network_of(
	struct paradl_arena *arena, const struct site *site, const unsigned *order, bool half_duplex)
{
	struct machine_network *rules = arena_alloc(arena, 1, sizeof *rules);
	struct paradl_machine *machine = arena_alloc(arena, 1, sizeof *machine);
	struct paradl_error error = {0};
	assert_true(rules && machine);
	*rules = (struct machine_network){.node = site->node,
		.cluster = site->cluster,
		.rails = {.ports = site->ports, .planes = 1},
		.order = order,
		.order_count = order ? PER_NODE : 0,
		.half_duplex = half_duplex,
		.fewest_links = site->fewest_links,
		.usable = 1};
	walk_classes(rules->links);
	*machine = (struct paradl_machine){.name = site->node,
		.levels = {{.devices = PER_NODE}, {.devices = site->nodes * PER_NODE}},
		.level_count = 2,
		.network = rules,
		.devices = site->nodes * PER_NODE,
		.devices_per_node = PER_NODE};
	struct network *network = network_create(arena, machine, &error);
	if (!network)
		fail_msg("%s: %s", site->node, error.message);
	return network;
}

static bool same_path(const struct path *a, const struct path *b)
{
	return a->count == b->count && a->split == b->split && !(a->latency_s < b->latency_s) &&
	       !(a->latency_s > b->latency_s) && memcmp(a->links, b->links, a->count * sizeof *a->links) == 0;
}

static void routes_are_those_of_what_they_were(void **state)
{
	(void)state;
	for (size_t s = 0; s < SITES; ++s) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph *const ordered =
			network_of(arena, &sites[s], sites[s].order, false)->graph;
		const struct graph *const plain = network_of(arena, &sites[s], NULL, false)->graph;
		double *const balance = arena_alloc(arena, ordered->vertices, sizeof *balance);
		struct path path, was;
		assert_true(balance && path_create(arena, ordered, &path) && path_create(arena, plain, &was));
		for (unsigned from = 0; from < ordered->devices; ++from)
			for (unsigned to = 0; to < ordered->devices; ++to) {
				const unsigned *const order = sites[s].order;
				graph_route(ordered, from, to, &path);
				graph_route(plain, from / PER_NODE * PER_NODE + order[from % PER_NODE],
					to / PER_NODE * PER_NODE + order[to % PER_NODE], &was);
				const char *const problem = walk_check(ordered, from, to, &path, balance);
				if (problem || !same_path(&path, &was))
					fail_msg("%s, %u to %u: %s", sites[s].node, from, to,
						problem ? problem : "is another route");
			}
		paradl_arena_free(arena);
	}
}

/* Extents and domains inside a node were of the numbers before; those of whole nodes stay. */
static void extents_are_of_whole_nodes(void **state)
{
	(void)state;
	for (size_t s = 0; s < SITES; ++s) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph *const ordered =
			network_of(arena, &sites[s], sites[s].order, false)->graph;
		const struct graph *const plain = network_of(arena, &sites[s], NULL, false)->graph;
		unsigned whole = 0;
		assert_int_equal(ordered->grid_count, 0);
		for (unsigned l = 0; l < plain->domain_count; ++l)
			if (plain->domain[l] % PER_NODE == 0)
				assert_int_equal(ordered->domain[whole++], plain->domain[l]);
		assert_int_equal(ordered->domain_count, whole);
		paradl_arena_free(arena);
	}
}

/* What is kept of copies that are shifts of one another must be what all copies together take. */
static void copies_take_what_all_take(void **state)
{
	(void)state;
	static const struct run runs[] = {
		{1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 2}, {1, 8}, {8, 2}, {4, 4}, {1, 16}};
	for (size_t s = 0; s < SITES; ++s)
		for (unsigned inverse = 0; inverse < 2; ++inverse)
			for (size_t r = 0; r < sizeof runs / sizeof *runs; ++r) {
				struct paradl_arena *const arena = paradl_arena_create();
				const unsigned *const order = inverse ? NULL : sites[s].order;
				const struct network *const network =
					network_of(arena, &sites[s], order, false);
				struct compiler *const all = compiler_create(arena, network),
						       *const kept = compiler_create(arena, network);
				const unsigned block = runs[r].stride * runs[r].degree;
				const struct group group = {.size = runs[r].degree,
					.devices = network->devices / block * block,
					.runs = {runs[r]},
					.run_count = 1};
				struct compiled emitted = {0}, shorter = {0};
				assert_true(all && kept && compiler_times_only(arena, kept));
				if (block <= network->devices) {
					const struct communicator comm = communicator_of(network, &group);
					assert_true(compile(all, &group, &comm, &collective_allreduce_ring, 0,
						1e6, &emitted));
					assert_true(compile(kept, &group, &comm, &collective_allreduce_ring,
						0, 1e6, &shorter));
				}
				if (fabs(hull_s(&emitted.upper, 1e6) - hull_s(&shorter.upper, 1e6)) >
					1e-12 * hull_s(&emitted.upper, 1e6))
					fail_msg("%s %s, order %d, run %u x %u: %g s, all copies %g s",
						sites[s].node, sites[s].cluster ? sites[s].cluster : "",
						order != NULL, runs[r].stride, runs[r].degree,
						hull_s(&shorter.upper, 1e6), hull_s(&emitted.upper, 1e6));
				paradl_arena_free(arena);
			}
}

/*
 * A ring of a DGX-1's eight GPUs along its double NVLinks: 2 (P - 1) / P of the bytes, 5 % of them back, on each pair of
 * links of 50 GB/s, of which payload gets 97 %. In order it goes over single ones.
 */
static void ring_goes_along_double_links(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_machine *const machine = paradl_machine_load(
		arena, &(struct paradl_source){.path = "hw-profiles/dgx1-simulated.json"}, &error);
	assert_non_null(machine);
	const struct network *const network = network_create(arena, machine, &error);
	assert_non_null(network);
	struct compiler *const compiler = compiler_create(arena, network);
	const struct group group = {.size = 8, .devices = 8, .runs = {{1, 8}}, .run_count = 1};
	const struct communicator comm = communicator_of(network, &group);
	const double bytes = 1 << 28, start_s = 14 * 11.6436 * 9e-6;
	struct compiled compiled;
	assert_true(compile(compiler, &group, &comm, &collective_allreduce_ring, 0, bytes, &compiled));
	assert_close(
		hull_s(&compiled.upper, bytes), start_s + 14.0 / 8 * bytes * 1.05 / (0.97 * 100e9), 1e-9);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_are_those_of_what_they_were),
		cmocka_unit_test(extents_are_of_whole_nodes),
		cmocka_unit_test(copies_take_what_all_take),
		cmocka_unit_test(ring_goes_along_double_links),
	};
	return cmocka_run_group_tests_name("network/order", tests, NULL, NULL);
}
