/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine in closed form against its simulation, and against what can be worked out by hand. */
#include "oracle/engine_simulation.h"

#include "oracle/setup.h"

/* Times outside of the engine are short: after long ones the simulation's requests come together again, as measured ones do not. */
static void closed_form_is_the_simulation(void **unused)
{
	enum { CASES = 500 };
	static double first[CASES], token[CASES];
	struct random random = {20261127};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		const struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine_solve(&engine, &steps, &solved);
		engine_simulate(&engine, &steps, 12 * engine.clients, &simulated);
		first[i] = fabs(solved.first_s / simulated.first_s - 1);
		token[i] = fabs(solved.token_s / simulated.token_s - 1);
	}
	/* In the middle, and 95 of 100. */
	assert_true(error_within(first, CASES, 0.5) < 0.03 && error_within(first, CASES, 0.95) < 0.28);
	assert_true(error_within(token, CASES, 0.5) < 0.01 && error_within(token, CASES, 0.95) < 0.11);
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form_is_the_simulation),
		cmocka_unit_test(one_client_has_it_all), cmocka_unit_test(seats_decide_the_rate)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
