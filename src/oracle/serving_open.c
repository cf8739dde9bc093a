/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This is an engine with continuous batching whose requests come at random, r a second (Poisson). Symbols are those of
 * serving.c: a step of n sequences takes t(n), a prompt adds P, S = O - 1 tokens come after the first, a step has room
 * for k prompts.
 *     T         = t(n + 1) / (1 - r P), as prompts take the share r P of all time, and who has a seat sees n others
 *                 (Poisson)
 *     answer    = (S t + r P (q + R - L)) / (1 - r P), with prompts that came while it was read; R is the time of
 *                 reading, L is T, or t where prompts are read alone
 *     n         = r answer
 *     first     = h + q + R + wait for a seat
 * q is the wait of a queue with one service time (Pollaczek and Khinchine), in which a step is a vacation; a request
 * finds one running with probability b = 1 - exp(-n - r R):
 *     beside sequences    q = u s / (2 (1 - u)) + b T / 2, s = P + t / k, u = r s; R: its chunks, and prompts that
 *                         fill the last one
 *     alone, and first    q = r P P / (2 (1 - r P)) + b t / 2, R = P (1 + min(r q, (k - 1) / 2)); on several replicas
 *                         that step together j are read in a step, R = j P, as long as there is room, and q = r P R / 2
 * A seat is waited for as for the first of m servers, Sakasegawa 1977 (engine_found), with half the wait since no
 * answer takes longer than another. The share of seats that are taken is no less than that of what the engine can
 * answer at most, which is what clients without an end get (serving.c); of that no more than 95 % may come.
 */
#include "oracle/serving.h"

#include <math.h>

#include "oracle/serving_arrivals.h"

enum { ROUNDS = 40 };
static const double newer = 0.7, settled = 1e-7, seldom = 1e-2;
static const double fullest =
	0.98; /* share of time that is taken at most: on the way to a solution there may be more */
/*
 * Share of what is answered when there is always one more that may come at random: nearer to it waits grow without an
 * end, and in the simulation beyond those that are said here.
 */
static const double claimed = 0.95;
/*
 * Sharpness with which a limit cuts a mean: with exponential times 1 - 1 / e is left where both are equal, which is
 * 2^(-1 / 1.5); the less times vary, the more is left.
 */
static const double exponential_cut = 1.5;

/* State of the substitution. */
struct open_state {
	double rate, steps, room, seats;
	double sequences; /* others that have a seat and read no prompt */
	double step_s, prompt_s, token_s;
	double reading; /* share of time that prompts take */
	double prompts; /* those of a step that reads any */
	double answer_s;
	struct balanced balanced; /* prompts that wait for one another */
	struct open_waits waits;
};

/* Returns the steps that read a prompt, for each of those of which `come` come in a step: all of one step are together. */
static double steps_of(double come)
{
	return come > seldom ? -expm1(-come) / come : 1;
}

/*
 * Returns the prompts that are read together, on average of steps: those that came in the step before. That step may
 * have read prompts, too, which matters where those that are read together take less each: on several replicas.
 */
static double together_of(const struct engine *engine, const struct open_state *state)
{
	const double reads_s = state->prompts * state->prompt_s;
	if (!(engine->joined > 1))
		return engine->mixes ? 1 + state->rate * state->token_s
				     : 1 / steps_of(state->rate * state->step_s);
	if (engine->mixes)
		return 1 / steps_of(state->rate * state->token_s);
	return 1 / ((1 - state->reading) * steps_of(state->rate * state->step_s) +
			   state->reading * steps_of(state->rate * reads_s));
}

/* Fills what a step and a prompt take at the present number of sequences. */
static void open_price(
	const struct engine *engine, const struct engine_steps *steps, struct open_state *state)
{
	const double sequences = fmin(state->seats, state->sequences + 1);
	const double together = together_of(engine, state);
	state->balanced =
		arrivals_balanced(fmax(1, engine->joined), state->rate, engine->balance * state->token_s);
	const double prompts = fmin(state->room, fmax(together, state->balanced.prompts));
	state->prompts = prompts;
	state->step_s = state->steps > 0 ? steps->step_s(steps->context, sequences, 0) : 0;
	if (engine->mixes && state->steps > 0)
		state->prompt_s =
			(steps->step_s(steps->context, sequences, prompts) - state->step_s) / prompts;
	else
		state->prompt_s = steps->step_s(steps->context, 0, prompts) / prompts;
	state->reading = fmin(fullest, state->rate * state->prompt_s);
	state->token_s = state->step_s / (1 - state->reading);
}

