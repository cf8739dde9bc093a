/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs sweeps. Points are taken in windows. Those points of a window that ask the same oracle are dealt out
 * together: the jobs are put in order of their worlds, the members of a team get equal parts of that order, and the
 * threads of a member get pieces of its part. Their texts are kept until the window is complete, then given in the
 * order of the points. The number of points is chosen so that a window takes half a second, whatever a point takes:
 * the slowest member of a team says how long the last one was, so that all agree on the next.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "study/diagnose.h"

enum { WINDOW_MOST = 32768 };
static const double usual_window_s = 0.5, most_growth = 16;

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

/* Leaves only jobs that are still to be done in the order, and returns how many they are. */
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
		if (!window_do(run, 0, run->count, error))
			return false;
		run->window_s = now_s() - begin_s;
		return true;
	}
	const size_t first = run->count * team->rank / team->size,
		     end = run->count * (team->rank + 1) / team->size;
	if (!window_do(run, first, end, error))
		return false;
	run->window_s = now_s() - begin_s;
	if (run->wanted->ends)
		run->ends = run->wanted->ends(run->wanted->context, run->jobs[0].index);
	/* Jobs that lost members have not done are done by all. */
	return window_exchange(run, error) && window_do(run, 0, keep_open(run), error);
}

static bool window_take(const struct windows *run)
{
	const struct paradl_sweep_run *const wanted = run->wanted;
	for (size_t i = 0; i < run->count; ++i) {
		const struct job *const job = &run->jobs[i];
		if (!wanted->take(wanted->context, job->index, window_text(run, job), job->length))
			return false;
	}
	return true;
}

/*
 * Returns how many points the next window has: it takes as long as it should if all points are alike. It grows
 * carefully, for they need not be.
 */
static size_t next_window(const struct windows *run, size_t least)
{
	const double factor = run->window_s > 0 ? usual_window_s / run->window_s : most_growth;
	const double count = (double)run->count * fmin(fmax(factor, 0.5), most_growth);
	return count < (double)least ? least : count > WINDOW_MOST ? WINDOW_MOST : (size_t)count;
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
	sweep->pool = pool_create(wanted->threads, NULL, NULL);
	sweep->workers = sweep->pool ? pool_members(sweep->pool) : 0;
	run.workers = calloc(sweep->workers + 1, sizeof *run.workers);
	run.jobs = calloc(WINDOW_MOST, sizeof *run.jobs);
	run.order = calloc(WINDOW_MOST, sizeof(struct job *));
	const bool fine = sweep->pool && run.workers && run.jobs && run.order ? windows_run(&run, error)
									      : out_of_memory(error);
	sweep_worlds_trim(sweep, 0);
	for (unsigned i = 0; run.workers && i < sweep->workers; ++i)
		free(run.workers[i].text);
	free(run.workers);
	free(run.jobs);
	free(run.order);
	pool_free(sweep->pool);
	sweep->pool = NULL;
	return fine;
}
