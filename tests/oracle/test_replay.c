/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of a trace, answered step by step, against the engine's simulation, and by hand. */
#include "oracle/engine_simulation.h"

#include "oracle/replay.h"
#include "oracle/setup.h"

enum { CASES = 60, REQUESTS = 3000 };

/* Makes a trace of requests alike; rate 0: clients send them. */
static struct paradl_trace trace_of(
	struct setup *setup, const struct engine *engine, double rate_per_s, size_t count)
{
	struct random random = {7}; /* the simulation's: the same lengths in the same order */
	struct paradl_trace_request *const requests = arena_alloc(setup->arena, count, sizeof *requests);
	double now_s = 0;
	for (size_t i = 0; i < count; ++i) {
		const double shorter = engine->spread * random_real(&random, 0, 1);
		requests[i] = (struct paradl_trace_request){rate_per_s > 0 ? now_s : 0, engine->prompt_tokens,
			fmax(1, floor(engine->output_tokens * (1 - shorter) + 0.5))};
		now_s -= rate_per_s > 0 ? log(1 - random_real(&random, 0, 0.999999)) / rate_per_s : 0;
	}
	return (struct paradl_trace){.requests = requests,
		.count = count,
		.timed = rate_per_s > 0,
		.input_tokens = engine->prompt_tokens,
		.output_tokens = engine->output_tokens,
		.rate_per_s = rate_per_s};
}

static struct engine_answer replay_of(struct setup *setup, const struct engine *engine,
	const struct engine_steps *steps, const struct paradl_trace *trace, double replicas)
{
	struct engine_answer answer = {.steps = engine->output_tokens - 1, .gains = 1};
	const struct replayed replayed = {.trace = trace,
		.replicas = replicas,
		.clients = engine->clients,
		.cache_tokens = HUGE_VAL,
		.seqs = engine->seats};
	assert_true(engine_replay(replay_create(setup->arena, trace), engine, steps, &replayed, &answer));
	return answer;
}

/* Requests at random, at up to seven tenths of the rate that can be answered, and of clients; both kinds of engines. */
static void replay_is_the_simulation(void **state)
{
	struct setup *const setup = *state;
	static double first[2][CASES], token[2][CASES], slowest[CASES];
	struct random random = {20261204};
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer simulated, answer;
		engine.seats = fmin(engine.seats, 512);
		engine.spread = 0.2;
		engine.clients = fmin(engine.clients, 64);
		for (unsigned open = 0; open < 2; ++open) {
			if (open) {
				engine.rate_per_s = 1e-6;
				engine_solve_open(&engine, &steps, &answer);
				engine.rate_per_s = answer.most_per_s * random_real(&random, 0.05, 0.7);
			}
			const size_t count = open ? REQUESTS : (size_t)(24 * engine.clients);
			const struct paradl_trace trace = trace_of(setup, &engine, engine.rate_per_s, count);
			engine.requests = (double)count;
			engine_simulate(&engine, &steps, (double)count, &simulated);
			answer = replay_of(setup, &engine, &steps, &trace, 1);
			first[open][i] = fabs(answer.first_s / simulated.first_s - 1);
			token[open][i] = fabs(answer.token_s / simulated.token_s - 1);
			slowest[i] = fabs(answer.first_percentile_s[PARADL_P90] /
						  simulated.first_percentile_s[PARADL_P90] -
					  1);
		}
	}
	for (unsigned open = 0; open < 2; ++open) {
		assert_true(error_within(first[open], CASES, 0.5) < 0.005 &&
			    error_within(first[open], CASES, 0.95) < 0.02);
		assert_true(error_within(token[open], CASES, 0.5) < 0.01 &&
			    error_within(token[open], CASES, 0.95) < 0.04);
	}
	assert_true(error_within(slowest, CASES, 0.5) < 0.03);
}

