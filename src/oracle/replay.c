/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In each step an engine
 *     takes     memory for the next token of each sequence, and where there is none, that of the newest request, which
 *               is read again later, with what it was answered so far, before all that wait
 *     admits    requests in order, as long as there is memory: for the prompt, or for the whole answer, too (reserves)
 *     reads     up to a chunk of their prompts, beside sequences or alone and first
 *     answers   a token to each sequence (or what a step of speculation gives)
 * and takes t(n, prompts), which is known at some numbers of sequences and prompts, and linear between them.
 */
#include "oracle/replay.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

enum {
	SEQUENCES = 48,
	PARTS = 10
}; /* numbers of sequences, and parts of a chunk, for which steps are priced */
static const double part_of[PARTS] = {0, 1.0 / 128, 1.0 / 64, 1.0 / 32, 1.0 / 16, 0.125, 0.25, 0.5, 0.75, 1};

struct request {
	double sent_s, input, output, unread, held, got, first_s;
	bool reads;  /* its prompt is read in this step */
	size_t next; /* behind it, where it waits */
};

struct replay {
	struct request *requests; /* all of one replica */
	size_t *running;
	double *first_s, *token_s;
	/* Time of steps; negative: not priced yet. */
	double price_s[SEQUENCES][PARTS];
	const struct engine *engine;
	const struct engine_steps *steps;
	double chunk;                                       /* prompts that a step has room for */
	size_t count, runs, waits, head, tail, sent, asked; /* asked: requests that clients have sent */
	double now_s, free, sequences_s, busy_s, preempted, under_s;
	size_t done;
	bool short_of; /* memory was taken in this step */
};

struct replay *replay_create(struct paradl_arena *arena, const struct paradl_trace *trace)
{
	struct replay *const replay = arena_alloc(arena, 1, sizeof *replay);
	if (!replay)
		return NULL;
	replay->requests = arena_alloc(arena, trace->count, sizeof *replay->requests);
	replay->running = arena_alloc(arena, trace->count, sizeof *replay->running);
	replay->first_s = arena_alloc(arena, trace->count, sizeof(double));
	replay->token_s = arena_alloc(arena, trace->count, sizeof(double));
	return replay->requests && replay->running && replay->first_s && replay->token_s ? replay : NULL;
}

/* Returns the index-th number of sequences that is priced: 0, 1, 2, 3, 4, 6, 8, 12, 16, ... */
static double sequences_at(size_t index)
{
	return index < 4 ? (double)index : ldexp(index % 2 ? 3 : 2, (int)(index / 2) - 1);
}

static double priced_s(struct replay *replay, size_t index, size_t part)
{
	double *const price = &replay->price_s[index][part];
	const double prompts = replay->chunk * part_of[part];
	if (*price < 0)
		*price = index || part
				 ? replay->steps->step_s(replay->steps->context, sequences_at(index), prompts)
				 : 0;
	return *price;
}

/* Returns the time of a step, between those that are priced. */
static double step_s(struct replay *replay, double sequences, double prompts)
{
	size_t index = 0;
	while (index + 2 < SEQUENCES && sequences_at(index + 1) < sequences)
		++index;
	const double low = sequences_at(index), high = sequences_at(index + 1);
	const double x = fmin(1, (sequences - low) / (high - low));
	const double share = fmin(1, prompts / replay->chunk);
	size_t part = 0;
	while (part + 2 < PARTS && part_of[part + 1] < share)
		++part;
	const double y = (share - part_of[part]) / (part_of[part + 1] - part_of[part]);
	if (!(sequences > 0) && part == 0) /* weights are read for the shortest prompt, too */
		return priced_s(replay, 0, 1);
	return (1 - x) * ((1 - y) * priced_s(replay, index, part) + y * priced_s(replay, index, part + 1)) +
	       x * ((1 - y) * priced_s(replay, index + 1, part) + y * priced_s(replay, index + 1, part + 1));
}

static void wait_last(struct replay *replay, size_t index)
{
	*(replay->waits ? &replay->requests[replay->tail].next : &replay->head) = index;
	replay->tail = index;
	++replay->waits;
}

