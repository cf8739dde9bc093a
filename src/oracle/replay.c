/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In each step an engine
 *     takes     memory for the next token of each sequence, and where there is none, that of the newest request, which
 *               is read again later, with what it was answered so far, before all that wait
 *     admits    requests in order, as long as there is memory: for the prompt, or for the whole answer, too (reserves)
 *     reads     up to a chunk of their prompts, beside sequences or alone and first
 *     answers   a token to each sequence (or what a step of speculation gives)
 * and takes t(n, prompts), which is known at some numbers of sequences and prompts, and linear between them. Where
 * others read prompts (replay_readers.c), requests come with their first token, and are admitted without reading.
 */
#include <math.h>
#include <stdlib.h>

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
	replay->running = arena_alloc(arena, count, sizeof(struct request *));
	replay->replicas = arena_alloc(arena, count, sizeof *replay->replicas);
	replay->free_s = arena_alloc(arena, count, sizeof(double));
	replay->first_s = arena_alloc(arena, count, sizeof(double));
	replay->token_s = arena_alloc(arena, count, sizeof(double));
	return replay->requests && replay->running && replay->replicas && replay->free_s && replay->first_s &&
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

/* Returns the index-th number of sequences that is priced: 0, 1, 2, 3, 4, 6, 8, 12, 16, ... */
static double sequences_at(size_t index)
{
	return index < 4 ? (double)index : ldexp(index % 2 ? 3 : 2, (int)(index / 2) - 1);
}

static double priced_s(struct replay *replay, size_t index, size_t part)
{
	double *const price = &replay->price_s[index][part];
	const double prompts = replay->chunk * replay_part[part];
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
	double y;
	const size_t part = replay_part_of(fmin(1, prompts / replay->chunk), &y);
	if (!(sequences > 0) && part == 0) /* weights are read for the shortest prompt, too */
		return priced_s(replay, 0, 1);
	return (1 - x) * ((1 - y) * priced_s(replay, index, part) + y * priced_s(replay, index, part + 1)) +
	       x * ((1 - y) * priced_s(replay, index + 1, part) + y * priced_s(replay, index + 1, part + 1));
}

static void wait_last(struct replica *replica, struct request *request)
{
	*(replica->waits ? &replica->last->next : &replica->first) = request;
	replica->last = request;
	++replica->waits;
}

static void wait_first(struct replica *replica, struct request *request)
{
	request->next = replica->first;
	replica->first = request;
	if (!replica->waits++)
		replica->last = request;
}

void request_insert(struct request_list *list, struct request *request)
{
	struct request *before = list->last;
	while (before && before->ready_s > request->ready_s)
		before = before->back;
	request->back = before;
	request->next = before ? before->next : list->first;
	*(before ? &before->next : &list->first) = request;
	*(request->next ? &request->next->back : &list->last) = request;
}

