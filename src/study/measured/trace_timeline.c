/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/measured/trace.h"

#include <math.h>
#include <stdlib.h>

/* Phases by rank: the first that runs has the moment. */
static const unsigned ranks[PARADL_PHASE_COUNT] = {PARADL_FORWARD, PARADL_BACKWARD, PARADL_RECOMPUTE,
	PARADL_WEIGHT_UPDATE, PARADL_GRADIENT_EXCHANGE, PARADL_ACTIVATION_EXCHANGE, PARADL_HALO_EXCHANGE,
	PARADL_STAGE_TRANSFER, PARADL_INPUT, PARADL_BUBBLE};

struct edge {
	double at_s;
	unsigned phase;
	bool begins;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;
	if (one->at_s < other->at_s || one->at_s > other->at_s)
		return one->at_s < other->at_s ? -1 : 1;
	return (int)one->begins - (int)other->begins; /* ends come first */
}

struct sweep {
	struct timeline_window *windows;
	size_t window_count, at; /* at: the first window that does not end before now */
	size_t running[PARADL_PHASE_COUNT];
	unsigned idle_phase;
};

static unsigned shown(const struct sweep *sweep)
{
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		if (sweep->running[ranks[i]])
			return ranks[i];
	return PARADL_PHASE_COUNT;
}

static void add(struct sweep *sweep, struct timeline_window *window, double seconds, unsigned next)
{
	const unsigned phase = shown(sweep);
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		if (sweep->running[i])
			window->busy_s[i] += seconds;
	if (phase < PARADL_PHASE_COUNT) {
		window->exposed_s[phase] += seconds;
		return;
	}
	window->idle_s += seconds;
	window->exposed_s[sweep->idle_phase < PARADL_PHASE_COUNT ? sweep->idle_phase : next] += seconds;
}

/* Adds the time from begin to end, in which the same items run, to its windows; `next` begins at the end. */
static void advance(struct sweep *sweep, double begin_s, double end_s, unsigned next)
{
	while (sweep->at < sweep->window_count && sweep->windows[sweep->at].end_s <= begin_s)
		++sweep->at;
	for (size_t i = sweep->at; i < sweep->window_count && sweep->windows[i].begin_s < end_s; ++i) {
		const double from = fmax(begin_s, sweep->windows[i].begin_s);
		const double to = fmin(end_s, sweep->windows[i].end_s);
		if (to > from)
			add(sweep, &sweep->windows[i], to - from, next);
	}
}

/* Goes through the edges. Idle time after the last one belongs to the phase that ended last. */
static void sweep_edges(struct sweep *sweep, const struct edge *edges, size_t count)
{
	unsigned last = PARADL_FORWARD;
	if (sweep->window_count)
		advance(sweep, sweep->windows[0].begin_s, edges[0].at_s, edges[0].phase);
	for (size_t i = 0; i < count; ++i) {
		size_t *running = &sweep->running[edges[i].phase];
		*running += edges[i].begins ? 1 : (size_t)-1;
		last = edges[i].phase;
		if (i + 1 < count && edges[i + 1].at_s > edges[i].at_s)
			advance(sweep, edges[i].at_s, edges[i + 1].at_s, edges[i + 1].phase);
	}
	if (sweep->window_count)
		advance(sweep, edges[count - 1].at_s, sweep->windows[sweep->window_count - 1].end_s, last);
}

size_t timeline_window_of(const struct timeline_window *windows, size_t count, double at_s)
{
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (windows[middle].end_s <= at_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && windows[low].begin_s <= at_s ? low : count;
}

bool timeline_sweep(struct paradl_arena *arena, const struct timeline_item *items, size_t count,
	unsigned idle_phase, struct timeline_window *windows, size_t window_count)
{
	struct sweep sweep = {.windows = windows, .window_count = window_count, .idle_phase = idle_phase};
	struct edge *edges = arena_alloc(arena, 2 * count + 1, sizeof *edges);
	if (!edges)
		return false;
	for (size_t i = 0; i < count; ++i) {
		edges[2 * i] = (struct edge){items[i].begin_s, items[i].phase, true};
		edges[2 * i + 1] = (struct edge){items[i].end_s, items[i].phase, false};
	}
	qsort(edges, 2 * count, sizeof *edges, by_time);
	for (size_t i = 0; i < count; ++i) {
		const size_t window = timeline_window_of(windows, window_count, items[i].begin_s);
		if (window < window_count)
			windows[window].items[items[i].phase] += 1;
	}
	if (count)
		sweep_edges(&sweep, edges, 2 * count);
	return true;
}
