/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message in `pieces` passes through all ranks in a row, as micro-batches do through a pipeline: one call is from the first
 * send of the first rank until it hears, by an empty message, that the last has everything. With s ranks and p pieces of
 * bytes / p that is about (s - 2 + p) sends of a piece, and the empty one.
 */
#include <stdlib.h>

#include "benches.h"
#include "collective.h"
#include "watch.h"
#include "world.h"

struct state {
	MPI_Comm row; /* MPI_COMM_NULL: this one looks on */
	int rank, last, pieces, items /* of a piece */;
	float *data;
};

static void add_point(struct points *points, const struct layout *layout, size_t bytes, unsigned pieces)
{
	struct point *const point = points_add(
		points, &bench_chain, "chain/%ux%u/%zu/%u", layout->nodes, layout->size, bytes, pieces);
	point_text(point, "library", world.library);
	point_text(point, "buffer", "host");
	point_number(point, "nodes", layout->nodes);
	point_number(point, "devices", layout->size);
	point_number(point, "bytes", (double)bytes);
	point_number(point, "groups", 1);
	point_number(point, "pieces", pieces);
}

static void list(const struct plan *plan, struct points *points)
{
	struct layout layouts[LAYOUTS_MAX];
	const unsigned count = layouts_whole(&world.map, layouts);
	const size_t most = (size_t)(plan->effort == EFFORT_QUICK ? 1 : 16) << 20;
	for (unsigned i = 0; i < count; i++)
		for (size_t bytes = 1 << 16; bytes <= most && bytes <= world.memory_bytes; bytes *= 16)
			for (unsigned pieces = 1; pieces <= 16; pieces *= 2)
				add_point(points, &layouts[i], bytes, pieces);
}

static void pass(const struct state *state)
{
	for (int piece = 0; piece < state->pieces; piece++) {
		float *const data = state->data + (size_t)piece * (size_t)state->items;
		if (state->rank > 0)
			MPI_Recv(data, state->items, MPI_FLOAT, state->rank - 1, piece, state->row,
				MPI_STATUS_IGNORE);
		if (state->rank < state->last)
			MPI_Send(data, state->items, MPI_FLOAT, state->rank + 1, piece, state->row);
	}
	if (state->rank == state->last)
		MPI_Send(NULL, 0, MPI_FLOAT, 0, state->pieces, state->row);
	if (state->rank == 0)
		MPI_Recv(NULL, 0, MPI_FLOAT, state->last, state->pieces, state->row, MPI_STATUS_IGNORE);
}

static enum ready verify(struct state *state, struct run *run)
{
	const int items = state->items * state->pieces;
	for (int i = 0; i < items; i++)
		state->data[i] = state->rank == 0 ? (float)item_value(0, i) : -1;
	pass(state);
	for (int i = 0; i < items; i++) {
		const float expected = (float)item_value(0, i);
		if (state->data[i] < expected || state->data[i] > expected)
			return run_say(run, FAILED, "rank %u: item %d is %g, not %g", world.rank, i,
				(double)state->data[i], (double)expected);
	}
	return READY;
}

static void join(struct state *state, const struct point *point)
{
	const unsigned nodes = (unsigned)point_get(point, "nodes");
	const struct layout layout = layout_whole(nodes, (unsigned)point_get(point, "devices") / nodes);
	const bool active = layout_group(&world.map, &layout, world.rank) == 0;
	MPI_Comm_split(world.all, active ? 0 : MPI_UNDEFINED, (int)world.rank, &state->row);
	if (!active)
		return;
	MPI_Comm_rank(state->row, &state->rank);
	state->last = (int)layout.size - 1;
	state->pieces = (int)point_get(point, "pieces");
	state->items = (int)(point_get(point, "bytes") / sizeof(float)) / state->pieces;
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
	if (state->items) {
		state->data = malloc((size_t)state->items * (size_t)state->pieces * sizeof(float));
		if (!state->data)
			ready = run_say(run, FAILED, "rank %u: out of memory", world.rank);
	}
	ready = world_settle(run, ready);
	return ready == READY ? world_settle(run, state->items ? verify(state, run) : READY) : ready;
}

static double sample(struct run *run, unsigned long long calls)
{
	struct state *const state = run->state;
	if (world.oversubscribed)
		run->flag = "oversubscribed";
	if (!state->items)
		return 0;
	MPI_Barrier(state->row);
	const double begin_s = clock_s();
	for (unsigned long long i = 0; i < calls; i++)
		pass(state);
	return state->rank == 0 ? clock_s() - begin_s : 0;
}

static void release(struct run *run)
{
	struct state *const state = run->state;
	if (!state)
		return;
	if (state->items)
		MPI_Comm_free(&state->row);
	free(state->data);
	free(state);
	run->state = NULL;
}

const struct bench bench_chain = {
	.name = "chain",
	.summary = "a message in pieces through all ranks in a row, as in a pipeline",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