struct request *request_pop(struct request_list *list)
{
	struct request *const request = list->first;
	list->first = request->next;
	*(list->first ? &list->first->back : &list->last) = NULL;
	return request;
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

/* Takes memory from the newest until each sequence has room for what a step gives it. */
static double memory_take(struct replay *replay, struct replica *replica)
{
	const double gains = replay->engine->gains;
	double sequences = 0;
	replica->short_of = false;
	for (size_t i = 0; i < replica->runs; ++i)
		sequences += !(replica->running[i]->unread > 0);
	while (replay->engine->pages && replica->free < sequences * gains && replica->runs > 1) {
		struct request *const newest = replica->running[--replica->runs];
		sequences -= !(newest->unread > 0);
		replica->free += newest->held;
		newest->held = 0;
		newest->unread = newest->input + newest->got;
		wait_first(replica, newest);
		++replay->preempted;
		replica->short_of = true;
	}
	return sequences;
}

/* Admits a request, whose first token is there if others read its prompt; returns whether it is a sequence already. */
static bool request_admit(struct replica *replica, struct request *request, double held)
{
	request->held = held;
	replica->free -= held;
	replica->running[replica->runs++] = request;
	replica->first = request->next;
	--replica->waits;
	if (request->unread > 0)
		return false;
	request->first_s = replica->now_s;
	return true;
}

/*
 * Admits requests that there is memory for, and counts those that others have read as sequences; returns the tokens of
 * prompts that this step reads.
 */
static double prompts_read(struct replay *replay, struct replica *replica, double *sequences)
{
	const struct engine *engine = replay->engine;
	double room = engine->chunk_tokens;
	double reading = 0;
	for (size_t i = 0; i < replica->runs; ++i)
		reading += replica->running[i]->unread;
	while (replica->waits && !replica->short_of && (double)replica->runs < replay->replayed->seqs &&
		reading < room) {
		struct request *const next = replica->first;
		const double context = next->unread > 0 ? next->unread : next->input + next->got;
		const double held = context + (engine->pages ? 0 : next->output);
		if (held > replica->free || (!engine->mixes && reading > 0 && reading + next->unread > room))
			break;
		reading += next->unread;
		*sequences += request_admit(replica, next, held);
	}
	for (size_t i = 0; i < replica->runs; ++i) {
		struct request *const request = replica->running[i];
		const double read = fmin(room, request->unread);
		request->reads = read > 0;
		request->unread -= read;
		room -= read;
	}
	return engine->chunk_tokens - room;
}

/* Notes a request that has its answer; its client, if there is one, sends the next. */
static void request_end(struct replay *replay, struct replica *replica, const struct request *request)
{
	const double steps = request->output - 1;
	replay->first_s[replay->done] = request->first_s - request->sent_s;
	replay->token_s[replay->done++] = steps > 0 ? (replica->now_s - request->first_s) / steps : -1;
	replay->under_s += replica->now_s - request->sent_s;
	replica->free += request->held;
	++replica->done;
	if (replica->asked < replica->count)
		request_send(replay, &replica->requests[replica->asked++], replica->now_s);
}

/* Gives each sequence its token, `alone`: only to those whose prompts are read in this step. */
static void tokens_give(struct replay *replay, struct replica *replica, bool alone)
{
	size_t kept = 0;
	for (size_t i = 0; i < replica->runs; ++i) {
		struct request *const request = replica->running[i];
		const bool first = !(request->unread > 0) && !(request->first_s > 0);
		const bool gets = !(request->unread > 0) && (!alone || request->reads);
		const double given =
			gets ? fmin(first ? 1 : replay->engine->gains, request->output - request->got) : 0;
		request->got += given;
		if (replay->engine->pages) {
			request->held += given;
			replica->free -= given;
		}
		if (first)
			request->first_s = replica->now_s;
		if (request->got >= request->output)
			request_end(replay, replica, request);
		else
			replica->running[kept++] = request;
	}
	replica->runs = kept;
}

bool replica_step(struct replay *replay, struct replica *replica)
{
	requests_come(replica);
	double sequences = memory_take(replay, replica);
	const double tokens = prompts_read(replay, replica, &sequences);
	const bool alone = !replay->engine->mixes && tokens > 0;
	if (!(tokens > 0) && !(sequences > 0)) {
		if (replica->waits || !replica->coming.first)
			return false;
		replica->now_s = replica->coming.first->ready_s;
		return true;
	}
	const double taken_s = step_s(replay, alone ? 0 : sequences, tokens / replay->engine->prompt_tokens);
	replica->now_s += taken_s;
	replay->busy_s += alone ? 0 : taken_s;
	replay->sequences_s += alone ? 0 : taken_s * sequences;
	tokens_give(replay, replica, alone);
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
		.running = replay->running + before,
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
			if (!replica_step(replay, &replay->replicas[i]))
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
	replay->replayed = replayed;
	replay->replica_count = (size_t)fmin(replayed->replicas, (double)replayed->trace->count);
	replay->chunk = engine->chunk_tokens / engine->prompt_tokens;
	replay->done = 0;
	replay->unread = (struct request_list){NULL, NULL};
	replay->sequences_s = replay->busy_s = replay->preempted = replay->under_s = 0;
	for (size_t i = 0; i < SEQUENCES; ++i)
		for (size_t k = 0; k < REPLAY_PARTS; ++k)
			replay->price_s[i][k] = -1;
	if (!replicas_run(replay))
		return false;
	for (size_t i = 0; i < replay->replica_count; ++i)
		busiest_s = fmax(busiest_s, replay->replicas[i].now_s);
	percentiles_fill(replay->first_s, replay->done, answer->first_percentile_s);
	percentiles_fill(replay->token_s, replay->done, answer->token_percentile_s);
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
