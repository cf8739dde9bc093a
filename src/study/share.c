/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file shares a window between several processes: each tells the others which jobs it has done. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/diagnose.h"

/* The head of a member's message: `count` texts follow, each behind its number in the window and its length. */
struct message {
	double window_s;
	size_t ends, count;
};

static size_t message_bytes(const struct windows *run)
{
	size_t bytes = sizeof(struct message);
	for (size_t i = 0; i < run->count; ++i)
		if (run->jobs[i].done)
			bytes += 2 * sizeof(size_t) + run->jobs[i].length;
	return bytes;
}

static char *put(char *at, const void *what, size_t bytes)
{
	if (bytes > 0)
		memcpy(at, what, bytes);
	return at + bytes;
}

static void message_write(const struct windows *run, char *at)
{
	struct message message = {.window_s = run->window_s, .ends = run->ends};
	for (size_t i = 0; i < run->count; ++i)
		message.count += run->jobs[i].done;
	at = put(at, &message, sizeof message);
	for (size_t i = 0; i < run->count; ++i) {
		const struct job *const job = &run->jobs[i];
		if (!job->done)
			continue;
		at = put(at, &i, sizeof i);
		at = put(at, &job->length, sizeof job->length);
		at = put(at, window_text(run, job), job->length);
	}
}

/* Reads the texts of one member, and returns where those of the next begin; NULL: the message is incomplete. */
static const char *message_read(struct windows *run, const char *at, const char *end)
{
	struct message message;
	size_t number, length;
	if ((size_t)(end - at) < sizeof message)
		return NULL;
	memcpy(&message, at, sizeof message);
	at += sizeof message;
	run->ends = run->ends || message.ends;
	if (message.window_s > run->window_s)
		run->window_s = message.window_s;
	for (; message.count > 0; --message.count) {
		if ((size_t)(end - at) < sizeof number + sizeof length)
			return NULL;
		memcpy(&number, at, sizeof number);
		memcpy(&length, at + sizeof number, sizeof length);
		at += sizeof number + sizeof length;
		if (number >= run->count || length > (size_t)(end - at))
			return NULL;
		struct job *const job = &run->jobs[number];
		if (!job->done) {
			job->done = true;
			job->text = at;
			job->length = length;
		}
		at += length;
	}
	return at;
}

bool window_exchange(struct windows *run, struct paradl_error *error)
{
	const struct paradl_team *const team = run->wanted->team;
	const size_t bytes = message_bytes(run);
	const void *all = NULL;
	size_t all_bytes = 0;
	char *const mine = malloc(bytes);
	if (!mine)
		return out_of_memory(error);
	message_write(run, mine);
	const bool fine = team->exchange(team->context, mine, bytes, &all, &all_bytes);
	free(mine);
	if (!fine)
		return error_set(
			error, PARADL_IO, "the other processes of the sweep cannot be reached any more");
	for (const char *at = all, *const end = at + all_bytes; at && at < end;)
		at = message_read(run, at, end);
	return true;
}
