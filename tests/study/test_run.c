/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs: months of published trainings, and what must hold of every run. */
#include "oracle/setup.h"
#include "paradl/oracle.h"
#include "study/job/job.h"

static const double day_s = 86400;

struct case_of {
	struct paradl_oracle *oracle;
	struct paradl_estimate estimate;
};

/* A plan on A100s of nodes of 8, as those of the published runs. */
static struct case_of case_make(struct setup *setup, const char *model_path, const char *text, double batch)
{
	const struct paper_machine paper = {
		.device_path = "hw-profiles/devices/a100-sxm4-80gb.json",
		.framework = "megatron-2021",
		.devices = 4480,
		.devices_per_node = 8,
		.port_bytes_per_s = 25e9,
		.latency_s = 5e-6,
	};
	const struct paradl_options options = {.quiet_network = false};
	const struct paradl_model *model =
		paradl_model_load(setup->arena, &(struct paradl_source){.path = model_path}, &setup->error);
	const struct paradl_machine *machine = machine_on_paper(setup->arena, &paper, &setup->error);
	const struct paradl_framework *framework = paradl_framework_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/frameworks/megatron-2021.json"}, &setup->error);
	struct case_of made = {.oracle = NULL};
	struct paradl_plan plan;
	assert_non_null(model);
	assert_non_null(machine);
	assert_non_null(framework);
	made.oracle = paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	assert_non_null(made.oracle);
	assert_true(paradl_plan_parse(text, &plan, &setup->error));
	plan.batch = batch;
	if (!paradl_estimate(made.oracle, &plan, &made.estimate, &setup->error))
		fail_msg("%s", setup->error.message);
	return made;
}

static struct case_of small_case(struct setup *setup)
{
	return case_make(setup, "models/llama2-7b.json", "data=32,tensor=8,micro=1,zero=1", 256);
}

static struct paradl_run run_of(const struct case_of *made, const struct paradl_run_request *request)
{
	struct paradl_run run;
	paradl_run(made->oracle, &made->estimate, request, &run);
	return run;
}

/*
 * Narayanan et al., SC'21: 8 T P / (n X) of T tokens, P parameters, n devices that reach X flop/s. Golden: 1008 thousand million
 * parameters on 3072 devices at 163 Tflop/s are 502 Pflop/s; the months are the authors', and follow from the formula.
 */
static double closed_form_days(double parameters, double tokens, double devices, double flop_per_s)
{
	return 8 * parameters * tokens / (devices * flop_per_s) / day_s;
}

static void published_months_follow_from_their_rates(void **state)
{
	(void)state;
	assert_close(3072 * 163e12, 502e15, 0.01);
	assert_close(closed_form_days(174.6e9, 300e9, 1024, 140e12), 33.9, 0.01);
	assert_close(closed_form_days(1.008e12, 450e9, 3072, 163e12), 84, 0.01);
	assert_close(closed_form_days(1e12, 450e9, 3072, 163e12), 83.2, 0.001);
}

/* The same months from our own estimates, without failures, of the plans of that paper. */
static void plans_take_the_published_months(void **state)
{
	static const struct {
		const char *model, *plan;
		double batch, tokens, published_days;
	} rows[] = {
		{"models/gpt3-175b.json", "data=8,pipeline=16,tensor=8,micro=1,recompute=full", 1536, 300e9,
			33.9},
		{"models/megatron-1t.json",
			"data=6,pipeline=64,tensor=8,micro=1,schedule=interleaved:2,recompute=full", 3072,
			450e9, 83.2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct case_of made = case_make(*state, rows[i].model, rows[i].plan, rows[i].batch);
		const struct paradl_run_request request = {
			.samples = rows[i].tokens / 2048, .node_mtbf_s = -1, .write_bytes_per_s = 1e12};
		const struct paradl_run run = run_of(&made, &request);
		print_message("# %s: %.1f days, published %.1f\n", rows[i].model, run.time_s / day_s,
			rows[i].published_days);
		assert_close(run.time_s / day_s, rows[i].published_days, 0.1);
	}
}

static void parts_add_up_and_follow_the_formulas(void **state)
{
	const struct case_of made = small_case(*state);
	const struct paradl_run_request request = {
		.samples = 5e8, .write_bytes_per_s = 50e9, .node_mtbf_s = 100 * day_s, .restart_s = 300};
	const struct paradl_run run = run_of(&made, &request);
	const double bytes = 14 * 6.738e9; /* Adam in mixed precision */
	const double step_s = made.estimate.iteration_s / 256;
	assert_true(run.possible && run.in_time && !run.lacking);
	assert_close(run.work_s, 5e8 * step_s, 1e-12);
	assert_close(run.checkpoint_bytes, bytes, 1e-3);
	assert_close(run.checkpoint_s, bytes / 50e9, 1e-3);
	assert_close(run.checkpoint_wait_s, run.checkpoint_s, 1e-15);
	assert_close(run.mtbf_s, 100 * day_s / 32, 1e-12);
	assert_close(run.restart_s, 300 + bytes / 50e9, 1e-3);
	assert_close(run.interval_s, failures_best_interval(run.mtbf_s, run.checkpoint_s), 1e-12);
	assert_close(run.checkpoints, run.work_s / run.interval_s, 1e-12);
	assert_close(run.time_s, run.work_s + run.checkpoints_s + run.restarts_s + run.lost_s, 1e-12);
	assert_close(run.failures, run.time_s / run.mtbf_s, 1e-12);
	/* First order: a checkpoint for each interval; a restart and half an interval for each failure. */
	assert_close(run.checkpoints_s, run.checkpoints * run.checkpoint_s, 1e-12);
	assert_close(run.restarts_s, run.failures * run.restart_s, 0.02);
	assert_close(run.lost_s, run.failures * (run.interval_s + run.checkpoint_s) / 2, 0.02);
}

static void nothing_that_fails_or_is_saved_costs_nothing(void **state)
{
	const struct case_of made = small_case(*state);
	const struct paradl_run_request request = {
		.samples = 1e6, .checkpoints = PARADL_CHECKPOINTS_NONE, .node_mtbf_s = -1};
	const struct paradl_run run = run_of(&made, &request);
	assert_close(run.time_s, 1e6 / 256 * made.estimate.iteration_s, 1e-12);
	assert_true(!(run.checkpoints > 0) && !(run.failures > 0) && !(run.mtbf_s > 0));
	/* Of this machine the power is known, the price is not. */
	assert_true(run.energy_joule > 0 && run.cost < 0);
}

static void limits_are_the_inverse_of_amounts(void **state)
{
	const struct case_of made = small_case(*state);
	struct paradl_run_request request = {.samples = 3e7, .write_bytes_per_s = 20e9};
	const enum paradl_checkpoints ways[] = {
		PARADL_CHECKPOINTS_BEST, PARADL_CHECKPOINTS_EVERY, PARADL_CHECKPOINTS_NONE};
	request.interval_s = 7200;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		request.checkpoints = ways[i];
		request.samples = 1e6;
		request.limit_s = 0;
		const struct paradl_run amount = run_of(&made, &request);
		request.samples = 0;
		request.limit_s = amount.time_s;
		const struct paradl_run limit = run_of(&made, &request);
		assert_true(limit.in_time);
		assert_close(limit.samples, 1e6, 1e-9);
		request.samples = 1e6 * 1.001;
		assert_false(run_of(&made, &request).in_time);
	}
}

