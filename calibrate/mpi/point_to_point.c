/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ping-pong: half of a round trip. A pair for each distance; pairs at the same time across the same boundary, which is what
 * sharing of a network port or of memory costs; and a sample of pairs of all nodes, by which a slow node shows.
 */
#include <stdlib.h>
#include <string.h>

#include "benches.h"
#include "collective.h"
#include "sizes.h"
#include "watch.h"
#include "world.h"

enum { PAIRS_MAX = 1024, SAMPLED_USUAL = 32, SAMPLED_FULL = 128 };

struct state {
	MPI_Comm active; /* ranks of all pairs; MPI_COMM_NULL: this one looks on */
	int peer;        /* in `active` */
	bool first;
	int items;
	float *send, *receive;
};

static void describe(struct point *point, enum distance distance, size_t bytes, unsigned groups)
{
	point_text(point, "library", world.library);
	point_text(point, "buffer", "host");
	point_number(point, "nodes", distance == FAR ? 2 : 1);
	point_number(point, "devices", 2);
	point_number(point, "bytes", (double)bytes);
	point_number(point, "groups", groups);
	point_text(point, "distance", distance_names[distance]);
}

static size_t most_bytes(void)
{
	return world.memory_bytes / 2;
}

static void list_distance(
	const struct plan *plan, struct points *points, enum distance distance, unsigned pairs)
{
	const char *const name = distance_names[distance];
	const unsigned nodes = distance == FAR ? 2 : 1;
	size_t sizes[SIZES_MAX];
	unsigned count = sizes_sweep(plan->effort, plan->seed, sizeof(float), most_bytes(), sizes);
	for (unsigned i = 0; i < count; i++)
		describe(points_add(points, &bench_point_to_point, "point-to-point/%s/%ux2/%zu", name, nodes,
				 sizes[i]),
			distance, sizes[i], 1);
	count = sizes_powers(
		1 << 16, 16, (size_t)(plan->effort == EFFORT_QUICK ? 1 : 16) << 20, sizeof(float), sizes);
	for (unsigned groups = 2; groups < 2 * pairs; groups *= 2)
		for (unsigned i = 0, k = groups < pairs ? groups : pairs; k > 1 && i < count; i++)
			describe(points_add(points, &bench_point_to_point, "point-to-point/%s/%ux2x%u/%zu",
					 name, nodes, k, sizes[i]),
				distance, sizes[i], k);
}

static void list_sample(const struct plan *plan, struct points *points)
{
	struct pair pairs[SAMPLED_FULL];
	const bool full = plan->effort == EFFORT_FULL;
	const unsigned count = pairs_sample(&world.map, pairs, full ? SAMPLED_FULL : SAMPLED_USUAL);
	static const size_t sizes[] = {8, 1 << 20};
	for (unsigned i = 0; i < 2 * count; i++) {
		const struct pair *const pair = &pairs[i / 2];
		const enum distance distance = map_distance(&world.map, pair->first, pair->second);
		struct point *const point =
			points_add(points, &bench_point_to_point, "point-to-point/%s/%u-%u/%zu",
				distance_names[distance], pair->first, pair->second, sizes[i % 2]);
		describe(point, distance, sizes[i % 2], 1);
		point_number(point, "from", pair->first);
		point_number(point, "to", pair->second);
		point_text(point, "host", world.places[pair->first].host);
		point_text(point, "peer", world.places[pair->second].host);
	}
}

static void list(const struct plan *plan, struct points *points)
{
	struct pair pairs[PAIRS_MAX];
	for (int distance = 0; distance < DISTANCES; distance++) {
		const unsigned count = pairs_across(&world.map, (enum distance)distance, pairs, PAIRS_MAX);
		if (count)
			list_distance(plan, points, (enum distance)distance, count);
	}
	if (plan->effort == EFFORT_FULL || (plan->effort == EFFORT_USUAL && world.map.nodes > 1))
		list_sample(plan, points);
}

