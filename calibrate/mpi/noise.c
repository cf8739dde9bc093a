/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixed work quantum: the same millisecond of arithmetic again and again, on all ranks at once. What takes longer than the
 * shortest was somebody else's: an interrupt, a daemon, another job. 1 - (least / mean) is the share of time so lost.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "watch.h"
#include "world.h"

static const double quantum_s = 1e-3, much = 0.05;

struct state {
	double steps;
	bool least;
	volatile uint64_t sink;
};

static void add_point(struct points *points, const char *kind)
{
	struct point *const point = points_add(points, &bench_noise, "noise/%s", kind);
	point_text(point, "kind", kind);
	point_number(point, "busy", world.map.per_node);
}

static void list(const struct plan *plan, struct points *points)
{
	(void)plan;
	add_point(points, "mean");
	add_point(points, "least");
}

/* Seconds of one quantum. */
static double work(struct state *state, double steps)
{
	uint64_t x = state->sink | 1;
	const double begin_s = clock_s();
	for (uint64_t i = 0; i < (uint64_t)steps; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	const double seconds = clock_s() - begin_s;
	state->sink = x;
	return seconds;
}

static enum ready prepare(struct run *run)
{
	watch_point(run);
	struct state *const state = calloc(1, sizeof *state);
	run->state = state;
	const enum ready ready = world_settle(run, state ? READY : run_say(run, FAILED, "out of memory"));
	if (ready != READY)
		return ready;
	state->least = strcmp(point_get_text(run->point, "kind"), "least") == 0;
	enum { TRIALS = 10 };
	const double steps = 100000;
	double least_s = HUGE_VAL;
	for (int i = 0; i < TRIALS; i++)
		least_s = fmin(least_s, work(state, steps));
	state->steps = steps * quantum_s / least_s;
	MPI_Bcast(&state->steps, 1, MPI_DOUBLE, 0, world.all);
	return READY;
}

static double sample(struct run *run, unsigned long long calls)
{
	struct state *const state = run->state;
	double all_s = 0, least_s = HUGE_VAL;
	MPI_Barrier(world.all);
	for (unsigned long long i = 0; i < calls; i++) {
		const double one_s = work(state, state->steps);
		all_s += one_s;
		least_s = fmin(least_s, one_s);
	}
	double lost = 1 - least_s * (double)calls / all_s;
	MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_DOUBLE, MPI_MAX, world.all);
	if (lost > much && !state->least)
		run->flag = "detours";
	if (world.oversubscribed)
		run->flag = "oversubscribed";
	return state->least ? least_s * (double)calls : all_s;
}

static void release(struct run *run)
{
	free(run->state);
	run->state = NULL;
}

const struct bench bench_noise = {
	.name = "noise",
	.summary = "the same work again and again: what the system takes away",
	.least_sample_s = 0.05,
	.most_samples = 200,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
