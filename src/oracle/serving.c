/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is an engine with continuous batching in steady state (Yu et al., Orca, 2022; Agrawal et al., Sarathi-Serve,
 * 2024). In one replica, c clients have one request each under way, of I tokens, and get O. A step gives one token to
 * each of n sequences in t(n) seconds (serving_passes.c). Reading a prompt takes P more of everybody's time: in chunks
 * beside the sequences of a step, or in steps of its own, which go first; one step has room for k = chunk / I prompts.
 * T is the time from a token to the next, with what interrupts the answer. With speculation a step gives a sequence g
 * tokens: an answer then has (O - 1) / g steps, T is the time of each, and the time per token is T / g. A request takes
 *     cycle   = h + W + R + (O - 1) T
 *     T       = t(n) + (c (1 - h / cycle) - 1 - W / P) P / (O - 1)
 *     n       = c (O - 1) t(n) / (cycle - c P), at most c
 * where h is what a prompt takes outside of the engine, R what reading it takes if nobody is before it, and W what it
 * waits. T holds whatever W is: a cycle has c prompts, and those that a request does not wait for interrupt its
 * answer.
 *     Prompts come when answers end, which is at the end of a step: with one that came, B are there.
 *         B = 1 + c / (d + 1)             where requests differ: d steps are between those that began together, 3
 *                                         times what lengths of answers and, beside sequences, times outside of the
 *                                         engine differ by, at most O - 1
 *         B = c, or beside sequences k    where they do not: requests that began together stay together
 *     W       ((B + min(k, B)) / 2 - 1) P, k at least 1: prompts of one step have their token at its end
 *     T       at most t + k P, when each step has a whole chunk: then cycle is c (P + t / k), and W what is left
 * Where memory is short of seats and answers take it as they grow, the newest request gives up its own, and is read
 * again. One answer that ends frees I + O tokens of memory, and I are given to the next: the other O are what all
 * answers grow by until the next one ends, so all that is read again is O tokens for each request,
 *     c P (1 + O / I) instead of c P
 * in portions of I and what was generated meanwhile: it happens p times, p = 0.8 O / (I + (3 + p) O / n). By
 * simulation, 3 answers end before the newest is not the newest any more, and a fifth of the growth finds memory that
 * was too little for a prompt.
 * The first requests of clients, which come at once, are c. A request beyond the seats that memory has waits for one:
 * clients and the rate say what a cycle is. tests/oracle/engine_simulation.h is the same, step by step.
 */
#include "oracle/serving.h"

#include <math.h>

enum { ROUNDS = 24 };
const double engine_share[PARADL_PERCENTILE_COUNT] = {0, 0.5, 0.9, 0.99};
static const double newer = 0.8; /* share of a new value that is substituted, so that none swings */
static const double settled = 1e-6;
static const double newest = 3;  /* answers that end before the newest request is no longer the newest */
static const double taken = 0.8; /* share of the growth of answers that takes memory from another request */
static const double generations = 3; /* spreads of lengths that add up until phases are what they stay */

/* State of one pass of the substitution. */
struct state {
	double running, steps; /* requests with a seat; steps of an answer after its first token */
	double room;           /* prompts that one step has room for */
	double together;       /* prompts that come at once */
	double host_s;         /* host time while a seat is empty */
	double cycle_s;
	double again; /* tokens that are read again, over those of the prompt */
};

double engine_answer_steps(const struct engine *engine)
{
	return (fmax(1, engine->output_tokens * (1 - engine->spread / 2)) - 1) / engine->gains;
}

double engine_together(double apart, double steps, double running)
{
	return apart > 0 ? fmin(running, 1 + running / (fmin(steps, generations * apart) + 1)) : running;
}

/*
 * Returns how many prompts are there with one that came. Times outside of the engine vary as much as they are long,
 * which parts requests that began together, unless answers stop while prompts are read.
 */
static double together_of(const struct engine *engine, const struct state *state, double step_s)
{
	const double away = engine->mixes && step_s > 0 ? 2 * engine->prompt_host_s / step_s : 0;
	const double apart = engine->spread * state->steps + away;
	if (engine->mixes && !(apart > 0))
		return fmin(state->running, fmax(1, state->room));
	return engine_together(apart, state->steps, state->running);
}

/* Fills the seconds of a step, and those that a prompt adds. */
static void steps_price(const struct engine *engine, const struct engine_steps *steps,
	const struct state *state, struct engine_answer *answer)
{
	const double prompts = fmin(state->room, state->together);
	const double sequences = fmax(answer->sequences, state->steps > 0 ? 1 : 0);
	answer->step_s = state->steps > 0 ? steps->step_s(steps->context, sequences, 0) : 0;
	if (engine->mixes && state->steps > 0) {
		const double beside_s = steps->step_s(steps->context, sequences, prompts);
		answer->prompt_s = (beside_s - answer->step_s) / prompts;
		answer->reads_s = answer->prompt_s + fmax(1, 1 / state->room) * answer->step_s;
	} else {
		answer->prompt_s = steps->step_s(steps->context, 0, prompts) / prompts;
		answer->reads_s = answer->prompt_s;
	}
}

/* Returns how long a request waits for prompts of others that came with it. */
static double wait_of(const struct state *state, const struct engine_answer *answer, double together)
{
	const double at_once = fmin(together, fmax(1, state->room));
	return ((together + at_once) / 2 - 1) * answer->prompt_s;
}

