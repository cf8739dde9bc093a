/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges of whole plans: several axes, growing networks, a routed machine; nothing is kept twice or runs out silently. */
#include "oracle/setup.h"
#include "paradl/network.h"

#include <pthread.h>
#include <string.h>

#define IN        2e-6
#define OUT       10e-6
#define NODE_RATE 50e9
#define PORT_RATE 8e9

#define LEVELS(devices)                                                                                      \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "          \
	"{\"name\": \"all\", \"devices\": " devices ", \"latency\": \"10 us\", \"bandwidth\": \"8 GB/s\", "  \
	"\"ports\": 2}"

#define THREE_LEVELS                                                                                         \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "          \
	"{\"name\": \"rack\", \"devices\": 192, \"latency\": \"10 us\", \"bandwidth\": \"8 GB/s\", "         \
	"\"ports\": 2}, "                                                                                    \
	"{\"name\": \"all\", \"devices\": 19200000, \"latency\": \"10 us\", \"bandwidth\": \"8 GB/s\", "     \
	"\"ports\": 2, \"oversubscription\": 8}"

/* 256 M weights of 4 bytes. */
static const struct paradl_model *model_of(struct setup *setup, unsigned outputs)
{
	return setup_model(setup, "\"input\": {\"channels\": 255, \"shape\": [16, 16]}",
		arena_printf(setup->arena, "{\"type\": \"conv\", \"out\": %u, \"kernel\": 1}", outputs));
}

static struct paradl_oracle *oracle_of(struct setup *setup, const struct paradl_model *model,
	const char *levels, const char *keys, const struct paradl_options *options)
{
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE, levels);
	const struct paradl_framework *const framework =
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", keys));
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

static double exchange_s(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 1e6);
	return setup_estimate(oracle, &plan).phase_s[PARADL_GRADIENT_EXCHANGE];
}

/* A node holds two filter members of two pieces: devices 0 and 1, 2 and 3; both pairs have a port of their own. */
static void several_axes_by_hand(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = model_of(setup, 30000);
	const double shard = 1024.0 * 30000 / 2;
	struct paradl_oracle *oracle =
		oracle_of(setup, model, LEVELS("64"), ", \"gradients\": {\"spatial_leader\": true}", NULL);
	assert_close(exchange_s(oracle, "data=4,filter=2,spatial=2"),
		2 * IN + shard / NODE_RATE + 2 * 3 * OUT + 2 * 0.75 * shard / PORT_RATE, 1e-9);
	oracle = oracle_of(setup, model, LEVELS("64"), "", NULL);
	assert_close(exchange_s(oracle, "data=4,filter=2,spatial=2"),
		2 * (3 * OUT + 4 * IN) + 2 * 7.0 / 8 * shard / PORT_RATE, 1e-9);
	/* Pieces on different nodes: all four devices of a node send their shard through two ports. */
	assert_close(exchange_s(oracle, "spatial=4,filter=4"),
		2 * 3 * OUT + 2 * 0.75 * 2 * shard / 2 / PORT_RATE, 1e-9);
}

/* Of two stages the second has the weights: 2 MB, in 20 messages; the first more to hold. */
static void the_slowest_stage_is_described(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 4, \"shape\": [64, 64]}",
			"{\"type\": \"conv\", \"out\": 31, \"kernel\": 1, \"bias\": false}, "
			"{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 64}, "
			"{\"type\": \"linear\", \"out\": 15625}");
	const double bytes = 4 * 32.0 * 15625;
	struct paradl_oracle *const oracle =
		oracle_of(setup, model, LEVELS("64"), ", \"gradients\": {\"bucket\": \"100 kB\"}", NULL);
	const struct paradl_plan plan = setup_plan("data=4,pipeline=2,micro=4", 1024);
	const struct paradl_estimate got = setup_estimate(oracle, &plan);
	assert_true(got.memory.weights_bytes < bytes);
	assert_close(got.gradient_messages, bytes / 100e3, 0);
	assert_string_equal(got.gradient_algorithm, "allreduce-ring");
}

