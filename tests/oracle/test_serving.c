/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine in closed form against its simulation, and against what can be worked out by hand. */
#include "oracle/engine_simulation.h"

#include "oracle/setup.h"

enum { CASES = 500, ROUNDS = 10, JOINED = 8, RATES = 24 };

static unsigned steady_cases = 9; /* that are run until they are steady; all: --all */

/* Errors of the time to the first token, of each token, and of a request. */
struct errors {
	double of[3][CASES];
};

static void errors_add(struct errors *errors, unsigned i, const struct engine_answer *solved,
	const struct engine_answer *simulated)
{
	errors->of[0][i] = fabs(solved->first_s / simulated->first_s - 1);
	errors->of[1][i] = fabs(solved->token_s / simulated->token_s - 1);
	errors->of[2][i] = fabs(solved->request_s / simulated->request_s - 1);
}

/* Holds errors to what they are: in the middle, and of 95 in 100; of a few cases, to twice that. */
static void errors_hold(struct errors *errors, unsigned count, const double middle[3], const double most[3])
{
	const double few = count < CASES ? 2 : 1;
	for (unsigned k = 0; k < 3; ++k) {
		const double half = error_within(errors->of[k], count, 0.5),
			     high = error_within(errors->of[k], count, 0.95);
		print_message("%.4f %.4f\n", half, high);
		assert_true(half < few * middle[k] && high < few * most[k]);
	}
}

/* Fills errors of random engines in steady state, of which the simulation is sure to 1 %, or nearly. */
static void steady_fill(
	struct engine (*draw)(struct random *random, struct prices *prices), struct errors *errors)
{
	struct random random = {20261127};
	double unsure[CASES];
	for (unsigned i = 0; i < steady_cases; ++i) {
		struct prices prices;
		const struct engine engine = draw(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine_solve(&engine, &steps, &solved);
		unsure[i] = engine_simulate_steady(&engine, &steps, 0.01, &simulated);
		errors_add(errors, i, &solved, &simulated);
	}
	assert_true(error_within(unsure, steady_cases, 0.9) < 0.025);
}

/* Prompts, answers and times outside of the engine as in published runs. */
static void closed_form_is_the_measured_range(void **unused)
{
	static struct errors errors;
	(void)unused;
	steady_fill(measured_engine, &errors);
	errors_hold(&errors, steady_cases, (double[]){0.012, 0.004, 0.004}, (double[]){0.085, 0.03, 0.02});
}

/* Any answers and prompts, and short times outside: reading takes up to 100 times as long as answers. */
static void closed_form_is_the_simulation(void **unused)
{
	static struct errors errors;
	(void)unused;
	steady_fill(random_engine, &errors);
	errors_hold(&errors, steady_cases, (double[]){0.008, 0.004, 0.004}, (double[]){0.07, 0.055, 0.033});
}

/* As benchmarks are: ten requests of each client, which have not parted as far as they do in the end. */
static void closed_form_is_a_finite_simulation(void **unused)
{
	static struct errors errors;
	struct random random = {20261127};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine.requests = ROUNDS * engine.clients;
		engine_solve(&engine, &steps, &solved);
		engine_simulate_all(&engine, &steps, &simulated);
		errors_add(&errors, i, &solved, &simulated);
	}
	errors_hold(&errors, CASES, (double[]){0.047, 0.005, 0.012}, (double[]){0.135, 0.075, 0.055});
}

/* Steps of replicas that share experts: all wait for the fullest, while experts have the tokens of the mean. */
static double joined_step_s(void *context, double sequences, double prompts)
{
	const struct prices *const prices = context;
	const double each = fmax(sequences / JOINED, fmin(sequences, 1));
	const double read = fmax(prompts / JOINED, fmin(prompts, 1)) * prices->prompt_tokens;
	const double mean = (sequences + prompts * prices->prompt_tokens) / JOINED;
	const double experts_s = fmax(prices->weights_s, mean * prices->token_s / 2);
	return prices->start_s + experts_s + (each + read) * prices->token_s / 2 + each * prices->cache_s;
}

static struct engine joined_engine(struct random *random, struct prices *prices)
{
	struct engine engine = measured_engine(random, prices);
	engine.clients = fmax(JOINED, engine.clients);
	engine.seats *= JOINED;
	engine.chunk_tokens *= JOINED;
	engine.joined = JOINED;
	return engine;
}

