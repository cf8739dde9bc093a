/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations asked of networks, against closed forms: alpha is the latency of a route's links, beta 1 / rate. */
#include "test.h"

#include "paradl/network.h"

static const double rate = 12.5e9, latency_s = 500e-9;

struct asked {
	struct paradl_arena *arena;
	struct paradl_error error;
	struct paradl_network *network;
	struct paradl_collective_request request;
	struct paradl_collective_table table;
};

static struct asked on_paper(const char *topology, bool equal_ports)
{
	struct asked asked = {.arena = paradl_arena_create()};
	const struct paradl_paper paper = {.topology = topology,
		.cable_bytes_per_s = rate,
		.cable_latency_s = latency_s,
		.equal_ports = equal_ports};
	assert_non_null(asked.arena);
	asked.network = paradl_network_on_paper(asked.arena, &paper, &asked.error);
	if (!asked.network)
		fail_msg("%s: %s", topology, asked.error.message);
	return asked;
}

static struct asked on_machine(const char *path)
{
	struct asked asked = {.arena = paradl_arena_create()};
	const struct paradl_machine *machine =
		paradl_machine_load(asked.arena, &(struct paradl_source){.path = path}, &asked.error);
	assert_non_null(machine);
	asked.network = paradl_network_create(asked.arena, machine, &asked.error);
	assert_non_null(asked.network);
	return asked;
}

static bool ask(struct asked *asked, const double *bytes, size_t count)
{
	asked->request.bytes = bytes;
	asked->request.count = count;
	return paradl_collective(asked->network, &asked->request, asked->arena, &asked->table, &asked->error);
}

static double time_s(struct asked *asked, double bytes)
{
	if (!ask(asked, &bytes, 1))
		fail_msg("%s", asked->error.message);
	return asked->table.rows[0].time_s;
}

/* Seconds a byte where start-ups no longer matter. */
static double slope(struct asked *asked)
{
	const double bytes[] = {1e12, 2e12};
	assert_true(ask(asked, bytes, 2));
	return (asked->table.rows[1].time_s - asked->table.rows[0].time_s) / 1e12;
}

static void test_closed_forms(void **unused)
{
	(void)unused;
	struct asked asked = on_paper("switch:64", false);
	const double alpha = 2 * latency_s, beta = 1 / rate, m = 1048576, p = 64;
	asked.request.algorithms = "ring";
	assert_close(time_s(&asked, m), 2 * (p - 1) * (alpha + m / p * beta), 1e-12);
	assert_close(asked.table.rows[0].bytes_per_s, m / asked.table.rows[0].time_s, 1e-15);
	assert_close(
		asked.table.rows[0].bus_bytes_per_s, 2 * (p - 1) / p * m / asked.table.rows[0].time_s, 1e-12);
	assert_int_equal(asked.table.ranks, 64);
	asked.request.algorithms = "allreduce-doubling";
	assert_close(time_s(&asked, m), 6 * (alpha + m * beta), 1e-12);
	asked.request.ranks = 16;
	assert_close(time_s(&asked, m), 4 * (alpha + m * beta), 1e-12);
	paradl_arena_free(asked.arena);
}

/* Doubling and ring cross where (126 - 6) alpha = (6 - 126 / 64) beta M. */
static void test_crossover(void **unused)
{
	(void)unused;
	struct asked asked = on_paper("switch:64", false);
	const double bytes[] = {1024, 1048576, 1073741824};
	const double crossing = 120 * 2 * latency_s * rate / (6 - 126. / 64);
	asked.request.algorithms = "doubling,ring";
	assert_true(ask(&asked, bytes, 3));
	assert_int_equal(asked.table.choice_count, 2);
	assert_string_equal(asked.table.choices[0].algorithm, "allreduce-ring");
	assert_int_equal(asked.table.rows[0].choice, 1);
	assert_int_equal(asked.table.rows[0].next, 0);
	assert_int_equal(asked.table.rows[2].choice, 0);
	assert_int_equal(asked.table.crossover_count, 1);
	assert_close(asked.table.crossovers[0].bytes, crossing, 1e-9);
	assert_int_equal(asked.table.crossovers[0].from, 1);
	const double ring = 126 * (2 * latency_s + 1024 / 64. / rate),
		     doubling = 6 * (2 * latency_s + 1024 / rate);
	assert_close(asked.table.rows[0].margin, ring / doubling - 1, 1e-9);
	paradl_arena_free(asked.arena);
}