/* 1 s for a prompt that is read alone, 0.1 s for a step of tokens, whatever it has. */
static double simple_step_s(void *context, double sequences, double prompts)
{
	(void)context;
	return prompts + (sequences > 0 ? 0.1 : 0);
}

/* Two requests, the second of which comes while the first is answered, and lengths that differ. */
static void a_trace_by_hand(void **state)
{
	static const struct paradl_trace_request requests[] = {{0, 100, 11}, {1.45, 50, 3}};
	const struct paradl_trace trace = {
		.requests = requests, .count = 2, .timed = true, .input_tokens = 100, .output_tokens = 7};
	const struct engine engine = {.prompt_tokens = 100,
		.output_tokens = 7,
		.gains = 1,
		.chunk_tokens = 800,
		.seats = 10,
		.pages = true};
	const struct engine_answer answer =
		replay_of(*state, &engine, &(struct engine_steps){simple_step_s, NULL}, &trace, 1);
	/* The first has its token after 1 s; the second comes in the step until 1.5 s and is read until 2 s, while the
	 * first waits: it has 5 tokens of 10 at 1.5 s, and the rest from 2 s on. */
	assert_close(answer.first_percentile_s[PARADL_P50], 0.55, 1e-9);
	assert_close(answer.first_s, (1 + 0.55) / 2, 1e-9);
	assert_close(answer.token_s, (1.5 / 10 + 0.2 / 2) / 2, 1e-9);
	assert_close(answer.request_s, (2.5 + 0.75) / 2, 1e-9);
	/* On two replicas they do not meet. */
	const struct engine_answer apart =
		replay_of(*state, &engine, &(struct engine_steps){simple_step_s, NULL}, &trace, 2);
	assert_close(apart.first_s, (1 + 0.5) / 2, 1e-9);
	assert_close(apart.token_s, 0.1, 1e-9);
}

