/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that come at random, in closed form, against the engine's simulation, and what is true whatever the engine. */
#include "oracle/engine_simulation.h"

#include "oracle/setup.h"

enum { CASES = 300, FEW = 60 };

static const double MOST = 0.95; /* share of what an engine can answer that may come */

/* An engine, and the most requests a second that it can answer. */
static double random_load(struct random *random, struct prices *prices, struct engine *engine)
{
	struct engine_answer answer;
	const struct engine_steps steps = {priced_step_s, prices};
	*engine = random_engine(random, prices);
	engine->seats = fmin(engine->seats, 512);
	engine->rate_per_s = 1e-6;
	assert_true(engine_solve_open(engine, &steps, &answer));
	assert_true(engine_bound_per_s(engine, &steps) >= answer.most_per_s * (1 - 1e-6));
	return answer.most_per_s / MOST;
}

static double apart(double a, double b)
{
	return fabs(a / b - 1);
}

/* From few requests to nine tenths of what can be answered: means, and 50, 90 and 99 of 100. Errors in the middle, and 95 of 100. */
static void open_loop_is_the_simulation(void **unused)
{
	static const struct {
		double first, first_95, token, token_95;
	} within[PARADL_PERCENTILE_COUNT] = {{0.035, 0.2, 0.02, 0.2}, {0.03, 0.31, 0.03, 0.27},
		{0.08, 0.51, 0.03, 0.25}, {0.12, 0.95, 0.035, 0.21}};
	static double first[PARADL_PERCENTILE_COUNT][CASES], token[PARADL_PERCENTILE_COUNT][CASES];
	struct random random = {20261128};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine;
		struct engine_answer solved, simulated;
		const struct engine_steps steps = {priced_step_s, &prices};
		engine.rate_per_s = random_load(&random, &prices, &engine) * random_real(&random, 0.05, 0.9);
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine_simulate(&engine, &steps, 4000, &simulated);
		for (unsigned k = 0; k < PARADL_PERCENTILE_COUNT; ++k) {
			first[k][i] = apart(solved.first_percentile_s[k], simulated.first_percentile_s[k]);
			token[k][i] = apart(solved.token_percentile_s[k], simulated.token_percentile_s[k]);
		}
	}
	for (unsigned k = 0; k < PARADL_PERCENTILE_COUNT; ++k) {
		assert_true(error_within(first[k], CASES, 0.5) < within[k].first);
		assert_true(error_within(first[k], CASES, 0.95) < within[k].first_95);
		assert_true(error_within(token[k], CASES, 0.5) < within[k].token);
		assert_true(error_within(token[k], CASES, 0.95) < within[k].token_95);
	}
}

/* More requests never make anything faster, and Little's law holds. */
static void more_requests_are_slower(void **unused)
{
	struct random random = {20261129};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine;
		const struct engine_steps steps = {priced_step_s, &prices};
		const double most_per_s = random_load(&random, &prices, &engine);
		struct engine_answer last = {.first_s = 0}, next;
		for (double share = 0.05; share < 1; share += 0.1) {
			engine.rate_per_s = share * MOST * most_per_s;
			assert_true(engine_solve_open(&engine, &steps, &next));
			/* Several prompts at once share the reading of weights, which a first one pays alone. */
			assert_true(
				next.first_s >= 0.9 * last.first_s && next.token_s >= 0.97 * last.token_s);
			assert_close(next.under_way, engine.rate_per_s * next.request_s, 1e-9);
			for (unsigned k = PARADL_P50; k + 1 < PARADL_PERCENTILE_COUNT; ++k)
				assert_true(next.first_percentile_s[k] <= next.first_percentile_s[k + 1] &&
					    next.token_percentile_s[k] <= next.token_percentile_s[k + 1]);
			last = next;
		}
		engine.rate_per_s = 1.01 * MOST * most_per_s;
		assert_false(engine_solve_open(&engine, &steps, &next));
	}
}

/* At the most that may come the simulation is hardly slower, but for its middle: promises for all, 90 or 99 of 100 hold. */
static void promises_hold_at_the_most(void **unused)
{
	static const double within[PARADL_PERCENTILE_COUNT][2] = {{1, 1.15}, {1.2, 1.6}, {1, 1.15}, {1, 1}};
	static double first[PARADL_PERCENTILE_COUNT][FEW], token[PARADL_PERCENTILE_COUNT][FEW];
	struct random random = {20261202};
	(void)unused;
	for (unsigned i = 0; i < FEW; ++i) {
		struct prices prices;
		struct engine engine;
		struct engine_answer solved, simulated;
		const struct engine_steps steps = {priced_step_s, &prices};
		engine.rate_per_s = 0.9999 * MOST * random_load(&random, &prices, &engine);
		assert_true(engine_solve_open(&engine, &steps, &solved));
		engine_simulate(&engine, &steps, 8000, &simulated);
		for (unsigned k = 0; k < PARADL_PERCENTILE_COUNT; ++k) {
			first[k][i] = simulated.first_percentile_s[k] / solved.first_percentile_s[k];
			token[k][i] = simulated.token_percentile_s[k] / solved.token_percentile_s[k];
		}
	}
	for (unsigned k = 0; k < PARADL_PERCENTILE_COUNT; ++k) {
		print_message("%.3f %.3f %.3f %.3f\n", error_within(first[k], FEW, 0.5),
			error_within(first[k], FEW, 0.8), error_within(token[k], FEW, 0.5),
			error_within(token[k], FEW, 0.8));
		assert_true(error_within(first[k], FEW, 0.5) < within[k][0] &&
			    error_within(first[k], FEW, 0.8) < within[k][1]);
		assert_true(
			error_within(token[k], FEW, 0.5) < 1.05 && error_within(token[k], FEW, 0.8) < 1.3);
	}
}

/* Hardly any requests: each has the engine for itself. */
static void a_rare_request_has_it_all(void **unused)
{
	struct random random = {20261130};
	(void)unused;
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer answer;
		engine.rate_per_s = 1e-9;
		assert_true(engine_solve_open(&engine, &steps, &answer));
		const double token_s = priced_step_s(&prices, 1, 0),
			     room = engine.chunk_tokens / engine.prompt_tokens;
		double prompt_s = 0;
		for (double left = 1; left > 0; left -= engine.mixes ? room : 1)
			prompt_s += priced_step_s(&prices, engine.mixes, engine.mixes ? fmin(left, room) : 1);
		assert_close(answer.first_s, engine.prompt_host_s + prompt_s,
			0.1); /* the last chunk is as dear as others */
		assert_close(answer.token_s, token_s, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(open_loop_is_the_simulation),
		cmocka_unit_test(promises_hold_at_the_most), cmocka_unit_test(more_requests_are_slower),
		cmocka_unit_test(a_rare_request_has_it_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
