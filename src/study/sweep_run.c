/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points are taken in windows. Those of a window that ask the same oracle are dealt out together: in order of their worlds,
 * the members of a team get equal parts of that, and the threads of each pieces of these. What they tell is kept until
 * the window is complete, then given in the order of the points. A window takes a moment, whatever a point takes: the
 * slowest member of a team says how long it was, so that all agree on the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/error.h"
#include "study/sweep.h"

enum { WINDOW_MOST = 32768, WORLDS_AT_ONCE = 256, ITEMS_KEPT = 512, PIECES = 16 };
static const double least_window_s = 0.15, most_window_s = 0.6;

/* A point of the window. */
struct job {
	unsigned long long index, world;
	bool done;
	unsigned worker;
	size_t place, length; /* of its text, in the worker's; of others' points, in what was received */
	const char *text;     /* received; NULL: the worker's */
};

/* What a thread has told in this window. */
struct worker {
	char *text;
	size_t length, room;
	struct sweep_answer answer;
	size_t places[SWEEP_MOST_DIMENSIONS + 1];
	struct paradl_error error;
	size_t failed; /* job */
};

struct windows {
	struct paradl_sweep *sweep;
	const struct paradl_sweep_run *wanted;
	struct worker *workers;
	struct job *jobs, **order; /* order: by world */
	size_t count;              /* jobs of the window */
	bool ends;                 /* somebody wants to */
	double window_s;           /* what it took the slowest member */
};

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned thread_number(void)
{
#ifdef _OPENMP
	return (unsigned)omp_get_thread_num();
#else
	return 0;
#endif
}

static unsigned threads_for(const struct paradl_sweep_run *wanted)
{
#ifdef _OPENMP
	const unsigned threads = wanted->threads ? wanted->threads : (unsigned)omp_get_max_threads();
	return threads < SWEEP_WORKERS ? threads : SWEEP_WORKERS;
#else
	(void)wanted;
	return 1;
#endif
}

/* -- points ----------------------------------------------------------------------------------------------- */

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

/* The worker's clone of an oracle; NULL with world->thing: out of memory. */
static struct paradl_oracle *clone_of(struct sweep_item *world, unsigned number, struct paradl_error *error)
{
	if (!world->thing || world->clones[number])
		return world->clones[number];
	world->arenas[number] = paradl_arena_create();
	if (world->arenas[number])
		world->clones[number] = oracle_clone(world->thing, world->arenas[number], error);
	else
		error_set(error, PARADL_NO_MEMORY, "out of memory");
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
		return error_set(&worker->error, PARADL_NO_MEMORY, "out of memory");
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

/* Searches for the best of a family have no threads of their own here. */
static void stay_alone(void)
{
#ifdef _OPENMP
	omp_set_num_threads(1);
#endif
}

/* Jobs whose worlds are there: worlds[i] of order[first + i]. */
static bool do_jobs(struct windows *run, size_t first, size_t count, struct sweep_item *const *worlds,
	struct paradl_error *error)
{
	const int piece = (int)(count / ((size_t)PIECES * run->sweep->workers)) + 1;
	(void)piece;
#ifdef _OPENMP
#pragma omp parallel num_threads(run->sweep->workers)
#endif
	{
		stay_alone();
#ifdef _OPENMP
#pragma omp for schedule(dynamic, piece)
#endif
		for (size_t i = 0; i < count; ++i) {
			struct worker *const worker = &run->workers[thread_number()];
			struct job *const job = run->order[first + i];
			if (worker->error.status != PARADL_OK || job->done)
				continue;
			worker->failed = i;
			job->done = do_job(run, job, worlds[i], thread_number());
		}
	}
	return first_error(run, error);
}

/* As many jobs from `first` on as need few enough worlds; worlds[i]: of each. 0: out of memory. */
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

/* Jobs [first, end) in order of their worlds. */
static bool do_part(struct windows *run, size_t first, size_t end, struct paradl_error *error)
{
	struct sweep_item *distinct[WORLDS_AT_ONCE];
	struct sweep_item **const worlds = malloc((end - first + 1) * sizeof(struct sweep_item *));
	bool fine = worlds || error_set(error, PARADL_NO_MEMORY, "out of memory");
	while (fine && first < end) {
		size_t distinct_count;
		const size_t count = find_worlds(run, first, end, worlds, distinct, &distinct_count);
		fine = count > 0 ? sweep_worlds_load(run->sweep, distinct, distinct_count, error) &&
					   do_jobs(run, first, count, worlds, error)
				 : error_set(error, PARADL_NO_MEMORY, "out of memory");
		first += count;
		sweep_worlds_trim(run->sweep, ITEMS_KEPT);
	}
	free(worlds);
	return fine;
}

/* -- the team --------------------------------------------------------------------------------------------- */

/* What a member has done: as many texts follow, each behind its number in the window and its length. */
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

static const char *text_of(const struct windows *run, const struct job *job)
{
	return job->text ? job->text : run->workers[job->worker].text + job->place;
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
		at = put(at, text_of(run, job), job->length);
	}
}

