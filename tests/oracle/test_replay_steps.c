/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace is answered as by an engine that takes each step by itself and looks at each of its requests in it. */
#include "oracle/random.h"
#include "oracle/replay.h"
#include "oracle/setup.h"

enum { CASES = 400, REQUESTS = 120 };

/* A request while the engine under test answers it; came: it waits, or is under way. */
struct served {
	double sent_s, unread, held, got, first_s;
	bool reads, came;
};

/* The engine, its requests, and their places in the order in which they wait and run. */
struct naive {
	const struct engine *engine;
	const struct replayed *replayed;
	struct served served[REQUESTS];
	size_t waiting[REQUESTS], running[REQUESTS];
	size_t waits, runs, asked, done;
	double now_s, free, preempted, first_s, under_s;
};

/* Times are linear, so that those between priced numbers of sequences and prompts are exact; the shortest prompt reads weights. */
static double linear_step_s(void *context, double sequences, double prompts)
{
	(void)context;
	return 0.0103 + 0.00107 * sequences + 0.2 * prompts;
}

static double naive_step_s(const struct engine *engine, double sequences, double tokens)
{
	const double least = sequences > 0 ? 0 : engine->chunk_tokens * replay_part[1];
	return linear_step_s(NULL, sequences, fmax(least, tokens) / engine->prompt_tokens);
}

static const struct paradl_trace_request *traced(const struct naive *naive, size_t index)
{
	return &naive->replayed->trace->requests[index];
}

static void send(struct naive *naive, double sent_s)
{
	struct served *const request = &naive->served[naive->asked];
	*request = (struct served){.sent_s = sent_s, .unread = traced(naive, naive->asked)->input_tokens};
	++naive->asked;
}

/* Lets requests come, in the order in which they were sent. */
static void come(struct naive *naive)
{
	for (size_t i = 0; i < naive->asked; ++i) {
		struct served *const request = &naive->served[i];
		if (request->came || request->sent_s + naive->engine->prompt_host_s > naive->now_s)
			continue;
		request->came = true;
		naive->waiting[naive->waits++] = i;
	}
}

static size_t sequences_of(const struct naive *naive)
{
	size_t sequences = 0;
	for (size_t i = 0; i < naive->runs; ++i)
		sequences += !(naive->served[naive->running[i]].unread > 0);
	return sequences;
}

/* Takes memory from the newest request; returns whether any was taken. */
static bool preempt(struct naive *naive)
{
	bool taken = false;
	while (naive->engine->pages && naive->runs > 1 &&
		naive->free < (double)sequences_of(naive) * naive->engine->gains) {
		const size_t newest = naive->running[--naive->runs];
		struct served *const request = &naive->served[newest];
		naive->free += request->held;
		request->unread = traced(naive, newest)->input_tokens + request->got;
		memmove(naive->waiting + 1, naive->waiting, naive->waits++ * sizeof *naive->waiting);
		naive->waiting[0] = newest;
		++naive->preempted;
		taken = true;
	}
	return taken;
}

static double reading_of(const struct naive *naive)
{
	double reading = 0;
	for (size_t i = 0; i < naive->runs; ++i)
		reading += naive->served[naive->running[i]].unread;
	return reading;
}

static void admit(struct naive *naive)
{
	const double room = naive->engine->chunk_tokens;
	while (naive->waits && (double)naive->runs < naive->replayed->seqs && reading_of(naive) < room) {
		const size_t next = naive->waiting[0];
		struct served *const request = &naive->served[next];
		const double reserved = naive->engine->pages ? 0 : traced(naive, next)->output_tokens;
		if (request->unread + reserved > naive->free ||
			(!naive->engine->mixes && reading_of(naive) > 0 &&
				reading_of(naive) + request->unread > room))
			return;
		request->held = request->unread + reserved;
		naive->free -= request->held;
		naive->running[naive->runs++] = next;
		memmove(naive->waiting, naive->waiting + 1, --naive->waits * sizeof *naive->waiting);
	}
}

static double read_chunk(struct naive *naive)
{
	double room = naive->engine->chunk_tokens;
	for (size_t i = 0; i < naive->runs; ++i) {
		struct served *const request = &naive->served[naive->running[i]];
		const double read = fmin(room, request->unread);
		request->reads = read > 0;
		request->unread -= read;
		room -= read;
	}
	return naive->engine->chunk_tokens - room;
}

