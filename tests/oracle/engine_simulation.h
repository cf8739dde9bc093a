/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine with continuous batching, iteration by iteration: what src/oracle/serving.c has in closed form. */
#ifndef TESTS_ENGINE_SIMULATION_H
#define TESTS_ENGINE_SIMULATION_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "oracle/serving.h"

enum {
	SIMULATED_READERS = 16,
	SIMULATED_CLIENTS = 4096,
	SIMULATED_REQUESTS = 1 << 18,
	SIMULATED_BATCHES = 60
};

/* A client's request: on its way to the engine, without a seat, with tokens of its prompt unread, or with tokens to come. */
struct simulated_client {
	double sent_s, arrives_s, unread, left, output, first_s;
	double comes_s; /* when it comes to a group of readers */
	bool seated, queues;
};

struct simulated {
	const struct engine *engine;
	const struct engine_steps *steps;
	struct simulated_client clients[SIMULATED_CLIENTS];
	unsigned clients_count;                   /* under way */
	unsigned order[SIMULATED_CLIENTS], count; /* who waits or reads, by arrival */
	double now_s, next_s;                     /* next_s: the next request of those that come at random */
	double seated, reading; /* reading: of those with a seat, whose prompts are unread */
	double arrives_s;       /* nobody without a seat has arrived or will, before that */
	double least;           /* tokens that are left of the answer that ends first */
	double tokens;          /* of requests that are counted, after their first */
	double first_s[SIMULATED_REQUESTS], token_s[SIMULATED_REQUESTS],
		answer_s; /* each one's; the sum of all */
	unsigned requests;
	double free_s[SIMULATED_READERS]; /* when readers of prompts have read what they have */
	double held;                      /* steps that prompts have waited for others */
	struct random random;
	bool varies; /* the time outside of the engine, where requests differ */
};

/* Returns the seconds of a step in which so many of a group read a prompt. */
static double simulated_group_s(const struct engine *engine, double prompts)
{
	return engine->lone_s + (prompts - 1) / (engine->group - 1) * (engine->reads_s[0] - engine->lone_s);
}

/* Returns when the group that is free first begins its next step with prompts that wait; infinite: none does. */
static double simulated_begin(const struct simulated *simulated, unsigned *first)
{
	double comes_s = HUGE_VAL;
	*first = 0;
	for (unsigned i = 1; i < simulated->engine->readers / simulated->engine->group; ++i)
		*first = simulated->free_s[i] < simulated->free_s[*first] ? i : *first;
	for (unsigned i = 0; i < simulated->clients_count; ++i)
		if (simulated->clients[i].queues)
			comes_s = fmin(comes_s, simulated->clients[i].comes_s);
	return fmax(comes_s, simulated->free_s[*first]);
}

/* Lets groups begin their steps until now: each takes the first that have come, one for each of its readers. */
static void simulated_groups(struct simulated *simulated)
{
	unsigned group;
	for (double begin_s; (begin_s = simulated_begin(simulated, &group)) <= simulated->now_s;) {
		struct simulated_client *taken[SIMULATED_READERS];
		unsigned count = 0;
		while (count < simulated->engine->group) {
			struct simulated_client *next = NULL;
			for (unsigned i = 0; i < simulated->clients_count; ++i) {
				struct simulated_client *const client = &simulated->clients[i];
				if (client->queues && client->comes_s <= begin_s &&
					(!next || client->comes_s < next->comes_s))
					next = client;
			}
			if (!next)
				break;
			next->queues = false;
			taken[count++] = next;
		}
		const double end_s = begin_s + simulated_group_s(simulated->engine, count);
		simulated->free_s[group] = end_s;
		while (count > 0)
			taken[--count]->arrives_s = end_s + simulated->engine->transfer_s;
		simulated->arrives_s = fmin(simulated->arrives_s, end_s + simulated->engine->transfer_s);
	}
}

/* Gives a prompt to the reader that is free first, one at a time; returns when its keys and values have arrived. */
static double simulated_reader(struct simulated *simulated, double arrives_s)
{
	const struct engine *engine = simulated->engine;
	unsigned first = 0;
	for (unsigned i = 1; i < engine->readers; ++i)
		first = simulated->free_s[i] < simulated->free_s[first] ? i : first;
	simulated->free_s[first] = fmax(simulated->free_s[first], arrives_s) + engine->reads_s[0];
	return simulated->free_s[first] + engine->transfer_s;
}

