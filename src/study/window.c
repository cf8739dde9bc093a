/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file does the jobs of a window: it loads worlds first, a few at a time, then asks for the points in them.
 *
 * Several processes may share a window: each tells the others which jobs it has done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/diagnose.h"

enum { WORLDS_AT_ONCE = 256, ITEMS_KEPT = 512 };

static bool worker_write(void *destination, const char *text, size_t length)
{
	struct worker *const worker = destination;
	if (length > worker->room - worker->length) {
		const size_t room = 2 * worker->room + length + BUFSIZ;
		char *const more = realloc(worker->text, room);
		if (!more)
			return false;
		worker->text = more;
		worker->room = room;
	}
	memcpy(worker->text + worker->length, text, length);
	worker->length += length;
	return true;
}

/* Returns the worker's clone of an oracle; NULL with world->thing: error is set. */
static struct paradl_oracle *clone_of(struct sweep_item *world, unsigned number, struct paradl_error *error)
{
	if (!world->thing || world->clones[number])
		return world->clones[number];
	world->arenas[number] = paradl_arena_create();
	if (world->arenas[number])
		world->clones[number] = oracle_clone(world->thing, world->arenas[number], error);
	else
		out_of_memory(error);
	return world->clones[number];
}

static bool do_job(struct windows *run, struct job *job, struct sweep_item *world, unsigned number)
{
	struct worker *const worker = &run->workers[number];
	struct paradl_sweep_row *const row = &worker->answer.row;
	struct paradl_oracle *const oracle = clone_of(world, number, &worker->error);
	if (world->thing && !oracle)
		return false;
	sweep_places(run->sweep, job->index, worker->places);
	if (!sweep_point(run->sweep, world, oracle, worker->places, &worker->answer, &worker->error))
		return false;
	row->index = job->index;
	row->worker = number;
	job->worker = number;
	job->place = worker->length;
	if (!run->wanted->tell(run->wanted->context, row, worker_write, worker))
		return out_of_memory(&worker->error);
	job->length = worker->length - job->place;
	job->text = NULL;
	return true;
}

static bool first_error(const struct windows *run, struct paradl_error *error)
{
	const struct worker *first = NULL;
	for (unsigned i = 0; i < run->sweep->workers; ++i) {
		const struct worker *const worker = &run->workers[i];
		if (worker->error.status != PARADL_OK && (!first || worker->failed < first->failed))
			first = worker;
	}
	if (first && error)
		*error = first->error;
	return !first;
}

struct jobs_loop {
	struct windows *run;
	size_t first;
	struct sweep_item *const *worlds;
};

static void job_turn(void *context, unsigned member, size_t index)
{
	const struct jobs_loop *const loop = context;
	struct worker *const worker = &loop->run->workers[member];
	struct job *const job = loop->run->order[loop->first + index];
	if (worker->error.status != PARADL_OK || job->done)
		return;
	worker->failed = index;
	job->done = do_job(loop->run, job, loop->worlds[index], member);
}

/*
 * Runs jobs whose worlds are loaded: worlds[i] of order[first + i]. Pieces are long, so that a world is asked by few
 * threads.
 */
static bool do_jobs(struct windows *run, size_t first, size_t count, struct sweep_item *const *worlds,
	struct paradl_error *error)
{
	enum { LEAST = 16, PIECES = 8 }; /* LEAST: jobs of a piece; PIECES: pieces of each thread */
	struct jobs_loop loop = {run, first, worlds};
	const size_t piece = count / (run->sweep->workers * (size_t)PIECES);
	pool_run(run->sweep->pool, count, piece > LEAST ? piece : LEAST, job_turn, &loop);
	return first_error(run, error);
}

/*
 * Finds the worlds of as many jobs from `first` on as need few enough worlds; worlds[i]: the world of each. Returns
 * the number of these jobs; 0: out of memory.
 */
static size_t find_worlds(struct windows *run, size_t first, size_t end, struct sweep_item **worlds,
	struct sweep_item **distinct, size_t *distinct_count)
{
	size_t count = 0;
	*distinct_count = 0;
	for (; first + count < end; ++count) {
		const struct job *const job = run->order[first + count];
		if (count == 0 || job->world != run->order[first + count - 1]->world) {
			size_t places[SWEEP_MOST_DIMENSIONS + 1];
			if (*distinct_count == WORLDS_AT_ONCE)
				return count;
			sweep_places(run->sweep, job->index, places);
			struct sweep_item *const world = sweep_world_find(run->sweep, places);
			if (!world)
				return 0;
			distinct[(*distinct_count)++] = world;
		}
		worlds[count] = distinct[*distinct_count - 1];
	}
	return count;
}

/* Runs jobs [first, end) in order of their worlds. */
bool window_do(struct windows *run, size_t first, size_t end, struct paradl_error *error)
{
	struct sweep_item *distinct[WORLDS_AT_ONCE];
	struct sweep_item **const worlds = malloc((end - first + 1) * sizeof(struct sweep_item *));
	if (!worlds)
		return out_of_memory(error);
	bool fine = true;
	while (fine && first < end) {
		size_t distinct_count;
		const size_t count = find_worlds(run, first, end, worlds, distinct, &distinct_count);
		fine = count > 0 ? sweep_worlds_load(run->sweep, distinct, distinct_count, error) &&
					   do_jobs(run, first, count, worlds, error)
				 : out_of_memory(error);
		first += count;
		sweep_worlds_trim(run->sweep, ITEMS_KEPT);
	}
	free(worlds);
	return fine;
}

const char *window_text(const struct windows *run, const struct job *job)
{
	return job->text ? job->text : run->workers[job->worker].text + job->place;
}

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
