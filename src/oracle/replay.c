/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In each step an engine
 *     takes     memory for the next token of each sequence, and where there is none, that of the newest request, which
 *               is read again later, with what it was answered so far, before all that wait
 *     admits    requests in order, as long as there is memory: for the prompt, or for the whole answer, too (reserves)
 *     reads     up to a chunk of their prompts, beside sequences or alone and first
 *     answers   a token to each sequence (or what a step of speculation gives)
 * and takes t(n, prompts), which is known at some numbers of sequences and prompts, and linear between them. Steps
 * without prompts are alike until a request comes, an answer ends, or memory is short: they are taken at once. Where
 * others read prompts (replay_readers.c), requests come with their first token, and are admitted without reading.
 */
#include <math.h>

#include "base/arena.h"
#include "oracle/replay_state.h"

const double replay_part[REPLAY_PARTS] = {
	0, 1.0 / 128, 1.0 / 64, 1.0 / 32, 1.0 / 16, 0.125, 0.25, 0.5, 0.75, 1};

struct replay *replay_create(struct paradl_arena *arena, const struct paradl_trace *trace)
{
	const size_t count = trace->count;
	struct replay *const replay = arena_alloc(arena, 1, sizeof *replay);
	if (!replay)
		return NULL;
	replay->requests = arena_alloc(arena, count, sizeof *replay->requests);
	replay->ending = arena_alloc(arena, count, sizeof(struct request *));
	replay->replicas = arena_alloc(arena, count, sizeof *replay->replicas);
	replay->free_s = arena_alloc(arena, count, sizeof(double));
	replay->first_s = arena_alloc(arena, count, sizeof(double));
	replay->token_s = arena_alloc(arena, count, sizeof(double));
	return replay->requests && replay->ending && replay->replicas && replay->free_s && replay->first_s &&
			       replay->token_s
		       ? replay
		       : NULL;
}

size_t replay_part_of(double share, double *beyond)
{
	size_t part = 0;
	while (part + 2 < REPLAY_PARTS && replay_part[part + 1] < share)
		++part;
	*beyond = (share - replay_part[part]) / (replay_part[part + 1] - replay_part[part]);
	return part;
}

/* Fills numbers of sequences that are priced, 0, 1, 2, 3, 4, 6, 8, 12, 16, ..., and no prices. */
static void prices_forget(struct replay *replay)
{
	for (size_t i = 0; i < SEQUENCES; ++i) {
		replay->sequences[i] = i < 4 ? (double)i : 2 * replay->sequences[i - 2];
		for (size_t k = 0; k < REPLAY_PARTS; ++k)
			replay->price_s[i][k] = -1;
	}
}

static double priced_s(struct replay *replay, size_t index, size_t part)
{
	double *const price = &replay->price_s[index][part];
	const double prompts = replay->chunk * replay_part[part];
	if (*price < 0)
		*price = index || part ? replay->steps->step_s(
						 replay->steps->context, replay->sequences[index], prompts)
				       : 0;
	return *price;
}

/* Returns the time of a step, between those that are priced. */
static double step_s(struct replay *replay, double sequences, double prompts)
{
	size_t index = 0;
	while (index + 2 < SEQUENCES && replay->sequences[index + 1] < sequences)
		++index;
	const double low = replay->sequences[index], high = replay->sequences[index + 1];
	const double x = fmin(1, (sequences - low) / (high - low));
	double y;
	const size_t part = replay_part_of(fmin(1, prompts / replay->chunk), &y);
	if (!(sequences > 0) && part == 0) /* weights are read for the shortest prompt, too */
		return priced_s(replay, 0, 1);
	return (1 - x) * ((1 - y) * priced_s(replay, index, part) + y * priced_s(replay, index, part + 1)) +
	       x * ((1 - y) * priced_s(replay, index + 1, part) + y * priced_s(replay, index + 1, part + 1));
}

/* Sends a request: to its engine, or, where others read prompts, to them. */
static void request_send(struct replay *replay, struct request *request, double now_s)
{
	request->sent_s = now_s;
	request->ready_s = now_s + replay->engine->prompt_host_s;
	request_insert(replay->engine->readers > 0 ? &replay->unread : &request->replica->coming, request);
}

/* Lets requests in that have come until now. */
static void requests_come(struct replica *replica)
{
	while (replica->coming.first && replica->coming.first->ready_s <= replica->now_s)
		wait_last(replica, request_pop(&replica->coming));
}

/* Returns the tokens that a request, whose tokens come, got since they do. */
static double gained(
	const struct replay *replay, const struct replica *replica, const struct request *request)
{
	return fmin(
		request->output - request->got, (replica->steps - request->begins) * replay->engine->gains);
}

/* Takes the memory of the newest request, which waits again before all others. */
static void newest_preempt(struct replay *replay, struct replica *replica)
{
	struct request *const newest = replica->running.last;
	running_remove(replica, newest);
	if (!(newest->unread > 0)) {
		const double got = gained(replay, replica, newest);
		newest->got += got;
		newest->held += got;
		ending_remove(replica, newest);
	}
	replica->free += newest->held;
	newest->held = 0;
	newest->unread = newest->input + newest->got;
	wait_first(replica, newest);
	++replay->preempted;
}

