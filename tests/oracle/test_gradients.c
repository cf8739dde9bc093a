/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradient exchange by hand on a machine like ABCI: 4 GPUs a node, rings of 20 GB/s inside, two ports of 7 GB/s out,
 * 2 us and 10 us a step. Packing is 6 passes at 1 TB/s and 50 us a tensor.
 */
#include "oracle/setup.h"

#define IN        2e-6
#define OUT       10e-6
#define NODE_RING 20e9
#define PORT_RING 7e9

/* Two convolutions with biases: 4 tensors, W items. */
#define WEIGHTS (512.0 * 256 * 9 + 512 + 256.0 * 512 * 9 + 256)
#define BYTES   (4 * WEIGHTS)
#define PACK    (6 * BYTES / 1e12 + 4 * 50e-6)

static struct paradl_oracle *oracle_of(struct setup *setup, const char *levels, const char *keys)
{
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 256, \"shape\": [64, 64]}",
			"{\"type\": \"conv\", \"out\": 512, \"kernel\": 3, \"pad\": 1}, "
			"{\"type\": \"conv\", \"out\": 256, \"kernel\": 3, \"pad\": 1}");
	return setup_oracle(setup, model, setup_machine(setup, SETUP_DEVICE, levels),
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL ", %s", keys)), false);
}

#define LIKE_ABCI                                                                                            \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\", \"ring\": " \
	"\"20 GB/s\", "                                                                                      \
	"\"ports\": 6}, "                                                                                    \
	"{\"name\": \"leaf\", \"devices\": 64, \"latency\": \"10 us\", \"bandwidth\": \"12.5 GB/s\", "       \
	"\"ring\": \"7 GB/s\", "                                                                             \
	"\"ports\": 2}, "                                                                                    \
	"{\"name\": \"system\", \"devices\": 4096, \"latency\": \"20 us\", \"bandwidth\": \"12.5 GB/s\", "   \
	"\"ring\": \"7 "                                                                                     \
	"GB/s\", \"ports\": 2, \"oversubscription\": 3}"
#define CHAINER                                                                                              \
	"\"gradients\": {\"rings\": 1, \"passes\": 6, \"per_tensor\": \"50 us\", \"spatial_leader\": true}"
#define FLAT "\"gradients\": {\"rings\": 1, \"passes\": 6, \"per_tensor\": \"50 us\"}"

static double exchange_s(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 4096);
	return setup_estimate(oracle, &plan).phase_s[PARADL_GRADIENT_EXCHANGE];
}

/* A ring of p devices of which `across` steps leave a node. */
static double ring_s(double p, double across, double out, double bytes, double rate)
{
	return 2 * (across * out + (p - 1 - across) * IN) + 2 * (p - 1) / p * bytes / rate;
}

static void one_ring_over_all_replicas(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, LIKE_ABCI, CHAINER);
	assert_true(exchange_s(oracle, "serial") <= 0);
	assert_true(exchange_s(oracle, "filter=4") <= 0);
	assert_close(exchange_s(oracle, "data=4"), ring_s(4, 0, 0, BYTES, NODE_RING) + PACK, 1e-12);
	assert_close(exchange_s(oracle, "spatial=4"), ring_s(4, 0, 0, BYTES, NODE_RING) + PACK, 1e-12);
	assert_close(exchange_s(oracle, "data=16"), ring_s(16, 3, OUT, BYTES, PORT_RING) + PACK, 1e-12);
	/* Of 64 steps between nodes 4 leave a leaf; the longest is not on the way of any piece. */
	assert_close(exchange_s(oracle, "data=256"),
		ring_s(256, 60, OUT, BYTES, PORT_RING) + 2 * 3 * (20e-6 - IN) + PACK, 1e-12);
}

/*
 * Sharded states: half of the ring for gradients, packed once, and half of it for weights, of which there is as much. Sharded
 * weights go layer by layer, here in two messages, once more, as they are gathered for each pass.
 */
static void shards_are_scattered_and_gathered(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, LIKE_ABCI, CHAINER);
	static const struct {
		double p, across, out, rate;
	} cases[] = {{4, 0, 0, NODE_RING}, {16, 3, OUT, PORT_RING}, {64, 15, OUT, PORT_RING}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const double ring = ring_s(cases[i].p, cases[i].across, cases[i].out, BYTES, cases[i].rate);
		const double two =
			2 * ring_s(cases[i].p, cases[i].across, cases[i].out, BYTES / 2, cases[i].rate);
		const double wanted_s[] = {ring, ring, ring, 1.5 * two};
		for (unsigned zero = 0; zero <= 3; ++zero) {
			char plan[40];
			snprintf(plan, sizeof plan, "data=%.0f,zero=%u", cases[i].p, zero);
			assert_close(exchange_s(oracle, plan), wanted_s[zero] + PACK, 1e-12);
		}
	}
}

