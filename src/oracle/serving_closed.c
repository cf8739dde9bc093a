/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of clients differ from their means, which serving.c and serving_pools.c have (symbols are those of
 * serving.c). In the time to the first token R is the same for all; the rest is gamma, and varies by
 *     V       h^2 + Q + M, as h is exponential
 *     Q       of the wait W for prompts of others, each read in s: 1 / Q = 1 / (W^2 + 2 W s / 3) + 6 / (s (D + 3 h)).
 *             The first is a queue with one service time (Pollaczek and Khinchine). The second is a reader that is never
 *             idle: requests wait that are neither answered, which takes from A - D to A, A = S T, D = spread A, nor
 *             outside for h, and the number of these varies by (D / 6 + h / 2) / s
 *     M       of the wait Z for a seat, until N others end at random: Z^2 / N, less by the share of clients that has no
 *             seat, as the loop is closed, and by the share of time that prompts take, which come one after the other
 * An answer of S' steps takes S' T on average, of which prompts take S' (T - t). Each client interrupts it once in a
 * cycle, so that their number varies by
 *     v       1 - (1 - d^2) min(1, S T / cycle) over its mean
 * where d is how much lengths of answers vary, over their mean. The time per token is gamma, too, and varies by
 * v P (T - t) E(1 / S'), up to k prompts in a step.
 *     Requests that are sent at once are read in turn, min(c, k) at a time, and each has any place: what they wait is
 * uniform, and who waits for less is interrupted by more. So are the first requests of all clients, and all requests
 * where none differs from another.
 */
#include <math.h>

#include "oracle/serving.h"

enum { ROUNDS = 40 };
static const double normal[PARADL_PERCENTILE_COUNT] = {
	0, 0, 1.2816, 2.3263}; /* standard deviations of a normal distribution at engine_share */

double engine_gamma(double mean, double varies, enum paradl_percentile percentile)
{ /* Wilson and Hilferty 1931 */
	const double spread = varies * varies / 9;
	const double more = pow(fmax(0, 1 - spread + normal[percentile] * sqrt(spread)), 3);
	return more * mean;
}

/* Times that vary: their mean and variance. */
struct varied {
	double mean_s, variance;
};

/* Returns a percentile of times that are gamma. */
static double gamma_at(const struct varied *varied, enum paradl_percentile percentile)
{
	const double mean_s = varied->mean_s;
	return mean_s > 0 ? engine_gamma(mean_s, sqrt(varied->variance) / mean_s, percentile) : 0;
}

/* Returns the share of these that are at most time_s. */
static double gamma_below(const struct varied *varied, double time_s)
{
	if (!(varied->mean_s > 0) || !(varied->variance > 0))
		return time_s >= varied->mean_s;
	const double spread = varied->variance / (varied->mean_s * varied->mean_s) / 9;
	return erfc((1 - spread - cbrt(fmax(0, time_s) / varied->mean_s)) / sqrt(2 * spread)) / 2;
}

/* Returns a percentile of times each of which is as frequent as others, from the least to the longest. */
static double even_at(const struct varied *varied, enum paradl_percentile percentile)
{
	return varied->mean_s + (2 * engine_share[percentile] - 1) * sqrt(3 * varied->variance);
}

static double even_below(const struct varied *varied, double time_s)
{
	if (!(varied->variance > 0))
		return time_s >= varied->mean_s;
	const double place = (1 + (time_s - varied->mean_s) / sqrt(3 * varied->variance)) / 2;
	return fmin(1, fmax(0, place));
}

/* Returns a percentile of times of which the share `share` are those of requests that are sent at once. */
static double mixed_at(double share, const struct varied *at_once, const struct varied *later,
	enum paradl_percentile percentile)
{
	const double one_s = even_at(at_once, percentile), other_s = gamma_at(later, percentile);
	double low_s = fmin(one_s, other_s), high_s = fmax(one_s, other_s);
	if (!(share > 0) || !(share < 1))
		return share > 0 ? one_s : other_s;
	for (unsigned i = 0; i < ROUNDS && low_s < high_s; ++i) {
		const double middle_s = (low_s + high_s) / 2;
		const double below =
			share * even_below(at_once, middle_s) + (1 - share) * gamma_below(later, middle_s);
		*(below < engine_share[percentile] ? &low_s : &high_s) = middle_s;
	}
	return high_s;
}

/* What the requests of clients have in common, with the answer's means. */
struct closed {
	const struct engine *engine;
	const struct engine_answer *answer;
	double running, room;      /* requests with a seat; prompts that a step has room for */
	double at_once, latest_s;  /* share of requests that are sent at once, and what these wait */
	double wait_s, host_s;     /* wait_s: of the others; host_s: time outside, as far as it varies */
	double cycle_s, service_s; /* cycle_s: without a seat's wait; service_s: in which a prompt is read */
};

/* Returns how much requests wait differently for prompts of others, and for a seat. */
static double waits_variance(const struct closed *closed)
{
	const struct engine *const engine = closed->engine;
	const struct engine_answer *const answer = closed->answer;
	const double service_s = closed->service_s, wait_s = closed->wait_s;
	const double others = engine->clients - closed->running, seat_s = answer->seat_s;
	const double busy = fmin(1, closed->running * service_s / closed->cycle_s);
	const double seat = others > 0 ? seat_s * seat_s / fmax(1, others) * closed->running /
						 engine->clients * (1 - busy)
				       : 0;
	const double idle = wait_s * (wait_s + 2 * service_s / 3);
	const double answers_s = engine->spread * answer->steps * answer->token_s;
	const double never_idle = service_s * (answers_s / 6 + closed->host_s / 2);
	return seat + (idle > 0 && never_idle > 0 ? 1 / (1 / idle + 1 / never_idle) : 0);
}

/* Returns how much requests that are sent at once wait differently. */
static double at_once_variance(const struct closed *closed)
{
	const double running = closed->running, together = fmin(running, fmax(1, closed->room));
	const double read_s = 2 * (closed->latest_s + closed->answer->reads_s) / (running + together);
	const double apart_s = (running - together) * read_s;
	return apart_s * apart_s / 12;
}

/* Fills percentiles of the time to the first token; that of requests which are not the first is later_s on average. */
static void first_percentiles(const struct closed *closed, double later_s, struct engine_answer *answer)
{
	const double host = closed->host_s * closed->host_s;
	const double same_s = fmin(later_s, answer->reads_s + closed->engine->transfer_s);
	const struct varied later = {later_s - same_s, host + waits_variance(closed)};
	const struct varied at_once = {
		later.mean_s + closed->latest_s - closed->wait_s, host + at_once_variance(closed)};
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i)
		answer->first_percentile_s[i] =
			same_s + mixed_at(closed->at_once, &at_once, &later, (enum paradl_percentile)i);
}

