/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readers of prompts, who serve the engines of all replicas, take the prompts that have come in order: each, when it is
 * free, as many as a step has room for, else one. Those that share experts are a group, which takes its steps together:
 * prompts are dealt out to them in turn, and the fullest, who has at most the longest of each turn, ends the step. Keys and values then take latency + bytes / rate to the engine. What
 * is earliest happens next: readers take prompts, or an engine takes its step. No request can come before that, so
 * order is kept although engines run ahead of each other by up to a step.
 */
#include <math.h>

#include "oracle/replay_state.h"

static double group_of(const struct replay *replay)
{
	return fmax(1, replay->engine->group);
}

/* Returns the groups of readers. */
static double groups_of(const struct replay *replay)
{
	return fmin(replay->engine->all_readers / group_of(replay), (double)replay->replayed->trace->count);
}

/* Returns the seconds in which a reader reads some tokens, chunk by chunk. */
static double reading_s(const struct replayed *replayed, double tokens)
{
	const double chunks = floor(tokens / replayed->reading_chunk);
	const double share = tokens / replayed->reading_chunk - chunks;
	const double *const part_s = replayed->reading_s;
	double beyond;
	const size_t part = replay_part_of(share, &beyond);
	double rest_s = 0;
	if (share > 0) /* weights are read for the shortest prompt, too */
		rest_s = part ? (1 - beyond) * part_s[part] + beyond * part_s[part + 1] : part_s[1];
	return chunks * part_s[REPLAY_PARTS - 1] + rest_s;
}

/*
 * Returns the seconds of a step of a group, whose fullest reader has so many tokens, and all together `tokens`: experts
 * have the less to do the fewer there are.
 */
static double group_step_s(const struct replay *replay, double fullest, double tokens)
{
	const struct engine *const engine = replay->engine;
	const double group = group_of(replay), full_s = reading_s(replay->replayed, fullest);
	if (!(group > 1))
		return full_s;
	const double idle =
		(1 - tokens / (group * fullest)) / (1 - 1 / group); /* 1: only the fullest has any */
	return full_s * (1 - idle * (1 - engine->lone_s / engine->reads_s[0]));
}

/* Gives the group that was free first a later time, and moves it to its place in the heap. */
static void reader_take(struct replay *replay, double until_s)
{
	double *const free_s = replay->free_s;
	const size_t count = (size_t)groups_of(replay);
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		child += child + 1 < count && free_s[child + 1] < free_s[child];
		if (free_s[child] >= until_s)
			break;
		free_s[at] = free_s[child];
	}
	free_s[at] = until_s;
}

/* Lets a group take, at begin_s, what has come and fits into a step, and sends it to the engines. */
static void prompts_take(struct replay *replay, double begin_s)
{
	const struct replayed *const replayed = replay->replayed;
	struct request *taken = NULL;
	double tokens = 0, longest = 0, turn = 0; /* tokens: of the fullest, in the turns before this one */
	double all = 0;
	for (struct request *next = replay->unread.first; next && next->ready_s <= begin_s;
		next = replay->unread.first) {
		if (turn >= group_of(replay)) {
			tokens += longest;
			longest = turn = 0;
		}
		if (tokens > 0 && tokens + next->input > replayed->reading_chunk)
			break;
		request_pop(&replay->unread);
		longest = fmax(longest, next->input);
		all += next->input;
		++turn;
		next->next = taken;
		taken = next;
	}
	const double end_s = begin_s + group_step_s(replay, tokens + longest, all);
	reader_take(replay, end_s);
	for (struct request *next; taken; taken = next) {
		next = taken->next;
		taken->ready_s = end_s + replayed->latency_s +
				 taken->input / replay->engine->prompt_tokens *
					 (replay->engine->transfer_s - replayed->latency_s);
		request_insert(&taken->replica->coming, taken);
	}
}

/* Returns when an engine goes on; infinite: when there is something for it. */
static double next_s(const struct replica *replica)
{
	if (replica->runs || replica->waits)
		return replica->now_s;
	return replica->coming.first ? fmax(replica->now_s, replica->coming.first->ready_s) : HUGE_VAL;
}

/* Returns when readers take prompts next; infinite: when some are sent. */
static double reading_next_s(const struct replay *replay)
{
	return replay->unread.first ? fmax(replay->unread.first->ready_s, replay->free_s[0]) : HUGE_VAL;
}

/* Finds the engine that goes on first; returns when readers or another engine do. */
static double next_engine(const struct replay *replay, struct replica **next)
{
	double others_s = reading_next_s(replay);
	*next = &replay->replicas[0];
	for (size_t i = 1; i < replay->replica_count; ++i) {
		struct replica *const other = &replay->replicas[i];
		const bool is_before = next_s(other) < next_s(*next);
		others_s = fmin(others_s, next_s(is_before ? *next : other));
		*next = is_before ? other : *next;
	}
	return others_s;
}

bool readers_run(struct replay *replay)
{
	const bool timed =
		replay->replayed->trace->timed; /* engines send no requests, and so know of no others */
	const size_t readers = (size_t)groups_of(replay);
	for (size_t i = 0; i < readers; ++i)
		replay->free_s[i] = 0;
	while (replay->done < replay->replayed->trace->count) {
		struct replica *next;
		const double others_s = next_engine(replay, &next), begin_s = reading_next_s(replay);
		if (replay->unread.first && (timed || begin_s <= next_s(next)))
			prompts_take(replay, begin_s);
		else if (!replica_step(replay, next, timed ? HUGE_VAL : others_s))
			return false;
	}
	return true;
}