/* Reduce among 4 pieces in the node, then among 4 leaders, each alone on its node's ports; packing at both stages. */
static void leaders_exchange_for_their_pieces(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = oracle_of(setup, LIKE_ABCI, CHAINER);
	assert_close(exchange_s(oracle, "data=4,spatial=4"),
		ring_s(4, 0, 0, BYTES, NODE_RING) + ring_s(4, 3, OUT, BYTES, PORT_RING) + 2 * PACK, 1e-12);
	assert_close(exchange_s(oracle, "data=2,spatial=2"), 2 * ring_s(2, 0, 0, BYTES, NODE_RING) + 2 * PACK,
		1e-12);
	/* Two sets of pieces a node: their leaders, two a node, are one ring over 8 nodes. */
	assert_close(exchange_s(oracle, "data=16,spatial=2"),
		ring_s(2, 0, 0, BYTES, NODE_RING) + ring_s(16, 7, OUT, BYTES, PORT_RING) + 2 * PACK, 1e-12);
	oracle = oracle_of(setup, LIKE_ABCI, FLAT);
	assert_close(
		exchange_s(oracle, "data=4,spatial=4"), ring_s(16, 3, OUT, BYTES, PORT_RING) + PACK, 1e-12);
}

/* One ring for each of the node's 4 members, with a quarter of the weights, on half a port. */
static void shards_share_the_ports(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, LIKE_ABCI, CHAINER);
	const double shard = 4 * (128 * (256.0 * 9 + 1) + 64 * (512.0 * 9 + 1));
	const double pack = 6 * shard / 1e12 + 4 * 50e-6;
	assert_close(
		exchange_s(oracle, "data=4,filter=4"), ring_s(4, 3, OUT, shard, PORT_RING / 2) + pack, 1e-12);
	/* Two members a node in two rings, which both leave by the second member's port: half a port each. */
	const double half = 4 * (256 * (256.0 * 9 + 1) + 128 * (512.0 * 9 + 1));
	assert_close(exchange_s(oracle, "data=8,filter=2"),
		ring_s(8, 3, OUT, half, PORT_RING / 2) + 6 * half / 1e12 + 4 * 50e-6, 1e-12);
	/* The other way round replicas are neighbours: rings inside nodes. */
	assert_close(exchange_s(oracle, "filter=4,data=4"), ring_s(4, 0, 0, shard, NODE_RING) + pack, 1e-12);
}

static void more_rings_use_more_ports(void **state)
{
	struct setup *const setup = *state;
	for (unsigned rings = 1; rings <= 8; ++rings) {
		struct paradl_oracle *const oracle = oracle_of(setup, LIKE_ABCI,
			arena_printf(setup->arena, "\"gradients\": {\"rings\": %u}", rings));
		assert_close(exchange_s(oracle, "data=4"), ring_s(4, 0, 0, BYTES, fmin(rings, 6) * NODE_RING),
			1e-12);
		assert_close(exchange_s(oracle, "data=16"),
			ring_s(16, 3, OUT, BYTES, fmin(rings, 2) * PORT_RING), 1e-12);
	}
}

/* 8 filter members a rack of 8 devices, two nodes: 8 rings on uplinks of 2 nodes * 2 ports * 12.5 GB/s / 8. */
static void uplinks_are_oversubscribed(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state,
		"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"rack\", \"devices\": 8, \"latency\": \"10 us\", \"bandwidth\": \"12.5 GB/s\", "
		"\"ring\": \"7 GB/s\", "
		"\"ports\": 2}, "
		"{\"name\": \"system\", \"devices\": 64, \"latency\": \"10 us\", \"bandwidth\": \"12.5 "
		"GB/s\", \"ring\": \"7 GB/s\", "
		"\"ports\": 2, \"oversubscription\": 8}",
		"\"gradients\": {\"rings\": 1}");
	const double shard = 4 * (64 * (256.0 * 9 + 1) + 32 * (512.0 * 9 + 1));
	const double uplinks = 2 * 2 * 12.5e9 / 8;
	assert_close(exchange_s(oracle, "data=4,filter=8"), ring_s(4, 3, OUT, shard, uplinks / 8), 1e-12);
	/* One ring over all: the uplinks are more than its port. */
	assert_close(exchange_s(oracle, "data=32"), ring_s(32, 7, OUT, BYTES, fmin(7e9, uplinks)), 1e-12);
}

