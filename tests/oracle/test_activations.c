/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What filter, channel and spatial cost besides their messages, by hand: a time per call, per gathered piece, and extra
 * copies of the cut layer's tensors at 1 TB/s. A ring step takes 1 us, a byte 1 ns.
 */
#include "oracle/setup.h"

#include "oracle/oracle.h"

#define FRAMEWORK                                                                                            \
	", " SETUP_SPLIT_ALL ", \"activations\": {\"per_call\": \"300 us\", \"per_piece\": \"70 us\", "      \
	"\"filter_passes\": 6, \"channel_passes\": 2, "                                                      \
	"\"spatial_passes\": 4}"

/* Two convolutions, x 8 x 32 x 32, y of the first 16 x 32 x 32, of the second 24 x 32 x 32; items of a sample. */
#define X  8192.0
#define Y1 16384.0
#define Y2 24576.0

static struct paradl_oracle *oracle_of(struct setup *setup, const char *framework)
{
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 8, \"shape\": [32, 32]}",
			"{\"type\": \"conv\", \"out\": 16, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
			"{\"type\": \"conv\", \"out\": 24, \"kernel\": 1, \"bias\": false}");
	return setup_oracle(setup, model,
		setup_machine(setup, SETUP_DEVICE,
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}"),
		setup_framework(setup, framework), false);
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan);
}

static double ring_s(double p, double items)
{
	return (p - 1) * (1e-6 + items * 4 / p / 1e9);
}

/* Extra compute of a framework over one that copies nothing. */
static double extra_s(struct setup *setup, const char *text, double batch)
{
	const struct paradl_estimate plain = estimate(oracle_of(setup, ", " SETUP_SPLIT_ALL), text, batch);
	const struct paradl_estimate with = estimate(oracle_of(setup, FRAMEWORK), text, batch);
	const double forward = with.phase_s[PARADL_FORWARD] - plain.phase_s[PARADL_FORWARD];
	const double backward = with.phase_s[PARADL_BACKWARD] - plain.phase_s[PARADL_BACKWARD];
	assert_close(forward, backward, 1e-6); /* half in each pass */
	return forward + backward;
}

static void filter(void **state)
{
	struct setup *const setup = *state;
	const double b = 10, p = 4;
	const struct paradl_estimate got = estimate(oracle_of(setup, FRAMEWORK), "filter=4", b);
	const double forward = ring_s(p, b * Y1) + ring_s(p, b * Y2), backward = 2 * ring_s(p, b * Y1);
	assert_close(got.phase_s[PARADL_ACTIVATION_EXCHANGE], forward + backward + 3 * 300e-6, 1e-12);
	assert_close(extra_s(setup, "filter=4", b), 6 * b * (Y1 + Y2) * 4 / 1e12 + 2 * 4 * 70e-6, 1e-9);
}

/* The first layer is not cut along channels. */
static void channel(void **state)
{
	struct setup *const setup = *state;
	const double b = 10, p = 4;
	const struct paradl_estimate got = estimate(oracle_of(setup, FRAMEWORK), "channel=4", b);
	assert_close(got.phase_s[PARADL_ACTIVATION_EXCHANGE],
		2 * ring_s(p, b * Y2) + ring_s(p, b * Y1) + 2 * 300e-6, 1e-12);
	assert_close(extra_s(setup, "channel=4", b), 2 * b * Y1 * (1 + 1 / p) * 4 / 1e12, 1e-6);
}

/* Only a layer that exchanges halos copies: the first, with a quarter of x. */
static void spatial(void **state)
{
	struct setup *const setup = *state;
	const double b = 1000;
	assert_close(extra_s(setup, "spatial=4", b), 4 * b * X / 4 * 4 / 1e12, 1e-6);
}

/* Every replica's group pays for its own samples; every micro-batch calls again. */
static void with_data_and_micro_batches(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, FRAMEWORK);
	const struct paradl_estimate alone = estimate(oracle, "filter=4", 10);
	const struct paradl_estimate both = estimate(oracle, "data=3,filter=4", 30);
	assert_close(
		both.phase_s[PARADL_ACTIVATION_EXCHANGE], alone.phase_s[PARADL_ACTIVATION_EXCHANGE], 1e-12);
	const struct paradl_estimate micro = estimate(oracle, "filter=4,micro=10", 50);
	assert_close(micro.phase_s[PARADL_ACTIVATION_EXCHANGE], 5 * alone.phase_s[PARADL_ACTIVATION_EXCHANGE],
		1e-12);
	assert_close(micro.phase_s[PARADL_FORWARD], 5 * alone.phase_s[PARADL_FORWARD], 1e-12);
	assert_close(micro.phase_s[PARADL_WEIGHT_UPDATE], alone.phase_s[PARADL_WEIGHT_UPDATE], 1e-12);
}

/* Activation rings of the library: five use five links inside a node. */
static void rings(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const one = oracle_of(setup, ", " SETUP_SPLIT_ALL);
	struct paradl_oracle *const five = setup_oracle(setup, one->model,
		setup_machine(setup, SETUP_DEVICE,
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"0 s\", \"bandwidth\": \"1 "
			"GB/s\", \"ports\": 6}"),
		setup_framework(setup, ", " SETUP_SPLIT_ALL ", \"activations\": {\"rings\": 5}"), false);
	const double latency = 3 * 1e-6 * (2 + 2); /* two gathers, one allreduce of two trips */
	assert_close(5 * estimate(five, "filter=4", 10).communication_s,
		estimate(one, "filter=4", 10).communication_s - latency, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(filter),
		setup_test(channel),
		setup_test(spatial),
		setup_test(with_data_and_micro_batches),
		setup_test(rings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
