/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three ways to time a call. "block": calls back to back, as training does, over their number. "barrier": a barrier, one
 * call, and the slowest rank's time, for small sizes, where it is biased by how ranks leave the barrier. "window": window.c.
 */
#include <stdlib.h>
#include <string.h>

#include "collective.h"
#include "sizes.h"
#include "watch.h"
#include "world.h"

enum { BARRIER_CHUNK = 256 };
static const size_t barrier_most_bytes = 16384, window_most_bytes = 1 << 20, segment_least_bytes = 1 << 16;

/* Two vectors must fit. */
static size_t most_bytes(void)
{
	return world.memory_bytes / 2;
}

static void add_point(const struct collective *collective, struct points *points, const struct layout *layout,
	size_t bytes, const char *way)
{
	const char *const name = collective->bench->name, *const split = layout->modulo ? "mod" : "div";
	const unsigned nodes = layout_nodes(layout);
	struct point *const point =
		layout->groups > 1 ? points_add(points, collective->bench, "%s/%ux%ux%u-%s/%zu", name, nodes,
					     layout->size, layout->groups, split, bytes)
				   : points_add(points, collective->bench, "%s/%ux%u/%zu%s%s", name, nodes,
					     layout->size, bytes, way ? "/" : "", way ? way : "");
	point_text(point, "library", world.library);
	point_text(point, "buffer", "host");
	point_number(point, "nodes", nodes);
	point_number(point, "devices", layout->size);
	point_number(point, "bytes", (double)bytes);
	point_number(point, "groups", layout->groups);
	if (layout->size < layout->nodes * layout->per_node) {
		point_text(point, "split", split);
		point_number(point, "over_nodes", layout->nodes);
		point_number(point, "over_ranks", layout->nodes * layout->per_node);
	}
	if (way)
		point_text(point, "way", way);
}

static size_t unit_bytes(const struct collective *collective, const struct layout *layout)
{
	return sizeof(float) * (collective->parts ? layout->size : 1);
}

static void list_powers(const struct collective *collective, struct points *points,
	const struct layout *layout, size_t least, size_t most, const char *way)
{
	size_t sizes[SIZES_MAX];
	const unsigned count = sizes_powers(
		least, 16, most < most_bytes() ? most : most_bytes(), unit_bytes(collective, layout), sizes);
	for (unsigned i = 0; i < count; i++)
		add_point(collective, points, layout, sizes[i], way);
}

static void list_segments(const struct collective *collective, const struct plan *plan, struct points *points)
{
	struct layout layouts[SEGMENTS_MAX];
	const unsigned count = layouts_segmented(&world.map, layouts);
	for (unsigned i = 0; i < count; i++)
		list_powers(collective, points, &layouts[i], segment_least_bytes,
			(size_t)(plan->effort == EFFORT_QUICK ? 1 : 16) << 20, NULL);
}

void collective_list(const struct collective *collective, const struct plan *plan, struct points *points)
{
	struct layout layouts[LAYOUTS_MAX];
	const unsigned count = layouts_whole(&world.map, layouts);
	for (unsigned i = 0; i < count; i++) {
		size_t sizes[SIZES_MAX];
		const unsigned size_count = sizes_sweep(
			plan->effort, plan->seed, unit_bytes(collective, &layouts[i]), most_bytes(), sizes);
		for (unsigned s = 0; s < size_count; s++)
			add_point(collective, points, &layouts[i], sizes[s], NULL);
		list_powers(collective, points, &layouts[i], sizeof(float), barrier_most_bytes, "barrier");
		if (collective->windows)
			list_powers(
				collective, points, &layouts[i], sizeof(float), window_most_bytes, "window");
	}
	if (collective->segments)
		list_segments(collective, plan, points);
}

/* The layout that a point was made of. */
static struct layout layout_of(const struct point *point)
{
	const unsigned size = (unsigned)point_get(point, "devices"),
		       nodes = (unsigned)point_get(point, "nodes");
	const char *const split = point_get_text(point, "split");
	struct layout layout = layout_whole(nodes, size / nodes);
	if (split) {
		const unsigned over = (unsigned)point_get(point, "over_nodes");
		layout = layout_whole(over, (unsigned)point_get(point, "over_ranks") / over);
		layout.size = size;
		layout.modulo = strcmp(split, "mod") == 0;
		layout.groups = (unsigned)point_get(point, "groups");
	}
	return layout;
}