/* Backward hides a share of itself at most, and never more than there is to hide: not the host's time for 4 tensors. */
static void backward_hides_gradients(void **state)
{
	struct setup *const setup = *state;
	for (unsigned percent = 0; percent <= 100; percent += 20) {
		struct paradl_oracle *const oracle = oracle_of(setup, LIKE_ABCI,
			arena_printf(
				setup->arena, CHAINER ", \"execution\": {\"overlap\": %g}", percent / 100.0));
		for (double batch = 16; batch < 1e5; batch *= 10) {
			const struct paradl_plan plan = setup_plan("data=16", batch);
			const struct paradl_estimate got = setup_estimate(oracle, &plan);
			const double exchange = ring_s(16, 3, OUT, BYTES, PORT_RING) + PACK;
			const double hidden =
				fmin(exchange - 4 * 50e-6, percent / 100.0 * got.phase_s[PARADL_BACKWARD]);
			assert_close(got.communication_s, exchange, 1e-12);
			assert_close(got.gradient_host_s, 4 * 50e-6, 1e-12);
			assert_close(got.exposed_communication_s, exchange - hidden, 1e-9);
			assert_close(got.iteration_s, got.compute_s + exchange - hidden, 1e-12);
			struct paradl_plan apart = plan;
			apart.apart = PARADL_OVERLAP_GRADIENTS;
			assert_close(
				setup_estimate(oracle, &apart).iteration_s, got.compute_s + exchange, 1e-12);
		}
	}
}

/* What the host does for 4 tensors lengthens a step, however gradients travel and however much of them hides. */
static void nothing_hides_the_host(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"data=16", "data=16,zero=1", "data=16,zero=2", "data=16,zero=3",
		"data=4,pipeline=2,micro=4,zero=3"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		static const double host_s[] = {0, 50e-6, 50e-3};
		struct paradl_estimate got[3];
		for (size_t j = 0; j < 3; ++j) {
			struct paradl_oracle *const oracle = oracle_of(setup, LIKE_ABCI,
				arena_printf(setup->arena,
					"\"rules\": {\"gradient_rings\": 1, \"gradient_passes\": 6, "
					"\"gradient_tensor\": \"%g s\", \"overlap_gradients\": 0.9, "
					"\"overlap_shards\": 0.8}",
					host_s[j]));
			const struct paradl_plan plan = setup_plan(plans[i], 1600);
			got[j] = setup_estimate(oracle, &plan);
			assert_close(got[j].iteration_s - got[0].iteration_s, got[j].gradient_host_s, 1e-9);
		}
		assert_true(got[1].gradient_host_s > 0);
		assert_close(got[2].gradient_host_s, 1000 * got[1].gradient_host_s, 1e-12);
		assert_string_equal(got[2].limited_by.text, "host time per gradient tensor");
		assert_int_equal(got[2].limited_by.kind, PARADL_BOTTLENECK);
		assert_close(got[2].limited_by.share, got[2].gradient_host_s / got[2].iteration_s, 1e-12);
	}
}

/*
 * Of sharded weights two gathers for each scatter hide in the schedule; gradients, packed, hide in the share of backward that
 * hides them where weights are whole. Among 16 devices of 4 nodes.
 */
static void sharded_gradients_hide_in_backward(void **state)
{
	struct setup *const setup = *state;
	const double gathers_s = 2 * ring_s(16, 3, OUT, BYTES / 2, PORT_RING);
	const double gradients_s = gathers_s / 2 + 6 * BYTES / 1e12;
	unsigned capped = 0, all = 0;
	for (unsigned percent = 0; percent <= 100; percent += 20) {
		struct paradl_oracle *const oracle = oracle_of(setup, LIKE_ABCI,
			arena_printf(setup->arena,
				"\"rules\": {\"gradient_rings\": 1, \"gradient_passes\": 6, "
				"\"gradient_tensor\": \"50 us\", "
				"\"interference\": 0, \"overlap_shards\": 0.8, \"overlap_gradients\": %g}",
				percent / 100.0));
		for (double batch = 16; batch < 1e5; batch *= 10) {
			const struct paradl_plan plan = setup_plan("data=16,zero=3", batch);
			const struct paradl_estimate got = setup_estimate(oracle, &plan);
			const double backward_s = got.phase_s[PARADL_BACKWARD];
			const double room_s = 0.8 * (got.phase_s[PARADL_FORWARD] + backward_s);
			const double late_s = fmax(gradients_s - percent / 100.0 * backward_s, 0);
			const double hidden_s = fmin(gathers_s + gradients_s - late_s, room_s);
			capped += late_s > 0 && hidden_s < room_s;
			all += !(late_s > 0) && hidden_s < room_s;
			assert_close(got.gradient_hidden_s, hidden_s, 1e-9);
			assert_close(got.exposed_communication_s,
				gathers_s + gradients_s + 4 * 50e-6 - hidden_s, 1e-9);
		}
	}
	assert_true(capped > 0 && all > 0);
}

