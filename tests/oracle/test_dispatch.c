/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who carries tokens to their experts: how many copies travel, at what rate, and measured times of one layer by each. */
#include "oracle/random.h"
#include "oracle/setup.h"

#include "base/csv.h"

enum { LAYERS = 2, SEQUENCE = 512, HIDDEN = 256 };

static const double link_rate = 100e9;

static struct paradl_oracle *oracle_of(
	struct setup *setup, unsigned experts, unsigned top_k, const char *dispatch)
{
	const struct paradl_model *const model = setup_model(setup,
		arena_printf(setup->arena,
			"\"dims\": {\"hidden\": %d, \"seq\": %d}, \"input\": {\"tokens\": \"$seq\"}, "
			"\"training\": {\"precision\": \"bf16-mixed\", \"optimizer\": \"adamw\"}",
			HIDDEN, SEQUENCE),
		arena_printf(setup->arena,
			"{\"name\": \"embed\", \"type\": \"embedding\", \"rows\": 128, \"out\": "
			"\"$hidden\"}, "
			"{\"name\": \"block\", \"repeat\": %d, \"layers\": [{\"name\": \"moe\", \"type\": "
			"\"moe\", "
			"\"experts\": %u, \"top_k\": %u, \"hidden\": 64}]}, "
			"{\"name\": \"head\", \"type\": \"head\", \"out\": 128}, {\"type\": \"loss\", "
			"\"kind\": \"cross-entropy\"}",
			LAYERS, experts, top_k));
	const struct paradl_machine *const machine = setup_machine(setup,
		arena_printf(setup->arena,
			"\"memory\": \"1 TB\", \"memory_rate\": \"1e17 B/s\", \"peak\": {\"fp32\": \"100 "
			"Tflop/s\", "
			"\"bf16\": \"100 Tflop/s\"}, \"contraction\": {\"efficiency\": 1}, \"link\": "
			"{\"rate\": \"100 GB/s\"%s}",
			dispatch),
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"100 GB/s\", "
		"\"ring\": \"100 GB/s\", \"ports\": 1}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"0 s\", \"bandwidth\": \"10 GB/s\", "
		"\"ring\": \"10 GB/s\", \"ports\": 8}");
	return setup_oracle(
		setup, model, machine, setup_framework(setup, ", \"training\": {\"passes\": 0.1}"), false);
}

static double exchange_of(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan).phase_s[PARADL_ACTIVATION_EXCHANGE];
}

/* How many of so many places a token visits, of which each has as many experts: the mean of many draws. */
static double drawn_places(struct random *random, unsigned experts, unsigned top_k, unsigned places)
{
	enum { DRAWS = 40000 };
	double sum = 0;
	for (unsigned draw = 0; draw < DRAWS; ++draw) {
		bool chosen[64] = {false}, visited[64] = {false};
		for (unsigned i = 0; i < top_k; ++i) {
			unsigned expert;
			do
				expert = random_between(random, 0, experts - 1);
			while (chosen[expert]);
			chosen[expert] = true;
			const unsigned place = expert * places / experts;
			sum += !visited[place];
			visited[place] = true;
		}
	}
	return sum / DRAWS;
}

static void copies_are_those_of_drawn_experts(void **state)
{
	static const struct {
		unsigned experts, top_k, devices, nodes;
	} cases[] = {
		{16, 2, 8, 1}, {64, 8, 8, 1}, {32, 6, 8, 1}, {8, 2, 8, 1}, {64, 8, 32, 4}, {64, 3, 64, 8}};
	struct random random = {20261126};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = oracle_of(*state, cases[i].experts, cases[i].top_k, "");
		const char *const text = arena_printf(
			((struct setup *)*state)->arena, "expert=%u,micro=1,dispatcher=", cases[i].devices);
		const char *const all = arena_printf(((struct setup *)*state)->arena, "%salltoall", text);
		const char *const fewer = arena_printf(((struct setup *)*state)->arena, "%shybridep", text);
		const unsigned places = cases[i].nodes > 1 ? cases[i].nodes : cases[i].devices;
		const double copies = drawn_places(&random, cases[i].experts, cases[i].top_k, places);
		assert_close(exchange_of(oracle, fewer, cases[i].devices) /
				     exchange_of(oracle, all, cases[i].devices),
			copies / cases[i].top_k, 0.01);
		setup_renew(*state);
	}
}

static void kernels_bound_what_deepep_sends(void **state)
{
	const double tokens = SEQUENCE, start_s = 1e-3, rate = 1e9;
	struct paradl_oracle *const oracle =
		oracle_of(*state, 8, 2, ", \"dispatch_start\": \"1 ms\", \"dispatch_rate\": \"1 GB/s\"");
	/* Two of eight experts are never on one of eight devices. */
	const double call_s = start_s + tokens * 2 * HIDDEN * 2 / rate;
	assert_close(exchange_of(oracle, "expert=8,micro=1,dispatcher=deepep", 8), 4 * LAYERS * call_s, 1e-9);
	const double wires_s = tokens * 2 * HIDDEN * 2 * 7 / 8 / link_rate;
	assert_close(
		exchange_of(oracle, "expert=8,micro=1,dispatcher=hybridep", 8), 4 * LAYERS * wires_s, 1e-6);
	assert_close(exchange_of(oracle, "expert=8,micro=1", 8), 4 * LAYERS * wires_s, 1e-6);
}

