/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circulants, the graphs of Distributed Loop Networks: a ring of n vertices with strides floor(n / 2^k), k = 1 .. t.
 * All vertices are alike, so one breadth-first search from vertex 0 gives all routes: a table of the first step for
 * each offset. Among equally short routes a flow takes the one that begins with the longest stride, forwards before
 * backwards. With `split` it takes all of them equally, and their links are listed for each offset.
 */
#include "network/graph/circulant.h"

#include <limits.h>

#include "base/error.h"

enum { FAR = USHRT_MAX, HOPS_MAX = 1 << 23 };

static void strides_fill(struct circulant *circulant, unsigned n, unsigned t)
{
	circulant->n = n;
	circulant->count = circulant->cables = 0;
	for (unsigned k = 1; n > 1 && k <= (t ? t : 31) && n >> k > 1; ++k)
		circulant->strides[circulant->count++] = n >> k;
	if (n > 1)
		circulant->strides[circulant->count++] = 1;
	for (unsigned i = 0; i < circulant->count; ++i) {
		circulant->first[i] = circulant->cables;
		circulant->cables += 2 * circulant->strides[i] == n ? n / 2 : n;
	}
}

double circulant_cables(unsigned n, unsigned t)
{
	struct circulant circulant;
	strides_fill(&circulant, n, t);
	return circulant.cables;
}

static unsigned after(const struct circulant *circulant, unsigned at, unsigned step)
{
	const unsigned stride = circulant->strides[step / 2];
	if (step % 2)
		return at >= stride ? at - stride : at + circulant->n - stride;
	return at + stride < circulant->n ? at + stride : at + stride - circulant->n;
}

static unsigned before(const struct circulant *circulant, unsigned at, unsigned step)
{
	return after(circulant, at, step ^ 1);
}

/* Returns the step after this one; a stride of half way round is one cable and has only the step forwards. */
static unsigned next_step(const struct circulant *circulant, unsigned step)
{
	return step + 1 + (step % 2 == 0 && 2 * circulant->strides[step / 2] == circulant->n);
}

/*
 * Finds all distances by breadth-first search from vertex 0, and the diameter; leaves the vertices by distance in
 * `queue`.
 */
static void search(struct circulant *circulant, unsigned *queue)
{
	unsigned head = 0, tail = 1;
	for (unsigned i = 0; i < circulant->n; ++i)
		circulant->distance[i] = FAR;
	circulant->distance[0] = 0;
	queue[0] = 0;
	while (head < tail) {
		const unsigned at = queue[head++];
		for (unsigned step = 0; step < 2 * circulant->count; step = next_step(circulant, step)) {
			const unsigned next = after(circulant, at, step);
			if (circulant->distance[next] != FAR)
				continue;
			circulant->distance[next] = (unsigned short)(circulant->distance[at] + 1);
			queue[tail++] = next;
		}
	}
	circulant->diameter = circulant->distance[queue[tail - 1]];
}

/* Returns whether a step is on a shortest route to an offset: the rest of the offset after it is one step nearer. */
static bool leads(const struct circulant *circulant, unsigned offset, unsigned step)
{
	return circulant->distance[before(circulant, offset, step)] + 1 == circulant->distance[offset];
}

static void first_steps(struct circulant *circulant)
{
	for (unsigned offset = 1; offset < circulant->n; ++offset) {
		unsigned step = 0;
		while (!leads(circulant, offset, step))
			step = next_step(circulant, step);
		circulant->step[offset] = (unsigned char)step;
	}
}

/* Scratch of hops_list. */
struct fan {
	double *routes;  /* number of shortest routes to each offset */
	double *flow;    /* flow through each vertex to the offset being listed */
	unsigned *front; /* vertices in order of distance */
};

/*
 * Records the links of all shortest routes to `offset`, with shares in proportion to the routes over them, and returns
 * `listed` plus their number. Each vertex in `front`, nearest first, passes on the flow that came to it. Only counts
 * while there is no room for hops yet.
 */
static unsigned hops_list(
	const struct circulant *circulant, unsigned offset, struct fan *fan, unsigned listed)
{
	const unsigned n = circulant->n;
	unsigned head = 0, tail = 1;
	fan->front[0] = 0;
	fan->flow[0] = 1;
	while (head < tail) {
		const unsigned at = fan->front[head++], rest = offset >= at ? offset - at : offset + n - at;
		for (unsigned step = 0; rest && step < 2 * circulant->count;
			step = next_step(circulant, step)) {
			const unsigned next = after(circulant, at, step);
			if (!leads(circulant, rest, step))
				continue;
			const double share = fan->flow[at] * fan->routes[before(circulant, rest, step)] /
					     fan->routes[rest];
			if (!(fan->flow[next] > 0))
				fan->front[tail++] = next;
			fan->flow[next] += share;
			if (circulant->hops)
				circulant->hops[listed] = (struct circulant_hop){
					share, (unsigned short)at, (unsigned char)step};
			++listed;
		}
	}
	while (tail > 0)
		fan->flow[fan->front[--tail]] = 0;
	return listed;
}