/* Draws the time outside of the engine, which varies as much as it is long, or not at all. */
static double simulated_host(struct simulated *simulated)
{
	const struct engine *engine = simulated->engine;
	if (!simulated->varies || !(engine->spread > 0))
		return engine->prompt_host_s;
	return -engine->prompt_host_s * log(1 - random_real(&simulated->random, 0, 0.999999));
}

static void simulated_send(struct simulated *simulated, struct simulated_client *client)
{
	const struct engine *engine = simulated->engine;
	const double shorter = engine->spread * random_real(&simulated->random, 0, 1);
	const double sent_s = engine->rate_per_s > 0 ? simulated->next_s : simulated->now_s;
	*client = (struct simulated_client){.sent_s = sent_s,
		.arrives_s = sent_s + simulated_host(simulated),
		.unread = engine->prompt_tokens,
		.left = fmax(1, floor(engine->output_tokens * (1 - shorter) + 0.5))};
	client->output = client->left;
	if (engine->readers > 0) {
		client->unread = 0;
		client->left -= 1;
		client->queues = engine->group > 1;
		client->comes_s = client->arrives_s;
		client->arrives_s =
			client->queues ? HUGE_VAL : simulated_reader(simulated, client->arrives_s);
	}
	simulated->arrives_s = fmin(simulated->arrives_s, client->arrives_s);
}

/* Lets requests in that have come until now, at random. */
static void simulated_come(struct simulated *simulated)
{
	const double rate_per_s = simulated->engine->rate_per_s;
	while (rate_per_s > 0 && simulated->next_s <= simulated->now_s &&
		simulated->clients_count < SIMULATED_CLIENTS) {
		simulated_send(simulated, &simulated->clients[simulated->clients_count++]);
		simulated->next_s -= log(1 - random_real(&simulated->random, 0, 0.999999)) / rate_per_s;
	}
	if (simulated->engine->group > 1 && simulated->engine->readers > 0)
		simulated_groups(simulated);
}

/*
 * Those whose prompts are unread, in the order in which they came. Where no seat is left nobody without one is asked for: they came
 * after all that have one.
 */
static void simulated_queue(struct simulated *simulated)
{
	const bool full = simulated->seated >= simulated->engine->seats;
	simulated->count = 0;
	if (!(simulated->reading > 0) && (full || simulated->arrives_s > simulated->now_s))
		return;
	for (unsigned i = 0; i < simulated->clients_count; ++i) {
		const struct simulated_client *client = &simulated->clients[i];
		if ((client->seated ? !(client->unread > 0) : full) || client->arrives_s > simulated->now_s)
			continue;
		unsigned place = 0, behind = simulated->count++;
		while (place < behind) {
			const unsigned middle = (place + behind) / 2;
			if (simulated->clients[simulated->order[middle]].arrives_s > client->arrives_s)
				behind = middle;
			else
				place = middle + 1;
		}
		memmove(simulated->order + place + 1, simulated->order + place,
			(simulated->count - 1 - place) * sizeof *simulated->order);
		simulated->order[place] = i;
	}
}

/* Returns whether prompts wait for more, beside sequences, until each replica that takes steps together has one. */
static bool simulated_waits(struct simulated *simulated, double sequences)
{
	const struct engine *engine = simulated->engine;
	const bool begun = simulated->count > 0 &&
			   simulated->clients[simulated->order[0]].unread < engine->prompt_tokens;
	const bool waits = simulated->count > 0 && simulated->count < engine->joined && sequences > 0 &&
			   !begun && simulated->held < engine->balance;
	simulated->held = waits ? simulated->held + 1 : 0;
	return waits;
}

