/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that are the same, twice as fast, or not known well enough. */
#include "paradl/study.h"
#include "study/pair.h"

enum { NUMBERS = 3 };
static const size_t machines = 2;

static struct paradl_comparison compared(
	struct setup *setup, struct paradl_oracle *const *oracles, struct paradl_compare_request request)
{
	static const double samples[] = {1e6}, rates[] = {1, 1};
	static const unsigned devices[NUMBERS] = {1, 8, 64};
	struct paradl_comparison comparison;
	request.oracles = oracles;
	request.model_count = 1;
	request.machine_count = machines;
	request.samples = samples;
	request.rates = rates;
	request.per_device = 16;
	if (!(request.deadline_s > 0) && !(request.budget > 0)) {
		request.devices = devices;
		request.device_count = NUMBERS;
	}
	if (!paradl_compare(&request, setup->arena, &comparison, &setup->error))
		fail_msg("%s", setup->error.message);
	return comparison;
}

static void with_itself(void **state)
{
	struct paradl_oracle *const oracle = pair_oracle(*state, 1, "measured");
	struct paradl_oracle *const oracles[] = {oracle, oracle};
	const struct paradl_comparison got = compared(*state, oracles, (struct paradl_compare_request){0});
	for (size_t i = 0; i < (size_t)NUMBERS * machines; ++i) {
		assert_true(got.cells[i].runs);
		assert_int_equal(got.cells[i].ranks[PARADL_AMOUNT_TIME], 1);
		assert_int_equal(got.cells[i].ranks[PARADL_AMOUNT_COST], 1);
		assert_close(got.cells[i].amounts[PARADL_AMOUNT_TIME].value,
			got.cells[i - i % machines].amounts[PARADL_AMOUNT_TIME].value, 0);
	}
	assert_int_equal(got.crossing_count, 0);
}

static void twice_as_fast(void **state)
{
	struct paradl_oracle *const oracles[] = {
		pair_oracle(*state, 1, "measured"), pair_oracle(*state, 2, "measured")};
	const struct paradl_comparison got = compared(*state, oracles, (struct paradl_compare_request){0});
	for (size_t i = 0; i < NUMBERS; ++i) {
		const struct paradl_compare_cell *const cells = &got.cells[i * machines];
		assert_close(cells[0].amounts[PARADL_AMOUNT_TIME].value,
			2 * cells[1].amounts[PARADL_AMOUNT_TIME].value, 1e-9);
		assert_close(cells[0].amounts[PARADL_AMOUNT_COST].value,
			2 * cells[1].amounts[PARADL_AMOUNT_COST].value, 1e-9);
		assert_int_equal(cells[1].ranks[PARADL_AMOUNT_TIME], 1);
		assert_int_equal(cells[0].ranks[PARADL_AMOUNT_TIME], 2);
	}
}

/* A third faster, as far as anybody who has looked at no number can say. */
static void not_known_well_enough(void **state)
{
	struct paradl_oracle *const oracles[] = {
		pair_oracle(*state, 1, "assumed"), pair_oracle(*state, 1.3, "assumed")};
	const struct paradl_comparison got = compared(*state, oracles, (struct paradl_compare_request){0});
	for (size_t i = 0; i < (size_t)NUMBERS * machines; ++i)
		assert_int_equal(got.cells[i].ranks[PARADL_AMOUNT_TIME], 1);
}

static void deadlines_and_budgets(void **state)
{
	struct paradl_oracle *const oracles[] = {
		pair_oracle(*state, 1, "measured"), pair_oracle(*state, 2, "measured")};
	const struct paradl_comparison all = compared(*state, oracles, (struct paradl_compare_request){0});
	const double deadline_s =
		1.01 * all.cells[1 * machines].amounts[PARADL_AMOUNT_TIME].value; /* of the first, on 8 */
	struct paradl_comparison got =
		compared(*state, oracles, (struct paradl_compare_request){.deadline_s = deadline_s});
	assert_int_equal(got.device_count, 1);
	assert_int_equal(got.cells[0].devices, 8);
	assert_true(got.cells[1].devices < 8 && got.cells[1].amounts[PARADL_AMOUNT_TIME].value <= deadline_s);
	got = compared(*state, oracles, (struct paradl_compare_request){.deadline_s = 1e-9});
	assert_true(!got.cells[0].runs && *got.cells[0].reason && got.cells[0].devices == 0);
	const double budget = 1.01 * all.cells[1].amounts[PARADL_AMOUNT_COST].value;
	got = compared(*state, oracles, (struct paradl_compare_request){.budget = budget});
	assert_true(got.cells[1].runs && got.cells[1].amounts[PARADL_AMOUNT_COST].value <= budget);
}

