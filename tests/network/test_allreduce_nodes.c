/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allreduces on nodes of G devices behind one switch (links of 100 GB/s, 1 us), every device with a port of its own (10 GB/s,
 * 5 us) to one switch of all ports: what is inside the nodes and what is between them, by hand.
 */
#include "network/paper.h"

enum { G = 4, N = 8, P = G * N };
#define IN_S  2e-6 /* start-up and s/byte in a node, between nodes */
#define OUT_S 10e-6
#define IN    1e-11
#define OUT   1e-10

struct cluster {
	struct paradl_arena *arena;
	struct machine_network rules;
	struct paradl_machine machine;
	struct network *network;
	struct compiler *compiler;
	struct group group;
	struct communicator comm;
};

static void cluster_open(struct cluster *cluster)
{
	struct paradl_error error = {0};
	*cluster = (struct cluster){.arena = paradl_arena_create(), .rules = paper_rules(10e9, 5e-6)};
	cluster->rules.links[LINK_DEVICE] =
		(struct link_class){.bytes_per_s = 100e9, .sustained_bytes_per_s = 100e9, .latency_s = 1e-6};
	cluster->rules.node = "switch:4";
	cluster->rules.cluster = "switch:32";
	cluster->rules.rails = (struct rails){.ports = G, .planes = 1};
	cluster->machine = (struct paradl_machine){.network = &cluster->rules,
		.devices = P,
		.devices_per_node = G,
		.levels = {{.devices = G}, {.devices = P}},
		.level_count = 2};
	cluster->network = network_create(cluster->arena, &cluster->machine, &error);
	if (!cluster->network)
		fail_msg("%s", error.message);
	cluster->compiler = compiler_create(cluster->arena, cluster->network);
	assert_non_null(cluster->compiler);
	cluster->group =
		(struct group){.size = P, .nodes = N, .devices = P, .runs = {{1, P}}, .run_count = 1};
	cluster->comm = communicator_of(cluster->network, &cluster->group);
	assert_int_equal(cluster->comm.per_node, G);
	assert_int_equal(cluster->comm.nodes, N);
	assert_int_equal(cluster->comm.channels, 1); /* synchronous, so MPI's one ring */
	cluster->comm.channels = G;
}

static void expect(struct cluster *cluster, const struct collective *collective, unsigned variant,
	double start_s, double s_per_byte)
{
	struct compiled compiled;
	assert_true(compile(
		cluster->compiler, &cluster->group, &cluster->comm, collective, variant, 0, &compiled));
	for (double bytes = 1; bytes < 1e10; bytes *= 10)
		assert_close(hull_s(&compiled.upper, bytes), start_s + bytes * s_per_byte, 1e-12);
}

/* Rings in the nodes there and back, gathered by fewer leaders than devices, and what is between the leaders. */
static void leaders(void **state)
{
	static const unsigned counts[] = {1, 2, 4};
	struct cluster cluster;
	(void)state;
	cluster_open(&cluster);
	for (unsigned v = 0; v < 3; ++v) {
		const double k = counts[v], gathers = counts[v] < G ? 2 : 0;
		const double start_s = (2 * (G - 1) + gathers) * IN_S;
		const double in = 2 * (G - 1.0) / G * IN + gathers * (G / k - 1) / G * IN;
		expect(&cluster, &collective_allreduce_leaders_ring, v, start_s + 2 * (N - 1) * OUT_S,
			in + 2 * (N - 1.0) / N / k * OUT);
		expect(&cluster, &collective_allreduce_leaders_rabenseifner, v, start_s + 6 * OUT_S,
			in + 2 * (N - 1.0) / N / k * OUT);
		expect(&cluster, &collective_allreduce_leaders_doubling, v, start_s + 3 * OUT_S,
			in + 3 / k * OUT);
	}
	paradl_arena_free(cluster.arena);
}

static void single_leader(void **state)
{
	struct cluster cluster;
	(void)state;
	cluster_open(&cluster);
	expect(&cluster, &collective_allreduce_leader, 0, 4 * IN_S + 14 * OUT_S, 4 * IN + 14.0 / 8 * OUT);
	expect(&cluster, &collective_allreduce_leader, 1, 4 * IN_S + 6 * OUT_S, 4 * IN + 6 * OUT);
	paradl_arena_free(cluster.arena);
}

/* Levels are told apart by the machine, and take their own links. */
static void two_levels(void **state)
{
	struct cluster cluster;
	const double s_per_byte = 2 * (3.0 / 4 * IN + 7.0 / 8 / 4 * OUT);
	(void)state;
	cluster_open(&cluster);
	expect(&cluster, &collective_allreduce_blueconnect, 0, 6 * IN_S + 14 * OUT_S, s_per_byte);
	expect(&cluster, &collective_allreduce_torus_2d, 0, 6 * IN_S + 14 * OUT_S, s_per_byte);
	paradl_arena_free(cluster.arena);
}