/* Gives seats and takes from prompts what a step has room for; returns how many prompts that is. */
static double simulated_read(struct simulated *simulated, double sequences)
{
	const struct engine *engine = simulated->engine;
	double room = engine->chunk_tokens, taken = 0;
	simulated_queue(simulated);
	if (simulated_waits(simulated, sequences))
		return 0;
	for (unsigned i = 0; i < simulated->count && room > 0; ++i) {
		struct simulated_client *client = &simulated->clients[simulated->order[i]];
		if (!client->seated && simulated->seated >= engine->seats)
			break;
		if (!engine->mixes && client->unread > room && taken > 0)
			break; /* a prompt that does not fit beside others waits for the next step */
		simulated->seated += client->seated ? 0 : 1;
		simulated->reading += !client->seated && client->unread > 0;
		if (engine->readers > 0)
			client->first_s = simulated->now_s;
		client->seated = true;
		const double tokens = fmin(room, client->unread);
		client->unread -= tokens;
		simulated->reading -= tokens > 0 && !(client->unread > 0);
		room -= tokens;
		taken += tokens;
	}
	return taken / engine->prompt_tokens;
}

/* Notes a request that has its answer, if it is counted, and lets its client ask again, or leave. Returns whether it left. */
static bool simulated_finish(struct simulated *simulated, unsigned index, bool counts)
{
	struct simulated_client *const client = &simulated->clients[index];
	if (counts && simulated->requests < SIMULATED_REQUESTS) {
		const double answer_s = simulated->now_s - client->first_s, steps = client->output - 1;
		simulated->first_s[simulated->requests] = client->first_s - client->sent_s;
		simulated->token_s[simulated->requests++] = steps > 0 ? answer_s / steps : 0;
		simulated->answer_s += answer_s;
		simulated->tokens += steps;
	}
	simulated->seated -= 1;
	if (!(simulated->engine->rate_per_s > 0)) {
		simulated_send(simulated, client);
		return false;
	}
	*client = simulated->clients[--simulated->clients_count];
	return true;
}

/* Goes to the next request where nothing is to be done. */
static void simulated_rest(struct simulated *simulated)
{
	unsigned group;
	double next_s = simulated->engine->rate_per_s > 0 ? simulated->next_s : HUGE_VAL;
	for (unsigned i = 0; i < simulated->clients_count; ++i)
		if (simulated->clients[i].arrives_s > simulated->now_s)
			next_s = fmin(next_s, simulated->clients[i].arrives_s);
	if (simulated->engine->group > 1 && simulated->engine->readers > 0)
		next_s = fmin(next_s, simulated_begin(simulated, &group));
	simulated->now_s = next_s;
}

/* Goes on by as many steps as none ends an answer and nobody comes, where all have their prompts read. */
static void simulated_skip(struct simulated *simulated)
{
	const double arrives_s = simulated->arrives_s, sequences = simulated->seated;
	const double rate_per_s = simulated->engine->rate_per_s;
	double next_s = rate_per_s > 0 ? fmin(simulated->next_s, arrives_s) : arrives_s;
	double steps = simulated->least - 1;
	if (!(arrives_s > simulated->now_s) || simulated->reading > 0 || !(sequences > 0) || !(steps > 0))
		return;
	unsigned group; /* no group that is yet to begin its step sends a prompt before it does */
	if (simulated->engine->group > 1 && simulated->engine->readers > 0)
		next_s = fmin(next_s, simulated_begin(simulated, &group));
	const double step_s = simulated->steps->step_s(simulated->steps->context, sequences, 0);
	steps = fmin(steps, floor((next_s - simulated->now_s) / step_s));
	if (!(steps > 0))
		return;
	simulated->now_s += steps * step_s;
	for (unsigned i = 0; i < simulated->clients_count; ++i)
		simulated->clients[i].left -= simulated->clients[i].seated ? steps : 0;
}

/* Gives each sequence its token, `alone`: only to those whose prompts were read; returns how many requests that finished. */
static unsigned simulated_give(struct simulated *simulated, bool alone, bool counts)
{
	unsigned finished = 0;
	simulated->arrives_s = simulated->least = HUGE_VAL;
	for (unsigned i = 0; i < simulated->clients_count;) {
		struct simulated_client *client = &simulated->clients[i];
		const bool ready = client->seated && !(client->unread > 0);
		const bool reads = ready && !(client->first_s > 0);
		if (reads)
			client->first_s = simulated->now_s;
		const bool gets = reads || (ready && !alone);
		const bool ends = gets && !(--client->left > 0);
		if (!client->seated && client->arrives_s < simulated->arrives_s)
			simulated->arrives_s = client->arrives_s;
		if (ready && !ends && client->left < simulated->least)
			simulated->least = client->left;
		finished += ends;
		i += !(ends && simulated_finish(simulated, i, counts));
	}
	return finished;
}