/* Eight replicas are one engine, whose prompts take the less the more of them are read in a step, and may wait for others. */
static void joined_hold(double balance, const double middle[3], const double most[3])
{
	static struct errors errors;
	struct random random = {20261129};
	const unsigned count = steady_cases < CASES ? 12 : 60;
	for (unsigned i = 0; i < count; ++i) {
		struct prices prices;
		struct engine engine = joined_engine(&random, &prices);
		const struct engine_steps steps = {joined_step_s, &prices};
		struct engine_answer solved, simulated;
		engine.balance = engine.mixes ? balance : 0;
		engine_solve(&engine, &steps, &solved);
		engine_simulate_steady(&engine, &steps, 0.02, &simulated);
		errors_add(&errors, i, &solved, &simulated);
	}
	errors_hold(&errors, count, middle, most);
}

static void joined_replicas_are_the_simulation(void **unused)
{
	(void)unused;
	joined_hold(0, (double[]){0.012, 0.005, 0.005}, (double[]){0.08, 0.06, 0.06});
	joined_hold(60, (double[]){0.02, 0.005, 0.005}, (double[]){0.12, 0.05, 0.05});
}

/* The same at a rate of up to nine tenths of what can be answered. */
static void joined_replicas_at_a_rate(void **unused)
{
	static struct errors errors;
	struct random random = {20261130};
	(void)unused;
	for (unsigned i = 0; i < RATES; ++i) {
		struct prices prices;
		struct engine engine = joined_engine(&random, &prices);
		const struct engine_steps steps = {joined_step_s, &prices};
		struct engine_answer solved, simulated;
		engine.balance = engine.mixes && i % 2 ? 60 : 0;
		engine.rate_per_s = 1e-6;
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine.rate_per_s = solved.most_per_s * random_real(&random, 0.05, 0.9);
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine_simulate(&engine, &steps, 4000, &simulated);
		errors_add(&errors, i, &solved, &simulated);
	}
	errors_hold(&errors, RATES, (double[]){0.012, 0.011, 0.011}, (double[]){0.5, 0.35, 0.35});
}

/* One client waits for nobody: its prompt, then its tokens, which nothing interrupts. */
static void one_client_has_it_all(void **unused)
{
	struct prices prices = {1e-3, 5e-3, 1e-5, 1e-4, 2048};
	const struct engine_steps steps = {priced_step_s, &prices};
	(void)unused;
	for (unsigned mixes = 0; mixes < 2; ++mixes) {
		const struct engine engine = {.clients = 1,
			.seats = 10,
			.prompt_tokens = 2048,
			.output_tokens = 101,
			.gains = 1,
			.chunk_tokens = 8192,
			.prompt_host_s = 0,
			.mixes = mixes};
		struct engine_answer answer;
		engine_solve(&engine, &steps, &answer);
		const double token_s = 1e-3 + 5e-3 + 1e-4, prompt_s = 1e-3 + 2048 * 1e-5;
		assert_close(answer.token_s, token_s, 1e-9);
		assert_close(answer.sequences, 1, 0.02); /* in the step that reads the prompt there is none */
		assert_true(
			answer.first_s >= prompt_s * (1 - 1e-9) && answer.first_s < prompt_s + 2 * token_s);
		assert_close(answer.request_s, answer.first_s + 100 * token_s, 1e-9);
	}
}

/* Where all clients but a few wait for memory, the rate is that of those that have it, and each request's time follows. */
static void seats_decide_the_rate(void **unused)
{
	struct prices prices = {1e-3, 5e-3, 1e-5, 1e-4, 512};
	const struct engine_steps steps = {priced_step_s, &prices};
	struct engine engine = {.clients = 64,
		.seats = 8,
		.prompt_tokens = 512,
		.output_tokens = 200,
		.spread = 0.2,
		.gains = 1,
		.chunk_tokens = 8192,
		.prompt_host_s = 0.01,
		.mixes = true};
	struct engine_answer few, many;
	(void)unused;
	engine_solve(&engine, &steps, &few);
	engine.clients = 640;
	engine_solve(&engine, &steps, &many);
	assert_close(many.request_s / few.request_s, 10, 1e-9);
	assert_close(many.token_s, few.token_s, 1e-9);
	assert_close(64 / few.request_s, 8 / (few.request_s - few.seat_s), 0.01);
}

int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form_is_the_measured_range),
		cmocka_unit_test(closed_form_is_the_simulation),
		cmocka_unit_test(closed_form_is_a_finite_simulation),
		cmocka_unit_test(joined_replicas_are_the_simulation),
		cmocka_unit_test(joined_replicas_at_a_rate), cmocka_unit_test(one_client_has_it_all),
		cmocka_unit_test(seats_decide_the_rate)};
	if (count > 1 && !strcmp(words[1], "--all"))
		steady_cases = CASES;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
