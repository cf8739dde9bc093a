/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices of their own read prompts ("disaggregated"; Zhong et al., DistServe, 2024): an engine only answers, and for
 * each engine there are N readers. Symbols are those of serving.c; a reader takes P for a prompt, of k at once; its
 * keys and values are sent in X.
 *     away    = h + W + P + X
 *     cycle   = away + S t(n), at least c P / N, and c S t(m) / m if seats m are fewer than who wants one
 *     n       = c S t(n) / cycle
 * W is the wait for readers, M in all: u^(sqrt(2 (M + 1)) - 1) / (1 - u) P / (2 M) as for seats in serving_open.c,
 * with u = r P / N for requests at a rate r. One of c clients meets the others, u = (c - 1) P / (N cycle): nothing but
 * reading itself parts them, so that those who came together come back one after the other; the first of each come at
 * once and wait (c / N + min(k, c / N)) / 2 - 1 readings. Readers that share experts are in each layer at the same time: a
 * group of g takes one step after the other, for whose end all prompts wait that come meanwhile. Of G groups
 *     b       x e^x / (1 + x e^x), x = g u: are busy, as steps follow one another while any prompt comes, e^x of them
 *     W       b^G P / (G + 1) more: no group is free, and one of G ends its step first
 * An answer begins with a step, half of which is waited for.
 * At a rate, n = r S t(n + 1).
 */
#include "oracle/serving.h"

#include <math.h>

enum { ROUNDS = 40 };
static const double newer = 0.7, settled = 1e-7, exact = 1e-12;
static const double fullest =
	0.999; /* share of time that is taken at most: on the way to a solution there may be more */

/* Returns the seconds that a reader takes for each of `prompts` prompts that it has at once. */
static double read_s(const struct engine *engine, double prompts)
{
	const double most = fmax(1, engine->room), some = fmin(most, fmax(1, prompts));
	const double share = most > 1 ? (some - 1) / (most - 1) : 0;
	return (engine->reads_s[0] + share * (most * engine->reads_s[1] - engine->reads_s[0])) / some;
}

/* Returns the wait of prompts that come to a reader together, without their own reading. */
static double together_s(const struct engine *engine, double together)
{
	const double at_once = fmin(fmax(1, engine->room), together);
	return fmax(0, ((together + at_once) / 2 - 1) * read_s(engine, at_once));
}

static double priced_s(const struct engine_steps *steps, double sequences)
{
	return steps->step_s(steps->context, sequences, 0);
}

/* Returns the rest of the steps that a request finds groups of readers in. */
static double group_rest_s(const struct engine *engine, double busy, double reads_s)
{
	const double come = engine->group * fmin(fullest, fmax(0, busy)), lasts = come * exp(come);
	const double groups = fmax(1, engine->all_readers / fmax(1, engine->group));
	return engine->group > 1 ? pow(lasts / (1 + lasts), groups) * reads_s / (1 + groups) : 0;
}

/* Returns what a request waits for a reader, if readers are busy for the share `busy` of time. */
static double queue_s(const struct engine *engine, double busy, double reads_s)
{
	const double most = fmin(fullest, fmax(0, busy)), readers = fmax(1, engine->all_readers);
	return engine_found(most, readers) / (1 - most) * reads_s / (2 * readers);
}

static double reader_wait_s(const struct engine *engine, double busy, double reads_s)
{
	return queue_s(engine, busy, reads_s) + group_rest_s(engine, busy, reads_s);
}

/*
 * Returns the wait of clients for readers, with quiet_s of other time: in a longer cycle fewer are there at once. The
 * wait that a wait leads to falls with it, so false position finds where both are equal; the end that stays twice
 * counts half (Illinois).
 */
static double clients_wait(const struct engine *engine, double quiet_s, double reads_s)
{
	const double load_s = (engine->clients - 1) * reads_s / engine->readers;
	double low = 0, high = load_s;
	double above = reader_wait_s(engine, load_s / quiet_s, reads_s),
	       below = reader_wait_s(engine, load_s / (quiet_s + load_s), reads_s) - load_s;
	if (!(below < 0) || !(above > 0))
		return load_s;
	for (unsigned i = 0; i < ROUNDS && high - low > exact * high; ++i) {
		const double wait_s = high - below * (high - low) / (below - above);
		const double more_s = reader_wait_s(engine, load_s / (quiet_s + wait_s), reads_s) - wait_s;
		if (more_s > 0) {
			low = wait_s;
			above = more_s;
			below /= 2;
		} else {
			high = wait_s;
			below = more_s;
			above /= 2;
		}
	}
	return high;
}

