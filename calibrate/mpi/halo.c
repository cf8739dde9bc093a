/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange with both neighbours in a ring, as layers that are cut in space do: `bytes` to each of the two, and as many from
 * each. Strided ones are columns of an image: packed before, unpacked after, which is timed with it.
 */
#include <stdlib.h>

#include "benches.h"
#include "collective.h"
#include "sizes.h"
#include "watch.h"
#include "world.h"

enum { WIDTH = 16 }; /* of the image, with a column of the neighbours' at each side */

struct state {
	MPI_Comm ring; /* MPI_COMM_NULL: this one looks on */
	int rank, left, right, items;
	float *faces; /* to the left, to the right, from the left, from the right */
	float *image; /* NULL: contiguous */
};

static float *face(const struct state *state, int which)
{
	return state->faces + (size_t)which * (size_t)state->items;
}

static void add_point(struct points *points, const struct layout *layout, size_t bytes, bool strided)
{
	struct point *const point = points_add(points, &bench_halo, "halo/%ux%u/%zu%s", layout->nodes,
		layout->size, bytes, strided ? "/strided" : "");
	point_text(point, "library", world.library);
	point_text(point, "buffer", "host");
	point_number(point, "nodes", layout->nodes);
	point_number(point, "devices", layout->size);
	point_number(point, "bytes", (double)bytes);
	point_number(point, "groups", 1);
	point_number(point, "strided", strided);
}

static void list(const struct plan *plan, struct points *points)
{
	static const size_t most[] = {1 << 20, 4 << 20, 16 << 20};
	struct layout layouts[LAYOUTS_MAX];
	size_t sizes[SIZES_MAX];
	const unsigned layout_count = layouts_whole(&world.map, layouts);
	const size_t room = world.memory_bytes / (4 + WIDTH);
	const unsigned size_count = sizes_powers(
		64, 4, most[plan->effort] < room ? most[plan->effort] : room, sizeof(float), sizes);
	for (unsigned i = 0; i < 2 * layout_count * size_count; i++)
		add_point(points, &layouts[i / 2 / size_count], sizes[i / 2 % size_count], i % 2);
}

static void exchange(const struct state *state)
{
	MPI_Request requests[4];
	const int items = state->items;
	enum { LEFTWARD, RIGHTWARD };
	MPI_Irecv(face(state, 2), items, MPI_FLOAT, state->left, RIGHTWARD, state->ring, &requests[0]);
	MPI_Irecv(face(state, 3), items, MPI_FLOAT, state->right, LEFTWARD, state->ring, &requests[1]);
	MPI_Isend(face(state, 0), items, MPI_FLOAT, state->left, LEFTWARD, state->ring, &requests[2]);
	MPI_Isend(face(state, 1), items, MPI_FLOAT, state->right, RIGHTWARD, state->ring, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Columns 1 and WIDTH - 2 are sent, 0 and WIDTH - 1 are the neighbours'. */
static void exchange_columns(const struct state *state)
{
	for (int i = 0; i < state->items; i++) {
		const float *const row = state->image + (size_t)i * WIDTH;
		face(state, 0)[i] = row[1];
		face(state, 1)[i] = row[WIDTH - 2];
	}
	exchange(state);
	for (int i = 0; i < state->items; i++) {
		float *const row = state->image + (size_t)i * WIDTH;
		row[0] = face(state, 2)[i];
		row[WIDTH - 1] = face(state, 3)[i];
	}
}

/* A rank's right column is that of twice its number, its left column of twice and one. */
static void fill(struct state *state)
{
	const unsigned rank = (unsigned)state->rank;
	for (int i = 0; i < state->items; i++) {
		face(state, 0)[i] = (float)item_value(2 * rank + 1, i);
		face(state, 1)[i] = (float)item_value(2 * rank, i);
		face(state, 2)[i] = face(state, 3)[i] = -1;
		for (int column = 0; state->image && column < WIDTH; column++)
			state->image[(size_t)i * WIDTH + (size_t)column] = column == 1 ? face(state, 0)[i]
									   : column == WIDTH - 2
										   ? face(state, 1)[i]
										   : -1;
	}
}

static enum ready verify(struct state *state, struct run *run)
{
	fill(state);
	if (state->image)
		exchange_columns(state);
	else
		exchange(state);
	for (int i = 0; i < state->items; i++) {
		const float *const row = state->image ? state->image + (size_t)i * WIDTH : NULL;
		const float left = row ? row[0] : face(state, 2)[i],
			    right = row ? row[WIDTH - 1] : face(state, 3)[i];
		const float of_left = (float)item_value(2 * (unsigned)state->left, i),
			    of_right = (float)item_value(2 * (unsigned)state->right + 1, i);
		if (left < of_left || left > of_left || right < of_right || right > of_right)
			return run_say(run, FAILED,
				"rank %u: row %d has %g and %g of its neighbours, not %g and %g", world.rank,
				i, (double)left, (double)right, (double)of_left, (double)of_right);
	}
	return READY;
}

static void join(struct state *state, const struct point *point)
{
	const unsigned nodes = (unsigned)point_get(point, "nodes");
	const struct layout layout = layout_whole(nodes, (unsigned)point_get(point, "devices") / nodes);
	const bool active = layout_group(&world.map, &layout, world.rank) == 0;
	MPI_Comm_split(world.all, active ? 0 : MPI_UNDEFINED, (int)world.rank, &state->ring);
	if (!active)
		return;
	int size;
	MPI_Comm_rank(state->ring, &state->rank);
	MPI_Comm_size(state->ring, &size);
	state->left = (state->rank + size - 1) % size;
	state->right = (state->rank + 1) % size;
	state->items = (int)(point_get(point, "bytes") / sizeof(float));
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
	const bool strided = point_get(run->point, "strided") > 0;
	if (state->items) {
		const size_t bytes = (size_t)state->items * sizeof(float);
		state->faces = malloc(4 * bytes);
		state->image = strided ? malloc(WIDTH * bytes) : NULL;
		if (!state->faces || (strided && !state->image))
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
	MPI_Barrier(state->ring);
	const double begin_s = clock_s();
	for (unsigned long long i = 0; i < calls; i++)
		if (state->image)
			exchange_columns(state);
		else
			exchange(state);
	return clock_s() - begin_s;
}

static void release(struct run *run)
{
	struct state *const state = run->state;
	if (!state)
		return;
	if (state->items)
		MPI_Comm_free(&state->ring);
	free(state->faces);
	free(state->image);
	free(state);
	run->state = NULL;
}

const struct bench bench_halo = {
	.name = "halo",
	.summary = "exchange with both neighbours in a ring, contiguous or strided",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
