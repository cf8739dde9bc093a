/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine with continuous batching, iteration by iteration: what src/oracle/serving.c has in closed form. */
#ifndef TESTS_ENGINE_SIMULATION_H
#define TESTS_ENGINE_SIMULATION_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "oracle/random.h"
#include "oracle/serving.h"

enum { SIMULATED_CLIENTS = 512 };

/* A client's request: on its way to the engine, without a seat, with tokens of its prompt unread, or with tokens to come. */
struct simulated_client {
	double sent_s, arrives_s, unread, left, first_s;
	bool seated;
};

struct simulated {
	const struct engine *engine;
	const struct engine_steps *steps;
	struct simulated_client clients[SIMULATED_CLIENTS];
	unsigned order[SIMULATED_CLIENTS], count; /* who waits or reads, by arrival */
	double now_s, seated;
	double first_s, answer_s, tokens, requests; /* sums over requests that are counted */
	struct random random;
};

static void simulated_send(struct simulated *simulated, struct simulated_client *client)
{
	const struct engine *engine = simulated->engine;
	const double shorter = engine->spread * random_real(&simulated->random, 0, 1);
	*client = (struct simulated_client){.sent_s = simulated->now_s,
		.arrives_s = simulated->now_s + engine->prompt_host_s,
		.unread = engine->prompt_tokens,
		.left = fmax(1, floor(engine->output_tokens * (1 - shorter) + 0.5))};
}

/* Those whose prompts are unread, in the order in which they came. */
static void simulated_queue(struct simulated *simulated)
{
	const unsigned clients = (unsigned)simulated->engine->clients;
	simulated->count = 0;
	for (unsigned i = 0; i < clients; ++i) {
		const struct simulated_client *client = &simulated->clients[i];
		if (!(client->unread > 0) || client->arrives_s > simulated->now_s)
			continue;
		unsigned place = simulated->count++;
		for (; place > 0 &&
			simulated->clients[simulated->order[place - 1]].arrives_s > client->arrives_s;
			--place)
			simulated->order[place] = simulated->order[place - 1];
		simulated->order[place] = i;
	}
}

/* Gives seats and takes from prompts what a step has room for; returns how many prompts that is. */
static double simulated_read(struct simulated *simulated)
{
	const struct engine *engine = simulated->engine;
	double room = engine->chunk_tokens, taken = 0;
	simulated_queue(simulated);
	for (unsigned i = 0; i < simulated->count && room > 0; ++i) {
		struct simulated_client *client = &simulated->clients[simulated->order[i]];
		if (!client->seated && simulated->seated >= engine->seats)
			break;
		if (!engine->mixes && client->unread > room && taken > 0)
			break; /* a prompt that does not fit beside others waits for the next step */
		simulated->seated += client->seated ? 0 : 1;
		client->seated = true;
		const double tokens = fmin(room, client->unread);
		client->unread -= tokens;
		room -= tokens;
		taken += tokens;
	}
	return taken / engine->prompt_tokens;
}

/* Sums up a request that has its answer, if it is counted, and lets its client ask again. */
static void simulated_finish(
	struct simulated *simulated, struct simulated_client *client, double output, bool counts)
{
	if (counts) {
		simulated->first_s += client->first_s - client->sent_s;
		simulated->answer_s += simulated->now_s - client->first_s;
		simulated->tokens += output - 1;
		simulated->requests += 1;
	}
	simulated->seated -= 1;
	simulated_send(simulated, client);
}

/* One iteration; returns how many requests it finished. */
static unsigned simulated_step(struct simulated *simulated, double *outputs, bool counts)
{
	const struct engine *engine = simulated->engine;
	const unsigned clients = (unsigned)engine->clients;
	unsigned finished = 0;
	double sequences = 0, next_s = HUGE_VAL;
	bool decodes[SIMULATED_CLIENTS];
	for (unsigned i = 0; i < clients; ++i) {
		const struct simulated_client *client = &simulated->clients[i];
		decodes[i] = client->seated && !(client->unread > 0);
		sequences += decodes[i];
		if (client->arrives_s > simulated->now_s)
			next_s = fmin(next_s, client->arrives_s);
	}
	const double prompts = simulated_read(simulated);
	if (!(prompts > 0) && !(sequences > 0)) {
		simulated->now_s = next_s;
		return 0;
	}
	const bool alone = !engine->mixes && prompts > 0;
	simulated->now_s +=
		simulated->steps->step_s(simulated->steps->context, alone ? 0 : sequences, prompts);
	for (unsigned i = 0; i < clients; ++i) {
		struct simulated_client *client = &simulated->clients[i];
		const bool reads = client->seated && !decodes[i] && !(client->unread > 0);
		if (reads) {
			client->first_s = simulated->now_s;
			outputs[i] = client->left;
		} else if (!decodes[i] || alone)
			continue;
		if (--client->left > 0)
			continue;
		simulated_finish(simulated, client, outputs[i], counts);
		++finished;
	}
	return finished;
}

/* Runs so many requests of each client, and means over the last half of them. */
static void engine_simulate(const struct engine *engine, const struct engine_steps *steps, unsigned each,
	struct engine_answer *answer)
{
	static struct simulated simulated;
	static double outputs[SIMULATED_CLIENTS];
	simulated = (struct simulated){.engine = engine, .steps = steps, .random = {7}};
	for (unsigned i = 0; i < engine->clients; ++i)
		simulated_send(&simulated, &simulated.clients[i]);
	const double whole = each * engine->clients;
	for (double finished = 0; finished < whole;)
		finished +=
			simulated_step(&simulated, outputs, engine->requests > 0 || finished >= whole / 2);
	*answer = (struct engine_answer){.first_s = simulated.first_s / simulated.requests,
		.token_s = simulated.tokens > 0 ? simulated.answer_s / simulated.tokens : 0,
		.request_s = (simulated.first_s + simulated.answer_s) / simulated.requests};
}

#endif