/* Returns a request's wait for others, and fills its reading time, where prompts are read alone, and first. */
static double alone_wait(struct open_state *state, double busy, struct engine_answer *answer)
{
	const double prompt_s = state->prompt_s, reading = state->reading;
	state->waits.load = reading;
	state->waits.rest_s = busy * state->step_s / 2;
	const double queue_s = reading * prompt_s / (2 * (1 - reading)) + state->waits.rest_s;
	state->waits.own_s = prompt_s;
	answer->reads_s = prompt_s * (1 + fmin(state->rate * queue_s, (floor(fmax(1, state->room)) - 1) / 2));
	return queue_s;
}

/*
 * Returns the same where a step reads all that have come, on several replicas: a request waits for the rest of one, and
 * is read in the next.
 */
static double joined_wait(struct open_state *state, double busy, struct engine_answer *answer)
{
	const double reads_s = state->prompts * state->prompt_s;
	state->waits.load = state->reading;
	state->waits.rest_s = busy * state->step_s / 2;
	state->waits.own_s = answer->reads_s = reads_s;
	return state->reading * reads_s / 2 + state->waits.rest_s;
}

/* Returns and fills the same where prompts are read beside sequences, in chunks. */
static double beside_wait(struct open_state *state, double busy, struct engine_answer *answer)
{
	const double room = state->room, step_s = state->step_s, prompt_s = state->prompt_s;
	const double service_s = prompt_s + step_s / room, load = fmin(fullest, state->rate * service_s);
	const double chunks = ceil(1 / room), least = fmax(1, 1 / room);
	state->waits.load = load;
	state->waits.rest_s = busy * fmax(state->token_s / 2, state->balanced.wait_s);
	const double queue_s = load * service_s / (2 * (1 - load)) + state->waits.rest_s;
	const double own_s = prompt_s + step_s * (chunks + load * (least - chunks));
	const double left = (1 - load) * (chunks * room - 1) + load * room / 2;
	const double before_s = queue_s + fmax(0, own_s - step_s - room * prompt_s);
	state->waits.own_s = own_s;
	answer->reads_s = own_s + prompt_s * fmin(left, state->rate * before_s);
	return queue_s;
}

/*
 * Returns how long prompts interrupt an answer on average, where rates alone would say mean_s. No step reads more than
 * a chunk, and no more prompts come than there are other seats, which cuts the mean; their number varies, the more the
 * fewer there are, which makes the cut less sharp.
 */
static double interruptions_s(const struct engine *engine, struct open_state *state, double mean_s)
{
	const double prompt_s = state->prompt_s;
	const double chunks_s = engine->mixes ? state->steps * state->room * prompt_s : HUGE_VAL;
	const double most_s = fmin(chunks_s, (state->seats - 1) * prompt_s);
	if (!(mean_s > 0) || !(most_s > 0))
		return 0;
	state->waits.most_s = most_s;
	state->waits.varies = sqrt(prompt_s / mean_s) / (1 - state->reading);
	const double sharp = exponential_cut / fmin(exponential_cut, state->waits.varies);
	return mean_s * pow(1 + pow(mean_s / most_s, sharp), -1 / sharp);
}

/* Fills what requests wait for, and the time of an answer. */
static void open_times(const struct engine *engine, struct open_state *state, struct engine_answer *answer)
{
	struct open_waits *const waits = &state->waits;
	const double busy = 1 - exp(-state->sequences - state->rate * answer->reads_s);
	const bool all = !engine->mixes && engine->joined > 1 && state->prompts < state->room;
	const double queue_s = (engine->mixes ? beside_wait
				: all         ? joined_wait
					      : alone_wait)(state, busy, answer);
	const double last_s = engine->mixes ? state->token_s : state->step_s;
	const double behind_s = state->reading * fmax(0, queue_s + answer->reads_s - last_s);
	const double steps_s = state->steps * state->step_s;
	waits->mean_s = queue_s - waits->rest_s;
	waits->interrupted_s =
		interruptions_s(engine, state, (steps_s + behind_s) / (1 - state->reading) - steps_s);
	state->answer_s = steps_s + waits->interrupted_s;
}

/*
 * Returns the least wait of the share `beyond` of requests that wait longest, where the share `some` waits, mean_s on
 * average of all: a Weibull distribution of shape 1 / power.
 */
static double waits_beyond(double mean_s, double some, double power, double beyond)
{
	if (!(mean_s > 0) || some <= beyond)
		return 0;
	return mean_s / some * pow(log(some / beyond), power) / tgamma(1 + power);
}

/*
 * Fills percentiles. The share `load` of requests finds others before it; their wait is up to one that is read where
 * few are, and exponential where many are. The rest of a step is uniform. Interruptions are gamma,
 * up to the most there can be.
 */