/* Fills the time of a token and of a cycle, and the sequences of a step, from steps; returns what a request waits. */
static double cycle_solve(const struct engine *engine, struct state *state, struct engine_answer *answer)
{
	const double prompt_s = answer->prompt_s, running = state->running, steps = state->steps;
	double wait_s = wait_of(state, answer, state->together);
	const double all = running * (1 + state->again);
	const double others =
		all * (1 - state->host_s / state->cycle_s) - 1 - (prompt_s > 0 ? wait_s / prompt_s : 0);
	const double most_s = engine->mixes ? state->room * prompt_s : HUGE_VAL;
	answer->token_s = steps > 0 ? answer->step_s + fmin(most_s, fmax(0, others) * prompt_s / steps) : 0;
	/* A request comes in the middle of a step, if there is one: others have their answers then. */
	const double found = state->host_s > 0 ? 1 - 1 / running : 0;
	const double reads_s = answer->reads_s + found * answer->token_s / 2;
	double cycle_s = state->host_s + wait_s + reads_s + steps * answer->token_s;
	const double least_s = all * (prompt_s + (engine->mixes ? answer->step_s / state->room : 0));
	if (cycle_s < least_s) {
		wait_s += least_s - cycle_s;
		cycle_s = least_s;
	}
	const double left_s = cycle_s - all * prompt_s;
	const double sequences = left_s > 0 ? running * steps * answer->step_s / left_s : running;
	answer->sequences += newer * (fmin(running, sequences) - answer->sequences);
	state->cycle_s = cycle_s;
	return wait_s;
}

/*
 * Returns what the share `share` of requests waits at most, where requests wait for mean_s on average, or, if they are
 * the first of their clients (a share `first`), for first_s. Prompts are read one after the other, so that each wait
 * up to twice the mean is as frequent.
 */
static double waits_at_most(double share, double mean_s, double first, double first_s)
{
	const double low_s = 2 * fmin(mean_s, first_s), high_s = 2 * fmax(mean_s, first_s);
	const double slow = first_s > mean_s ? first : 1 - first;
	const double below = high_s > 0 ? 1 - slow + slow * low_s / high_s : 1; /* wait for low_s at most */
	if (share >= below)
		return high_s > 0 ? high_s * (1 - (1 - share) / slow) : 0;
	return low_s * share / below;
}

void engine_clients_fill(
	const struct engine *engine, double wait_s, double at_first_s, struct engine_answer *answer)
{
	const double answer_s = answer->steps * answer->token_s;
	const double first = engine->requests > 0 ? fmin(1, engine->clients / engine->requests) : 0;
	const double latest_s = fmax(wait_s, at_first_s), waits_s = wait_s + first * (latest_s - wait_s);
	answer->first_s += waits_s - wait_s;
	answer->request_s = answer->first_s + answer_s;
	answer->wait_s = fmax(0, answer->first_s - engine->prompt_host_s - answer->reads_s);
	answer->under_way = engine->clients;
	answer->token_s /= engine->gains;
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i) {
		const double waited_s = waits_at_most(engine_share[i], wait_s, first, latest_s);
		const double least_s = waits_at_most(1 - engine_share[i], wait_s, first, latest_s);
		answer->first_percentile_s[i] = answer->first_s + waited_s - waits_s;
		answer->token_percentile_s[i] = answer->token_s;
		if (answer->steps > 0 &&
			!(engine->readers > 0)) /* requests that wait for less are interrupted more often */
			answer->token_percentile_s[i] += (waits_s - least_s) / answer->steps / engine->gains;
	}
	answer->first_percentile_s[PARADL_MEAN] = answer->first_s;
	answer->token_percentile_s[PARADL_MEAN] = answer->token_s;
}

/* Returns how often a request gives its memory to others. */
static double preemptions(const struct engine *engine, const struct state *state)
{
	const double prompt = engine->prompt_tokens, answer = state->again * prompt;
	const double between = answer / state->running, first = prompt + newest * between;
	return answer > 0 ? (sqrt(first * first + 4 * between * taken * answer) - first) / (2 * between) : 0;
}

void engine_solve(const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	struct state state = {.running = engine->clients,
		.steps = engine_answer_steps(engine),
		.room = engine->chunk_tokens / engine->prompt_tokens,
		.host_s = engine->prompt_host_s};
	const double seats = fmax(1, engine->seats);
	if (engine->readers > 0) {
		engine_pools(engine, steps, answer);
		return;
	}
	state.running = fmin(state.running, seats);
	if (engine->pages && engine->clients > seats)
		state.again = (state.steps * engine->gains + 1) / engine->prompt_tokens;
	*answer = (struct engine_answer){
		.sequences = state.running, .steps = state.steps, .gains = engine->gains};
	double wait_s = 0;
	for (unsigned round = 0; round < ROUNDS; ++round) {
		state.together = together_of(engine, &state, answer->step_s);
		steps_price(engine, steps, &state, answer);
		if (round == 0)
			state.cycle_s = state.host_s + answer->reads_s + state.running * answer->prompt_s +
					state.steps * answer->step_s;
		/* A client that finds no seat is there when one is free. */
		const double away = state.running * engine->prompt_host_s / state.cycle_s;
		state.host_s = engine->clients - away > seats ? 0 : engine->prompt_host_s;
		const double sequences = answer->sequences, cycle_s = state.cycle_s;
		wait_s = cycle_solve(engine, &state, answer);
		if (fabs(answer->sequences - sequences) <= settled * sequences &&
			fabs(state.cycle_s - cycle_s) <= settled * cycle_s)
			break;
	}
	answer->first_s = engine->clients / state.running * state.cycle_s - state.steps * answer->token_s;
	if (engine->clients <= state.running && !(state.host_s > 0))
		answer->first_s += engine->prompt_host_s;
	answer->seat_s = fmax(0, engine->clients / state.running - 1) * state.cycle_s;
	answer->preempted = preemptions(engine, &state);
	engine_clients_fill(engine, wait_s, wait_of(&state, answer, state.running), answer);
}
