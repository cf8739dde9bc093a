/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine in closed form against its simulation, and against what can be worked out by hand. */
#include "oracle/engine_simulation.h"

#include "oracle/setup.h"

/* Steps as devices have them: weights are read at least, and tokens computed; each sequence reads its cache. */
struct prices {
	double start_s, weights_s, token_s, cache_s, prompt_tokens;
};

static double priced_step_s(void *context, double sequences, double prompts)
{
	const struct prices *const prices = context;
	const double tokens = sequences + prompts * prices->prompt_tokens;
	return prices->start_s + fmax(prices->weights_s, tokens * prices->token_s) +
	       sequences * prices->cache_s;
}

static double between(struct random *random, double low, double high)
{
	return low * pow(high / low, random_real(random, 0, 1));
}

struct errors {
	double first[512], token[512];
};

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static struct engine random_engine(struct random *random, struct prices *prices)
{
	const bool mixes = random_real(random, 0, 1) < 0.5;
	const double spread = mixes || random_real(random, 0, 1) < 0.5 ? 0.2 : 0;
	const double clients = floor(between(random, 1, 256)), seats = floor(between(random, 2, 2048));
	*prices = (struct prices){.start_s = between(random, 5e-4, 5e-3),
		.weights_s = between(random, 2e-3, 2e-2),
		.token_s = between(random, 5e-6, 2e-4),
		.cache_s = between(random, 1e-6, 2e-4),
		.prompt_tokens = floor(between(random, 128, 16384))};
	return (struct engine){.clients = clients,
		.seats = seats,
		.prompt_tokens = prices->prompt_tokens,
		.output_tokens = floor(between(random, 16, 400)),
		.spread = spread,
		.chunk_tokens = 8192,
		.prompt_host_s = between(random, 0.001, 0.03),
		.mixes = mixes};
}

/* Times outside of the engine are short: after long ones the simulation's requests come together again, as measured ones do not. */
static void closed_form_is_the_simulation(void **unused)
{
	enum { CASES = 500 };
	static struct errors errors;
	struct random random = {20261127};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		const struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer solved, simulated;
		engine_solve(&engine, &steps, &solved);
		engine_simulate(&engine, &steps, 12, &simulated);
		errors.first[i] = fabs(solved.first_s / simulated.first_s - 1);
		errors.token[i] = fabs(solved.token_s / simulated.token_s - 1);
	}
	qsort(errors.first, CASES, sizeof *errors.first, compare_doubles);
	qsort(errors.token, CASES, sizeof *errors.token, compare_doubles);
	/* In the middle, and 95 of 100. */
	assert_true(errors.first[CASES / 2] < 0.04 && errors.first[CASES * 95 / 100] < 0.28);
	assert_true(errors.token[CASES / 2] < 0.01 && errors.token[CASES * 95 / 100] < 0.11);
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
