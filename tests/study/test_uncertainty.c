/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges against closed forms, and against random machines drawn within what is left open. */
#include "study/studies.h"

#include <math.h>

#include "oracle/random.h"
#include "study/pair.h"

static struct paradl_uncertainty doubts_of(
	struct setup *setup, struct paradl_oracle *oracle, const struct paradl_estimate *estimate)
{
	struct paradl_uncertainty doubts;
	struct paradl_study *const study = paradl_study_create(setup->arena, oracle, &setup->error);
	assert_non_null(study);
	if (!paradl_uncertainty(study, estimate, &doubts, &setup->error))
		fail_msg("%s", setup->error.message);
	return doubts;
}

/* One device: products and memory alone, whose times go with 1 / rate. */
static void of_one_device_by_hand(void **state)
{
	struct paradl_oracle *const oracle = pair_oracle(*state, 1, "datasheet");
	const struct paradl_plan plan = setup_plan("serial", 64);
	const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
	const struct paradl_uncertainty doubts = doubts_of(*state, oracle, &estimate);
	const struct paradl_range *const compute = &doubts.effect[PARADL_SOURCE_COMPUTE];
	const struct paradl_range *const memory = &doubts.effect[PARADL_SOURCE_MEMORY];
	const double t = estimate.iteration_s, products_s = (compute->high - t) / (1 / 0.8 - 1);
	assert_close(doubts.share[PARADL_SOURCE_COMPUTE], 0.2, 0);
	assert_close(compute->low, t - products_s * (1 - 1 / 1.2), 1e-9);
	assert_close(memory->high, t + (t - products_s) * (1 / 0.8 - 1), 1e-9);
	assert_close(doubts.effect[PARADL_SOURCE_NETWORK].high, t, 1e-12);
	assert_close(doubts.amounts[PARADL_AMOUNT_TIME].high,
		t + sqrt(pow(compute->high - t, 2) + pow(memory->high - t, 2) +
			    pow(estimate.error_share * t, 2) - pow(0.15 * t, 2)),
		1e-9);
}

/* Levels above the node are moved together: by what the least known of them leaves open. */
static void the_least_known_level(void **state)
{
	static const struct {
		const char *inner, *outer;
		double share;
	} cases[] = {{"assumed", "measured", 0.5}, {"measured", "assumed", 0.5}, {"measured", "derived", 0.1},
		{"datasheet", "measured", 0.2}, {"measured", "measured", 0.05}};
	struct setup *const setup = *state;
	const struct paradl_model *const model = pair_model(setup);
	(void)pair_machine(setup, 1, "measured"); /* writes the device */
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const char *kind;
		const char *const text = arena_printf(setup->arena,
			"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"x\", \"device\": "
			"\"device\", "
			"\"framework\": \"framework\", \"levels\": ["
			"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"9 "
			"GB/s\"}, "
			"{\"name\": \"rack\", \"devices\": 16, \"latency\": \"3 us\", \"bandwidth\": \"8 "
			"GB/s\", "
			"\"ring\": \"7 GB/s\"}, "
			"{\"name\": \"all\", \"devices\": 64, \"latency\": \"4 us\", \"bandwidth\": \"8 "
			"GB/s\"}], "
			"\"from\": {\"levels\": \"measured\", \"levels/1/ring\": \"%s\", \"levels/2\": "
			"\"%s\"}}",
			cases[i].inner, cases[i].outer);
		const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
			&(struct paradl_source){.path = setup_write(setup, "machine.json", text)},
			&setup->error);
		if (!machine)
			fail_msg("%s", setup->error.message);
		const struct paradl_oracle *const oracle =
			setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
		assert_close(uncertainty_share(oracle, PARADL_SOURCE_NETWORK, &kind), cases[i].share, 0);
		assert_close(uncertainty_share(oracle, PARADL_SOURCE_NODE_LINKS, &kind), 0.05, 0);
	}
}