static void test_bus_factors(void **unused)
{
	(void)unused;
	static const double factors[PARADL_OPERATION_COUNT] = {
		1.75, 0.875, 0.875, 1, 1, 0.875, 1}; /* nccl-tests, PERFORMANCE.md, n = 8 */
	struct asked asked = on_paper("switch:8", false);
	for (unsigned i = 0; i < PARADL_OPERATION_COUNT; ++i) {
		asked.request.operation = (enum paradl_operation)i;
		assert_true(time_s(&asked, 1e6) > 0);
		assert_close(asked.table.bus_factor, factors[i], 1e-15);
	}
	paradl_arena_free(asked.arena);
}

/* A ring has one flow out of a leaf if ranks are in order, and four if they are dealt out to the leaves. */
static void test_scattered(void **unused)
{
	(void)unused;
	struct asked asked = on_paper("fat-tree:4x4:up=1", false);
	asked.request.algorithms = "ring";
	const double in_order = slope(&asked);
	assert_close(in_order, 2 * 15. / 16 / rate, 1e-6);
	asked.request.placement = PARADL_SCATTERED;
	assert_close(slope(&asked), 4 * in_order, 1e-6);
	paradl_arena_free(asked.arena);
}

static void test_random(void **unused)
{
	(void)unused;
	struct asked asked = on_paper("torus:8x8", false);
	double least = 1, most = 0;
	asked.request.algorithms = "ring";
	const double in_order = time_s(&asked, 1e8);
	asked.request.placement = PARADL_RANDOM;
	for (unsigned seed = 0; seed < 8; ++seed) {
		asked.request.seed = seed;
		const double here = time_s(&asked, 1e8);
		assert_true(here > in_order);
		assert_close(time_s(&asked, 1e8), here, 0);
		least = fmin(least, here);
		most = fmax(most, here);
	}
	assert_true(most > least);
	paradl_arena_free(asked.arena);
}

/* Four groups with a member in each node of four GPUs and two ports: two flows for each port. */
static void test_concurrent(void **unused)
{
	(void)unused;
	struct asked asked = on_machine("hw-profiles/abci.json");
	asked.request.algorithms = "ring";
	asked.request.ranks = 64;
	asked.request.stride = 4;
	const double alone = slope(&asked);
	assert_int_equal(asked.table.nodes, 64);
	asked.request.concurrent = 4;
	asked.request.stride = 0;
	assert_close(slope(&asked), 2 * alone, 1e-6);
	assert_int_equal(asked.table.stride, 4);
	/* one group behind the other: whole nodes of their own, both ports of a node carry half */
	asked.request.stride = 1;
	assert_close(slope(&asked), alone / 2, 1e-6);
	paradl_arena_free(asked.arena);
}

/* 40 % of 300 W each while they wait: hw-profiles/devices/v100-sxm2-16gb.json. No power of links is known there. */
static void test_waiting(void **unused)
{
	(void)unused;
	struct asked asked = on_machine("hw-profiles/abci.json");
	asked.request.ranks = 32;
	asked.request.concurrent = 2;
	const double seconds = time_s(&asked, 1e8);
	const struct paradl_collective_row *row = &asked.table.rows[0];
	assert_close(row->waiting_watt, 2 * 32 * 120., 1e-12);
	assert_close(row->waiting_joule, row->waiting_watt * seconds, 1e-12);
	assert_true(row->links_watt < 0 && row->links_joule < 0);
	paradl_arena_free(asked.arena);
}

