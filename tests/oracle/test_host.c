/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Host time by hand. Nothing blocks: a pass takes the device's time or that of its calls, whichever is longer. A cut
 * axis whose layers block: each layer max(device, host_call), and sync besides where it communicates.
 */
#include "oracle/setup.h"

#define HOST 1e-3
#define SYNC 0.5e-3

/* conv 1x1 of 64 channels on 32 x 32, twice, and a relu between: 3 layers. */
#define POSITIONS 1024.0
#define FLOP      (2 * 64 * 64 * POSITIONS)
#define ITEMS     (64 * POSITIONS)

static struct paradl_oracle *oracle_of(struct setup *setup)
{
	const char *const conv = "{\"type\": \"conv\", \"out\": 64, \"kernel\": 1, \"bias\": false}";
	const struct paradl_model *const model = setup_model(setup,
		"\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
		arena_printf(setup->arena, "%s, {\"type\": \"act\", \"kind\": \"relu\"}, %s", conv, conv));
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"1 TB\", \"memory_rate\": \"1000 TB/s\", \"peak\": {\"fp32\": \"1 Tflop/s\"}, "
		"\"contraction\": {\"efficiency\": 1}",
		"{\"name\": \"all\", \"devices\": 64, \"latency\": \"0 us\", \"bandwidth\": \"1000 TB/s\"}");
	return setup_oracle(setup, model, machine,
		setup_framework(setup,
			", " SETUP_SPLIT_ALL
			", \"execution\": {\"host_call\": \"1 ms\", \"sync\": \"0.5 ms\", \"blocking\": "
			"[\"filter\"]}"),
		false);
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan);
}

static double both_s(const struct paradl_estimate *estimate)
{
	return estimate->phase_s[PARADL_FORWARD] + estimate->phase_s[PARADL_BACKWARD];
}

/* Forward one product a convolution; backward one of the first, two of the second; passes of relu 2 and 3. */
static double device_s(double samples, double pieces)
{
	return samples * (5 * FLOP / pieces / 1e12 + 5 * ITEMS * 4 / 1e15);
}

static void calls_run_ahead_of_the_device(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state);
	const double few = 1, many = 400;
	assert_true(device_s(few, 1) < 3 * HOST && device_s(many, 1) > 3 * HOST);
	struct paradl_estimate got = estimate(oracle, "serial", few);
	assert_close(both_s(&got), 3 * HOST, 1e-12);
	/* Of a layer's calls 1 of 2.3 are forward's, and either pass takes its calls or its kernels: forward 2 products, 2 passes. */
	for (double samples = few; samples < many; samples *= 2) {
		const double forward_s = samples * (2 * FLOP / 1e12 + 2 * ITEMS * 4 / 1e15);
		got = estimate(oracle, "serial", samples);
		assert_close(got.phase_s[PARADL_FORWARD], fmax(forward_s, 3 * HOST / 2.3), 1e-12);
		assert_close(got.phase_s[PARADL_BACKWARD],
			fmax(device_s(samples, 1) - forward_s, 3 * HOST * 1.3 / 2.3), 1e-12);
	}
	got = estimate(oracle, "serial", many);
	assert_close(both_s(&got), device_s(many, 1), 1e-12);
	got = estimate(oracle, "data=4", 4 * few);
	assert_close(both_s(&got), 3 * HOST, 1e-12);
	got = estimate(oracle, "spatial=4", few); /* not one of the axes that block here */
	assert_close(both_s(&got), 3 * HOST, 1e-12);
}

/* What a step takes longer than its kernels is what devices wait for the host, which limits it as long as that is most of it. */
static void waiting_for_the_host_is_a_limit(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state);
	for (double samples = 1; samples < 1000; samples *= 3) {
		const struct paradl_estimate got = estimate(oracle, "serial", samples);
		const double waits_s = both_s(&got) - device_s(samples, 1);
		const bool limits = waits_s > 0.05 * got.iteration_s;
		assert_close(got.host_waits_s + 1, waits_s + 1, 1e-12);
		assert_string_equal(got.limited_by.text, limits ? "starting kernels" : "compute");
		if (limits)
			assert_close(got.limited_by.share, waits_s / got.iteration_s, 1e-9);
	}
}

/* Fused kernels leave a share of what the relu moves, 5 passes; the products stay. */
static void fused_kernels_move_less(void **state)
{
	struct setup *const setup = *state;
	const double shares[] = {0, 0.25, 1, 3};
	for (unsigned i = 0; i < sizeof shares / sizeof *shares; ++i) {
		const struct paradl_model *const model =
			setup_model(setup, "\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
				"{\"type\": \"conv\", \"out\": 64, \"kernel\": 1, \"bias\": false}, "
				"{\"type\": \"act\", \"kind\": \"relu\"}");
		const struct paradl_machine *const machine = setup_machine(setup,
			"\"memory\": \"1 TB\", \"memory_rate\": \"100 GB/s\", \"peak\": {\"fp32\": \"1 "
			"Tflop/s\"}, "
			"\"contraction\": {\"efficiency\": 1}",
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"0 us\", \"bandwidth\": \"1000 "
			"TB/s\"}");
		struct paradl_oracle *const oracle = setup_oracle(setup, model, machine,
			setup_framework(setup,
				arena_printf(setup->arena, ", \"execution\": {\"passes\": %g}", shares[i])),
			false);
		const struct paradl_estimate got = estimate(oracle, "serial", 10);
		assert_close(both_s(&got), 10 * (2 * FLOP / 1e12 + shares[i] * 5 * ITEMS * 4 / 1e11), 1e-12);
	}
}

static void every_micro_batch_is_called(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state);
	const struct paradl_estimate got = estimate(oracle, "data=2,micro=1", 10);
	assert_close(both_s(&got), 5 * 3 * HOST, 1e-12);
}

static void blocking_layers_wait_for_their_call(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state);
	const double relu = 5 * ITEMS * 4 / 1e15;
	/* All layers are shorter than their call. */
	struct paradl_estimate got = estimate(oracle, "filter=4", 1);
	assert_close(both_s(&got), 3 * HOST + 2 * SYNC, 1e-12);
	/* 400 samples: convolutions are longer (2 and 3 products of a quarter of the filters), the relu is not. */
	got = estimate(oracle, "filter=4", 4000);
	assert_true(4000 * relu < HOST && 4000 * 2 * FLOP / 4 / 1e12 > HOST);
	assert_close(both_s(&got), 4000 * 5 * FLOP / 4 / 1e12 + HOST + 2 * SYNC, 1e-12);
	/* Data besides: still blocking, of the replica's samples. */
	got = estimate(oracle, "data=2,filter=4", 8000);
	assert_close(both_s(&got), 4000 * 5 * FLOP / 4 / 1e12 + HOST + 2 * SYNC, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(calls_run_ahead_of_the_device),
		setup_test(waiting_for_the_host_is_a_limit),
		setup_test(fused_kernels_move_less),
		setup_test(every_micro_batch_is_called),
		setup_test(blocking_layers_wait_for_their_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
