/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What algorithms see of a group: its nodes and channels on a machine, the grid where it is all of a network on paper. */
#include "network/paper.h"

enum { G = 4, N = 8 };

/* Nodes of four devices and as many ports. */
static struct network *machine_network(
	struct paradl_arena *arena, struct machine_network *rules, struct paradl_machine *machine)
{
	struct paradl_error error = {0};
	rules->node = "switch:4";
	rules->cluster = "switch:32";
	rules->rails = (struct rails){.ports = G, .planes = 1};
	*machine = (struct paradl_machine){.network = rules,
		.devices = G * N,
		.devices_per_node = G,
		.levels = {{.devices = G}, {.devices = G * N}},
		.level_count = 2};
	struct network *network = network_create(arena, machine, &error);
	if (!network)
		fail_msg("%s", error.message);
	return network;
}

/* As many rings as ports, where a ring enters a node at one device and leaves it at another; MPI runs one. */
static void channels_are_the_ports_of_shared_nodes(void **state)
{
	static const struct {
		unsigned size, stride, nodes, per_node, channels;
	} cases[] = {
		{G * N, 1, N, G, G}, /* all */
		{G, 1, 1, G, 1},     /* one node */
		{N, G, N, 1, 1},     /* one device of each node */
		{2, 1, 1, 2, 1},     /* half a node */
		{2 * N, 2, N, 2, G}, /* every other device */
		{2 * G, 1, 2, G, G}, /* two nodes */
	};
	(void)state;
	for (unsigned synchronous = 0; synchronous < 2; ++synchronous)
		for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
			struct paradl_arena *arena = paradl_arena_create();
			struct machine_network rules = paper_rules(10e9, 5e-6);
			struct paradl_machine machine;
			rules.synchronous = synchronous;
			const struct network *network = machine_network(arena, &rules, &machine);
			const struct group group = {.size = cases[i].size,
				.nodes = cases[i].nodes,
				.devices = G * N,
				.runs = {{cases[i].stride, cases[i].size}},
				.run_count = 1};
			const struct communicator comm = communicator_of(network, &group);
			assert_int_equal(comm.size, cases[i].size);
			assert_int_equal(comm.nodes, cases[i].nodes);
			assert_int_equal(comm.per_node, cases[i].per_node);
			assert_int_equal(comm.ports, G);
			assert_int_equal(comm.channels, synchronous ? 1 : cases[i].channels);
			paradl_arena_free(arena);
		}
}

/* Nodes that hold unequal numbers have the rings of the smallest; copies of a group must all lie alike. */
static void smallest_nodes_say_how_many_rings(void **state)
{
	static const struct {
		unsigned size, stride, devices, nodes, full, full_nodes, rest, channels;
	} cases[] = {
		{G * N - 1, 1, G * N - 1, N, G, N - 1, G - 1, G - 1}, /* one device is missing */
		{G * N - 3, 1, G * N - 3, N, G, N - 1, 1, 1},
		{G + 2, 1, G + 2, 2, G, 1, 2, 2},
		{5, 2, 10, 3, 2, 2, 1, 2}, /* every other device: two rings by each port */
		{6, 1, 12, 6, 0, 0, 0, 1}, /* 4 + 2, and the copy 2 + 4 */
		{2 * G, 1, 2 * G, 2, 0, 0, 0, G},
		{3, G, 3, 3, 0, 0, 0, 1},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct machine_network rules = paper_rules(10e9, 5e-6);
		struct paradl_machine machine;
		rules.synchronous = false;
		const struct network *network = machine_network(arena, &rules, &machine);
		const struct group group = {.size = cases[i].size,
			.devices = cases[i].devices,
			.runs = {{cases[i].stride, cases[i].size}},
			.run_count = 1};
		const struct communicator comm = communicator_of(network, &group);
		assert_int_equal(comm.nodes, cases[i].nodes);
		assert_int_equal(comm.per_node, cases[i].rest || cases[i].channels == 1 ? 1 : G);
		assert_int_equal(comm.full, cases[i].full);
		assert_int_equal(comm.full_nodes, cases[i].full_nodes);
		assert_int_equal(comm.rest, cases[i].rest);
		assert_int_equal(comm.channels, cases[i].channels);
		paradl_arena_free(arena);
	}
}

/* A whole network has its own grid; in an order of its own, or with a part of a line missing, a group has none. */
static void grids_are_those_of_the_network(void **state)
{
	static const struct {
		const char *topology;
		unsigned grid[3], count;
		bool torus;
		unsigned kautz;
	} cases[] = {
		{"torus:4x3x2", {4, 3, 2}, 3, true, 0},
		{"ring:6", {6}, 1, true, 0},
		{"hyperx:4x3", {4, 3}, 2, false, 0},
		{"kautz:3x2", {0}, 0, false, 3},
		{"switch:8", {0}, 0, false, 0},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		unsigned placement[64];
		paper_open(&paper, cases[i].topology, &rules, 0);
		assert_int_equal(paper.comm.grid_count, cases[i].count);
		for (unsigned d = 0; d < cases[i].count; ++d)
			assert_int_equal(paper.comm.grid[d], cases[i].grid[d]);
		assert_int_equal(paper.comm.grid_is_torus, cases[i].torus);
		assert_int_equal(paper.comm.kautz, cases[i].kautz);
		for (unsigned rank = 0; rank < paper.group.size; ++rank)
			placement[rank] = paper.group.size - 1 - rank;
		struct group other = paper.group;
		other.placement = placement;
		struct communicator comm = communicator_of(paper.network, &other);
		assert_true(comm.grid_count == 0 && !comm.grid_is_torus && comm.kautz == 0);
		other = paper.group;
		other.size = other.runs[0].degree = paper.group.size - 1;
		comm = communicator_of(paper.network, &other);
		assert_true(comm.grid_count == 0 && !comm.grid_is_torus && comm.kautz == 0);
		paper_close(&paper);
	}
}