/* Between nodes is slower at every size: 64 segments leave a 64th of what is inside. */
static void pipelined(void **state)
{
	struct cluster cluster;
	(void)state;
	cluster_open(&cluster);
	expect(&cluster, &collective_allreduce_pipelined, 2, 6 * IN_S + 64 * 14 * OUT_S,
		2 * 3.0 / 4 * IN / 64 + 2 * 7.0 / 8 / 4 * OUT);
	paradl_arena_free(cluster.arena);
}

/*
 * Four channels, each of a quarter of the vector and with its own head. One chunk: 3 steps in the node up, 3 between nodes
 * where a head gets two halves (at the top only one), and back.
 */
static void double_tree(void **state)
{
	struct cluster cluster;
	(void)state;
	cluster_open(&cluster);
	expect(&cluster, &collective_allreduce_double_tree, 0, 6 * IN_S + 6 * OUT_S,
		2 * 3 * IN / 4 + 2 * 2.5 * OUT / 4);
	/* of every other chunk a head sends four halves of its channel */
	expect(&cluster, &collective_allreduce_double_tree, 5, 6 * IN_S + (6 + 1023) * OUT_S,
		(2 * 3 * IN / 4 + 2 * 2.5 * OUT / 4) / 1024 + 1023.0 / 1024 * 2 * OUT / 4);
	paradl_arena_free(cluster.arena);
}

static void in_network(void **state)
{
	struct cluster cluster;
	(void)state;
	cluster_open(&cluster);
	cluster.comm.sharp = (struct in_network){20e-6, 0.8};
	expect(&cluster, &collective_allreduce_sharp, 0, 20e-6 + 6 * IN_S + OUT_S,
		2 * 3.0 / 4 * IN + OUT / 4 / 0.8);
	/* The switches of nodes work while chunks are between nodes: where ports are slower, only the first chunk shows it. */
	cluster.comm.nvls = (struct in_network){3e-6, 0.5};
	expect(&cluster, &collective_allreduce_nvls_tree, 0, 3e-6 + 2 * IN_S + 6 * OUT_S,
		2 * IN / 0.5 + 2 * 2.5 * OUT / 4);
	expect(&cluster, &collective_allreduce_nvls_tree, 5, 3e-6 + 2 * IN_S + (6 + 1023) * OUT_S,
		(2 * IN / 0.5 + 2 * 2.5 * OUT / 4) / 1024 + 1023.0 / 1024 * 2 * OUT / 4);
	cluster.group.size = cluster.group.devices = G; /* one node */
	cluster.group.nodes = 1;
	cluster.group.runs[0].degree = G;
	cluster.rules.nvls_start_s = 3e-6;
	cluster.rules.nvls_efficiency = 0.5;
	cluster.comm = communicator_of(cluster.network, &cluster.group);
	expect(&cluster, &collective_allreduce_nvls, 0, 3e-6 + IN_S, 5.0 / 4 * IN / 0.5);
	paradl_arena_free(cluster.arena);
}

/*
 * Where every two devices of a node have a cable, NCCL's rings take them in all orders: k members have k - 1 cables each. MPI has
 * one ring, on one of them.
 */
static void mesh(void **state)
{
	static const struct {
		const struct collective *collective;
		unsigned times; /* that (k - 1) / k of the vector goes through a device */
	} cases[] = {{&collective_allreduce_ring, 2}, {&collective_allgather_ring, 1},
		{&collective_reduce_scatter_ring, 1}};
	(void)state;
	for (unsigned code = 0; code < 3 * 3 * 2; ++code) {
		const unsigned k = 2 + code % 3, which = code / 3 % 3;
		const bool synchronous = code / 9;
		struct cluster cluster;
		struct compiled compiled;
		cluster_open(&cluster);
		cluster.rules.node = "nvlink:4:ports=4";
		cluster.rules.synchronous = synchronous;
		cluster.network = network_create(cluster.arena, &cluster.machine, NULL);
		assert_non_null(cluster.network);
		cluster.compiler = compiler_create(cluster.arena, cluster.network);
		cluster.group =
			(struct group){.size = k, .nodes = 1, .devices = k, .runs = {{1, k}}, .run_count = 1};
		cluster.comm = communicator_of(cluster.network, &cluster.group);
		assert_int_equal(cluster.comm.channels, synchronous ? 1 : k - 1);
		assert_true(compile(cluster.compiler, &cluster.group, &cluster.comm, cases[which].collective,
			0, 0, &compiled));
		const double cables = synchronous ? 1 : k - 1.0;
		assert_close(compiled.upper.lines[compiled.upper.count - 1].b_s_per_byte,
			cases[which].times * (k - 1.0) / k / cables * IN, 1e-12);
		paradl_arena_free(cluster.arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(mesh),
		cmocka_unit_test(leaders),
		cmocka_unit_test(single_leader),
		cmocka_unit_test(two_levels),
		cmocka_unit_test(pipelined),
		cmocka_unit_test(double_tree),
		cmocka_unit_test(in_network),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