/* All devices of a plan on as many nodes as were measured: the curve, between its points; else the model. */
static void measured_curves_stand_for_the_library(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_machine *const machine = paradl_machine_load(
		setup->arena, &(struct paradl_source){.path = "hw-profiles/abci-2.json"}, NULL);
	const struct paradl_model *const model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/resnet50.json"}, NULL);
	assert_true(machine && model);
	static const struct {
		const char *algorithm, *plan;
		bool measured;
	} cases[] = {{NULL, "data=32", true}, {NULL, "data=64", true}, {"ring", "data=32", false},
		{NULL, "data=16,filter=2", false}, {NULL, "data=256", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_options options = {.algorithm = cases[i].algorithm};
		struct paradl_oracle *const oracle =
			paradl_oracle_create(setup->arena, model, machine, NULL, &options, NULL);
		const struct paradl_plan plan = setup_plan(cases[i].plan, 2048);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		assert_non_null(estimate.gradient_algorithm);
		assert_int_equal(
			strcmp(estimate.gradient_algorithm, "measured curve") == 0, cases[i].measured);
	}
}

/* Images and experts in one network can be cut along every axis; then none is left for shards, and all replicas share. */
static void shards_need_an_axis_that_is_free(void **state)
{
	struct setup *const setup = *state;
	const char *const layers = "{\"type\": \"conv\", \"out\": 16, \"kernel\": 3, \"pad\": 1}, {\"type\": "
				   "\"conv\", \"out\": 16, "
				   "\"kernel\": 3, \"pad\": 1}, {\"type\": \"embedding\", \"kind\": "
				   "\"patch\", \"patch\": 4, \"out\": 128}, "
				   "{\"repeat\": 4, \"layers\": [{\"type\": \"attention\", \"heads\": 4, "
				   "\"causal\": false}, {\"type\": "
				   "\"moe\", \"experts\": 4, \"top_k\": 2, \"hidden\": 256}]}, {\"type\": "
				   "\"pool\", \"kind\": \"first\"}, "
				   "{\"type\": \"linear\", \"out\": 16}";
	struct paradl_oracle *const oracle = setup_oracle(setup,
		setup_model(setup, "\"input\": {\"channels\": 16, \"shape\": [64, 64]}", layers),
		setup_machine(setup, SETUP_DEVICE,
			"{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"50 "
			"GB/s\"}, "
			"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"5 us\", \"bandwidth\": \"10 "
			"GB/s\"}"),
		setup_framework(setup, ", " SETUP_SPLIT_ALL), false);
	static const char every[] =
		"data=4,pipeline=2,expert=2,context=2,tensor=2,filter=2,channel=2,spatial=2,micro=2,zero=1";
	const struct paradl_plan all = setup_plan(every, 64);
	struct paradl_plan shards = all;
	shards.shard = 2;
	const struct paradl_estimate one = setup_estimate(oracle, &all),
				     two = setup_estimate(oracle, &shards);
	assert_close(two.iteration_s, one.iteration_s, 0);
	assert_close(two.memory_bytes, one.memory_bytes, 0);
	shards.degree[PARADL_SPATIAL] = shards.spatial[0] = 1; /* but for one axis */
	struct paradl_plan whole = shards;
	whole.shard = 0;
	const double apart = setup_estimate(oracle, &shards).phase_s[PARADL_GRADIENT_EXCHANGE] /
			     setup_estimate(oracle, &whole).phase_s[PARADL_GRADIENT_EXCHANGE];
	assert_true(apart > 1.01 || apart < 0.99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(one_ring_over_all_replicas),
		setup_test(shards_are_scattered_and_gathered),
		setup_test(leaders_exchange_for_their_pieces),
		setup_test(shards_share_the_ports),
		setup_test(measured_curves_stand_for_the_library),
		setup_test(more_rings_use_more_ports),
		setup_test(uplinks_are_oversubscribed),
		setup_test(backward_hides_gradients),
		setup_test(nothing_hides_the_host),
		setup_test(sharded_gradients_hide_in_backward),
		setup_test(shards_need_an_axis_that_is_free),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