/* Networks are built for the largest plan so far: what came before plays no part, up to the largest one. */
static void networks_grow(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = model_of(setup, 1000);
	static const char *const plans[] = {
		"data=6", "data=16,filter=4", "data=2000", "data=70000", "data=100000", "data=131072"};
	static const char *const sparse[] = {"data=6", "data=2000", "data=3000"};
	const struct paradl_options topk = {.compress = "topk:0.001"};
	for (unsigned layer_plan = 0; layer_plan < 2; ++layer_plan) {
		const struct paradl_options *const options = layer_plan ? &topk : NULL;
		const char *const levels =
			layer_plan ? THREE_LEVELS : LEVELS("16777216"); /* trunks of racks are not all full */
		const unsigned count = layer_plan ? 3 : 6;
		double fresh[6];
		for (unsigned i = 0; i < count; ++i)
			fresh[i] = exchange_s(oracle_of(setup, model, levels, "", options),
				(layer_plan ? sparse : plans)[i]);
		struct paradl_oracle *const oracle = oracle_of(setup, model, levels, "", options);
		for (unsigned i = 0; i < 2 * count; ++i) {
			const char *const text = (layer_plan ? sparse : plans)[i % count];
			const double s = exchange_s(oracle, text), before = fresh[i % count];
			if (s < before || s > before)
				fail_msg("%s: %.9g s after larger plans, else %.9g s", text, s, before);
		}
		const struct paradl_plan plan = setup_plan("data=131073", 1e6);
		struct paradl_estimate estimate;
		struct paradl_error error = {0};
		assert_false(paradl_estimate(oracle, &plan, &estimate, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_non_null(strstr(error.message, "131072"));
		assert_close(exchange_s(oracle, "data=6"), fresh[0], 0);
	}
}

/* Two copies that share no link take as long as one with half the bytes, though there are too many pairs to route. */
static void copies_apart_are_alike(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_options topk = {.compress = "topk:0.001"};
	struct paradl_oracle *const one =
		oracle_of(setup, model_of(setup, 500), LEVELS("16777216"), "", &topk);
	struct paradl_oracle *const four =
		oracle_of(setup, model_of(setup, 2000), LEVELS("16777216"), "", &topk);
	assert_close(exchange_s(four, "filter=4,data=2048"), exchange_s(one, "data=2048"), 1e-9);
}

/* No more of it is built than a plan uses. */
static void one_node_can_be_huge(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, model_of(setup, 1000),
		"{\"name\": \"all\", \"devices\": 1000000000, \"latency\": \"2 us\", \"bandwidth\": \"50 "
		"GB/s\", \"ports\": 6}",
		"", NULL);
	for (unsigned devices = 3; devices < 100000; devices *= 10) {
		const double p = devices;
		assert_close(exchange_s(oracle, arena_printf(setup->arena, "data=%u", devices)),
			2 * (p - 1) * (IN + 1024e3 / p / NODE_RATE), 1e-9);
	}
}

static const char *const mixed[] = {"data=16", "data=4,filter=4", "filter=4,data=4", "data=3,filter=2",
	"data=2,filter=2,spatial=2x2", "spatial=2,data=6", "data=4,pipeline=2,filter=2", "channel=4,data=8",
	"data=2,channel=2,filter=2,spatial=2", "data=64"};
enum { MIXED = sizeof mixed / sizeof *mixed };

static const struct paradl_model *two_layers(struct setup *setup)
{
	return setup_model(setup, "\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
		"{\"type\": \"conv\", \"out\": 64, \"kernel\": 3, \"pad\": 1}, "
		"{\"type\": \"conv\", \"out\": 64, \"kernel\": 3, \"pad\": 1}");
}

/* Whatever was asked before is there: with no memory left at all, the same bytes. */
static void known_plans_take_no_memory(void **state)
{
	struct setup *const setup = *state;
	static struct paradl_estimate first[MIXED];
	const struct paradl_options options = {.algorithm = "auto", .compress = "auto"};
	struct paradl_oracle *const oracle = oracle_of(setup, two_layers(setup), LEVELS("64"), "", &options);
	struct paradl_arena *const limited = arena_create_limited(50 << 20);
	struct paradl_oracle *const tight = paradl_oracle_create(limited, two_layers(setup),
		setup_machine(setup, SETUP_DEVICE, LEVELS("64")),
		setup_framework(setup, ", " SETUP_SPLIT_ALL), &options, NULL);
	assert_non_null(tight);
	for (unsigned round = 0; round < 4; ++round) {
		for (unsigned i = 0; i < MIXED; ++i) {
			const struct paradl_plan plan = setup_plan(mixed[i], 640);
			struct paradl_estimate got;
			memset(&got, 0, sizeof got);
			got = setup_estimate(tight, &plan);
			if (round == 0)
				first[i] = setup_estimate(oracle, &plan);
			for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
				assert_close(got.phase_s[phase], first[i].phase_s[phase], 0);
			assert_close(got.iteration_s, first[i].iteration_s, 0);
			assert_string_equal(got.gradient_algorithm, first[i].gradient_algorithm);
			assert_string_equal(got.gradient_compression, first[i].gradient_compression);
		}
		/* The second round is on the network of the largest plan. */
		for (size_t size = round ? 1 << 20 : 0; size > 0; size /= 2)
			while (arena_alloc(limited, 1, size)) {
			}
	}
	paradl_arena_free(limited);
}

/* Either the answer or that memory ran out, and never that the plan is impossible; also when asked again. */
static void running_out_of_memory_is_told(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_options options = {.algorithm = "auto", .compress = "auto"};
	const struct paradl_model *const model = two_layers(setup);
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE, LEVELS("64"));
	const struct paradl_framework *const framework = setup_framework(setup, ", " SETUP_SPLIT_ALL);
	unsigned ran = 0, failed = 0;
	for (size_t limit = 4096; limit < 16 << 20; limit += limit / 8) {
		struct paradl_arena *const limited = arena_create_limited(limit);
		struct paradl_error error = {0};
		struct paradl_oracle *const oracle =
			paradl_oracle_create(limited, model, machine, framework, &options, &error);
		assert_true(oracle || error.status == PARADL_NO_MEMORY);
		for (unsigned i = 0; oracle && i < 2 * MIXED; ++i) {
			const struct paradl_plan plan = setup_plan(mixed[i % MIXED], 640);
			struct paradl_estimate estimate;
			if (paradl_estimate(oracle, &plan, &estimate, &error)) {
				++ran;
				assert_true(isfinite(estimate.iteration_s) && estimate.iteration_s > 0);
			} else {
				++failed;
				assert_int_equal(error.status, PARADL_NO_MEMORY);
			}
		}
		paradl_arena_free(limited);
	}
	assert_true(ran > MIXED && failed > MIXED);
}