/* Fills percentiles of the time per token. */
static void token_percentiles(const struct closed *closed, struct engine_answer *answer)
{
	const struct engine *const engine = closed->engine;
	const double token_s = answer->token_s, more_s = token_s - answer->step_s, spread = engine->spread;
	const double longest = answer->steps / (1 - spread / 2), least = fmax(1, longest * (1 - spread));
	const double inverse =
		longest > least ? log(longest / least) / (longest - least) : 1 / fmax(1, answer->steps);
	const double differ = spread / (1 - spread / 2) / sqrt(12);
	const double share = fmin(1, answer->steps * token_s / closed->cycle_s);
	const double variance = more_s * answer->prompt_s * (1 - (1 - differ * differ) * share) * inverse;
	const struct varied later = {more_s, variance},
			    at_once = {
				    more_s, variance + at_once_variance(closed) / fmax(1, longest * least)};
	const double most_s = engine->mixes ? closed->room * answer->prompt_s : HUGE_VAL;
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i) {
		const double interrupted_s = engine->readers > 0 ? 0
								 : mixed_at(closed->at_once, &at_once, &later,
									   (enum paradl_percentile)i);
		answer->token_percentile_s[i] =
			(answer->step_s + fmin(most_s, interrupted_s)) / engine->gains;
	}
}

void engine_clients_fill(
	const struct engine *engine, double wait_s, double at_first_s, struct engine_answer *answer)
{
	const double first = engine->requests > 0 ? fmin(1, engine->clients / engine->requests) : 0;
	const double latest_s = fmax(wait_s, at_first_s), more_s = first * (latest_s - wait_s);
	const double later_s = answer->first_s;
	answer->first_s += more_s;
	if (engine->mixes && !(engine->readers > 0) &&
		answer->steps > 0) /* the prompts that the first wait for do not interrupt them */
		answer->token_s = fmax(answer->step_s, answer->token_s - more_s / answer->steps);
	answer->request_s = answer->first_s + answer->steps * answer->token_s;
	answer->wait_s = fmax(0, answer->first_s - engine->prompt_host_s - answer->reads_s);
	answer->under_way = engine->clients;
	const double room = engine->chunk_tokens / engine->prompt_tokens;
	const bool differ = engine->mixes || engine->spread > 0;
	const struct closed closed = {.engine = engine,
		.answer = answer,
		.running = fmin(engine->clients, fmax(1, engine->seats)),
		.room = room,
		.at_once = !differ               ? 1
			   : at_first_s > wait_s ? first
						 : 0,
		.latest_s = latest_s,
		.wait_s = wait_s,
		.host_s = differ ? engine->prompt_host_s : 0,
		.cycle_s = answer->request_s - answer->seat_s,
		.service_s = answer->prompt_s / (engine->readers > 0 ? engine->readers : 1) +
			     (engine->mixes && !(engine->readers > 0) ? answer->step_s / room : 0)};
	first_percentiles(&closed, later_s, answer);
	token_percentiles(&closed, answer);
	answer->token_s /= engine->gains;
	answer->first_percentile_s[PARADL_MEAN] = answer->first_s;
	answer->token_percentile_s[PARADL_MEAN] = answer->token_s;
}
