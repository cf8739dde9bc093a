/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prompts that others read, in closed form, against a simulation; and with real prices. */
#include "oracle/engine_simulation.h"

#include "oracle/shipped.h"

enum { CASES = 300 };
static bool all_groups; /* groups of four are simulated, too: --all */

static double apart(double a, double b)
{
	return fabs(a / b - 1);
}

/* Readers are from few for the load to plenty; seats suffice. */
static struct engine random_pools(struct random *random, struct prices *prices)
{
	struct engine engine = random_engine(random, prices);
	engine.readers = random_between(random, 1, 8);
	engine.all_readers = engine.readers;
	engine.room = 1;
	engine.reads_s[0] = engine.reads_s[1] = between(random, 0.01, 0.5);
	engine.transfer_s = between(random, 0.001, 0.05);
	engine.seats = 4096;
	engine.spread = 0.2;
	return engine;
}

/* Errors of the time to the first token and of each token, of clients and at a rate: in the middle, and in 95 of 100. */
struct within {
	double first[2], token[2], open_first[2], open_token[2];
};

static void errors_hold(double *errors, const double within[2])
{
	const double middle = error_within(errors, CASES, 0.5), most = error_within(errors, CASES, 0.95);
	print_message("%.4f %.4f\n", middle, most);
	assert_true(middle < within[0] && most < within[1]);
}

/*
 * Clients, and requests at up to nine tenths of the rate that can be answered; readers alone, or in groups of `group`, in
 * which one takes no less than `lone` of what it takes beside the others.
 */
static void simulation_holds(unsigned group, double lone, const struct within *within)
{
	static double first[CASES], token[CASES], open_first[CASES], open_token[CASES];
	struct random random = {20261201};
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_pools(&random, &prices);
		engine.group = group;
		if (group > 1) {
			engine.all_readers = engine.readers = group * (i % (SIMULATED_READERS / group) + 1);
			engine.lone_s = engine.reads_s[0] * (lone < 1 ? random_real(&random, lone, 1) : 1);
		}
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine_solve(&engine, &steps, &solved);
		engine_simulate(&engine, &steps, 24 * engine.clients, &simulated);
		first[i] = apart(solved.first_s, simulated.first_s);
		token[i] = apart(solved.token_s, simulated.token_s);
		engine.rate_per_s = 1e-6;
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine.rate_per_s = solved.most_per_s * random_real(&random, 0.05, 0.9);
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine_simulate(&engine, &steps, 6000, &simulated);
		open_first[i] = apart(solved.first_s, simulated.first_s);
		open_token[i] = apart(solved.token_s, simulated.token_s);
	}
	errors_hold(first, within->first);
	errors_hold(token, within->token);
	errors_hold(open_first, within->open_first);
	errors_hold(open_token, within->open_token);
}

static void pools_are_the_simulation(void **unused)
{
	(void)unused;
	simulation_holds(1, 1, &(struct within){{0.02, 0.26}, {0.001, 0.011}, {0.005, 0.07}, {0.002, 0.02}});
}

/* Readers that share experts step together: a prompt waits for the step that it finds. */
static void groups_are_the_simulation(void **unused)
{
	(void)unused;
	if (all_groups)
		simulation_holds(
			4, 1, &(struct within){{0.021, 0.2}, {0.001, 0.011}, {0.007, 0.028}, {0.002, 0.045}});
	simulation_holds(
		8, 1, &(struct within){{0.025, 0.26}, {0.001, 0.013}, {0.008, 0.045}, {0.003, 0.06}});
}

/* A step in which fewer of them read is shorter: experts have less to do. */
static void lone_prompts_are_the_simulation(void **unused)
{
	(void)unused;
	if (all_groups)
		simulation_holds(4, 0.3,
			&(struct within){{0.026, 0.2}, {0.001, 0.011}, {0.009, 0.063}, {0.002, 0.06}});
	simulation_holds(
		8, 0.3, &(struct within){{0.025, 0.2}, {0.001, 0.013}, {0.008, 0.066}, {0.003, 0.085}});
}

static struct paradl_estimate served(
	struct setup *setup, const struct paradl_options *options, const char *plan, double batch)
{
	struct paradl_oracle *const oracle = paradl_oracle_create(setup->arena,
		shipped_model(setup, "llama3-8b"),
		paradl_machine_load(setup->arena,
			&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error),
		NULL, options, &setup->error);
	if (!oracle)
		fail_msg("%s", setup->error.message);
	const struct paradl_plan parsed = setup_plan(plan, batch);
	return setup_estimate(oracle, &parsed);
}