static void networks_without_experts_have_no_dispatcher(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = setup_model(setup,
		"\"dims\": {\"hidden\": 256, \"seq\": 512}, \"input\": {\"tokens\": \"$seq\"}, "
		"\"training\": {\"precision\": \"fp32\", \"optimizer\": \"adamw\"}",
		"{\"name\": \"embed\", \"type\": \"embedding\", \"rows\": 128, \"out\": \"$hidden\"}, "
		"{\"name\": \"mlp\", \"type\": \"mlp\", \"hidden\": 1024}, "
		"{\"name\": \"head\", \"type\": \"head\", \"out\": 128}, {\"type\": \"loss\", \"kind\": "
		"\"cross-entropy\"}");
	const struct paradl_machine *const machine = setup_machine(setup, SETUP_DEVICE,
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": "
		"\"100 GB/s\", \"ring\": \"100 GB/s\", \"ports\": 1}");
	struct paradl_oracle *const oracle =
		setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
	const struct paradl_plan plan = setup_plan("tensor=2,dispatcher=deepep", 1);
	struct paradl_estimate estimate;
	assert_false(paradl_estimate(oracle, &plan, &estimate, &setup->error));
	assert_non_null(strstr(setup->error.message, "dispatcher=deepep carries tokens to experts"));
}

/* Seconds of a layer forward and backward, with half of what is sent each, as its mean of eight. */
static void layer_times(struct setup *setup, const struct csv *csv, size_t row, double seconds[2])
{
	enum { BLOCKS = 8 };
	const char *const shared = csv_cell(csv, row, "shared_ffn");
	const struct paradl_model *const model = setup_model(setup,
		arena_printf(setup->arena,
			"\"dims\": {\"hidden\": %s, \"seq\": %s}, \"input\": {\"tokens\": \"$seq\"}, "
			"\"training\": {\"precision\": \"%s\", \"optimizer\": \"adamw\"}",
			csv_cell(csv, row, "hidden"), csv_cell(csv, row, "seq"),
			strcmp(csv_cell(csv, row, "precision"), "fp8") == 0 ? "mxfp8-mixed" : "bf16-mixed"),
		arena_printf(setup->arena,
			"{\"name\": \"embed\", \"type\": \"embedding\", \"rows\": 1024, \"out\": "
			"\"$hidden\"}, "
			"{\"name\": \"block\", \"repeat\": %d, \"layers\": [{\"name\": \"moe\", \"type\": "
			"\"moe\", \"experts\": %s, \"top_k\": %s, \"hidden\": %s, \"act\": \"silu\", "
			"\"gated\": true%s%s}]}, {\"name\": \"head\", \"type\": \"head\", \"out\": 1024}, "
			"{\"type\": \"loss\", \"kind\": \"cross-entropy\"}",
			BLOCKS, csv_cell(csv, row, "experts"), csv_cell(csv, row, "topk"),
			csv_cell(csv, row, "moe_ffn"), strcmp(shared, "0") == 0 ? "" : ", \"shared\": ",
			strcmp(shared, "0") == 0 ? "" : shared));
	struct paradl_machine machine;
	struct paradl_framework framework;
	const struct paradl_machine *const shipped = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	const struct paradl_framework *const nccl = paradl_framework_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/frameworks/nccl.json"}, &setup->error);
	assert_non_null(shipped);
	assert_non_null(nccl);
	machine = *shipped;
	framework = *nccl;
	/* One layer alone, for a short time: no other kernels, and no power limit yet. */
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		machine.device.product.throttled[i] = 1;
	for (unsigned kind = 0; kind < RULES_KINDS; ++kind) {
		framework.rules[kind].sustained = framework.rules[kind].passes = 1;
		framework.rules[kind].accumulate_bytes = 0;
		framework.rules[kind].permute_fusion = true;
	}
	struct paradl_oracle *const oracle = setup_oracle(setup, model, &machine, &framework, false);
	const char *const named = csv_cell(csv, row, "dispatcher");
	const struct paradl_plan plan =
		setup_plan(arena_printf(setup->arena, "expert=8,micro=1,dispatcher=%s",
				   strcmp(named, "a2a") == 0 ? "alltoall" : named),
			8);
	struct paradl_layer_table table;
	assert_true(paradl_estimate_layers(oracle, &plan, setup->arena, &table, &setup->error));
	seconds[0] = seconds[1] = 0;
	for (size_t i = 0; i < table.count; ++i)
		if (strstr(table.rows[i].name, "moe")) {
			seconds[0] += (table.rows[i].forward_s + table.rows[i].communication_s / 2) / BLOCKS;
			seconds[1] += (table.rows[i].backward_s + table.rows[i].communication_s / 2) / BLOCKS;
		}
}

static void measured_layers_are_met(void **state)
{
	struct setup *const setup = *state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct csv csv;
	assert_true(csv_load(arena, "tests/data/moe_layer_times.csv", &csv, &setup->error));
	assert_int_equal(csv.rows, 12);
	double sum = 0, worst = 0;
	for (size_t row = 0; row < csv.rows; ++row) {
		double seconds[2];
		layer_times(setup, &csv, row, seconds);
		for (unsigned pass = 0; pass < 2; ++pass) {
			const double measured_s =
				1e-3 * strtod(csv_cell(&csv, row, pass ? "backward_ms" : "forward_ms"), NULL);
			const double error = fabs(seconds[pass] / measured_s - 1);
			sum += error / (double)(2 * csv.rows);
			worst = error > worst ? error : worst;
		}
		setup_renew(setup);
	}
	paradl_arena_free(arena);
	if (sum > 0.09 || worst > 0.28)
		fail_msg("off by %.3f on average, by %.3f at most", sum, worst);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(copies_are_those_of_drawn_experts),
		setup_test(kernels_bound_what_deepep_sends),
		setup_test(networks_without_experts_have_no_dispatcher),
		setup_test(measured_layers_are_met),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
