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
 *     Answers end at the end of a step, e of others in each, and their clients' next prompts come h later. How many come
 * together, and what a prompt waits for, is in serving_arrivals.c:
 *     e       (c - 1) / (d + a), where the next prompt comes a tokens after an answer: beside sequences steps of a cycle
 *             that are not in an answer. d is S in the end; each round parts requests that began together by
 *             v = (spread S)^2 / 12, beside sequences by (h / T)^2 more, and the first ones by (c / k)^2 / 12, v0, so
 *             that r rounds have sqrt(pi) (sqrt(v0 + (r - 1/2) v) + sqrt(v0 + v / 2)) on average. Where requests do not
 *             differ, h is the same for all: those that began together stay together, c, or beside sequences k
 *     T       at most t + k P, when each step has a whole chunk: then cycle is c (P + t / k), and W what is left
 * Where memory is short of seats and answers take it as they grow, the newest request gives up its own, and is read
 * again. One answer that ends frees I + O tokens of memory, and I are given to the next: the other O are what all
 * answers grow by until the next one ends, so all that is read again is O tokens for each request,
 *     c P (1 + O / I) instead of c P
 * in portions of I and what was generated meanwhile: it happens p times, p = 0.8 O / (I + (3 + p) O / n). By
 * simulation, 3 answers end before the newest is not the newest any more, and a fifth of the growth finds memory that
 * was too little for a prompt.
 * Where replicas that take steps together read few prompts at a time, all wait for each: a prompt may wait until each of
 * them has one, or for some steps (arrivals_balanced).
 * The first requests of clients, which are sent at once, are c. A request beyond the seats that memory has waits for one:
 * clients and the rate say what a cycle is. tests/oracle/engine_simulation.h is the same, step by step.
 */
#include "oracle/serving.h"

#include <math.h>

#include "oracle/serving_arrivals.h"

enum { ROUNDS = 24 };
const double engine_share[PARADL_PERCENTILE_COUNT] = {0, 0.5, 0.9, 0.99};
static const double newer = 0.8; /* share of a new value that is substituted, so that none swings */
static const double settled = 1e-6;
static const double newest = 3;  /* answers that end before the newest request is no longer the newest */
static const double taken = 0.8; /* share of the growth of answers that takes memory from another request */
static const double pi = 3.14159265358979323846;

/* State of one pass of the substitution. */
struct state {
	double running, steps; /* requests with a seat; steps of an answer after its first token */
	double room;           /* prompts that one step has room for */
	struct meeting meeting;
	struct balanced balanced; /* prompts that wait for one another */
	double host_s;            /* host time while a seat is empty */
	double cycle_s;
	double again; /* tokens that are read again, over those of the prompt */
};

double engine_answer_steps(const struct engine *engine)
{
	return (fmax(1, engine->output_tokens * (1 - engine->spread / 2)) - 1) / engine->gains;
}

/*
 * Returns over how many steps requests are spread that began together, on average of all rounds, if away_s varies as
 * much as it is long; 0: they stay together.
 */
static double apart_of(const struct engine *engine, const struct state *state, double away_s, double step_s)
{
	const double shorter = engine->spread * state->steps, away = step_s > 0 ? away_s / step_s : 0;
	const double varies = shorter * shorter / 12 + away * away;
	if (!(varies > 0) || !(engine->requests > 0))
		return varies > 0 ? state->steps : 0;
	const double rounds = fmax(1, engine->requests / engine->clients);
	const double first = engine->mixes ? state->running / state->room : 0, at_first = first * first / 12;
	const double apart = sqrt(at_first + (rounds - 0.5) * varies) + sqrt(at_first + varies / 2);
	return fmin(state->steps, sqrt(pi) * apart);
}

/* Returns the readings of a prompt until it is read with its own, of `together` that are there at once, on average. */
static double readings_of(const struct state *state, double together)
{
	return (together + fmin(together, fmax(1, state->room))) / 2;
}

