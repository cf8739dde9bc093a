/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where ideal estimates differ from Table III as printed, or from what the original tool computes, and by how much.
 * A device of 100 Tflop/s and 1 TB/s; one level, alpha 1 us, 10 GB/s; sgd: 12 bytes a weight.
 */
#include "oracle/setup.h"

#define ALPHA 1e-6
#define BETA  1e-10
#define DELTA 4.0

static struct paradl_oracle *ideal(struct setup *setup, const char *keys, const char *layers)
{
	const struct paradl_machine *const machine = setup_machine(setup,
		"\"memory\": \"16 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 Tflop/s\", "
		"\"fp16\": \"200 "
		"Tflop/s\"}, \"contraction\": {\"efficiency\": 0.5}",
		"{\"name\": \"all\", \"devices\": 1024, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	return setup_oracle(
		setup, setup_model(setup, keys, layers), machine, setup_framework(setup, ""), true);
}

#define INPUT "\"input\": {\"channels\": 8, \"shape\": [16, 16]}"
#define CONV  "{\"type\": \"conv\", \"out\": 8, \"kernel\": 1, \"bias\": false}"

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan);
}

/* In a chain |x| of a layer is |y| of the one before, and the two agree. */
static void in_a_chain_y_stands_for_x(void **state)
{
	struct paradl_oracle *const oracle = ideal(*state, INPUT,
		CONV
		", {\"type\": \"conv\", \"out\": 32, \"kernel\": 3, \"stride\": 2, \"bias\": false}, " CONV);
	const double p = 4, batch = 10, y1 = 8 * 16 * 16, y2 = 32 * 7 * 7;
	const double printed = 3 * (p - 1) * (2 * ALPHA + batch * (y1 + y2) / p * DELTA * BETA);
	assert_close(estimate(oracle, "filter=4", batch).communication_s, printed, 1e-12);
	assert_close(estimate(oracle, "channel=4", batch).communication_s,
		2 * (p - 1) * (2 * ALPHA + batch * (y1 + y2) / p * DELTA * BETA) +
			(p - 1) * (2 * ALPHA + batch * (y1 + y2) / p * DELTA * BETA),
		1e-12);
}

/* A sum of two branches reads 2 |y|, whose gradients the filter row's backward reduces: the table has |y|. */
static void backward_collectives_move_x(void **state)
{
	struct paradl_oracle *const oracle =
		ideal(*state, INPUT, CONV ", {\"type\": \"add\", \"branches\": [[" CONV "], []]}, " CONV);
	const double p = 4, batch = 10, n = 8 * 16 * 16; /* |y| of each of conv, conv, add, conv */
	const double printed = 3 * (p - 1) * (3 * ALPHA + batch * 3 * n / p * DELTA * BETA);
	const double forward = (p - 1) * (3 * ALPHA + batch * 3 * n / p * DELTA * BETA);
	const double backward = 2 * (p - 1) * (3 * ALPHA + batch * (n + 2 * n + n) / p * DELTA * BETA);
	assert_close(estimate(oracle, "filter=4", batch).communication_s, forward + backward, 1e-12);
	assert_true(forward + backward > 1.1 * printed);
}

/* Equation 22 writes beta without delta: messages of data+filter would be 4 times too small. */
static void messages_of_hybrids_have_delta(void **state)
{
	struct paradl_oracle *const oracle = ideal(*state, INPUT, CONV ", " CONV);
	const double p1 = 8, p2 = 4, n = 8 * 16 * 16, weights = 2 * 8 * 8;
	const double alphas = 3 * (p2 - 1) * ALPHA + 2 * (p1 - 1) * ALPHA;
	const double items = 3 * (p2 - 1) * (80 / p1) * n / p2 + 2 * (p1 - 1) * weights / (p1 * p2);
	const struct paradl_estimate with = estimate(oracle, "data=8,filter=4", 80);
	assert_close(with.communication_s, alphas + items * DELTA * BETA, 1e-12);
	assert_close(with.communication_s - (alphas + items * BETA), 3 * items * BETA, 1e-9);
}

/* delta is the precision's: 2 bytes in fp16, for messages and memory alike. */
static void delta_is_the_precision(void **state)
{
	struct paradl_oracle *const oracle =
		ideal(*state, INPUT ", \"training\": {\"precision\": \"fp16\"}", CONV ", " CONV);
	const double p = 4, n = 8 * 16 * 16, weights = 2 * 8 * 8;
	const struct paradl_estimate half = estimate(oracle, "filter=4", 10);
	assert_close(half.communication_s, 3 * (p - 1) * (ALPHA + 10 * n / p * 2 * BETA), 1e-12);
	assert_close(half.memory_bytes, 2 * 2 * (10 * 4 * n + weights / p), 1e-12);
	const double forward = 2 * 10 * 2 * 64 * 16 * 16 / p / 200e12;
	assert_close(half.phase_s[PARADL_FORWARD], forward, 1e-12);
}

