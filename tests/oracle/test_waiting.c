/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for the slowest of n nodes: jitter (n^growth - 1) sqrt(T s), T seconds of work with s synchronisations. */
#include "oracle/setup.h"

#define LEVELS                                                                                               \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"100 GB/s\"},"          \
	"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"10 us\", \"bandwidth\": \"10 GB/s\"}"

/* Three convolutions that communicate when they are cut, and an activation that does not. */
static struct paradl_oracle *oracle_of(struct setup *setup, const char *waiting, bool quiet)
{
	const char *const conv = "{\"type\": \"conv\", \"out\": 64, \"kernel\": 1, \"bias\": false}";
	const struct paradl_model *const model =
		setup_model(setup, "\"input\": {\"channels\": 64, \"shape\": [32, 32]}",
			arena_printf(setup->arena, "%s, %s, {\"type\": \"act\", \"kind\": \"relu\"}, %s",
				conv, conv, conv));
	const struct paradl_options options = {.quiet_network = quiet};
	struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena, model,
		setup_machine(setup, SETUP_DEVICE, LEVELS),
		setup_framework(setup, arena_printf(setup->arena, ", " SETUP_SPLIT_ALL "%s", waiting)),
		&options, NULL);
	assert_non_null(oracle);
	return oracle;
}

static struct paradl_estimate estimate(struct paradl_oracle *oracle, const char *text, double batch)
{
	const struct paradl_plan plan = setup_plan(text, batch);
	return setup_estimate(oracle, &plan);
}

static double work_s(const struct paradl_estimate *estimate)
{
	return estimate->phase_s[PARADL_FORWARD] + estimate->phase_s[PARADL_BACKWARD];
}

#define JITTER ", \"waiting\": {\"jitter\": \"3 ms\", \"growth\": 0.75}"

static void nobody_waits_inside_a_node(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, JITTER, false);
	static const char *const plans[] = {
		"serial", "data=4", "filter=4", "channel=2", "spatial=2x2", "data=2,filter=2"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_estimate got = estimate(oracle, plans[i], 64);
		assert_true(got.waiting_s <= 0);
		assert_close(got.iteration_quiet_s, got.iteration_s, 0);
	}
}

/* Data parallelism synchronises once, at the gradients; nodes = p / 4. */
static void replicas_wait_once(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, JITTER, false);
	static const struct {
		const char *plan;
		double nodes;
	} cases[] = {{"data=8", 2}, {"data=64", 16}, {"data=6", 2}, {"data=1024", 256},
		{"data=64,zero=1", 16}, {"data=64,zero=3", 16}, {"data=8,recompute=full", 2}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_estimate got = estimate(oracle, cases[i].plan, 4096);
		assert_close(
			got.waiting_s, 3e-3 * (pow(cases[i].nodes, 0.75) - 1) * sqrt(work_s(&got)), 1e-12);
		assert_close(got.iteration_s - got.iteration_quiet_s, got.waiting_s, 1e-9);
		assert_true(got.phase_s[PARADL_GRADIENT_EXCHANGE] > got.waiting_s);
	}
}

/*
 * Filters over 4 nodes: an allgather in each of three layers, an allreduce in all but the first, so 5 synchronisations.
 * Data outside: replicas of filter groups inside nodes wait for one another once.
 */
static void every_call_across_nodes_waits(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, JITTER, false);
	struct paradl_estimate got = estimate(oracle, "filter=16", 64);
	assert_close(got.waiting_s, 3e-3 * (pow(4, 0.75) - 1) * sqrt(5 * work_s(&got)), 1e-12);
	got = estimate(oracle, "data=4,filter=4", 64);
	assert_close(got.waiting_s, 3e-3 * (pow(4, 0.75) - 1) * sqrt(work_s(&got)), 1e-12);
	got = estimate(
		oracle, "data=2,filter=8", 64); /* both: filter groups of 2 nodes, replicas 2 nodes apart */
	assert_close(got.waiting_s, 3e-3 * (pow(2, 0.75) - 1) * (1 + sqrt(5)) * sqrt(work_s(&got)), 1e-12);
}

/* Work is that of the whole iteration, however many micro-batches it is done in; each of them calls. */
static void micro_batches_work_and_call(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, JITTER, false);
	struct paradl_estimate got = estimate(oracle, "data=8,micro=4", 8 * 4 * 5);
	assert_close(got.micro_batches, 5, 0);
	assert_close(got.waiting_s, 3e-3 * (pow(2, 0.75) - 1) * sqrt(work_s(&got)), 1e-12);
	got = estimate(oracle, "filter=16,micro=4", 4 * 5);
	assert_close(got.waiting_s, 3e-3 * (pow(4, 0.75) - 1) * sqrt(5 * 5 * work_s(&got)), 1e-12);
}

static void waiting_scales(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_estimate one = estimate(oracle_of(setup, JITTER, false), "data=64", 4096);
	const struct paradl_estimate two =
		estimate(oracle_of(setup, ", \"waiting\": {\"jitter\": \"6 ms\", \"growth\": 0.75}", false),
			"data=64", 4096);
	assert_close(two.waiting_s, 2 * one.waiting_s, 1e-12);
	assert_close(two.iteration_quiet_s, one.iteration_quiet_s, 1e-12);
	const struct paradl_estimate flat =
		estimate(oracle_of(setup, ", \"waiting\": {\"jitter\": \"3 ms\", \"growth\": 0}", false),
			"data=64", 4096);
	assert_true(flat.waiting_s <= 0);
}

static void a_quiet_network_is_the_lower_end(void **state)
{
	struct setup *const setup = *state;
	static const char *const plans[] = {"data=64", "filter=16", "data=8,spatial=8", "data=16,filter=4"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_estimate usual = estimate(oracle_of(setup, JITTER, false), plans[i], 256);
		const struct paradl_estimate quiet = estimate(oracle_of(setup, JITTER, true), plans[i], 256);
		const struct paradl_estimate none = estimate(oracle_of(setup, "", false), plans[i], 256);
		assert_true(quiet.waiting_s <= 0);
		assert_close(quiet.iteration_s, usual.iteration_quiet_s, 1e-12);
		assert_close(quiet.iteration_s, none.iteration_s, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(nobody_waits_inside_a_node),
		setup_test(replicas_wait_once),
		setup_test(every_call_across_nodes_waits),
		setup_test(micro_batches_work_and_call),
		setup_test(waiting_scales),
		setup_test(a_quiet_network_is_the_lower_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