/* Caches of 250 tokens: the second request gives its memory back, and is read again. */
static void memory_goes_to_the_older(void **state)
{
	static const struct paradl_trace_request requests[] = {{0, 100, 100}, {0, 100, 100}};
	const struct paradl_trace trace = {
		.requests = requests, .count = 2, .input_tokens = 100, .output_tokens = 100};
	const struct engine engine = {.clients = 2,
		.prompt_tokens = 100,
		.output_tokens = 100,
		.gains = 1,
		.chunk_tokens = 800,
		.pages = true};
	struct engine_answer answer = {.gains = 1};
	struct setup *const setup = *state;
	struct replayed replayed = {
		.trace = &trace, .replicas = 1, .clients = 2, .cache_tokens = 250, .seqs = HUGE_VAL};
	const struct engine_steps steps = {simple_step_s, NULL};
	assert_true(engine_replay(replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
	/* Both are read in 2 s and have 25 tokens at 4.4 s; the first is through at 11.9 s; then 125 are read again. */
	assert_close(answer.preempted, 0.5, 1e-9);
	assert_close(answer.request_s, (11.9 + 11.9 + 1.25 + 7.4) / 2, 1e-9);
	replayed.cache_tokens = 99;
	assert_false(engine_replay(replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
}

/* Fills seconds of reading parts of a chunk, which has one prompt and is read in reads_s, in proportion. */
static void reading_fill(const struct engine *engine, double *reading_s)
{
	for (unsigned i = 0; i < REPLAY_PARTS; ++i)
		reading_s[i] = replay_part[i] * engine->reads_s[0];
}

/*
 * Others read prompts, one at a time, for an engine: a trace is the simulation, for clients and at up to nine tenths of
 * what readers and seats allow, and where requests come at random, it is what the closed form says.
 */
static void readers_are_those_of_the_simulation(void **state)
{
	struct setup *const setup = *state;
	static double first[2][CASES], token[2][CASES], formula[CASES];
	struct random random = {20261128};
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer simulated, answer, closed;
		double reading_s[REPLAY_PARTS];
		engine.seats = fmin(engine.seats, 512);
		engine.clients = fmin(engine.clients, 64);
		engine.spread = 0.2;
		engine.group = i % 3 == 0 ? 4 : 1; /* some readers step together */
		engine.readers = engine.all_readers = engine.group * random_between(&random, 1, 4);
		engine.room = 1;
		engine.reads_s[0] = engine.reads_s[1] = between(&random, 0.01, 1);
		engine.lone_s = (i % 2 ? 1 : 0.6) * engine.reads_s[0];
		engine.latency_s = between(&random, 1e-6, 1e-4);
		engine.transfer_s = engine.latency_s + between(&random, 1e-4, 1e-1);
		reading_fill(&engine, reading_s);
		for (unsigned open = 0; open < 2; ++open) {
			if (open) {
				engine.rate_per_s = 1e-6;
				engine_pools_open(&engine, &steps, &closed);
				engine.rate_per_s = closed.most_per_s * random_real(&random, 0.05, 0.9);
				engine_pools_open(&engine, &steps, &closed);
			}
			const size_t count = open ? REQUESTS : (size_t)(24 * engine.clients);
			const struct paradl_trace trace = trace_of(setup, &engine, engine.rate_per_s, count);
			const struct replayed replayed = {.trace = &trace,
				.replicas = 1,
				.clients = engine.clients,
				.cache_tokens = HUGE_VAL,
				.seqs = engine.seats,
				.reading_s = reading_s,
				.reading_chunk = engine.prompt_tokens,
				.latency_s = engine.latency_s};
			engine.requests = (double)count;
			engine_simulate(&engine, &steps, (double)count, &simulated);
			answer = (struct engine_answer){.steps = engine.output_tokens - 1, .gains = 1};
			assert_true(engine_replay(
				replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
			first[open][i] = fabs(answer.first_s / simulated.first_s - 1);
			token[open][i] = fabs(answer.token_s / simulated.token_s - 1);
			if (open)
				formula[i] = fabs(answer.request_s / closed.request_s - 1);
		}
	}
	for (unsigned open = 0; open < 2; ++open) {
		assert_true(error_within(first[open], CASES, 0.5) < 0.005 &&
			    error_within(first[open], CASES, 0.95) < 0.03);
		assert_true(error_within(token[open], CASES, 0.5) < 0.01 &&
			    error_within(token[open], CASES, 0.95) < 0.04);
	}
	assert_true(error_within(formula, CASES, 0.5) < 0.03);
}

/* Two prompts that have come fill a step of the reader, a third waits, and goes to the other engine. */
static void readers_by_hand(void **state)
{
	static const struct paradl_trace_request requests[] = {
		{0, 100, 3}, {0.25, 50, 3}, {0.5, 50, 3}, {0.75, 100, 1}};
	const struct paradl_trace trace = {
		.requests = requests, .count = 4, .timed = true, .input_tokens = 100, .output_tokens = 3};
	const struct engine engine = {.prompt_tokens = 100,
		.output_tokens = 3,
		.gains = 1,
		.chunk_tokens = 800,
		.readers = 0.5,
		.all_readers = 1,
		.latency_s = 0.1,
		.transfer_s = 0.5,
		.pages = true};
	/* A token is read in 10 ms; the third and the fourth of the requests have no room in the second step. */
	double reading_s[REPLAY_PARTS];
	for (unsigned i = 0; i < REPLAY_PARTS; ++i)
		reading_s[i] = replay_part[i] * 1.5;
	struct engine_answer answer = {.gains = 1};
	const struct replayed replayed = {.trace = &trace,
		.replicas = 2,
		.cache_tokens = HUGE_VAL,
		.seqs = HUGE_VAL,
		.reading_s = reading_s,
		.reading_chunk = 150,
		.latency_s = 0.1};
	const struct engine_steps steps = {simple_step_s, NULL};
	struct setup *const setup = *state;
	assert_true(engine_replay(replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
	/* Read until 1, 2 (both of 50), 3 s; caches are there after 0.5, 0.3, 0.3, 0.5 s. */
	assert_close(answer.first_s, (1.5 + (2.3 - 0.25) + (2.3 - 0.5) + (3.5 - 0.75)) / 4, 1e-9);
	assert_close(answer.token_s, 0.1, 1e-9);
	assert_close(answer.request_s, answer.first_s + (3 * 0.2 + 0.1) / 4, 1e-9);
}

/* Of two readers that step together each has a prompt, the longer of which ends the step; a third has no room. */
static void groups_by_hand(void **state)
{
	static const struct paradl_trace_request requests[] = {
		{0, 100, 1}, {0.25, 100, 1}, {0.5, 50, 1}, {0.75, 60, 1}};
	const struct paradl_trace trace = {
		.requests = requests, .count = 4, .timed = true, .input_tokens = 100, .output_tokens = 1};
	const struct engine engine = {.prompt_tokens = 100,
		.output_tokens = 1,
		.gains = 1,
		.chunk_tokens = 800,
		.readers = 2,
		.all_readers = 2,
		.group = 2,
		.reads_s = {1, 1},
		.lone_s = 0.8,
		.pages = true};
	double reading_s[REPLAY_PARTS];
	for (unsigned i = 0; i < REPLAY_PARTS; ++i)
		reading_s[i] = replay_part[i] * 1.5;
	struct engine_answer answer = {.gains = 1};
	const struct replayed replayed = {.trace = &trace,
		.replicas = 1,
		.cache_tokens = HUGE_VAL,
		.seqs = HUGE_VAL,
		.reading_s = reading_s,
		.reading_chunk = 150};
	const struct engine_steps steps = {simple_step_s, NULL};
	struct setup *const setup = *state;
	assert_true(engine_replay(replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
	/*
	 * The first alone until 0.8 s, the next two, of whose experts a quarter of the tokens is missing, until 1.7 s: with
	 * 60 tokens more than 150 the last waits until 2.18 s.
	 */
	assert_close(answer.first_s, (0.8 + (1.7 - 0.25) + (1.7 - 0.5) + (2.18 - 0.75)) / 4, 1e-9);
}

/* Who asks alone waits for nobody: a trace is the closed form, digit for digit. */
static void one_client_has_a_closed_form(void **state)
{
	struct setup *const setup = *state;
	struct random random = {20261129};
	for (unsigned i = 0; i < CASES; ++i) {
		struct prices prices;
		struct engine engine = random_engine(&random, &prices);
		const struct engine_steps steps = {priced_step_s, &prices};
		struct engine_answer answer = {.gains = 1}, closed;
		double reading_s[REPLAY_PARTS];
		engine.clients = engine.readers = engine.all_readers = engine.room = 1;
		engine.spread = 0;
		engine.reads_s[0] = engine.reads_s[1] = between(&random, 0.01, 1);
		engine.latency_s = 1e-5;
		engine.transfer_s = between(&random, 1e-4, 1e-1);
		reading_fill(&engine, reading_s);
		const struct paradl_trace trace = trace_of(setup, &engine, 0, 20);
		const struct replayed replayed = {.trace = &trace,
			.replicas = 1,
			.clients = 1,
			.cache_tokens = HUGE_VAL,
			.seqs = engine.seats,
			.reading_s = reading_s,
			.reading_chunk = engine.prompt_tokens,
			.latency_s = engine.latency_s};
		engine_pools(&engine, &steps, &closed);
		assert_true(engine_replay(
			replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
		assert_close(answer.first_s, closed.first_s, 1e-9);
		assert_close(answer.token_s, closed.token_s, 1e-9);
		assert_close(answer.request_s, closed.request_s, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(replay_is_the_simulation), setup_test(a_trace_by_hand),
		setup_test(memory_goes_to_the_older), setup_test(readers_are_those_of_the_simulation),
		setup_test(readers_by_hand), setup_test(groups_by_hand),
		setup_test(one_client_has_a_closed_form)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