static void join(struct collective_state *state, const struct point *point)
{
	const struct layout layout = layout_of(point);
	const int group = layout_group(&world.map, &layout, world.rank), key = (int)world.rank;
	struct vectors *const vectors = &state->vectors;
	MPI_Comm_split(world.all, group < 0 ? MPI_UNDEFINED : 0, key, &state->active);
	MPI_Comm_split(world.all, group < 0 ? MPI_UNDEFINED : group, key, &vectors->group);
	if (group < 0)
		return;
	int rank, size;
	MPI_Comm_rank(vectors->group, &rank);
	MPI_Comm_size(vectors->group, &size);
	vectors->rank = (unsigned)rank;
	vectors->size = (unsigned)size;
	vectors->items = (int)(point_get(point, "bytes") / sizeof(float));
	vectors->part = vectors->items / size;
}

static bool allocate(const struct collective *collective, struct vectors *vectors)
{
	const int send = collective->in_place ? 1 : collective->sends_part ? vectors->part : vectors->items;
	const int receive = collective->receives_part ? vectors->part : vectors->items;
	vectors->send = malloc((size_t)send * sizeof(float));
	vectors->receive = malloc((size_t)receive * sizeof(float));
	return vectors->send && vectors->receive;
}

enum ready collective_prepare(const struct collective *collective, struct run *run)
{
	watch_point(run);
	struct collective_state *const state = calloc(1, sizeof *state);
	run->state = state;
	enum ready ready = READY;
	if (!state)
		ready = run_say(run, FAILED, "rank %u: out of memory", world.rank);
	ready = world_settle(run, ready);
	if (ready != READY)
		return ready;
	state->collective = collective;
	join(state, run->point);
	const bool active = state->active != MPI_COMM_NULL;
	if (active && !allocate(collective, &state->vectors))
		ready = run_say(run, FAILED, "rank %u: out of memory", world.rank);
	ready = world_settle(run, ready);
	if (ready == READY && active)
		ready = collective_verify(collective, &state->vectors, run);
	ready = world_settle(run, ready);
	const char *const way = point_get_text(run->point, "way");
	if (ready == READY && active && way && strcmp(way, "window") == 0 &&
		!(state->window = window_create(state)))
		ready = run_say(run, FAILED, "rank %u: no synchronised clock", world.rank);
	return world_settle(run, ready);
}

static double barrier_sample(struct collective_state *state, unsigned long long calls)
{
	struct vectors *const vectors = &state->vectors;
	double seconds[BARRIER_CHUNK], all_s = 0;
	while (calls) {
		const int count = calls < BARRIER_CHUNK ? (int)calls : BARRIER_CHUNK;
		for (int i = 0; i < count; i++) {
			MPI_Barrier(state->active);
			const double begin_s = clock_s();
			state->collective->call(vectors);
			seconds[i] = clock_s() - begin_s;
		}
		MPI_Allreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, MPI_MAX, state->active);
		for (int i = 0; i < count; i++)
			all_s += seconds[i];
		calls -= (unsigned)count;
	}
	return all_s;
}

static double block_sample(struct collective_state *state, unsigned long long calls)
{
	struct vectors *const vectors = &state->vectors;
	MPI_Barrier(state->active);
	const double begin_s = clock_s();
	for (unsigned long long i = 0; i < calls; i++) {
		if (state->collective->by_root)
			vectors->root = (int)(i % vectors->size);
		state->collective->call(vectors);
	}
	const double all_s = clock_s() - begin_s;
	vectors->root = 0;
	return all_s;
}

double collective_sample(struct run *run, unsigned long long calls)
{
	struct collective_state *const state = run->state;
	const char *const way = point_get_text(run->point, "way");
	if (world.oversubscribed)
		run->flag = "oversubscribed";
	if (state->active == MPI_COMM_NULL)
		return 0;
	if (!way)
		return block_sample(state, calls);
	return state->window ? window_sample(state, run, calls) : barrier_sample(state, calls);
}

void collective_release(struct run *run)
{
	struct collective_state *const state = run->state;
	if (!state)
		return;
	window_free(state->window);
	if (state->collective && state->active != MPI_COMM_NULL) {
		MPI_Comm_free(&state->active);
		MPI_Comm_free(&state->vectors.group);
	}
	free(state->vectors.send);
	free(state->vectors.receive);
	free(state);
	run->state = NULL;
}