/*
 * Records the hops of all offsets in two passes: the first counts, the second stores. `queue` has the vertices in
 * order of distance. False, with *error set: out of memory, or more than HOPS_MAX hops.
 */
static bool hops_create(
	struct circulant *circulant, struct paradl_arena *arena, unsigned *queue, struct paradl_error *error)
{
	const unsigned n = circulant->n;
	struct fan fan = {.routes = arena_alloc(arena, n, sizeof(double)),
		.flow = arena_alloc(arena, n, sizeof(double)),
		.front = arena_alloc(arena, n, sizeof(unsigned))};
	circulant->hop_first = arena_alloc(arena, n + 1, sizeof(unsigned));
	if (!fan.routes || !fan.flow || !fan.front || !circulant->hop_first)
		return out_of_memory(error);
	fan.routes[0] = 1;
	for (unsigned i = 1; i < n; ++i)
		for (unsigned step = 0; step < 2 * circulant->count; step = next_step(circulant, step))
			if (leads(circulant, queue[i], step))
				fan.routes[queue[i]] += fan.routes[before(circulant, queue[i], step)];
	for (unsigned pass = 0; pass < 2; ++pass) {
		unsigned listed = 0;
		for (unsigned offset = 0; offset < n && listed <= HOPS_MAX; ++offset) {
			circulant->hop_first[offset] = listed;
			listed = hops_list(circulant, offset, &fan, listed);
			if (listed - circulant->hop_first[offset] > circulant->longest)
				circulant->longest = listed - circulant->hop_first[offset];
		}
		circulant->hop_first[n] = listed;
		if (listed > HOPS_MAX)
			return error_set(error, PARADL_USAGE,
				"the equally short routes of %u routers are too many to split over", n);
		if (!circulant->hops &&
			!(circulant->hops = arena_alloc(arena, listed + 1, sizeof *circulant->hops)))
			return out_of_memory(error);
	}
	return true;
}

bool circulant_create(struct circulant *circulant, struct paradl_arena *arena, unsigned n, unsigned t,
	bool split, struct paradl_error *error)
{
	unsigned *queue = arena_alloc(arena, n, sizeof *queue);
	strides_fill(circulant, n, t);
	circulant->step = arena_alloc(arena, n, sizeof *circulant->step);
	circulant->distance = arena_alloc(arena, n, sizeof *circulant->distance);
	if (!queue || !circulant->step || !circulant->distance)
		return out_of_memory(error);
	if (split && n > CIRCULANT_SPLIT_MAX)
		return error_set(error, PARADL_USAGE, "routes of %u routers cannot be split; at most of %d",
			n, CIRCULANT_SPLIT_MAX);
	search(circulant, queue);
	first_steps(circulant);
	circulant->longest = circulant->diameter;
	return !split || hops_create(circulant, arena, queue, error);
}

unsigned circulant_cable(
	const struct circulant *circulant, struct graph *graph, unsigned first, unsigned apart)
{
	const unsigned cable = graph->cable_count, n = circulant->n;
	for (unsigned i = 0; i < circulant->count; ++i)
		for (unsigned v = 0; v < (2 * circulant->strides[i] == n ? n / 2 : n); ++v)
			graph_cable(graph, first + v * apart, first + (v + circulant->strides[i]) % n * apart,
				LINK_SWITCH, 1);
	return cable;
}

/* Returns the link of a step from `at`: a cable has the index of the vertex where its stride begins. */
static unsigned link_of(const struct circulant *circulant, const struct graph *graph, unsigned first_cable,
	unsigned at, unsigned step)
{
	const unsigned stride = circulant->strides[step / 2];
	const bool against = step % 2 || (2 * stride == circulant->n && at >= stride);
	const unsigned end = against ? after(circulant, at, step) : at;
	return graph_link(graph, first_cable + circulant->first[step / 2] + end, against);
}

void circulant_route(const struct circulant *circulant, const struct graph *graph, unsigned first_cable,
	unsigned from, unsigned to, struct path *path)
{
	unsigned rest = to >= from ? to - from : to + circulant->n - from;
	if (circulant->hop_first && rest) {
		path->latency_s += circulant->distance[rest] *
				   graph_hop(graph, graph_link(graph, first_cable, false))->latency_s;
		const struct circulant_hop *hop = &circulant->hops[circulant->hop_first[rest]];
		const struct circulant_hop *end = &circulant->hops[circulant->hop_first[rest + 1]];
		for (; hop < end; ++hop) {
			const unsigned at = from + hop->at < circulant->n ? from + hop->at
									  : from + hop->at - circulant->n;
			path_add_share(graph, path, link_of(circulant, graph, first_cable, at, hop->step),
				hop->share);
		}
		return;
	}
	for (unsigned at = from; rest; rest = before(circulant, rest, circulant->step[rest])) {
		const unsigned next = after(circulant, at, circulant->step[rest]);
		path_add(graph, path, link_of(circulant, graph, first_cable, at, circulant->step[rest]));
		at = next;
	}
}
