/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Epoch, rates, energy and cost by hand; what limits a plan; what memory a stage holds. */
#include "oracle/setup.h"

static struct paradl_oracle *oracle_of(struct setup *setup, const char *keys, const char *framework)
{
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 64, \"shape\": [32, 32]}, \"dataset\": {\"name\": \"d\", "
		"\"samples\": 1000}",
		"{\"type\": \"conv\", \"out\": 128, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
		"{\"type\": \"act\", \"kind\": \"relu\"}");
	const char *const device = arena_printf(setup->arena, "%s%s", SETUP_DEVICE,
		strstr(keys, "power") ? ", \"power\": {\"busy\": \"300 W\", \"idle\": \"50 W\"}" : "");
	setup_machine(setup, device,
		"{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}");
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"test\", \"device\": \"device\", "
		"\"framework\": \"framework\", "
		"\"levels\": [{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"1 "
		"GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}]%s}",
		keys);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "machine.json", text)}, &setup->error);
	if (!machine)
		fail_msg("%s", setup->error.message);
	return setup_oracle(setup, model, machine, setup_framework(setup, framework), false);
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan);
}

#define ENERGY ", \"power\": {\"node\": \"200 W\", \"pue\": 1.25}"
#define PRICE  ", \"price\": {\"per_node_hour\": 36, \"currency\": \"EUR\"}"

static void rates_and_epochs(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, "", "");
	const struct paradl_estimate got = estimate(oracle, "data=6", 60);
	const double flop =
		60 * 2 * (2.0 * 128 * 64 * 9 * 1024); /* forward and backward-weights of a first layer */
	assert_close(got.epoch_s, 1000.0 / 60 * got.iteration_s, 1e-12);
	assert_close(got.samples_per_s, 60 / got.iteration_s, 1e-12);
	assert_close(got.flop_per_s_per_device, flop / got.iteration_s / 6, 1e-12);
	assert_close(got.mfu, flop / got.iteration_s / 6 / 100e12, 1e-12);
	assert_true(got.energy_joule_per_epoch < 0 && got.cost_per_epoch < 0); /* not known */
	assert_int_equal(got.devices, 6);
}

/* 6 devices are on two nodes, which are paid whole; test_power.c has the parts. */
static void energy_and_cost_of_an_epoch(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, ENERGY PRICE, "");
	const struct paradl_estimate got = estimate(oracle, "data=6", 60);
	struct paradl_power power;
	paradl_power(oracle, &got, &power);
	assert_close(got.watt, power.total_watt, 0);
	assert_close(got.energy_joule_per_epoch, got.epoch_s * power.total_watt, 1e-12);
	assert_close(got.cost_per_hour, 2 * 36, 1e-12);
	assert_close(got.cost_per_epoch, got.epoch_s / 3600 * 2 * 36, 1e-12);
	assert_close(estimate(oracle, "data=8", 80).cost_per_epoch / estimate(oracle, "data=8", 80).epoch_s,
		2 * 36 / 3600.0, 1e-12);
}

static void what_limits(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = oracle_of(setup, "", ", " SETUP_SPLIT_ALL);
	struct paradl_estimate got = estimate(oracle, "data=4", 4);
	assert_int_equal(got.limited_by.phase, PARADL_GRADIENT_EXCHANGE);
	assert_int_equal(got.limited_by.kind, PARADL_LIMITATION);
	assert_close(got.limited_by.share, got.phase_s[PARADL_GRADIENT_EXCHANGE] / got.iteration_s, 1e-12);
	got = estimate(oracle, "filter=4", 64);
	assert_int_equal(got.limited_by.phase, PARADL_ACTIVATION_EXCHANGE);
	got = estimate(oracle, "spatial=4", 1);
	assert_true(got.limited_by.phase == PARADL_HALO_EXCHANGE ||
		    got.limited_by.phase == PARADL_GRADIENT_EXCHANGE);
	got = estimate(oracle, "serial", 64);
	assert_int_equal(got.limited_by.phase, PARADL_BACKWARD); /* the kernels themselves */
	assert_true(got.limited_by.share > 0.9);
	oracle = oracle_of(setup, "", ", \"waiting\": {\"jitter\": \"10 s\"}");
	assert_string_equal(estimate(oracle, "data=8", 8).limited_by.text, "waiting for the slowest node");
	assert_int_equal(estimate(oracle, "data=8", 8).limited_by.kind, PARADL_BOTTLENECK);
}

/* The first stage is a convolution that keeps its x for four micro-batches; relu keeps its own y. */
static void stages_hold_micro_batches(void **state)
{
	struct setup *const setup = *state;
	const double x = 64 * 1024, y = 128 * 1024, micro = 3;
	struct paradl_estimate got = estimate(oracle_of(setup, "", ""), "pipeline=2,micro=3", 12);
	/* The fuller stage is the second: y of relu four times, and the gradients of one. */
	assert_close(got.memory.activations_bytes, 4 * micro * (4 * y + 2 * y), 1e-12);
	got = estimate(
		oracle_of(setup, "", ", \"pipeline\": {\"recompute\": true}"), "pipeline=2,micro=3", 12);
	/* With recomputation one y, what was received for the other three, and the gradients. */
	assert_close(got.memory.activations_bytes, 4 * micro * (y + 3 * y + 2 * y), 1e-12);
	assert_true(x < y);
	assert_close(got.phase_s[PARADL_RECOMPUTE], 3.0 / 4 * got.phase_s[PARADL_FORWARD], 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(rates_and_epochs),
		setup_test(energy_and_cost_of_an_epoch),
		setup_test(what_limits),
		setup_test(stages_hold_micro_batches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
