/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives between nodes as NCCL sends their messages, by hand: hops of each protocol, its rate, and what the transport adds. */
#include "test.h"

#include <math.h>

#include "machine/machine.h"
#include "paradl/network.h"

static const struct paradl_machine *machine_of(struct paradl_arena *arena, const char *name)
{
	struct paradl_error error = {0};
	const char *const path = arena_printf(arena, "hw-profiles/%s.json", name);
	const struct paradl_machine *machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!machine)
		fail_msg("%s", error.message);
	return machine;
}

/* Seconds and words of the fastest way of NCCL. */
static double fastest(struct paradl_arena *arena, const struct paradl_machine *machine,
	enum paradl_operation operation, unsigned ranks, double bytes, const char **variant)
{
	struct paradl_error error = {0};
	struct paradl_collective_table table = {0};
	struct paradl_network *network = paradl_network_create(arena, machine, &error);
	const struct paradl_collective_request request = {
		.operation = operation, .ranks = ranks, .bytes = &bytes, .count = 1, .library = "nccl"};
	if (!network || !paradl_collective(network, &request, arena, &table, &error))
		fail_msg("%s", error.message);
	*variant = table.choices[table.rows[0].choice].variants[0];
	return table.rows[0].model_s;
}

/* A100's file: a start of 9 us + 1 us log2 n, a ramp of up to 35 us. */
static double call_s(double ranks, double wires_s)
{
	return 9e-6 + 1e-6 * log2(ranks) + 35e-6 * wires_s / (wires_s + 17.5e-6);
}

/* Few bytes go up and down a chain in each node and two levels between four nodes, by LL. */
static void small_messages_take_hops(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_of(arena, "dgx-a100-superpod");
	const char *variant;
	assert_close(fastest(arena, machine, PARADL_ALLREDUCE, 32, 4, &variant),
		call_s(32, 0) + 0.2e-6 + 2 * (7 * 0.6e-6 + 2 * 5e-6), 1e-3);
	assert_string_equal(variant, "chunks=1, LL");
	paradl_arena_free(arena);
}

/* Large ones go around a ring at the full rate of eight ports of 23.6 GB/s, and three of its 31 hops are between nodes. */
static void large_messages_take_the_rate(void **state)
{
	(void)state;
	static const struct {
		enum paradl_operation operation;
		double trips;
	} rows[] = {{PARADL_ALLREDUCE, 2}, {PARADL_ALLGATHER, 1}, {PARADL_REDUCE_SCATTER, 1}};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_of(arena, "dgx-a100-superpod");
	const double bytes = 16e9;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		const char *variant;
		const double wires_s = rows[i].trips * 31 / 32 * bytes / 188.8e9;
		const double hops_s = rows[i].trips * (28 * 3.4e-6 + 3 * 14e-6);
		assert_close(fastest(arena, machine, rows[i].operation, 32, bytes, &variant),
			call_s(32, wires_s) + 1.8e-6 + hops_s + wires_s, 1e-3);
		assert_string_equal(variant, "Simple");
	}
	paradl_arena_free(arena);
}

/*
 * Two nodes of eight H100 with a port each: their switches (370 GB/s, of which sums have 83 %) take longer than the ports
 * (44 GB/s), each of which sends an eighth of the vector, half of it up and half of it down. Of 63 chunks, for which the
 * switches decide, that is 14 - 0.6 us less than of the first, as links inside start sooner. SHARP is not used unasked.
 */
static void switches_of_nodes_add_up(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_of(arena, "aws-p5");
	const double bytes = 16e9, chunk = bytes / 64, ports_s = 2 * chunk / 16 / 44e9;
	const double switch_s = chunk / 370e9 / 0.83;
	const double wires_s = 2 * switch_s + ports_s + 63 * 9.0 / 8 * switch_s;
	const double hops_s = (2 + 63) * (14e-6 + 11.3e-6) - 63 * (14e-6 - 0.6e-6);
	const double start_s = 4.55e-6 + 0.781e-6 * log2(16) + 25e-6 + hops_s;
	const char *variant;
	assert_close(fastest(arena, machine, PARADL_ALLREDUCE, 16, bytes, &variant),
		start_s + wires_s + 23.2e-6, 1e-4);
	assert_string_equal(variant, "chunks=64, Simple");
	machine = machine_of(arena, "dgx-h100-superpod");
	(void)fastest(arena, machine, PARADL_ALLREDUCE, 32, 4e6, &variant);
	assert_non_null(strstr(variant, "LL"));
	paradl_arena_free(arena);
}

/* A transport that delivers out of order leaves the protocol alone that does not rely on it, and takes longer for each message. */
static void transports_add_their_own(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_machine machine = *machine_of(arena, "dgx-a100-superpod");
	const char *variant;
	machine.transport.latency_s = 10e-6;
	assert_close(fastest(arena, &machine, PARADL_ALLREDUCE, 32, 4, &variant),
		call_s(32, 0) + 0.2e-6 + 2 * (7 * 0.6e-6 + 2 * 15e-6), 1e-3);
	machine.transport.unordered = true;
	assert_close(fastest(arena, &machine, PARADL_ALLREDUCE, 32, 4, &variant),
		call_s(32, 0) + 1.8e-6 + 2 * (7 * 4e-6 + 2 * 24e-6), 1e-3);
	assert_string_equal(variant, "chunks=1, Simple");
	paradl_arena_free(arena);
}

/* Seconds of an algorithm by the network's own steps. */
static double routed_s(
	struct paradl_arena *arena, const struct paradl_machine *machine, const char *algorithm, double bytes)
{
	struct paradl_error error = {0};
	struct paradl_collective_table table = {0};
	struct paradl_network *network = paradl_network_create(arena, machine, &error);
	const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
		.ranks = 32,
		.bytes = &bytes,
		.count = 1,
		.algorithms = algorithm};
	if (!network || !paradl_collective(network, &request, arena, &table, &error))
		fail_msg("%s", error.message);
	return table.rows[0].time_s;
}

/*
 * What an algorithm that NCCL does not have would take is by its protocols, too: few bytes by LL in the network's own latencies, more by
 * LL128, whose hops are 4 us and not 2.7, and which has 92 % of the rate.
 */
static void others_are_sent_alike(void **state)
{
	(void)state;
	static const double sizes[] = {64, 4 << 20};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_of(arena, "dgx-a100-superpod");
	for (size_t i = 0; i < 2; ++i) {
		struct paradl_error error = {0};
		struct paradl_collective_table table = {0};
		struct paradl_network *network = paradl_network_create(arena, machine, &error);
		const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
			.ranks = 32,
			.bytes = &sizes[i],
			.count = 1,
			.library = "nccl"};
		assert_true(network && paradl_collective(network, &request, arena, &table, &error));
		assert_non_null(table.outside);
		const double own_s = routed_s(arena, machine, table.outside, 1);
		const double wires_s = routed_s(arena, machine, table.outside, sizes[i]) - own_s;
		const double ll_s = own_s + wires_s / 0.5;
		const double ll128_s = 7.4e-6 + own_s * 4 / 2.7 + wires_s / 0.92;
		assert_true(i == 0 ? ll_s < ll128_s : ll128_s < ll_s);
		assert_close(table.outside_s, call_s(32, i ? wires_s / 0.92 : 0) + fmin(ll_s, ll128_s), 0.05);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_messages_take_hops),
		cmocka_unit_test(large_messages_take_the_rate),
		cmocka_unit_test(switches_of_nodes_add_up),
		cmocka_unit_test(transports_add_their_own),
		cmocka_unit_test(others_are_sent_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