static enum distance distance_of(const struct point *point)
{
	const char *const name = point_get_text(point, "distance");
	int distance = 0;
	while (strcmp(distance_names[distance], name) != 0)
		distance++;
	return (enum distance)distance;
}

/* Peers of a pair are neighbours in `active`, the first one first. */
static void join(struct state *state, const struct point *point)
{
	struct pair pairs[PAIRS_MAX] = {
		{(unsigned)point_get(point, "from"), (unsigned)point_get(point, "to")}};
	const unsigned groups = (unsigned)point_get(point, "groups");
	if (!point_get_text(point, "host"))
		pairs_across(&world.map, distance_of(point), pairs, groups);
	int key = -1;
	for (unsigned i = 0; i < groups; i++) {
		if (pairs[i].first == world.rank)
			key = (int)(2 * i);
		if (pairs[i].second == world.rank)
			key = (int)(2 * i + 1);
	}
	state->first = key % 2 == 0;
	state->peer = key ^ 1;
	MPI_Comm_split(world.all, key < 0 ? MPI_UNDEFINED : 0, key, &state->active);
}

static int ping_pong(struct state *state)
{
	const int items = state->items, peer = state->peer;
	if (state->first)
		return MPI_Send(state->send, items, MPI_FLOAT, peer, 0, state->active) ||
		       MPI_Recv(state->receive, items, MPI_FLOAT, peer, 0, state->active, MPI_STATUS_IGNORE);
	return MPI_Recv(state->receive, items, MPI_FLOAT, peer, 0, state->active, MPI_STATUS_IGNORE) ||
	       MPI_Send(state->send, items, MPI_FLOAT, peer, 0, state->active);
}

static enum ready verify(struct state *state, struct run *run)
{
	int rank;
	MPI_Comm_rank(state->active, &rank);
	for (int i = 0; i < state->items; i++) {
		state->send[i] = (float)item_value((unsigned)rank, i);
		state->receive[i] = -1;
	}
	ping_pong(state);
	for (int i = 0; i < state->items; i++) {
		const float expected = (float)item_value((unsigned)state->peer, i);
		if (state->receive[i] < expected || state->receive[i] > expected)
			return run_say(run, FAILED, "rank %u: item %d is %g, not %g", world.rank, i,
				(double)state->receive[i], (double)expected);
	}
	return READY;
}

static enum ready prepare(struct run *run)
{
	watch_point(run);
	struct state *const state = calloc(1, sizeof *state);
	run->state = state;
	enum ready ready = world_settle(run, state ? READY : run_say(run, FAILED, "out of memory"));
	if (ready != READY)
		return ready;
	join(state, run->point);
	const bool active = state->active != MPI_COMM_NULL;
	if (active) {
		const size_t bytes = (size_t)point_get(run->point, "bytes");
		state->items = (int)(bytes / sizeof(float));
		state->send = malloc(bytes);
		state->receive = malloc(bytes);
		if (!state->send || !state->receive)
			ready = run_say(run, FAILED, "rank %u: out of memory", world.rank);
	}
	ready = world_settle(run, ready);
	return ready == READY ? world_settle(run, active ? verify(state, run) : READY) : ready;
}

static double sample(struct run *run, unsigned long long calls)
{
	struct state *const state = run->state;
	if (world.oversubscribed)
		run->flag = "oversubscribed";
	if (state->active == MPI_COMM_NULL)
		return 0;
	MPI_Barrier(state->active);
	const double begin_s = clock_s();
	for (unsigned long long i = 0; i < calls; i++)
		ping_pong(state);
	return state->first ? (clock_s() - begin_s) / 2 : 0;
}

static void release(struct run *run)
{
	struct state *const state = run->state;
	if (!state)
		return;
	if (state->items)
		MPI_Comm_free(&state->active);
	free(state->send);
	free(state->receive);
	free(state);
	run->state = NULL;
}

const struct bench bench_point_to_point = {
	.name = "point-to-point",
	.summary = "half of a round trip, by distance, of one pair and of several at once",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