/* Two idle watts for each port in use, and what moving the bytes takes: joules = T watts + joules a byte. */
static void test_links(void **unused)
{
	(void)unused;
	struct asked asked = on_machine("hw-profiles/tsubame3-simulated.json");
	const double bytes[] = {4194304, 33554432};
	asked.request.algorithms = "leaders-ring";
	assert_true(ask(&asked, bytes, 2));
	const struct paradl_collective_choice *choice = &asked.table.choices[0];
	for (size_t i = 0; i < 2; ++i) {
		const struct paradl_collective_row *row = &asked.table.rows[i];
		assert_close(row->links_joule,
			choice->links_watt * row->time_s + choice->joule_per_byte * row->bytes, 1e-9);
		assert_close(row->links_watt * row->time_s, row->links_joule, 1e-12);
		assert_true(row->gear_joule >= row->links_joule);
	}
	paradl_arena_free(asked.arena);
}

static void test_measured(void **unused)
{
	(void)unused;
	struct asked asked = on_machine("hw-profiles/abci.json");
	asked.request.ranks = 32;
	assert_true(time_s(&asked, 1048576) > 0);
	assert_int_equal(asked.table.rows[0].origin, PARADL_MEASURED);
	assert_true(fabs(asked.table.rows[0].model_s - asked.table.rows[0].time_s) > 0);
	time_s(&asked, 1500000);
	assert_int_equal(asked.table.rows[0].origin, PARADL_INTERPOLATED);
	time_s(&asked, 1e12);
	assert_int_equal(asked.table.rows[0].origin, PARADL_EXTRAPOLATED);
	asked.request.algorithms = "ring";
	time_s(&asked, 1048576);
	assert_int_equal(asked.table.rows[0].origin, PARADL_MODELLED);
	paradl_arena_free(asked.arena);
}