static void better_machines_never_take_longer(void **state)
{
	const struct case_of made = small_case(*state);
	struct paradl_run_request request = {.samples = 1e8, .write_bytes_per_s = 1e9};
	const struct paradl_run base = run_of(&made, &request);
	struct paradl_run_request other = request;
	other.write_bytes_per_s *= 2;
	assert_true(run_of(&made, &other).time_s < base.time_s);
	other = request;
	other.asynchronous = true;
	assert_true(run_of(&made, &other).time_s < base.time_s);
	other = request;
	other.restart_s = 60;
	assert_true(run_of(&made, &other).time_s < base.time_s);
	other = request;
	other.node_mtbf_s = base.node_mtbf_s * 2;
	assert_true(base.mtbf_is_usual && run_of(&made, &other).time_s < base.time_s);
	other = request;
	other.checkpoints = PARADL_CHECKPOINTS_EVERY;
	for (other.interval_s = base.interval_s / 4; other.interval_s < 5 * base.interval_s;
		other.interval_s *= 1.3)
		assert_true(run_of(&made, &other).time_s >= base.time_s * (1 - 1e-12));
}

/* What the request says comes first, then the profile, then what is assumed of all machines. */
static void profiles_say_how_often_nodes_fail(void **state)
{
	const struct case_of made = small_case(*state);
	struct paradl_machine machine = *made.oracle->machine;
	struct paradl_oracle oracle = *made.oracle;
	const struct case_of said = {&oracle, made.estimate};
	struct paradl_run_request request = {.samples = 1e8, .write_bytes_per_s = 1e9};
	machine.node_mtbf_s = 30 * day_s;
	machine.restart_s = 60;
	oracle.machine = &machine;
	const struct paradl_run run = run_of(&said, &request);
	assert_false(run.mtbf_is_usual);
	assert_close(run.node_mtbf_s, 30 * day_s, 1e-12);
	assert_close(run.restart_s - run.checkpoint_s, 60, 1e-9);
	request.node_mtbf_s = 100 * day_s;
	request.restart_s = 300;
	const struct paradl_run asked = run_of(&said, &request), other = run_of(&made, &request);
	assert_close(asked.time_s, other.time_s, 0);
}

/* What is not known is said, and nothing is made of it; what cannot be is said, too. */
static void gaps_and_impossible_runs(void **state)
{
	const struct case_of made = small_case(*state);
	struct paradl_run_request request = {.samples = 1e8};
	const struct paradl_run unknown = run_of(&made, &request);
	assert_true(unknown.possible && unknown.lacking != NULL);
	assert_true(unknown.checkpoint_s < 0 && unknown.checkpoints < 0 && unknown.failures < 0);
	assert_close(unknown.time_s, unknown.work_s, 1e-15);
	request.checkpoints = PARADL_CHECKPOINTS_NONE;
	request.node_mtbf_s = 3600;
	const struct paradl_run endless = run_of(&made, &request);
	assert_false(endless.possible || endless.in_time);
	assert_close(endless.time_s, endless.work_s, 1e-15);
	request.samples = 0;
	request.limit_s = day_s;
	assert_true(run_of(&made, &request).samples > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_months_follow_from_their_rates),
		setup_test(plans_take_the_published_months),
		setup_test(parts_add_up_and_follow_the_formulas),
		setup_test(nothing_that_fails_or_is_saved_costs_nothing),
		setup_test(limits_are_the_inverse_of_amounts),
		setup_test(better_machines_never_take_longer),
		setup_test(profiles_say_how_often_nodes_fail),
		setup_test(gaps_and_impossible_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