/* Substitution of a number of sequences by the one that it leads to. */
struct substitution {
	double at, lead; /* the number before, and what it led to; lead negative: there was none */
};

/*
 * Returns the number of sequences to try after `at`, which led to `lead`: where the line through it and the one before
 * leads to itself (secant), or between the two where that is no number that can be.
 */
static double substitute(struct substitution *before, double at, double lead, double most)
{
	const double slope = (lead - before->lead) / (at - before->at);
	const double next = (lead - slope * at) / (1 - slope);
	const bool holds = before->lead >= 0 && isfinite(next) && next > 0 && next <= most;
	*before = (struct substitution){at, lead};
	return holds ? next : at + newer * (lead - at);
}

void engine_pools(const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	const double clients = engine->clients, seats = fmax(1, engine->seats);
	*answer = (struct engine_answer){.gains = engine->gains,
		.steps = engine_answer_steps(engine),
		.sequences = fmin(clients, seats)};
	const double reads_s = read_s(engine, 1),
		     least_s = clients * read_s(engine, engine->room) / engine->readers;
	double wait_s = 0, cycle_s = 0, away_s = 0, answer_s = 0;
	struct substitution last = {0, -1};
	for (unsigned round = 0; round < ROUNDS; ++round) {
		const double before = answer->sequences;
		answer->step_s = answer->steps > 0 ? priced_s(steps, fmax(1, before)) : 0;
		answer_s = answer->steps * answer->step_s;
		away_s = engine->prompt_host_s + reads_s + engine->transfer_s +
			 fmin(1, before) * (1 - 1 / clients) * answer->step_s / 2;
		wait_s = clients_wait(engine, away_s + answer_s, reads_s);
		away_s += wait_s;
		cycle_s = fmax(fmax(away_s + answer_s, least_s), clients * answer_s / seats);
		answer->sequences = substitute(
			&last, before, fmin(seats, clients * answer_s / cycle_s), fmin(clients, seats));
		if (fabs(answer->sequences - before) <= settled * before)
			break;
	}
	answer->token_s = answer->step_s;
	answer->prompt_s = answer->reads_s = reads_s;
	answer->first_s = cycle_s - answer_s;
	answer->seat_s = fmax(0, cycle_s - answer_s - away_s);
	const double running = fmin(clients, seats);
	engine_clients_fill(engine, wait_s, together_s(engine, fmax(1, running / engine->readers)), answer);
}

bool engine_pools_open(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	const double rate = engine->rate_per_s, seats = fmax(1, engine->seats);
	*answer = (struct engine_answer){.gains = engine->gains, .steps = engine_answer_steps(engine)};
	const double most_s = answer->steps > 0 ? answer->steps * priced_s(steps, seats) : 0;
	const double read_per_s = engine->readers / read_s(engine, engine->room);
	answer->most_per_s = most_s > 0 ? fmin(read_per_s, seats / most_s) : read_per_s;
	answer->prompt_s = answer->reads_s = read_s(engine, 1);
	answer->sequences = seats;
	answer->step_s = answer->steps > 0 ? most_s / answer->steps : 0;
	if (!(rate < answer->most_per_s))
		return false;
	double others = 0;
	struct substitution last = {0, -1};
	for (unsigned round = 0; round < ROUNDS; ++round) {
		const double before = others;
		answer->step_s = answer->steps > 0 ? priced_s(steps, fmin(seats, others + 1)) : 0;
		others = substitute(&last, before, fmin(seats, rate * answer->steps * answer->step_s), seats);
		if (fabs(others - before) <= settled * before)
			break;
	}
	answer->sequences = fmin(seats, others + 1);
	const double busy = rate * answer->reads_s / engine->readers;
	const double found = engine_found(fmin(1, busy), fmax(1, engine->all_readers));
	const struct open_waits waits = {.mean_s = queue_s(engine, busy, answer->reads_s),
		.load = found,
		.rest_s =
			(1 - exp(-others)) * answer->step_s / 2 + group_rest_s(engine, busy, answer->reads_s),
		.own_s = answer->reads_s};
	engine_rate_fill(engine, &waits, answer);
	return true;
}