/* Equation 12 multiplies the weight update by (p + S - 1) / S D, too: it happens once per iteration. */
static void weight_update_is_outside_the_factor(void **state)
{
	struct paradl_oracle *const oracle = ideal(*state, INPUT, CONV ", " CONV);
	const double p = 2, segments = 4, micro = 5, layer = 2.0 * 64 * 16 * 16 / 100e12,
		     update = 64 * 12 / 1e12;
	const struct paradl_estimate got = estimate(oracle, "pipeline=2,micro=5", 20);
	/* The stages: layer 1 forward and backward-weight, layer 2 with backward-data as well. */
	const double stages = (p + segments - 1) * micro * (layer + 2 * layer);
	const double printed = (p + segments - 1) * micro * (layer + 2 * layer + update);
	assert_close(got.phase_s[PARADL_WEIGHT_UPDATE], update, 1e-12);
	assert_close(got.compute_s + got.phase_s[PARADL_BUBBLE], stages + update, 1e-12);
	assert_close(printed - (got.compute_s + got.phase_s[PARADL_BUBBLE]), 24 * update, 1e-9);
}

/* Equation 14 has a factor 2 that the table lacks: the two directions of a link are what the 2 of the table counts. */
static void stage_transfers_are_counted_twice_not_four_times(void **state)
{
	struct paradl_oracle *const oracle = ideal(*state, INPUT, CONV ", " CONV);
	const double p = 2, segments = 4, micro = 5, n = 8 * 16 * 16;
	assert_close(estimate(oracle, "pipeline=2,micro=5", 20).phase_s[PARADL_STAGE_TRANSFER],
		2 * (p + segments - 2) * (ALPHA + micro * n * DELTA * BETA), 1e-12);
}

/* The tool pays 4 alpha for windows of 2, which reach over no border; a dilated window reaches dilation times as far. */
static void windows_of_two_have_no_halo(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = ideal(setup, INPUT,
		CONV ", {\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2}, "
		     "{\"type\": \"conv\", \"out\": 8, \"kernel\": 2, \"bias\": false}");
	assert_true(estimate(oracle, "spatial=2", 10).phase_s[PARADL_HALO_EXCHANGE] <= 0);
	oracle = ideal(setup, INPUT,
		"{\"type\": \"conv\", \"out\": 4, \"kernel\": 3, \"pad\": 3, \"dilation\": 3, \"bias\": "
		"false}");
	const double x = 3 * 8 * 16, y = 3 * 4 * 16; /* rows * channels * the other extent */
	assert_close(estimate(oracle, "spatial=2", 10).phase_s[PARADL_HALO_EXCHANGE],
		2 * (2 * ALPHA + 10 * (x + y) * DELTA * BETA), 1e-12);
}

/* The tool leaves channels and the batch of a group out of spatial halos; here both count. */
static void halos_have_channels_and_the_batch(void **state)
{
	struct paradl_oracle *const oracle = ideal(*state, INPUT,
		"{\"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1, \"bias\": false}");
	const double rows = 8 * 16, few = estimate(oracle, "spatial=2", 10).phase_s[PARADL_HALO_EXCHANGE];
	const double many = estimate(oracle, "spatial=2", 30).phase_s[PARADL_HALO_EXCHANGE];
	assert_close(many - few, 2 * 20 * (rows + rows) * DELTA * BETA, 1e-9);
}

/* The tool divides cut weights by p twice and forgets activation layers; the table has every |x|, |y| and |w| / p. */
static void memory_is_the_printed_one(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *oracle = ideal(setup, INPUT, CONV ", " CONV);
	const double n = 8 * 16 * 16, weights = 2 * 8 * 8;
	assert_close(
		estimate(oracle, "filter=4", 10).memory_bytes, 2 * DELTA * (10 * 4 * n + weights / 4), 1e-12);
	assert_close(estimate(oracle, "spatial=4", 10).memory_bytes, 2 * DELTA * (10 * 4 * n / 4 + weights),
		1e-12);
	oracle = ideal(setup, INPUT, CONV ", {\"type\": \"act\", \"kind\": \"relu\"}, " CONV);
	assert_close(estimate(oracle, "serial", 10).memory_bytes, 2 * DELTA * (10 * 6 * n + weights), 1e-12);
}

/* Nothing is rounded: the tool takes ceil(D / B) iterations, the table D / B of them and B / p samples. */
static void nothing_is_rounded(void **state)
{
	struct paradl_oracle *const oracle =
		ideal(*state, INPUT ", \"dataset\": {\"name\": \"d\", \"samples\": 100}", CONV);
	const struct paradl_estimate got = estimate(oracle, "data=7", 30);
	assert_close(got.phase_s[PARADL_FORWARD], 30.0 / 7 * 2 * 64 * 16 * 16 / 100e12, 1e-12);
	assert_close(got.epoch_s, 100.0 / 30 * got.iteration_s, 1e-12);
	assert_false(got.uneven);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(in_a_chain_y_stands_for_x),
		setup_test(backward_collectives_move_x),
		setup_test(messages_of_hybrids_have_delta),
		setup_test(delta_is_the_precision),
		setup_test(weight_update_is_outside_the_factor),
		setup_test(stage_transfers_are_counted_twice_not_four_times),
		setup_test(windows_of_two_have_no_halo),
		setup_test(halos_have_channels_and_the_batch),
		setup_test(memory_is_the_printed_one),
		setup_test(nothing_is_rounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