static void wait_first(struct replay *replay, size_t index)
{
	replay->requests[index].next = replay->head;
	replay->head = index;
	if (!replay->waits++)
		replay->tail = index;
}

/* Lets requests in that have come until now. */
static void requests_come(struct replay *replay)
{
	const double host_s = replay->engine->prompt_host_s;
	while (replay->sent < replay->count &&
		replay->requests[replay->sent].sent_s + host_s <= replay->now_s)
		wait_last(replay, replay->sent++);
}

/* Takes memory from the newest until each sequence has room for what a step gives it. */
static double memory_take(struct replay *replay)
{
	const double gains = replay->engine->gains;
	double sequences = 0;
	replay->short_of = false;
	for (size_t i = 0; i < replay->runs; ++i)
		sequences += !(replay->requests[replay->running[i]].unread > 0);
	while (replay->engine->pages && replay->free < sequences * gains && replay->runs > 1) {
		const size_t newest = replay->running[--replay->runs];
		struct request *const request = &replay->requests[newest];
		sequences -= !(request->unread > 0);
		replay->free += request->held;
		request->held = 0;
		request->unread = request->input + request->got;
		wait_first(replay, newest);
		++replay->preempted;
		replay->short_of = true;
	}
	return sequences;
}

/* Admits requests that there is memory for; returns the tokens of prompts that this step reads. */
static double prompts_read(struct replay *replay, double seqs)
{
	const struct engine *engine = replay->engine;
	double room = engine->chunk_tokens;
	double reading = 0;
	for (size_t i = 0; i < replay->runs; ++i)
		reading += replay->requests[replay->running[i]].unread;
	while (replay->waits && !replay->short_of && (double)replay->runs < seqs && reading < room) {
		struct request *const next = &replay->requests[replay->head];
		const double held = next->unread + (engine->pages ? 0 : next->output);
		if (held > replay->free || (!engine->mixes && reading > 0 && reading + next->unread > room))
			break;
		next->held = held;
		replay->free -= held;
		reading += next->unread;
		replay->running[replay->runs++] = replay->head;
		replay->head = next->next;
		--replay->waits;
	}
	for (size_t i = 0; i < replay->runs; ++i) {
		struct request *const request = &replay->requests[replay->running[i]];
		const double read = fmin(room, request->unread);
		request->reads = read > 0;
		request->unread -= read;
		room -= read;
	}
	return engine->chunk_tokens - room;
}

/* Notes a request that has its answer; its client, if there is one, sends the next. */
static void request_end(struct replay *replay, const struct request *request, bool timed)
{
	const double steps = request->output - 1;
	replay->first_s[replay->done] = request->first_s - request->sent_s;
	replay->token_s[replay->done++] = steps > 0 ? (replay->now_s - request->first_s) / steps : -1;
	replay->under_s += replay->now_s - request->sent_s;
	replay->free += request->held;
	if (!timed && replay->asked < replay->count)
		replay->requests[replay->asked++].sent_s = replay->now_s;
}

/* Gives each sequence its token, `alone`: only to those whose prompts are read in this step. */
static void tokens_give(struct replay *replay, bool alone, bool timed)
{
	size_t kept = 0;
	for (size_t i = 0; i < replay->runs; ++i) {
		const size_t index = replay->running[i];
		struct request *const request = &replay->requests[index];
		const bool first = !(request->unread > 0) && !(request->first_s > 0);
		const bool gets = !(request->unread > 0) && (!alone || request->reads);
		const double given =
			gets ? fmin(first ? 1 : replay->engine->gains, request->output - request->got) : 0;
		request->got += given;
		if (replay->engine->pages) {
			request->held += given;
			replay->free -= given;
		}
		if (first)
			request->first_s = replay->now_s;
		if (request->got >= request->output)
			request_end(replay, request, timed);
		else
			replay->running[kept++] = index;
	}
	replay->runs = kept;
}