/* Groups are the lines, planes and blocks that their strides cut out of the grid. */
static void groups_have_shapes(void **state)
{
	static const struct {
		const char *topology;
		struct run runs[2];
		unsigned devices; /* of the plan */
		unsigned grid[4];
		bool torus, lattice;
	} cases[] = {
		{"torus:4x4x4", {{1, 4}}, 64, {4}, true, true},        /* lines */
		{"torus:4x4x4", {{1, 16}}, 64, {4, 4}, true, true},    /* planes */
		{"torus:4x4x4", {{4, 16}}, 64, {4, 4}, true, true},    /* the other ones */
		{"torus:4x4x4", {{2, 32}}, 64, {2, 4, 4}, true, true}, /* every second column */
		{"torus:4x4x4", {{1, 32}}, 64, {4, 4, 2}, true, true}, /* half of it */
		{"torus:4x4x4", {{1, 8}}, 8, {4, 2}, true, true},      /* half a plane, alone */
		{"torus:4x4x4", {{1, 4}, {16, 4}}, 64, {4, 4}, true,
			true}, /* lines and the planes between them */
		{"torus:4x4x4", {{1, 2}, {16, 4}}, 64, {2, 4}, true, true},
		{"torus:6x6", {{1, 3}}, 36, {3}, true, true},
		{"torus:6x6", {{1, 4}}, 36, {0}, false, false}, /* the second copy is on two lines */
		{"torus:6x6", {{1, 4}}, 4, {4}, true, true},    /* the only one is not */
		{"torus:6x6", {{4, 9}}, 36, {0}, false, false},
		{"torus:6x6", {{1, 9}}, 36, {0}, false, false},
		{"mesh:4x4", {{4, 4}}, 16, {4}, false, true},
		{"hyperx:4x4", {{1, 8}}, 16, {4, 2}, false, false},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		paper_open(&paper, cases[i].topology, &rules, 0);
		struct group group = {.size = 1, .devices = cases[i].devices, .nodes = 1};
		for (unsigned k = 0; k < 2 && cases[i].runs[k].degree; ++k) {
			group.runs[group.run_count++] = cases[i].runs[k];
			group.size *= cases[i].runs[k].degree;
		}
		const struct communicator comm = communicator_of(paper.network, &group);
		unsigned product = 1, count = 0;
		for (; cases[i].grid[count]; ++count) {
			assert_int_equal(comm.grid[count], cases[i].grid[count]);
			product *= comm.grid[count];
		}
		assert_int_equal(comm.grid_count, count);
		assert_true(count == 0 || product == group.size);
		assert_int_equal(comm.grid_is_torus, cases[i].torus);
		assert_int_equal(comm.grid_is_lattice, cases[i].lattice);
		paper_close(&paper);
	}
}

/* What runs at once inside nodes and between them needs both; how many variants of it there are. */
static void two_levels_take_nodes_that_share(void **state)
{
	static const struct {
		const struct collective *collective;
		unsigned variants; /* on eight nodes of four */
	} cases[] = {
		{&collective_allreduce_pipelined, 3 * 3},    /* segments, algorithms between nodes */
		{&collective_allreduce_leader, 4},           /* algorithms between nodes */
		{&collective_allreduce_leaders_ring, 3 + 2}, /* divisors of four, two and four nodes as one */
		{&collective_allreduce_leaders_doubling, 3 + 2},
		{&collective_allreduce_leaders_rabenseifner, 2 * (3 + 2)}, /* in two orders */
		{&collective_allreduce_sparse_ring_ring, 1},
		{&collective_reduce_scatter_hierarchical, 3 * 2},
		{&collective_allgather_hierarchical, 3 * 2}, /* divisors of four, eight is a power of two */
		{&collective_all_to_all_hierarchical, 2},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct collective *collective = cases[i].collective;
		struct communicator comm = {.size = G * N, .nodes = N, .per_node = G};
		assert_int_equal(collective->variants(&comm), cases[i].variants);
		comm = (struct communicator){.size = N, .nodes = N, .per_node = 1};
		assert_int_equal(collective->variants(&comm), 0);
		comm = (struct communicator){.size = G, .nodes = 1, .per_node = G};
		assert_int_equal(collective->variants(&comm), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(channels_are_the_ports_of_shared_nodes),
		cmocka_unit_test(smallest_nodes_say_how_many_rings),
		cmocka_unit_test(grids_are_those_of_the_network),
		cmocka_unit_test(groups_have_shapes),
		cmocka_unit_test(two_levels_take_nodes_that_share),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
