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
 * group of g takes one step after the other, for whose end all prompts wait that come meanwhile. The step of j prompts
 * takes P1 + (j - 1) / (g - 1) (P - P1), as experts have less to do for fewer. Of G groups, where x = g r s prompts come
 * in a step of s for each,
 *     B       f / (1 + f): none is free, f = E x e^x, E of Erlang's loss formula for G - 1 groups: steps follow one
 *             another as long as any prompt comes, e^x of them
 *     j       1 / (1 - B + B (1 - e^-x) / x) on average; a prompt is read with B x' others, x' in a step as it finds
 *     W       B s' / (G + 1) more, in s' that it finds: one of G ends its step first
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

/* Steps of readers that share experts, and begin and end them together: src/oracle/serving_pools.c. */
struct group_steps {
	double mean_s, found_s,
		reads_s; /* of steps, of those that a prompt finds, and of those that it is read in */
	double all_busy; /* share of time in which no group is free */
};

/* Returns the share of time in which no group is free, where `come` prompts come in a step for each. */
static double all_busy(double groups, double come, double others)
{
	double last =
		1; /* share of states with no more groups at work than k that has all of k at work: Erlang B */
	for (unsigned k = 1; k < groups; ++k)
		last = groups * come * last / (k + groups * come * last);
	const double more = last * come * exp(others * come);
	return more / (1 + more);
}

/* Substitution of a number by the one that it leads to. */
struct substitution {
	double at, lead; /* the number before, and what it led to; lead negative: there was none */
};

/*
 * Returns the number to try after `at`, which led to `lead`: where the line through it and the one before
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

/* Returns the steps that steps of mean_s lead to, where `rate` prompts come in a second for each reader. */
static struct group_steps group_steps_after(const struct engine *engine, double rate, double mean_s)
{
	const double most_s = read_s(engine, 1), lone_s = engine->lone_s, group = engine->group;
	const double groups = fmax(1, floor(engine->all_readers / group));
	/* Of clients, share of those that are neither this one nor read just now. */
	const double others = engine->rate_per_s > 0 ? 1 : fmax(0, engine->clients - 2) / engine->clients;
	const double more_s = (most_s - lone_s) / (group - 1);
	const double come = group * fmin(fullest, rate * mean_s);
	const double busy = all_busy(groups, come, others), behind = others * busy;
	const double prompts = come > 0 ? 1 / (1 - behind * (1 + expm1(-come) / come)) : 1;
	const double own_s = fmin(most_s, lone_s + (prompts - 1) * more_s);
	/* Long steps are found by more prompts, which join the next: both follow from each other. */
	const double join = behind * group * rate * more_s, longer = 1 - (lone_s - more_s) / own_s;
	const double found_s =
		join * longer < 1 ? (own_s + (lone_s - own_s) * longer) / (1 - join * longer) : most_s;
	return (struct group_steps){.mean_s = own_s,
		.found_s = fmin(most_s, found_s),
		.reads_s = fmin(most_s, lone_s + join * fmin(most_s, found_s)),
		.all_busy = busy};
}

/* Returns the steps of groups, where `rate` prompts come in a second for each reader. */
static struct group_steps group_steps_at(const struct engine *engine, double rate)
{
	const double most_s = read_s(engine, 1);
	struct group_steps steps = {most_s, most_s, most_s, 0};
	struct substitution last = {0, -1};
	double mean_s = engine->lone_s;
	if (!(engine->group > 1))
		return steps;
	for (unsigned i = 0; i < ROUNDS; ++i) {
		const double before_s = mean_s;
		steps = group_steps_after(engine, rate, before_s);
		mean_s = substitute(&last, before_s, steps.mean_s, most_s);
		if (fabs(mean_s - before_s) <= settled * before_s)
			break;
	}
	return steps;
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

/* Returns what a request waits for readers beyond their next steps, each of which a prompt takes for step_s. */
static double queue_s(const struct engine *engine, double rate, double step_s)
{
	const double readers = fmax(1, engine->all_readers), most_s = read_s(engine, 1);
	const double found = engine_found(fmin(fullest, rate * step_s), readers);
	return found / (1 - fmin(fullest, rate * most_s)) * most_s / (2 * readers);
}

/* Returns the rest of the steps that a request finds groups of readers in. */
static double group_rest_s(const struct engine *engine, const struct group_steps *steps)
{
	const double groups = fmax(1, engine->all_readers / fmax(1, engine->group));
	return steps->all_busy * steps->found_s / (1 + groups);
}

/* Returns what a prompt takes until it is read, where `rate` come in a second for each reader. */
static double read_after_s(const struct engine *engine, double rate, double *reads_s)
{
	const struct group_steps steps = group_steps_at(engine, rate);
	*reads_s = steps.reads_s;
	return steps.reads_s + queue_s(engine, rate, steps.mean_s) + group_rest_s(engine, &steps);
}

/*
 * Returns what prompts of clients take until they are read, beside others_s of other time: in a longer cycle fewer are
 * there at once. The time that a time leads to falls with it, so false position finds where both are equal; the end
 * that stays twice counts half (Illinois). Fills the reading itself.
 */
static double clients_read_after_s(const struct engine *engine, double others_s, double *reads_s)
{
	const double others = (engine->clients - 1) / engine->readers, most_s = read_s(engine, 1);
	double low = 0, high = (1 + others) * most_s;
	double above = read_after_s(engine, others / others_s, reads_s),
	       below = read_after_s(engine, others / (others_s + high), reads_s) - high;
	if (!(below < 0) || !(above > 0))
		return high;
	for (unsigned i = 0; i < ROUNDS && high - low > exact * high; ++i) {
		const double after_s = high - below * (high - low) / (below - above);
		const double more_s = read_after_s(engine, others / (others_s + after_s), reads_s) - after_s;
		if (more_s > 0) {
			low = after_s;
			above = more_s;
			below /= 2;
		} else {
			high = after_s;
			below = more_s;
			above /= 2;
		}
	}
	return high;
}

void engine_pools(const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	const double clients = engine->clients, seats = fmax(1, engine->seats);
	*answer = (struct engine_answer){.gains = engine->gains,
		.steps = engine_answer_steps(engine),
		.sequences = fmin(clients, seats)};
	const double least_s = clients * read_s(engine, engine->room) / engine->readers;
	double reads_s = 0, wait_s = 0, cycle_s = 0, away_s = 0, answer_s = 0;
	struct substitution last = {0, -1};
	for (unsigned round = 0; round < ROUNDS; ++round) {
		const double before = answer->sequences;
		answer->step_s = answer->steps > 0 ? priced_s(steps, fmax(1, before)) : 0;
		answer_s = answer->steps * answer->step_s;
		away_s = engine->prompt_host_s + engine->transfer_s +
			 fmin(1, before) * (1 - 1 / clients) * answer->step_s / 2;
		const double after_s = clients_read_after_s(engine, away_s + answer_s, &reads_s);
		away_s += after_s;
		wait_s = after_s - reads_s;
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
	const double each = rate / engine->readers;
	const struct group_steps reading = group_steps_at(engine, each);
	answer->prompt_s = answer->reads_s = reading.reads_s;
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
	const double busy = each * reading.mean_s;
	const double found = engine_found(fmin(1, busy), fmax(1, engine->all_readers));
	const struct open_waits waits = {.mean_s = queue_s(engine, each, reading.mean_s),
		.load = found,
		.rest_s = (1 - exp(-others)) * answer->step_s / 2 + group_rest_s(engine, &reading),
		.own_s = answer->reads_s};
	engine_rate_fill(engine, &waits, answer);
	return true;
}
