/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentiles of clients' requests in closed form, against the engine's simulation, and what is true whatever the engine. */
#include "oracle/engine_simulation.h"

#include "oracle/setup.h"

enum { CASES = 500 };

/* Errors in the middle, of 80 and of 95 in 100 cases. */
struct within {
	double middle, most, nearly_all;
};

/* Errors of each percentile, of all cases. */
struct errors {
	double first[PARADL_PERCENTILE_COUNT][CASES], token[PARADL_PERCENTILE_COUNT][CASES];
};

/* Draws an engine as in published runs, or any other; answers are up to 20, 50 or 95 % shorter than the longest. */
static struct engine mixed_engine(struct random *random, unsigned i, struct prices *prices)
{
	static const double spreads[] = {0.2, 0.5, 0.95};
	struct engine engine = (i % 2 ? measured_engine : random_engine)(random, prices);
	engine.spread = spreads[(unsigned)random_real(random, 0, 2.999)];
	return engine;
}

static double apart(double a, double b)
{
	return b > 0 ? fabs(a / b - 1) : 0;
}

static void errors_add(struct errors *errors, unsigned i, const struct engine_answer *solved,
	const struct engine_answer *simulated)
{
	for (unsigned k = 0; k < PARADL_PERCENTILE_COUNT; ++k) {
		errors->first[k][i] = apart(solved->first_percentile_s[k], simulated->first_percentile_s[k]);
		errors->token[k][i] = apart(solved->token_percentile_s[k], simulated->token_percentile_s[k]);
	}
}

static void errors_hold(double errors[][CASES], const struct within *within)
{
	for (unsigned k = PARADL_P50; k < PARADL_PERCENTILE_COUNT; ++k) {
		const double middle = error_within(errors[k], CASES, 0.5),
			     most = error_within(errors[k], CASES, 0.8),
			     nearly_all = error_within(errors[k], CASES, 0.95);
		print_message("%s: %.3f %.3f %.3f\n", paradl_percentile_name((enum paradl_percentile)k),
			middle, most, nearly_all);
		assert_true(middle < within[k].middle && most < within[k].most &&
			    nearly_all < within[k].nearly_all);
	}
}

/* Changes an engine that was drawn; returns the rounds that it is simulated for, 0: until its requests end. */
typedef double change(struct random *random, struct engine *engine);

/* Fills errors of random engines against their simulation. */
static void errors_fill(unsigned seed, change *changed, struct errors *errors)
{
	struct random random = {seed};
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = mixed_engine(&random, i, &prices);
		const double rounds = changed(&random, &engine);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine_solve(&engine, &steps, &solved);
		if (rounds > 0)
			engine_simulate_rounds(&engine, &steps, rounds, &simulated);
		else
			engine_simulate_all(&engine, &steps, &simulated);
		errors_add(errors, i, &solved, &simulated);
	}
}

static double endless(struct random *random, struct engine *engine)
{
	(void)random;
	(void)engine;
	return 60;
}

/* Requests go on without an end; some engines have fewer seats than clients. */
static void percentiles_are_the_simulation(void **unused)
{
	static struct errors errors;
	(void)unused;
	errors_fill(20261201, endless, &errors);
	errors_hold(errors.first,
		(struct within[]){{0}, {0.025, 0.08, 0.21}, {0.04, 0.13, 0.21}, {0.045, 0.14, 0.29}});
	errors_hold(errors.token,
		(struct within[]){{0}, {0.005, 0.02, 0.06}, {0.012, 0.03, 0.075}, {0.03, 0.1, 0.19}});
}

static double finite(struct random *random, struct engine *engine)
{
	engine->clients = fmax(8, engine->clients);
	engine->seats = fmax(engine->clients, engine->seats);
	engine->requests = floor(between(random, 12, 60)) * engine->clients;
	return 0;
}