static void shares_by_origin(void **state)
{
	static const struct {
		const char *origin;
		double share;
	} cases[] = {{"measured: here", 0.05}, {"paper", 0.1}, {"derived", 0.1}, {"datasheet: x", 0.2},
		{"assumed", 0.5}, {"whatever", 0.5}};
	double before = 0;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_oracle *const oracle = pair_oracle(*state, 1, cases[i].origin);
		const struct paradl_plan plan = setup_plan("data=8", 64);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		const struct paradl_uncertainty doubts = doubts_of(*state, oracle, &estimate);
		assert_close(doubts.share[PARADL_SOURCE_NETWORK], cases[i].share, 0);
		assert_close(doubts.share[PARADL_SOURCE_PRICE], cases[i].share, 0);
		assert_true(
			doubts.amounts[PARADL_AMOUNT_TIME].high - doubts.amounts[PARADL_AMOUNT_TIME].low >=
			before);
		assert_true(
			doubts.amounts[PARADL_AMOUNT_COST].low < doubts.amounts[PARADL_AMOUNT_COST].value &&
			doubts.amounts[PARADL_AMOUNT_COST].high > doubts.amounts[PARADL_AMOUNT_COST].value);
		before = doubts.amounts[PARADL_AMOUNT_TIME].high - doubts.amounts[PARADL_AMOUNT_TIME].low;
	}
}

static double uniform(struct random *random)
{
	return random_between(random, 0, 1000000) / 1e6;
}

/* Iterations of a plan on machines whose groups are all moved at once. */
static unsigned draws_within(struct setup *setup, const struct paradl_oracle *oracle,
	const struct paradl_uncertainty *doubts, const struct paradl_plan *plan, unsigned draws)
{
	struct random random = {3};
	unsigned within = 0;
	const struct paradl_range range = range_join(doubts->amounts[PARADL_AMOUNT_TIME].value,
		&doubts->effect[PARADL_SOURCE_COMPUTE], PARADL_SOURCE_POWER - PARADL_SOURCE_COMPUTE);
	for (unsigned i = 0; i < draws; ++i) {
		double factors[PARADL_SOURCE_COUNT];
		for (unsigned k = 0; k < PARADL_SOURCE_COUNT; ++k)
			factors[k] = 1 + doubts->share[k] * (2 * uniform(&random) - 1);
		const struct paradl_machine *const machine =
			machine_moved(setup->arena, oracle->machine, factors);
		struct paradl_oracle *const moved =
			setup_oracle(setup, oracle->model, machine, oracle->framework, false);
		const struct paradl_estimate estimate = setup_estimate(moved, plan);
		within += estimate.iteration_s >= range.low && estimate.iteration_s <= range.high;
	}
	return within;
}

static void ranges_hold_random_machines(void **state)
{
	static const char *const origins[] = {"measured", "datasheet", "assumed"};
	static const char *const plans[] = {"serial", "data=8", "data=64"};
	for (unsigned i = 0; i < 9; ++i) {
		struct paradl_oracle *const oracle = pair_oracle(*state, 1, origins[i / 3]);
		const struct paradl_plan plan = setup_plan(plans[i % 3], 64);
		const struct paradl_estimate estimate = setup_estimate(oracle, &plan);
		const struct paradl_uncertainty doubts = doubts_of(*state, oracle, &estimate);
		const unsigned within = draws_within(*state, oracle, &doubts, &plan, 200);
		print_message("# %s, %s: %u of 200 within\n", origins[i / 3], plans[i % 3], within);
		assert_true(within >= 180);
	}
}

static void moved_by_nothing_is_the_same(void **state)
{
	struct paradl_oracle *const oracle = pair_oracle(*state, 1, "measured");
	const double ones[PARADL_SOURCE_COUNT] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct setup *const setup = *state;
	const struct paradl_machine *const machine = machine_moved(setup->arena, oracle->machine, ones);
	const struct paradl_plan plan = setup_plan("data=8", 64);
	const struct paradl_estimate a = setup_estimate(oracle, &plan);
	const struct paradl_estimate b =
		setup_estimate(setup_oracle(setup, oracle->model, machine, oracle->framework, false), &plan);
	assert_close(a.iteration_s, b.iteration_s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(of_one_device_by_hand),
		setup_test(the_least_known_level),
		setup_test(shares_by_origin),
		setup_test(ranges_hold_random_machines),
		setup_test(moved_by_nothing_is_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