static void give(struct naive *naive, bool alone)
{
	size_t kept = 0;
	for (size_t i = 0; i < naive->runs; ++i) {
		const size_t index = naive->running[i];
		struct served *const request = &naive->served[index];
		const double output = traced(naive, index)->output_tokens;
		const bool is_first = !(request->unread > 0) && !(request->first_s > 0);
		const bool gets = !(request->unread > 0) && (!alone || request->reads);
		const double given =
			gets ? fmin(is_first ? 1 : naive->engine->gains, output - request->got) : 0;
		request->got += given;
		request->held += naive->engine->pages ? given : 0;
		naive->free -= naive->engine->pages ? given : 0;
		if (is_first)
			request->first_s = naive->now_s;
		if (request->got < output) {
			naive->running[kept++] = index;
			continue;
		}
		naive->free += request->held;
		naive->first_s += request->first_s - request->sent_s;
		naive->under_s += naive->now_s - request->sent_s;
		++naive->done;
		if (naive->asked < REQUESTS)
			send(naive, naive->now_s);
	}
	naive->runs = kept;
}

/* Rests until the next request comes. */
static void rest(struct naive *naive)
{
	double next_s = HUGE_VAL;
	for (size_t i = 0; i < naive->asked; ++i)
		if (!naive->served[i].came)
			next_s = fmin(next_s, naive->served[i].sent_s + naive->engine->prompt_host_s);
	naive->now_s = next_s;
}

static void naive_run(struct naive *naive)
{
	const struct paradl_trace *const trace = naive->replayed->trace;
	const double clients = trace->timed ? HUGE_VAL : naive->replayed->clients;
	naive->free = naive->replayed->cache_tokens;
	while (naive->asked < REQUESTS && (double)naive->asked < clients)
		send(naive, trace->requests[naive->asked].arrives_s);
	while (naive->done < REQUESTS) {
		come(naive);
		const bool taken = preempt(naive);
		const double sequences = (double)sequences_of(naive);
		if (!taken)
			admit(naive);
		const double tokens = read_chunk(naive);
		const bool alone = !naive->engine->mixes && tokens > 0;
		if (!(tokens > 0) && !(sequences > 0)) {
			rest(naive);
			continue;
		}
		naive->now_s += naive_step_s(naive->engine, alone ? 0 : sequences, tokens);
		give(naive, alone);
	}
}

/* Draws lengths and times of requests, an engine, and memory that is short or plenty. */
static void draw(struct random *random, unsigned index, struct engine *engine, struct replayed *replayed,
	struct paradl_trace *trace, struct paradl_trace_request *requests)
{
	double now_s = 0;
	*engine = (struct engine){.clients = random_between(random, 1, 20),
		.prompt_tokens = 500,
		.output_tokens = 60,
		.gains = index % 3 ? 1 : 1.75,
		.chunk_tokens = random_between(random, 1, 2000),
		.prompt_host_s = index % 2 ? 0.0317 : 0,
		.pages = index % 4 < 3,
		.mixes = index % 5 < 3};
	*trace = (struct paradl_trace){.requests = requests, .count = REQUESTS, .timed = index % 7 < 4};
	*replayed = (struct replayed){.trace = trace,
		.replicas = 1,
		.clients = engine->clients,
		.cache_tokens = random_between(random, 1400, index % 6 ? 4000 : 100000),
		.seqs = index % 8 ? HUGE_VAL : random_between(random, 1, 9)};
	const double rate_per_s = random_real(random, 0.5, 6);
	for (size_t i = 0; i < REQUESTS; ++i) {
		requests[i] = (struct paradl_trace_request){trace->timed ? now_s : 0,
			random_between(random, 1, 1000), random_between(random, 1, 200)};
		now_s -= log(random_real(random, 1e-6, 1)) / rate_per_s;
	}
}

static void steps_at_once_are_steps_one_by_one(void **state)
{
	struct setup *const setup = *state;
	struct random random = {20261129};
	double preempted = 0;
	for (unsigned i = 0; i < CASES; ++i) {
		static struct naive naive;
		struct paradl_trace_request requests[REQUESTS];
		struct engine engine;
		struct replayed replayed;
		struct paradl_trace trace;
		struct engine_answer answer = {.gains = 1};
		const struct engine_steps steps = {linear_step_s, NULL};
		draw(&random, i, &engine, &replayed, &trace, requests);
		naive = (struct naive){.engine = &engine, .replayed = &replayed};
		naive_run(&naive);
		assert_true(engine_replay(
			replay_create(setup->arena, &trace), &engine, &steps, &replayed, &answer));
		assert_close(answer.first_s, naive.first_s / REQUESTS, 1e-9);
		assert_close(answer.request_s, naive.under_s / REQUESTS, 1e-9);
		assert_close(answer.preempted, naive.preempted / REQUESTS, 1e-9);
		assert_close(answer.replayed_per_s, REQUESTS / naive.now_s, 1e-9);
		preempted += naive.preempted;
	}
	assert_true(preempted > CASES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(steps_at_once_are_steps_one_by_one)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