static void open_percentiles(const struct open_waits *waits, double seatless, struct engine_answer *answer)
{
	answer->first_percentile_s[PARADL_MEAN] = answer->first_s;
	answer->token_percentile_s[PARADL_MEAN] = answer->token_s;
	const double load = fmin(1, waits->load), seated_s = answer->first_s - answer->seat_s;
	const double waited_s = waits->mean_s + answer->reads_s - waits->own_s;
	const double steps_s = answer->steps * answer->step_s;
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i) {
		const double share = engine_share[i];
		const double prompts_s = waits_beyond(waited_s, load, (1 + load) / 2, 1 - share);
		const double seat_s = waits_beyond(answer->seat_s, seatless, 1, 1 - share);
		answer->first_percentile_s[i] =
			seated_s - waited_s + (2 * share - 1) * waits->rest_s + hypot(prompts_s, seat_s);
		const double interrupted_s =
			engine_gamma(waits->interrupted_s, waits->varies, (enum paradl_percentile)i);
		const double answer_s = steps_s + fmin(waits->most_s, interrupted_s);
		answer->token_percentile_s[i] =
			answer->steps > 0 ? answer_s / answer->steps / answer->gains : 0;
	}
}

double engine_found(double busy, double servers)
{
	return pow(busy, sqrt(2 * (servers + 1)) - 1);
}

void engine_rate_fill(
	const struct engine *engine, const struct open_waits *waits, struct engine_answer *answer)
{
	const double rate = engine->rate_per_s, seats = fmax(1, engine->seats);
	const double answer_s = answer->steps * answer->step_s + waits->interrupted_s;
	const double holds_s = engine->readers > 0 ? answer_s : answer->reads_s + answer_s;
	const double all = engine->readers > 0 ? 1 : claimed; /* share of the capacity that most_per_s is */
	const double held = fmin(fullest, fmax(all * rate / answer->most_per_s, rate * holds_s / seats));
	const double seatless = engine_found(held, seats);
	answer->seat_s = seatless / (1 - held) * holds_s / (2 * seats);
	answer->wait_s = waits->mean_s + waits->rest_s + answer->seat_s;
	answer->first_s = engine->prompt_host_s + answer->wait_s + answer->reads_s + engine->transfer_s;
	answer->token_s = answer->steps > 0 ? answer_s / answer->steps / answer->gains : 0;
	answer->request_s = answer->first_s + answer_s;
	answer->under_way = rate * answer->request_s;
	open_percentiles(waits, seatless, answer);
}

/*
 * Returns what an engine surely does not exceed: with n of c sequences in a step no more than n / (S t(n)) requests are
 * answered in a second. Steps of more than c / 2 take no less than one of these ends; others take no less than that of
 * one sequence, and answer no more than half as many.
 */
double engine_bound_per_s(const struct engine *engine, const struct engine_steps *steps)
{
	const double seats = fmax(1, engine->seats), answer_steps = engine_answer_steps(engine);
	if (engine->readers > 0 || !(answer_steps > 0))
		return HUGE_VAL;
	const double half_s = steps->step_s(steps->context, fmax(1, seats / 2), 0),
		     all_s = steps->step_s(steps->context, seats, 0),
		     one_s = steps->step_s(steps->context, 1, 0);
	return claimed * seats / (answer_steps * fmin(fmin(half_s, all_s), 2 * one_s));
}

bool engine_solve_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	struct engine full = *engine;
	struct open_state state = {.rate = engine->rate_per_s, .seats = fmax(1, engine->seats)};
	if (engine->readers > 0)
		return engine_pools_open(engine, steps, answer);
	full.clients = 2 * state.seats;
	full.requests = 0;
	full.seated = true;
	engine_solve(&full, steps, answer);
	answer->most_per_s = claimed * full.clients / answer->request_s;
	if (!(state.rate < answer->most_per_s))
		return false;
	state.steps = answer->steps;
	state.room = engine->chunk_tokens / engine->prompt_tokens;
	state.sequences = fmin(state.seats, state.rate * state.steps * answer->step_s);
	state.token_s = answer->step_s;
	for (unsigned round = 0; round < ROUNDS; ++round) {
		const double before = state.sequences;
		open_price(engine, steps, &state);
		open_times(engine, &state, answer);
		state.sequences += newer * (fmin(state.seats, state.rate * state.answer_s) - before);
		if (fabs(state.sequences - before) <= settled * before)
			break;
	}
	answer->step_s = state.step_s;
	answer->prompt_s = state.prompt_s;
	answer->sequences = fmin(state.seats, state.sequences + 1);
	engine_rate_fill(engine, &state.waits, answer);
	return true;
}