/* One iteration; returns how many requests it finished. */
static unsigned simulated_step(struct simulated *simulated, bool counts)
{
	const struct engine *engine = simulated->engine;
	simulated_come(simulated);
	const double decodes = simulated->seated - simulated->reading;
	const double prompts = simulated_read(simulated, decodes);
	const double sequences = engine->readers > 0 ? simulated->seated : decodes;
	if (!(prompts > 0) && !(decodes > 0) && !(sequences > 0)) {
		simulated_rest(simulated);
		return 0;
	}
	const bool alone = !engine->mixes && prompts > 0;
	simulated->now_s +=
		simulated->steps->step_s(simulated->steps->context, alone ? 0 : sequences, prompts);
	const unsigned finished = simulated_give(simulated, alone, counts);
	simulated_skip(simulated);
	return finished;
}

static int simulated_compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts times of requests, fills their percentiles, and returns their mean. */
static double simulated_times(struct simulated *simulated, double *times, double *percentile_s)
{
	double sum = 0;
	qsort(times, simulated->requests, sizeof *times, simulated_compare);
	for (unsigned i = 0; i < simulated->requests; ++i)
		sum += times[i];
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i)
		percentile_s[i] = times[(unsigned)(engine_share[i] * (simulated->requests - 1))];
	return sum / simulated->requests;
}

static struct simulated *simulated_start(
	const struct engine *engine, const struct engine_steps *steps, bool varies)
{
	static struct simulated simulated;
	simulated.engine = engine;
	simulated.steps = steps;
	simulated.varies = varies;
	simulated.random = (struct random){7};
	simulated.now_s = simulated.next_s = simulated.held = simulated.tokens = simulated.answer_s = 0;
	simulated.seated = simulated.reading = 0;
	simulated.arrives_s = HUGE_VAL;
	simulated.requests = 0;
	for (unsigned i = 0; i < SIMULATED_READERS; ++i)
		simulated.free_s[i] = 0;
	simulated.clients_count = engine->rate_per_s > 0 ? 0 : (unsigned)engine->clients;
	for (unsigned i = 0; i < simulated.clients_count; ++i)
		simulated_send(&simulated, &simulated.clients[i]);
	return &simulated;
}

static void simulated_answer(struct simulated *simulated, struct engine_answer *answer)
{
	*answer = (struct engine_answer){0};
	answer->first_s = simulated_times(simulated, simulated->first_s, answer->first_percentile_s);
	simulated_times(simulated, simulated->token_s, answer->token_percentile_s);
	answer->token_s = simulated->tokens > 0 ? simulated->answer_s / simulated->tokens : 0;
	answer->first_percentile_s[PARADL_MEAN] = answer->first_s;
	answer->token_percentile_s[PARADL_MEAN] = answer->token_s;
	answer->request_s = answer->first_s + simulated->answer_s / simulated->requests;
}

/* Runs so many requests, and means over the last half of them, or over all where they end. */
static inline void engine_simulate(const struct engine *engine, const struct engine_steps *steps,
	double requests, struct engine_answer *answer)
{
	struct simulated *const simulated = simulated_start(engine, steps, false);
	for (double finished = 0; finished < requests;)
		finished += simulated_step(simulated, engine->requests > 0 || finished >= requests / 2);
	simulated_answer(simulated, answer);
}

/* Runs `rounds` requests of each client, of at least 20 clients, and means over all but the first third, in which they part. */
static inline void engine_simulate_rounds(const struct engine *engine, const struct engine_steps *steps,
	double rounds, struct engine_answer *answer)
{
	struct simulated *const simulated = simulated_start(engine, steps, true);
	const double requests = rounds * fmax(20, engine->clients);
	for (double finished = 0; finished < requests;)
		finished += simulated_step(simulated, finished > requests / 3);
	simulated_answer(simulated, answer);
}