/*
 * Time, cost and energy of a job are those that a run of the plan has, and ranges keep their shares; a deadline and a
 * budget are met by runs, not by steps.
 */
static void jobs_have_checkpoints_and_failures(void **state)
{
	struct paradl_oracle *const oracle = pair_oracle(*state, 1, "measured");
	struct paradl_oracle *const oracles[] = {oracle, oracle};
	const struct paradl_run_request job = {
		.node_mtbf_s = 4e4, .restart_s = 900, .write_bytes_per_s = 1e6};
	const struct paradl_comparison steps = compared(*state, oracles, (struct paradl_compare_request){0}),
				       got = compared(
					       *state, oracles, (struct paradl_compare_request){.job = &job});
	for (size_t i = 0; i < (size_t)NUMBERS * machines; ++i) {
		const struct paradl_compare_cell *const cell = &got.cells[i];
		const struct paradl_range *const time = &cell->amounts[PARADL_AMOUNT_TIME],
						 *const before = &steps.cells[i].amounts[PARADL_AMOUNT_TIME];
		struct paradl_run_request whole = job;
		struct paradl_run run;
		whole.samples = 1e6;
		paradl_run(oracle, &cell->estimate, &whole, &run);
		assert_true(cell->runs && run.failures > 0 && run.time_s > 1.001 * before->value);
		assert_close(time->value, run.time_s, 1e-12);
		assert_close(cell->amounts[PARADL_AMOUNT_COST].value, run.cost, 1e-12);
		assert_close(cell->amounts[PARADL_AMOUNT_ENERGY].value, run.energy_joule, 1e-12);
		assert_close(time->low / time->value, before->low / before->value, 1e-12);
		assert_close(time->high / time->value, before->high / before->value, 1e-12);
	}
	const double deadline_s = 1.0005 * steps.cells[1 * machines].amounts[PARADL_AMOUNT_TIME].value;
	const struct paradl_comparison late = compared(
		*state, oracles, (struct paradl_compare_request){.deadline_s = deadline_s, .job = &job});
	assert_true(late.cells[0].runs && late.cells[0].devices > 8);
	const struct paradl_run_request hopeless = {
		.node_mtbf_s = 1, .restart_s = 900, .write_bytes_per_s = 1e6};
	const struct paradl_comparison never =
		compared(*state, oracles, (struct paradl_compare_request){.job = &hopeless});
	assert_true(!never.cells[0].runs && strstr(never.cells[0].reason, "never ends"));
}

static void questions_that_make_no_sense(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = pair_oracle(setup, 1, "measured");
	const double samples = 0, rates = 1;
	const unsigned devices = 4;
	struct paradl_comparison comparison;
	struct paradl_compare_request request = {.oracles = &oracle,
		.model_count = 1,
		.machine_count = 1,
		.samples = &samples,
		.rates = &rates,
		.devices = &devices,
		.device_count = 1};
	assert_false(paradl_compare(&request, setup->arena, &comparison, &setup->error));
	assert_int_equal(setup->error.status, PARADL_USAGE);
	request.device_count = 0;
	assert_false(paradl_compare(&request, setup->arena, &comparison, &setup->error));
	assert_int_equal(setup->error.status, PARADL_USAGE);
}

/*
 * The numbers of devices that are tried: whole hosts from one on, no step longer than an eighth. Whatever number of
 * hosts is the least that is enough, the numbers in between lead to it.
 */
static void numbers_of_devices(void **state)
{
	enum { HOST = 4, ALL = 9408 * HOST };
	(void)state;
	unsigned tried = 0;
	for (unsigned last = 0, next; (next = paradl_devices_next(HOST, ALL, last)) > 0;
		last = next, ++tried) {
		assert_true(next > last && next <= ALL);
		assert_true(next <= HOST ? next == 1 || next == 2 * last : next % HOST == 0);
		assert_true(
			next <= 64 * HOST ? next <= HOST || next == last + HOST : 8 * (next - last) <= last);
	}
	assert_true(tried < 128);
	for (unsigned enough = HOST; enough <= ALL; enough += HOST) {
		unsigned below = 0, above = 0, middle;
		while ((above = paradl_devices_next(HOST, ALL, above)) < enough)
			below = above;
		while ((middle = paradl_devices_between(HOST, below, above)) > 0) {
			assert_true(middle > below && middle < above);
			*(middle < enough ? &below : &above) = middle;
		}
		assert_int_equal(above, enough);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(with_itself),
		setup_test(twice_as_fast),
		setup_test(not_known_well_enough),
		setup_test(deadlines_and_budgets),
		setup_test(numbers_of_devices),
		setup_test(jobs_have_checkpoints_and_failures),
		setup_test(questions_that_make_no_sense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