/* Fills how many prompts come together, what a request waits for, and how long it is away. */
static void gather(const struct engine *engine, struct state *state, const struct engine_answer *answer)
{
	struct meeting *const meeting = &state->meeting;
	const double token_s = answer->token_s > 0 ? answer->token_s : answer->step_s;
	const double step_s = engine->mixes ? token_s : answer->step_s;
	const double apart = apart_of(engine, state, engine->mixes ? engine->prompt_host_s : 0, step_s);
	const double away = engine->mixes ? state->cycle_s / token_s - state->steps : meeting->steps;
	const struct arrivals arrivals = {.ends = (state->running - 1) / (apart + fmax(1, away)),
		.step_s = answer->step_s,
		.prompt_s = answer->prompt_s,
		.host_s = state->host_s,
		.room = state->room,
		.parted = fmin(1, apart_of(engine, state, 0, 0) / state->steps)};
	if (apart > 0) {
		(engine->mixes ? arrivals_beside : arrivals_alone)(&arrivals, meeting);
	} else {
		meeting->prompts = meeting->together = engine->mixes ? fmax(1, state->room) : state->running;
		meeting->waits = HUGE_VAL;
		meeting->rest_s = arrivals_away_s(token_s, engine->prompt_host_s) - engine->prompt_host_s;
	}
	meeting->prompts = fmin(state->running, meeting->prompts);
	meeting->together = fmin(state->running, meeting->together);
	const double most = readings_of(state, apart > 0 ? state->running : meeting->together) - 1;
	meeting->waits = fmin(meeting->waits, most);
	state->balanced = arrivals_balanced(
		fmax(1, engine->joined), state->running / state->cycle_s, engine->balance * token_s);
}

/* Fills the seconds of a step, and those that a prompt adds. */
static void steps_price(const struct engine *engine, const struct engine_steps *steps,
	const struct state *state, struct engine_answer *answer)
{
	const double prompts = fmin(state->room, fmax(state->meeting.together, state->balanced.prompts));
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

/* Returns what is left of the step that a request finds, if others have their answers then. */
static double rest_of(const struct state *state, const struct engine_answer *answer)
{
	const double decoding = fmin(1, answer->sequences / state->running);
	const double found = 1 - pow(1 - decoding, fmax(0, state->running - state->meeting.prompts));
	const double rest_s = state->host_s > 0 && found > 0 ? found * state->meeting.rest_s : 0;
	return fmax(rest_s, state->balanced.wait_s);
}

/* Fills the time of a token and of a cycle, and the sequences of a step, from steps; returns what a request waits. */
static double cycle_solve(const struct engine *engine, struct state *state, struct engine_answer *answer)
{
	const double prompt_s = answer->prompt_s, running = state->running, steps = state->steps;
	double wait_s = state->meeting.waits * prompt_s;
	const double all = running * (1 + state->again);
	const double others =
		all * (1 - state->host_s / state->cycle_s) - 1 - (prompt_s > 0 ? wait_s / prompt_s : 0);
	const double most_s = engine->mixes ? state->room * prompt_s : HUGE_VAL;
	answer->token_s = steps > 0 ? answer->step_s + fmin(most_s, fmax(0, others) * prompt_s / steps) : 0;
	const double reads_s = answer->reads_s + rest_of(state, answer);
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

/* Returns how often a request gives its memory to others. */
static double preemptions(const struct engine *engine, const struct state *state)
{
	const double prompt = engine->prompt_tokens, answer = state->again * prompt;
	const double between = answer / state->running, first = prompt + newest * between;
	return answer > 0 ? (sqrt(first * first + 4 * between * taken * answer) - first) / (2 * between) : 0;
}

/* Returns the prompts that a step has room for; one that is read alone is read whole. */
static double room_of(const struct engine *engine)
{
	const double room = engine->chunk_tokens / engine->prompt_tokens;
	return engine->mixes ? room : floor(fmax(1, room));
}

/* Returns what the first requests of all clients, which are sent at once, wait for one another. */
static double at_first_s(const struct engine *engine, const struct engine_steps *steps,
	const struct state *state, const struct engine_answer *answer)
{
	const double prompts = fmin(fmax(1, state->room), state->running);
	const double all_s = steps->step_s(steps->context, 0, prompts);
	const bool differ = engine->mixes || engine->spread > 0;
	return arrivals_at_once_s(state->running, prompts, all_s / prompts,
		differ ? engine->prompt_host_s : 0, answer->reads_s);
}

void engine_solve(const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	struct state state = {.running = engine->clients,
		.steps = engine_answer_steps(engine),
		.room = room_of(engine),
		.host_s = engine->prompt_host_s};
	const double seats = fmax(1, engine->seats);
	if (engine->readers > 0) {
		engine_pools(engine, steps, answer);
		return;
	}
	state.running = fmin(state.running, seats);
	if (engine->pages && !engine->seated && engine->clients > seats)
		state.again = (state.steps * engine->gains + 1) / engine->prompt_tokens;
	*answer = (struct engine_answer){
		.sequences = state.running, .steps = state.steps, .gains = engine->gains};
	double wait_s = 0;
	for (unsigned round = 0; round < ROUNDS; ++round) {
		gather(engine, &state, answer);
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
	const double latest_s = engine->requests > 0 ? at_first_s(engine, steps, &state, answer) : 0;
	engine_clients_fill(engine, wait_s, latest_s, answer);
}
