/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the clock of another rank is from what a line through bursts of ping-pongs says of it: what windows can be trusted
 * to. Informative; ranks of one node have the same clock, and show how good the method is.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "benches.h"
#include "synchronise.h"
#include "watch.h"
#include "world.h"

enum { RANKS_MAX = 16 };
static const double resolution_s = 1e-9;
static const struct timespec between = {.tv_nsec = 10000000};

struct state {
	MPI_Comm pair; /* MPI_COMM_NULL: this one looks on */
	bool client;
	struct clock_model model;
};

static void add_point(struct points *points, unsigned rank)
{
	const enum distance distance = map_distance(&world.map, 0, rank);
	struct point *const point = points_add(points, &bench_clock, "clock/%u", rank);
	point_text(point, "library", world.library);
	point_text(point, "distance", distance_names[distance]);
	point_number(point, "rank", rank);
	point_text(point, "host", world.places[rank].host);
}

/* One of rank 0's node, and the first ones of others. */
static void list(const struct plan *plan, struct points *points)
{
	(void)plan;
	const unsigned near = map_rank(&world.map, 0, 1);
	if (near < world.count)
		add_point(points, near);
	for (unsigned node = 1; node < world.map.nodes && node < RANKS_MAX; node++)
		add_point(points, map_rank(&world.map, node, 0));
}

static enum ready prepare(struct run *run)
{
	watch_point(run);
	struct state *const state = calloc(1, sizeof *state);
	run->state = state;
	const enum ready ready = world_settle(run, state ? READY : run_say(run, FAILED, "out of memory"));
	if (ready != READY)
		return ready;
	state->client = world.rank == (unsigned)point_get(run->point, "rank");
	const bool active = world.rank == 0 || state->client;
	MPI_Comm_split(world.all, active ? 0 : MPI_UNDEFINED, (int)world.rank, &state->pair);
	if (active)
		state->model = synchronise(state->pair);
	return READY;
}

static double sample(struct run *run, unsigned long long calls)
{
	struct state *const state = run->state;
	double error_s = 0;
	if (state->pair == MPI_COMM_NULL)
		return 0;
	for (unsigned long long i = 0; i < calls; i++) {
		nanosleep(&between, NULL);
		const struct ping ping = ping_burst(state->pair, 1);
		const double middle_s = ping.sent_s + (ping.received_s - ping.sent_s) / 2;
		error_s +=
			fmax(fabs(clock_model_other_s(&state->model, middle_s) - ping.other_s), resolution_s);
	}
	return state->client ? error_s : 0;
}

static void release(struct run *run)
{
	struct state *const state = run->state;
	if (state && state->pair != MPI_COMM_NULL)
		MPI_Comm_free(&state->pair);
	free(state);
	run->state = NULL;
}

const struct bench bench_clock = {
	.name = "clock",
	.summary = "error of clocks that ping-pongs have synchronised",
	.least_sample_s = 1e-9,
	.most_samples = 100,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