static void test_equal_ports(void **unused)
{
	(void)unused;
	static const struct {
		const char *topology;
		double share;
	} rows[] = {
		{"switch:16", 1},
		{"fat-tree:4x4:up=2", 1},
		{"torus:4x4", 1. / 4},
		{"torus:4x4x4", 1. / 6},
		{"mesh:4x4", 1. / 4},
		{"kautz:4x2", 1. / 4},
		{"torus:4x4:hosts=8", 8. / 4},
		{"hyperx:4x4:hosts=3", 3. / 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		struct asked asked = on_paper(rows[i].topology, true);
		const struct paradl_network_info info = paradl_network_info(asked.network);
		assert_close(info.share, rows[i].share, 1e-12);
		assert_close(info.cable_bytes_per_s, rate, 1e-12);
		paradl_arena_free(asked.arena);
	}
}

static void test_schedule(void **unused)
{
	(void)unused;
	struct paradl_schedule schedule;
	struct asked asked = on_paper("switch:8", false);
	asked.request.algorithms = "ring";
	assert_true(paradl_collective_schedule(
		asked.network, &asked.request, 8e6, asked.arena, &schedule, &asked.error));
	assert_string_equal(schedule.algorithm, "allreduce-ring");
	assert_int_equal(schedule.count, 2);
	assert_true(schedule.complete);
	assert_close(schedule.total, 14, 0);
	assert_string_equal(schedule.steps[0].phase, "reduce-scatter");
	assert_string_equal(schedule.steps[1].phase, "allgather");
	for (size_t i = 0; i < 2; ++i) {
		assert_string_equal(schedule.steps[i].messages, "r -> r + 1 mod 8");
		assert_close(schedule.steps[i].first, i ? 8 : 1, 0);
		assert_close(schedule.steps[i].repeat, 7, 0);
		assert_close(schedule.steps[i].count, 8, 0);
		assert_close(schedule.steps[i].most_bytes, 1e6, 1e-12);
		assert_close(schedule.steps[i].least_bytes, 1e6, 1e-12);
	}
	asked.request.operation = PARADL_ALL_TO_ALL;
	asked.request.algorithms = "direct";
	assert_true(paradl_collective_schedule(
		asked.network, &asked.request, 8e6, asked.arena, &schedule, &asked.error));
	assert_string_equal(schedule.steps[0].messages, "every rank to every other");
	assert_close(schedule.steps[0].count, 56, 0);
	paradl_arena_free(asked.arena);
}

static void test_names(void **unused)
{
	(void)unused;
	static const struct {
		const char *name;
		enum paradl_operation operation;
	} rows[] = {{"allreduce", PARADL_ALLREDUCE}, {"all_reduce", PARADL_ALLREDUCE},
		{"AllReduce", PARADL_ALLREDUCE}, {"ar", PARADL_ALLREDUCE}, {"all-gather", PARADL_ALLGATHER},
		{"reduce_scatter", PARADL_REDUCE_SCATTER}, {"ReduceScatter", PARADL_REDUCE_SCATTER},
		{"bcast", PARADL_BROADCAST}, {"alltoall", PARADL_ALL_TO_ALL},
		{"all_to_all", PARADL_ALL_TO_ALL}, {"sendrecv", PARADL_POINT_TO_POINT},
		{"reduce", PARADL_REDUCE}, {"MPI_Allreduce", PARADL_ALLREDUCE},
		{"ncclReduceScatter", PARADL_REDUCE_SCATTER}, {"osu_bcast", PARADL_BROADCAST},
		{"all_reduce_perf", PARADL_ALLREDUCE}, {"all_to_all_single", PARADL_ALL_TO_ALL}};
	struct paradl_error error = {0};
	enum paradl_operation operation;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		assert_true(paradl_operation_parse(rows[i].name, &operation, &error));
		assert_int_equal(operation, rows[i].operation);
	}
	static const char *const none[] = {"", "mpi", "nccl_perf", "_perf", "alltoallv", "barrier"};
	for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
		assert_false(paradl_operation_parse(none[i], &operation, &error));
	assert_false(paradl_operation_parse("alreduce", &operation, &error));
	assert_string_equal(error.hint, "did you mean \"allreduce\"?");
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		unsigned ranks, concurrent, stride;
		double bytes;
		const char *algorithms;
		enum paradl_status status;
	} rows[] = {
		{17, 0, 0, 1, NULL, PARADL_USAGE},
		{1, 0, 0, 1, NULL, PARADL_USAGE},
		{8, 0, 3, 1, NULL, PARADL_USAGE},
		{8, 3, 0, 1, NULL, PARADL_USAGE},
		{0, 9, 0, 1, NULL, PARADL_USAGE},
		{4000000000U, 4000000000U, 4000000000U, 1, NULL, PARADL_USAGE},
		{8, 0, 0, 0, NULL, PARADL_USAGE},
		{8, 0, 0, 1, "", PARADL_USAGE},
		{8, 0, 0, 1, "ring,", PARADL_USAGE},
		{8, 0, 0, 1, "allgather-ring", PARADL_USAGE},
		{8, 0, 0, 1, "kautz", PARADL_INFEASIBLE},
	};
	struct asked asked = on_paper("switch:16", false);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
		asked.request = (struct paradl_collective_request){.ranks = rows[i].ranks,
			.concurrent = rows[i].concurrent,
			.stride = rows[i].stride,
			.algorithms = rows[i].algorithms};
		assert_false(ask(&asked, &rows[i].bytes, 1));
		assert_int_equal(asked.error.status, rows[i].status);
	}
	asked.request = (struct paradl_collective_request){.ranks = 8, .concurrent = 2};
	assert_true(time_s(&asked, 1) > 0);
	paradl_arena_free(asked.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_forms),
		cmocka_unit_test(test_crossover),
		cmocka_unit_test(test_bus_factors),
		cmocka_unit_test(test_scattered),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_concurrent),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_equal_ports),
		cmocka_unit_test(test_schedule),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