/* The exchange is the collective that "paradl collective" shows, for one group and for groups side by side. */
static void routed_machines_exchange_as_collectives_do(void **state)
{
	struct setup *const setup = *state;
	static const struct {
		const char *plan;
		unsigned ranks, concurrent;
		double shards;
	} cases[] = {{"data=4", 4, 1, 1}, {"data=8", 8, 1, 1}, {"data=64", 64, 1, 1}, {"data=272", 272, 1, 1},
		{"data=8,filter=4", 8, 4, 4}, {"data=34,filter=4", 34, 4, 4}, {"data=16,filter=2", 16, 2, 2}};
	static const char *const algorithms[] = {
		"ring", "doubling", "rabenseifner", "double-tree", "leaders-ring"};
	const struct paradl_machine *const machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/abci-routed.json"}, &setup->error);
	assert_non_null(machine);
	struct paradl_network *const network = paradl_network_create(setup->arena, machine, &setup->error);
	assert_non_null(network);
	const struct paradl_framework *const framework =
		setup_framework(setup, ", " SETUP_SPLIT_ALL ", \"gradients\": {\"rings\": 0}");
	unsigned compared = 0;
	for (unsigned a = 0; a < sizeof algorithms / sizeof *algorithms; ++a) {
		const struct paradl_options options = {.algorithm = algorithms[a]};
		struct paradl_oracle *const oracle = paradl_oracle_create(
			setup->arena, model_of(setup, 4000), machine, framework, &options, &setup->error);
		assert_non_null(oracle);
		for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
			const double bytes = 1024.0 * 4000 / cases[i].shards;
			const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
				.ranks = cases[i].ranks,
				.concurrent = cases[i].concurrent,
				.steps = true,
				.algorithms = algorithms[a],
				.bytes = &bytes,
				.count = 1};
			struct paradl_collective_table table;
			struct paradl_error error = {0};
			const struct paradl_plan plan = setup_plan(cases[i].plan, 1024);
			struct paradl_estimate estimate;
			const bool runs = paradl_estimate(oracle, &plan, &estimate, &error);
			assert_int_equal(
				runs, paradl_collective(network, &request, setup->arena, &table, NULL));
			if (!runs) {
				assert_int_equal(error.status, PARADL_INFEASIBLE);
				continue;
			}
			++compared;
			if (fabs(estimate.phase_s[PARADL_GRADIENT_EXCHANGE] / table.rows[0].model_s - 1) >
				1e-3)
				fail_msg("%s by %s: %.6g s; the collective takes %.6g s", cases[i].plan,
					algorithms[a], estimate.phase_s[PARADL_GRADIENT_EXCHANGE],
					table.rows[0].model_s);
		}
	}
	assert_true(compared > 25);
}