/* Takes memory from the newest until each sequence has room for what a step gives it. */
static void memory_take(struct replay *replay, struct replica *replica)
{
	const double gains = replay->engine->gains;
	replica->short_of = false;
	while (replay->engine->pages && replica->free < (double)replica->decodes * gains &&
		replica->runs > 1) {
		newest_preempt(replay, replica);
		replica->short_of = true;
	}
}

/* Gives a request its tokens from the next decode step on. */
static void tokens_begin(const struct replay *replay, struct replica *replica, struct request *request)
{
	request->begins = replica->steps;
	request->ends = replica->steps + ceil((request->output - request->got) / replay->engine->gains);
	ending_add(replica, request);
}

/* Admits the first request that waits; if others read its prompt, its first token is there. */
static void request_admit(const struct replay *replay, struct replica *replica, double held)
{
	struct request *const request = replica->first;
	replica->first = request->next;
	--replica->waits;
	request->held = held;
	replica->free -= held;
	running_add(replica, request);
	if (!(request->unread > 0)) {
		request->first_s = replica->now_s;
		tokens_begin(replay, replica, request);
	}
}

/* Admits requests that there is memory for. Prompts are read in order, so that only the newest may be left unread. */
static void requests_admit(const struct replay *replay, struct replica *replica)
{
	const struct engine *engine = replay->engine;
	const double room = engine->chunk_tokens;
	double reading = replica->running.last ? replica->running.last->unread : 0;
	while (replica->waits && !replica->short_of && (double)replica->runs < replay->replayed->seqs &&
		reading < room) {
		const struct request *const next = replica->first;
		const double context = next->unread > 0 ? next->unread : next->input + next->got;
		const double held = context + (engine->pages ? 0 : next->output);
		if (held > replica->free || (!engine->mixes && reading > 0 && reading + next->unread > room))
			break;
		reading += next->unread;
		request_admit(replay, replica, held);
	}
}

/* Reads prompts up to a chunk, from the request `first` on; returns their tokens. */
static double prompts_read(const struct replay *replay, struct request *first)
{
	double room = replay->engine->chunk_tokens;
	for (struct request *request = first; request; request = request->next) {
		const double read = fmin(room, request->unread);
		request->reads = read > 0;
		request->unread -= read;
		room -= read;
	}
	return replay->engine->chunk_tokens - room;
}

/* Notes a request that has its answer, and gave its memory back; its client, if there is one, sends the next. */
static void request_end(struct replay *replay, struct replica *replica, const struct request *request)
{
	const double steps = request->output - 1;
	replay->first_s[replay->done] = request->first_s - request->sent_s;
	replay->token_s[replay->done++] = steps > 0 ? (replica->now_s - request->first_s) / steps : -1;
	replay->under_s += replica->now_s - request->sent_s;
	running_remove(replica, request);
	++replica->done;
	if (replica->asked < replica->count)
		request_send(replay, &replica->requests[replica->asked++], replica->now_s);
}

/* Notes all requests that have their last token. */
static void answers_end(struct replay *replay, struct replica *replica)
{
	while (replica->decodes && replica->ending[0]->ends <= replica->steps) {
		struct request *const request = replica->ending[0];
		const double steps = replica->steps - request->begins;
		replica->free += request->held + (replay->engine->pages ? steps * replay->engine->gains : 0);
		ending_remove(replica, request);
		request_end(replay, replica, request);
	}
}

/* Gives their token to those whose prompts were read in this step, from the request `first` on. */
static void tokens_give(struct replay *replay, struct replica *replica, struct request *first)
{
	for (struct request *request = first, *next; request; request = next) {
		next = request->next;
		if (!request->reads || request->unread > 0)
			continue;
		const bool is_first = !(request->first_s > 0);
		const double given =
			fmin(is_first ? 1 : replay->engine->gains, request->output - request->got);
		request->got += given;
		if (replay->engine->pages) {
			request->held += given;
			replica->free -= given;
		}
		if (is_first)
			request->first_s = replica->now_s;
		if (request->got < request->output) {
			tokens_begin(replay, replica, request);
			continue;
		}
		replica->free += request->held;
		request_end(replay, replica, request);
	}
}

/* Returns how many steps of taken_s without prompts follow one another until something else happens. */
static double steps_alike(
	const struct replay *replay, const struct replica *replica, double taken_s, double until_s)
{
	const double given = (double)replica->decodes * replay->engine->gains;
	const double comes_s = replica->coming.first ? replica->coming.first->ready_s : HUGE_VAL;
	double alike = replica->ending[0]->ends - replica->steps;
	if (replica->short_of) /* those that wait may be let in after it */
		return 1;
	alike = fmin(alike, ceil((fmin(comes_s, until_s) - replica->now_s) / taken_s));
	if (replay->engine->pages && replica->runs > 1)
		alike = fmin(alike, floor(replica->free / given));
	return fmax(1, alike);
}