/* One request: read as by a plan that only reads, sent over a link, and answered as if there were no prompts. */
static void a_request_goes_from_pool_to_pool(void **state)
{
	struct paradl_options options = {.inference = true, .prompt_tokens = 2048, .output_tokens = 1};
	const struct paradl_estimate reads = served(*state, &options, "tensor=2", 1);
	options.output_tokens = 129;
	options.prefill = "tensor=2";
	const struct paradl_estimate got = served(*state, &options, "tensor=4", 1);
	const double cache_bytes = 2048 * got.inference.cache_bytes_per_token / 2; /* of one of two devices */
	assert_close(got.inference.transfer_s, 0.6e-6 + cache_bytes / 450e9, 0.01);
	assert_close(got.inference.prompts_s, reads.inference.prompts_s + got.inference.transfer_s, 1e-6);
	assert_close(got.inference.token_s, got.inference.step_s, 1e-9);
	assert_int_equal(got.devices, 6);
	assert_int_equal(got.inference.prefill_devices, 2);
	/* A chunk of half of it is read twice: each step starts kernels and reads weights, and no token is read again. */
	options.prefill = "tensor=2,chunk=1024";
	const struct paradl_estimate halves = served(*state, &options, "tensor=4", 1);
	options.prefill = "tensor=2,chunk=2048";
	const struct paradl_estimate whole = served(*state, &options, "tensor=4", 1);
	assert_close(whole.inference.prompts_s, got.inference.prompts_s, 1e-9);
	assert_true(halves.inference.prompts_s > whole.inference.prompts_s &&
		    halves.inference.prompts_s < 1.5 * whole.inference.prompts_s);
	options.prefill = "tensor=2";
	const struct paradl_estimate many = served(*state, &options, "tensor=4", 64);
	assert_true(many.inference.prefill_share > got.inference.prefill_share &&
		    many.inference.prefill_share <= 1);
	assert_close(many.inference.token_s, many.inference.step_s, 1e-9);
	double sum = 0;
	for (unsigned k = 0; k < PARADL_PHASE_COUNT; ++k)
		sum += many.phase_s[k];
	assert_close(sum, many.iteration_s, 1e-8);
}

/* The choice is the best of advice for each way to part the devices, and pays where prompts disturb answers. */
static void devices_are_parted(void **state)
{
	struct setup *const setup = *state;
	const struct paradl_model *const model = shipped_model(setup, "llama3-8b");
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/dgx-h100-superpod.json"}, &setup->error);
	struct paradl_options options = {.inference = true, .prompt_tokens = 4096, .output_tokens = 128};
	const struct paradl_request request = {.devices = 8, .promise = {.first_s = 0.5, .token_s = 0.008}};
	struct paradl_ranking best, one;
	struct paradl_oracle *oracle =
		paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
	assert_true(paradl_advise(oracle, &request, PARADL_RANKED_ALL, setup->arena, &one, &setup->error));
	options.prefill = "auto";
	oracle = paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
	assert_true(paradl_advise(oracle, &request, PARADL_RANKED_ALL, setup->arena, &best, &setup->error));
	assert_non_null(best.results[0].inference.prefill);
	assert_non_null(best.results[0].inference.binds);
	assert_true(
		best.results[0].inference.binds_share > 0.9 && best.results[0].inference.binds_share <= 1);
	assert_int_equal(best.results[0].devices, 8);
	/* Those without readers are among them, and all are in order. */
	unsigned plain = 0;
	for (size_t i = 0; i < best.count; ++i) {
		plain += !best.results[i].inference.prefill;
		assert_true(!i || best.results[i - 1].samples_per_s >= best.results[i].samples_per_s);
	}
	assert_int_equal(plain, one.count);
	static const char *const others[] = {"serial", "tensor=2", "tensor=4", "data=2,tensor=2", "data=4"};
	for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
		options.prefill = others[i];
		oracle = paradl_oracle_create(setup->arena, model, machine, NULL, &options, &setup->error);
		assert_true(paradl_advise(
			oracle, &request, PARADL_RANKED_ALL, setup->arena, &one, &setup->error));
		assert_true(!one.count ||
			    one.results[0].samples_per_s <= best.results[0].samples_per_s * (1 + 1e-9));
	}
}

int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pools_are_the_simulation),
		cmocka_unit_test(groups_are_the_simulation),
		cmocka_unit_test(lone_prompts_are_the_simulation),
		setup_test(a_request_goes_from_pool_to_pool), setup_test(devices_are_parted)};
	all_groups = count > 1 && !strcmp(words[1], "--all");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