struct worker {
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	const struct paradl_framework *framework;
	double exchange_s[MIXED];
};

static void *work(void *context)
{
	struct worker *const worker = context;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_options options = {.algorithm = "auto", .compress = "auto"};
	struct paradl_oracle *const oracle = paradl_oracle_create(
		arena, worker->model, worker->machine, worker->framework, &options, NULL);
	for (unsigned i = 0; oracle && i < MIXED; ++i) {
		struct paradl_plan plan;
		struct paradl_estimate estimate;
		worker->exchange_s[i] = -1;
		if (!paradl_plan_parse(mixed[i], &plan, NULL))
			continue;
		plan.batch = 640;
		if (paradl_estimate(oracle, &plan, &estimate, NULL))
			worker->exchange_s[i] = estimate.phase_s[PARADL_GRADIENT_EXCHANGE];
	}
	paradl_arena_free(arena);
	return NULL;
}

static void threads_choose_alike(void **state)
{
	struct setup *const setup = *state;
	struct worker workers[3];
	pthread_t threads[2];
	workers[0] = (struct worker){.model = two_layers(setup),
		.machine = paradl_machine_load(setup->arena,
			&(struct paradl_source){.path = "hw-profiles/abci-routed.json"}, &setup->error),
		.framework = setup_framework(setup, ", " SETUP_SPLIT_ALL ", \"gradients\": {\"rings\": 0}")};
	workers[1] = workers[2] = workers[0];
	for (unsigned i = 0; i < 2; ++i)
		assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
	for (unsigned i = 0; i < 2; ++i)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	work(&workers[2]);
	for (unsigned i = 0; i < MIXED; ++i) {
		assert_true(workers[2].exchange_s[i] > 0);
		assert_close(workers[0].exchange_s[i], workers[2].exchange_s[i], 0);
		assert_close(workers[1].exchange_s[i], workers[2].exchange_s[i], 0);
	}
}

/* Nothing but finite times, whatever links cost: no start-ups, links of a byte a second or without end. */
static void extreme_links_give_times(void **state)
{
	struct setup *const setup = *state;
	static const char *const rates[] = {"1 B/s", "8 GB/s", "1e18 B/s"};
	static const char *const latencies[] = {"0 us", "1 s"};
	const struct paradl_options options = {.algorithm = "auto", .compress = "auto"};
	for (unsigned i = 0; i < 3 * 3 * 2; ++i) {
		const char *const levels = arena_printf(setup->arena,
			"{\"name\": \"node\", \"devices\": 4, \"latency\": \"%s\", \"bandwidth\": \"%s\"}, "
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"0 us\", \"bandwidth\": \"%s\", "
			"\"ports\": 3, \"oversubscription\": 7}",
			latencies[i / 9], rates[i / 3 % 3], rates[i % 3]);
		struct paradl_oracle *const oracle =
			oracle_of(setup, two_layers(setup), levels, "", &options);
		for (unsigned k = 0; k < MIXED; ++k) {
			const struct paradl_plan plan = setup_plan(mixed[k], 640);
			const struct paradl_estimate got = setup_estimate(oracle, &plan);
			for (unsigned phase = 0; phase < PARADL_PHASE_COUNT; ++phase)
				assert_true(isfinite(got.phase_s[phase]) && got.phase_s[phase] >= 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(several_axes_by_hand),
		setup_test(the_slowest_stage_is_described),
		setup_test(networks_grow),
		setup_test(copies_apart_are_alike),
		setup_test(one_node_can_be_huge),
		setup_test(known_plans_take_no_memory),
		setup_test(running_out_of_memory_is_told),
		setup_test(routed_machines_exchange_as_collectives_do),
		setup_test(threads_choose_alike),
		setup_test(extreme_links_give_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