bool replica_step(struct replay *replay, struct replica *replica, double until_s)
{
	const struct engine *const engine = replay->engine;
	requests_come(replica);
	memory_take(replay, replica);
	struct request *const newest = replica->running.last;
	const bool is_left = newest && newest->unread > 0;
	requests_admit(replay, replica);
	struct request *const first = is_left ? newest : newest ? newest->next : replica->running.first;
	const double tokens = prompts_read(replay, first), sequences = (double)replica->decodes;
	const bool alone = !engine->mixes && tokens > 0;
	if (!(tokens > 0) && !(sequences > 0)) {
		if (replica->waits || !replica->coming.first)
			return false;
		replica->now_s = replica->coming.first->ready_s;
		return true;
	}
	const double taken_s = step_s(replay, alone ? 0 : sequences, tokens / engine->prompt_tokens);
	const double steps = tokens > 0 ? 1 : steps_alike(replay, replica, taken_s, until_s);
	replica->now_s += steps * taken_s;
	if (!alone) {
		replay->busy_s += steps * taken_s;
		replay->sequences_s += steps * taken_s * sequences;
		replica->steps += steps;
		replica->free -= engine->pages ? steps * sequences * engine->gains : 0;
	}
	if (tokens > 0)
		tokens_give(replay, replica, first);
	answers_end(replay, replica);
	return true;
}

/* Deals a replica its requests, and sends those that clients need not wait for. */
static void replica_begin(struct replay *replay, size_t index, size_t before)
{
	const struct paradl_trace *trace = replay->replayed->trace;
	const double clients = trace->timed ? HUGE_VAL : replay->replayed->clients;
	const bool read = replay->engine->readers > 0;
	struct replica *const replica = &replay->replicas[index];
	*replica = (struct replica){.requests = replay->requests + before,
		.ending = replay->ending + before,
		.free = replay->replayed->cache_tokens};
	for (size_t i = index; i < trace->count; i += replay->replica_count) {
		const struct paradl_trace_request *const traced = &trace->requests[i];
		replica->requests[replica->count++] = (struct request){.replica = replica,
			.sent_s = traced->arrives_s,
			.input = traced->input_tokens,
			.output = traced->output_tokens,
			.unread = read ? 0 : traced->input_tokens,
			.got = read ? 1 : 0};
	}
	while (replica->asked < replica->count && (double)replica->asked < clients) {
		struct request *const request = &replica->requests[replica->asked++];
		request_send(replay, request, request->sent_s);
	}
}

/* Runs all engines until all requests are answered; false: one of them has no room. */
static bool replicas_run(struct replay *replay)
{
	size_t before = 0;
	for (size_t i = 0; i < replay->replica_count; ++i) {
		replica_begin(replay, i, before);
		before += replay->replicas[i].count;
	}
	if (replay->engine->readers > 0)
		return readers_run(replay);
	for (size_t i = 0; i < replay->replica_count; ++i)
		while (replay->replicas[i].done < replay->replicas[i].count)
			if (!replica_step(replay, &replay->replicas[i], HUGE_VAL))
				return false;
	return true;
}

bool engine_replay(struct replay *replay, const struct engine *engine, const struct engine_steps *steps,
	const struct replayed *replayed, struct engine_answer *answer)
{
	double busiest_s = 0;
	replay->engine = engine;
	replay->steps = steps;
	replay->replayed = replayed;
	replay->replica_count = (size_t)fmin(replayed->replicas, (double)replayed->trace->count);
	replay->chunk = engine->chunk_tokens / engine->prompt_tokens;
	replay->done = 0;
	replay->unread = (struct request_list){NULL, NULL};
	replay->sequences_s = replay->busy_s = replay->preempted = replay->under_s = 0;
	prices_forget(replay);
	if (!replicas_run(replay))
		return false;
	for (size_t i = 0; i < replay->replica_count; ++i)
		busiest_s = fmax(busiest_s, replay->replicas[i].now_s);
	times_fill(replay->first_s, replay->done, answer->first_percentile_s);
	times_fill(replay->token_s, replay->done, answer->token_percentile_s);
	answer->first_s = answer->first_percentile_s[PARADL_MEAN];
	answer->token_s = answer->token_percentile_s[PARADL_MEAN];
	answer->request_s = replay->under_s / (double)replay->done;
	answer->sequences = replay->busy_s > 0 ? replay->sequences_s / replay->busy_s : 1;
	answer->under_way = busiest_s > 0 ? replay->under_s / busiest_s / replayed->replicas : 0;
	answer->replayed_per_s = busiest_s > 0 ? (double)replay->done / busiest_s : 0;
	answer->preempted = replay->preempted / (double)replay->done;
	answer->wait_s =
		fmax(0, answer->first_s - engine->prompt_host_s - answer->reads_s - engine->transfer_s);
	answer->seat_s = 0;
	return true;
}