/* Runs all requests of an engine whose clients take a time that varies, and means over all. */
static inline void engine_simulate_all(
	const struct engine *engine, const struct engine_steps *steps, struct engine_answer *answer)
{
	struct simulated *const simulated = simulated_start(engine, steps, true);
	for (double finished = 0; finished < engine->requests;)
		finished += simulated_step(simulated, true);
	simulated_answer(simulated, answer);
}

/* Returns half of the interval that has the mean of batches with 95 in 100, over it (Student's t, which is 2.2 at most). */
static double simulated_unsure(const double *means, unsigned count)
{
	double sum = 0, squares = 0;
	for (unsigned i = 0; i < count; ++i)
		sum += means[i];
	for (unsigned i = 0; i < count; ++i)
		squares += (means[i] - sum / count) * (means[i] - sum / count);
	return 2.2 * sqrt(squares / (count - 1) / count) / (sum / count);
}

/*
 * Runs a batch of ten requests of each client after the other, and means over all but the first ten batches, in which
 * they part, when there are twelve more and the time to the first token is known to `within`, or there are no more.
 * Returns how well it is known.
 */
static inline double engine_simulate_steady(const struct engine *engine, const struct engine_steps *steps,
	double within, struct engine_answer *answer)
{
	enum { PART = 10, LEAST = 12 };
	struct simulated *const simulated = simulated_start(engine, steps, true);
	double means[SIMULATED_BATCHES], unsure = HUGE_VAL;
	const double batch = 10 * fmax(10, engine->clients);
	for (double finished = 0; finished < PART * batch;)
		finished += simulated_step(simulated, false);
	for (unsigned i = 0; i < SIMULATED_BATCHES && !(unsure < within); ++i) {
		const unsigned begin = simulated->requests;
		while (simulated->requests < begin + batch)
			simulated_step(simulated, true);
		means[i] = 0;
		for (unsigned k = begin; k < simulated->requests; ++k)
			means[i] += simulated->first_s[k] / (simulated->requests - begin);
		unsure = i + 1 < LEAST ? unsure : simulated_unsure(means, i + 1);
	}
	simulated_answer(simulated, answer);
	return unsure;
}

/* Steps as devices have them: weights are read at least, and tokens computed; each sequence reads its cache. */
struct prices {
	double start_s, weights_s, token_s, cache_s, prompt_tokens;
};

static inline double priced_step_s(void *context, double sequences, double prompts)
{
	const struct prices *const prices = context;
	const double tokens = sequences + prompts * prices->prompt_tokens;
	return prices->start_s + fmax(prices->weights_s, tokens * prices->token_s) +
	       sequences * prices->cache_s;
}

static inline double between(struct random *random, double low, double high)
{
	return low * pow(high / low, random_real(random, 0, 1));
}

/* Draws an engine whose prompts, answers and times outside of it are as in published runs; some have too few seats. */
static inline struct engine measured_engine(struct random *random, struct prices *prices)
{
	const bool mixes = random_real(random, 0, 1) < 0.5;
	*prices = (struct prices){.start_s = between(random, 1e-3, 5e-3),
		.weights_s = between(random, 2e-3, 2e-2),
		.token_s = between(random, 5e-6, 1e-4),
		.cache_s = between(random, 1e-6, 2e-4),
		.prompt_tokens = floor(between(random, 512, 16384))};
	return (struct engine){.clients = floor(between(random, 2, 256)),
		.seats = floor(between(random, 16, 2048)),
		.prompt_tokens = prices->prompt_tokens,
		.output_tokens = floor(between(random, 128, 1024)),
		.spread = mixes || random_real(random, 0, 1) < 0.7 ? 0.2 : 0,
		.gains = 1,
		.chunk_tokens = 8192,
		.prompt_host_s = between(random, 0.05, 0.3),
		.mixes = mixes};
}

static inline struct engine random_engine(struct random *random, struct prices *prices)
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
		.gains = 1,
		.chunk_tokens = 8192,
		.prompt_host_s = between(random, 0.001, 0.03),
		.mixes = mixes};
}

/* Of errors, so many are smaller; sorts them. */
static inline double error_within(double *errors, unsigned count, double share)
{
	qsort(errors, count, sizeof *errors, simulated_compare);
	return errors[(unsigned)(share * count)];
}

#endif