/* From 12 to 60 requests of each client, the first of all at once. */
static void percentiles_are_a_finite_simulation(void **unused)
{
	static struct errors errors;
	(void)unused;
	errors_fill(20261202, finite, &errors);
	errors_hold(errors.first,
		(struct within[]){{0}, {0.09, 0.18, 0.31}, {0.075, 0.19, 0.32}, {0.04, 0.11, 0.23}});
	errors_hold(errors.token,
		(struct within[]){{0}, {0.008, 0.023, 0.055}, {0.017, 0.035, 0.07}, {0.033, 0.095, 0.18}});
}

static double alike(struct random *random, struct engine *engine)
{
	(void)random;
	engine->mixes = false;
	engine->spread = 0;
	engine->seats = fmax(engine->clients, engine->seats);
	return 6;
}

/* Requests that do not differ stay together: they wait for one another as if all were the first. */
static void percentiles_are_those_of_a_crowd(void **unused)
{
	static struct errors errors;
	(void)unused;
	errors_fill(20261204, alike, &errors);
	errors_hold(errors.first,
		(struct within[]){{0}, {0.012, 0.08, 0.24}, {0.018, 0.08, 0.12}, {0.015, 0.03, 0.08}});
	errors_hold(errors.token,
		(struct within[]){{0}, {0.007, 0.027, 0.12}, {0.012, 0.032, 0.065}, {0.007, 0.017, 0.045}});
}

/* A client alone waits for nobody: what differs is the time outside, exponential; tokens are alike. */
static void one_client_differs_by_its_host(void **unused)
{
	struct prices prices = {1e-3, 5e-3, 1e-5, 1e-4, 2048};
	const struct engine_steps steps = {priced_step_s, &prices};
	const struct engine engine = {.clients = 1,
		.seats = 10,
		.prompt_tokens = 2048,
		.output_tokens = 101,
		.spread = 0.2,
		.gains = 1,
		.chunk_tokens = 8192,
		.prompt_host_s = 0.3};
	struct engine_answer answer;
	(void)unused;
	engine_solve(&engine, &steps, &answer);
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i) {
		const double host_s = -0.3 * log(1 - engine_share[i]);
		assert_close(answer.first_percentile_s[i], answer.reads_s + host_s, 0.015);
		assert_close(answer.token_percentile_s[i], answer.token_s, 1e-9);
	}
}

/* Percentiles rise, and the slowest are slower than the mean; nobody differs where nothing does. */
static void percentiles_rise(void **unused)
{
	struct random random = {20261203};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = mixed_engine(&random, i, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer answer;
		if (i % 3 == 0)
			engine.requests = 10 * engine.clients;
		engine_solve(&engine, &steps, &answer);
		for (unsigned k = PARADL_P50; k + 1 < PARADL_PERCENTILE_COUNT; ++k)
			assert_true(answer.first_percentile_s[k] <= answer.first_percentile_s[k + 1] &&
				    answer.token_percentile_s[k] <= answer.token_percentile_s[k + 1]);
		assert_true(answer.first_percentile_s[PARADL_P99] >= answer.first_s &&
			    answer.token_percentile_s[PARADL_P99] >= answer.token_s * (1 - 1e-9) &&
			    answer.token_percentile_s[PARADL_P50] >= answer.step_s);
	}
	struct prices prices = {1e-3, 5e-3, 1e-5, 1e-4, 2048};
	const struct engine_steps steps = {priced_step_s, &prices};
	const struct engine same = {.clients = 1,
		.seats = 10,
		.prompt_tokens = 2048,
		.output_tokens = 101,
		.gains = 1,
		.chunk_tokens = 8192,
		.prompt_host_s = 0.1};
	struct engine_answer answer;
	engine_solve(&same, &steps, &answer);
	for (unsigned k = PARADL_P50; k < PARADL_PERCENTILE_COUNT; ++k)
		assert_close(answer.first_percentile_s[k], answer.first_s, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(percentiles_are_the_simulation),
		cmocka_unit_test(percentiles_are_a_finite_simulation),
		cmocka_unit_test(percentiles_are_those_of_a_crowd),
		cmocka_unit_test(one_client_differs_by_its_host), cmocka_unit_test(percentiles_rise)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