/* Takes one step, or rests until the next request comes; false: a request has no room, and never will. */
static bool replay_step(struct replay *replay, const struct replayed *replayed)
{
	const bool timed = replayed->trace->timed;
	requests_come(replay);
	const double sequences = memory_take(replay);
	const double tokens = prompts_read(replay, replayed->seqs);
	const bool alone = !replay->engine->mixes && tokens > 0;
	if (!(tokens > 0) && !(sequences > 0)) {
		if (replay->waits || replay->sent == replay->count)
			return false;
		replay->now_s = replay->requests[replay->sent].sent_s + replay->engine->prompt_host_s;
		return true;
	}
	const double taken_s = step_s(replay, alone ? 0 : sequences, tokens / replay->engine->prompt_tokens);
	replay->now_s += taken_s;
	replay->busy_s += alone ? 0 : taken_s;
	replay->sequences_s += alone ? 0 : taken_s * sequences;
	tokens_give(replay, alone, timed);
	return true;
}

/* Replays the requests of one replica; false: one of them has no room. */
static bool replica_replay(struct replay *replay, const struct replayed *replayed, size_t first)
{
	const struct paradl_trace *trace = replayed->trace;
	const size_t replicas = (size_t)replayed->replicas;
	const size_t done = replay->done;
	replay->count = replay->runs = replay->waits = replay->sent = 0;
	replay->asked = trace->timed ? trace->count : (size_t)replayed->clients;
	replay->now_s = 0;
	replay->free = replayed->cache_tokens;
	for (size_t i = first; i < trace->count; i += replicas) {
		const bool waits = !trace->timed && (double)replay->count >= replayed->clients;
		replay->requests[replay->count++] =
			(struct request){.sent_s = waits ? HUGE_VAL : trace->requests[i].arrives_s,
				.input = trace->requests[i].input_tokens,
				.output = trace->requests[i].output_tokens,
				.unread = trace->requests[i].input_tokens};
	}
	while (replay->done < done + replay->count)
		if (!replay_step(replay, replayed))
			return false;
	return true;
}

static int compare_times(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts times, and fills their mean and percentiles; negative ones do not count. */
static void percentiles_fill(double *times, size_t count, double *percentile_s)
{
	double sum = 0;
	size_t known = 0;
	qsort(times, count, sizeof *times, compare_times);
	for (size_t i = count; i-- > 0 && times[i] >= 0; ++known)
		sum += times[i];
	const double *const least = times + (count - known), last = (double)known - 1;
	percentile_s[PARADL_MEAN] = known > 0 ? sum / (double)known : 0;
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i)
		percentile_s[i] = known > 0 ? least[(size_t)(engine_share[i] * last)] : 0;
}

bool engine_replay(struct replay *replay, const struct engine *engine, const struct engine_steps *steps,
	const struct replayed *replayed, struct engine_answer *answer)
{
	double busiest_s = 0;
	replay->engine = engine;
	replay->steps = steps;
	replay->chunk = engine->chunk_tokens / engine->prompt_tokens;
	replay->done = 0;
	replay->sequences_s = replay->busy_s = replay->preempted = replay->under_s = 0;
	for (size_t i = 0; i < SEQUENCES; ++i)
		for (size_t k = 0; k < PARTS; ++k)
			replay->price_s[i][k] = -1;
	for (size_t i = 0; i < (size_t)replayed->replicas && i < replayed->trace->count; ++i) {
		if (!replica_replay(replay, replayed, i))
			return false;
		busiest_s = fmax(busiest_s, replay->now_s);
	}
	percentiles_fill(replay->first_s, replay->done, answer->first_percentile_s);
	percentiles_fill(replay->token_s, replay->done, answer->token_percentile_s);
	answer->first_s = answer->first_percentile_s[PARADL_MEAN];
	answer->token_s = answer->token_percentile_s[PARADL_MEAN];
	answer->request_s = replay->under_s / (double)replay->done;
	answer->sequences = replay->busy_s > 0 ? replay->sequences_s / replay->busy_s : 1;
	answer->under_way = busiest_s > 0 ? replay->under_s / busiest_s / replayed->replicas : 0;
	answer->replayed_per_s = busiest_s > 0 ? (double)replay->done / busiest_s : 0;
	answer->preempted = replay->preempted / (double)replay->done;
	answer->wait_s = fmax(0, answer->first_s - engine->prompt_host_s - answer->reads_s);
	answer->seat_s = 0;
	return true;
}