/* The texts of one member; where the next begins, NULL: nowhere. */
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

static bool exchange(struct windows *run, struct paradl_error *error)
{
	const struct paradl_team *const team = run->wanted->team;
	const size_t bytes = message_bytes(run);
	const void *all = NULL;
	size_t all_bytes = 0;
	char *const mine = malloc(bytes);
	if (!mine)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
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

/* -- windows ---------------------------------------------------------------------------------------------- */

static int compare_jobs(const void *a, const void *b)
{
	const struct job *const x = *(struct job *const *)a, *const y = *(struct job *const *)b;
	if (x->world != y->world)
		return x->world < y->world ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void window_fill(struct windows *run, unsigned long long first, size_t count)
{
	size_t places[SWEEP_MOST_DIMENSIONS + 1];
	bool sorted = true;
	run->count = count;
	run->ends = false;
	run->window_s = 0;
	for (unsigned i = 0; i < run->sweep->workers; ++i)
		run->workers[i].length = 0;
	for (size_t i = 0; i < count; ++i) {
		sweep_places(run->sweep, first + i, places);
		run->jobs[i] = (struct job){
			.index = first + i, .world = sweep_part_key(run->sweep, places, PART_ORACLE)};
		run->order[i] = &run->jobs[i];
		sorted = sorted && (i == 0 || run->jobs[i - 1].world <= run->jobs[i].world);
	}
	if (!sorted)
		qsort(run->order, count, sizeof(struct job *), compare_jobs);
}

/* Leaves only what is still to be done in the order; how much that is. */
static size_t keep_open(struct windows *run)
{
	size_t count = 0;
	for (size_t i = 0; i < run->count; ++i)
		if (!run->order[i]->done)
			run->order[count++] = run->order[i];
	return count;
}

static bool window_run(struct windows *run, struct paradl_error *error)
{
	const struct paradl_team *const team = run->wanted->team;
	const double begin_s = now_s();
	if (!team || team->size < 2) {
		if (!do_part(run, 0, run->count, error))
			return false;
		run->window_s = now_s() - begin_s;
		return true;
	}
	const size_t first = run->count * team->rank / team->size,
		     end = run->count * (team->rank + 1) / team->size;
	if (!do_part(run, first, end, error))
		return false;
	run->window_s = now_s() - begin_s;
	if (run->wanted->ends)
		run->ends = run->wanted->ends(run->wanted->context, run->jobs[0].index);
	/* What lost members have not done is done by all. */
	return exchange(run, error) && do_part(run, 0, keep_open(run), error);
}

static bool window_take(const struct windows *run)
{
	const struct paradl_sweep_run *const wanted = run->wanted;
	for (size_t i = 0; i < run->count; ++i) {
		const struct job *const job = &run->jobs[i];
		if (!wanted->take(wanted->context, job->index, text_of(run, job), job->length))
			return false;
	}
	return true;
}

static size_t next_window(const struct windows *run, size_t least)
{
	size_t count = run->count;
	if (run->window_s < least_window_s)
		count *= 2;
	else if (run->window_s > most_window_s)
		count /= 2;
	return count < least ? least : count > WINDOW_MOST ? WINDOW_MOST : count;
}

static bool windows_run(struct windows *run, struct paradl_error *error)
{
	const struct paradl_sweep_run *const wanted = run->wanted;
	const bool alone = !wanted->team || wanted->team->size < 2;
	const unsigned members = alone ? 1 : wanted->team->size;
	const size_t least = members < WINDOW_MOST / SWEEP_WORKERS ? members : WINDOW_MOST / SWEEP_WORKERS;
	size_t window = least;
	for (unsigned long long next = wanted->first; next < run->sweep->count; next += run->count) {
		const unsigned long long left = run->sweep->count - next;
		window_fill(run, next, left < window ? (size_t)left : window);
		if (!window_run(run, error) || !window_take(run))
			return false;
		if (wanted->ends && alone)
			run->ends = wanted->ends(wanted->context, next + run->count);
		if (run->ends && next + run->count < run->sweep->count)
			return false;
		window = next_window(run, least);
	}
	return true;
}

bool paradl_sweep_run(
	struct paradl_sweep *sweep, const struct paradl_sweep_run *wanted, struct paradl_error *error)
{
	struct windows run = {.sweep = sweep, .wanted = wanted};
	sweep->workers = threads_for(wanted);
	run.workers = calloc(sweep->workers, sizeof *run.workers);
	run.jobs = calloc(WINDOW_MOST, sizeof *run.jobs);
	run.order = calloc(WINDOW_MOST, sizeof(struct job *));
	const bool fine = run.workers && run.jobs && run.order
				  ? windows_run(&run, error)
				  : error_set(error, PARADL_NO_MEMORY, "out of memory");
	sweep_worlds_trim(sweep, 0);
	for (unsigned i = 0; run.workers && i < sweep->workers; ++i)
		free(run.workers[i].text);
	free(run.workers);
	free(run.jobs);
	free(run.order);
	return fine;
}
