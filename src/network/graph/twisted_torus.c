/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twisted torus of extents n and 2n: a cable that wraps around along an extent of n comes back n further along every
 * extent of 2n, so that no extent is shorter than another in the graph (Camara et al. 2010; slices 4x4x8_twisted,
 * 4x8x8_twisted of TPU v4, Jouppi et al. 2023). The network looks alike from every router: offsets are an Abelian
 * group, and a route depends on the offset alone.
 *
 * An offset is reached by several vectors of steps along the extents. A flow takes those of the fewest steps in equal
 * parts, each in every cyclic order of the extents.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "network/graph/topology.h"

/* A vector: number of steps along each extent, + or -. */
struct steps {
	signed char along[GRID_MAX];
};

/* A link of the routes to an offset, as it is seen from router 0, and the share of the flow that takes it. */
struct step {
	unsigned char along;
	bool against;
	unsigned short router;
	double share;
};

struct layout {
	unsigned extents, extent[GRID_MAX], least; /* least: n */
	unsigned devices;
	unsigned *first;        /* [devices + 1]: where each offset's links begin */
	struct step *links;     /* links of all offsets, in order */
	unsigned short *length; /* steps of a shortest way to each offset */
};

enum { EXTENT_MOST = 24, LINKS_MOST = 2048 };

static double twisted_torus_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	double devices = 1;
	unsigned least = spec->extent[0], most = least;
	for (unsigned d = 0; d < spec->extents; ++d) {
		devices *= spec->extent[d];
		least = spec->extent[d] < least ? spec->extent[d] : least;
		most = spec->extent[d] > most ? spec->extent[d] : most;
	}
	for (unsigned d = 0; d < spec->extents; ++d)
		if (most != 2 * least || (spec->extent[d] != least && spec->extent[d] != most) ||
			most > EXTENT_MOST) {
			error_set(error, PARADL_USAGE,
				"extents of a twisted torus are N or 2N, both, up to %d: 4x8, 4x4x8, 4x8x8",
				EXTENT_MOST);
			return 0;
		}
	return devices;
}

static void coordinates(const struct layout *layout, unsigned at, unsigned *coordinate)
{
	for (unsigned d = 0; d < layout->extents; ++d) {
		const unsigned extent = layout->extent[d] > 0 ? layout->extent[d] : 1;
		coordinate[d] = at % extent;
		at /= extent;
	}
}

/* Returns the router that is `steps` along each extent away from another. */
static unsigned moved(const struct layout *layout, unsigned from, const struct steps *steps)
{
	unsigned coordinate[GRID_MAX], at = 0, wraps = 0;
	coordinates(layout, from, coordinate);
	const int n = layout->least > 0 ? (int)layout->least : 1;
	for (unsigned d = 0; d < layout->extents; ++d)
		if (layout->extent[d] == layout->least) {
			const int sum = (int)coordinate[d] + steps->along[d];
			const int wrapped = (sum + 4 * n) / n - 4; /* rounded down */
			coordinate[d] = (unsigned)(sum - wrapped * n);
			wraps += (unsigned)(wrapped + 4);
		}
	for (unsigned d = layout->extents; d-- > 0;) {
		if (layout->extent[d] != layout->least)
			coordinate[d] = (unsigned)((int)coordinate[d] + steps->along[d] + 8 * n +
						   (int)wraps % 2 * n) %
					layout->extent[d];
		at = at * layout->extent[d] + coordinate[d];
	}
	return at;
}

/* Returns the offset from one router to another, as the router that this offset leads to from router 0. */
static unsigned offset_of(const struct layout *layout, unsigned from, unsigned to)
{
	unsigned here[GRID_MAX], there[GRID_MAX];
	struct steps steps;
	coordinates(layout, from, here);
	coordinates(layout, to, there);
	for (unsigned d = 0; d < layout->extents; ++d)
		steps.along[d] = (signed char)((int)there[d] - (int)here[d]);
	return moved(layout, 0, &steps);
}

/* Returns the router one step away. */
static unsigned neighbour(const struct layout *layout, unsigned from, unsigned along, bool against)
{
	struct steps one = {{0}};
	one.along[along % GRID_MAX] = against ? -1 : 1;
	return moved(layout, from, &one);
}

/* -- vectors of steps ---- */

/* Moves on to the next vector of at most n steps along each extent, + or -; false after the last. */
static bool steps_next(const struct layout *layout, struct steps *steps)
{
	for (unsigned d = 0; d < layout->extents; ++d) {
		if (steps->along[d] < (int)layout->least) {
			++steps->along[d];
			return true;
		}
		steps->along[d] = (signed char)-(int)layout->least;
	}
	return false;
}

static unsigned steps_length(const struct layout *layout, const struct steps *steps)
{
	unsigned length = 0;
	for (unsigned d = 0; d < layout->extents; ++d)
		length += (unsigned)abs(steps->along[d]);
	return length;
}

static struct steps steps_begin(const struct layout *layout)
{
	struct steps steps = {{0}};
	for (unsigned d = 0; d < layout->extents; ++d)
		steps.along[d] = (signed char)-(int)layout->least;
	return steps;
}

/* Vectors of fewest steps, by offset. */
struct vectors {
	unsigned *first; /* [devices + 1]: where each offset's vectors begin */
	struct steps *steps;
};

/*
 * Finds the fewest steps to each offset, the number of vectors with as few, and then these vectors; false: out of
 * memory.
 */
static bool vectors_find(const struct layout *layout, struct paradl_arena *arena, struct vectors *vectors)
{
	unsigned *const filled = arena_alloc(arena, layout->devices, sizeof *filled);
	vectors->first = arena_alloc(arena, layout->devices + 1, sizeof *vectors->first);
	if (!filled || !vectors->first)
		return false;
	for (unsigned i = 0; i < layout->devices; ++i)
		layout->length[i] = USHRT_MAX;
	struct steps steps = steps_begin(layout);
	do {
		const unsigned at = moved(layout, 0, &steps), length = steps_length(layout, &steps);
		if (length < layout->length[at]) {
			layout->length[at] = (unsigned short)length;
			vectors->first[at + 1] = 0;
		}
		vectors->first[at + 1] += length == layout->length[at];
	} while (steps_next(layout, &steps));
	for (unsigned i = 0; i < layout->devices; ++i)
		vectors->first[i + 1] += vectors->first[i];
	vectors->steps = arena_alloc(arena, vectors->first[layout->devices], sizeof *vectors->steps);
	if (!vectors->steps)
		return false;
	steps = steps_begin(layout);
	do {
		const unsigned at = moved(layout, 0, &steps);
		if (steps_length(layout, &steps) == layout->length[at])
			vectors->steps[vectors->first[at] + filled[at]++] = steps;
	} while (steps_next(layout, &steps));
	return true;
}

/* -- links of the routes from router 0 ---- */

/* The links of one offset while they are collected. */
struct collected {
	struct step links[LINKS_MOST];
	unsigned count;
};

static void link_add(struct collected *collected, unsigned along, bool against, unsigned router, double share)
{
	for (unsigned i = 0; i < collected->count; ++i) {
		struct step *const link = &collected->links[i];
		if (link->router == router && link->along == along && link->against == against) {
			link->share += share;
			return;
		}
	}
	if (collected->count < LINKS_MOST)
		collected->links[collected->count++] =
			(struct step){(unsigned char)along, against, (unsigned short)router, share};
}

/* Collects the links of a walk of `steps` from router 0, along the extents in cyclic order from `first` on. */
static void walk(const struct layout *layout, const struct steps *steps, unsigned first, double share,
	struct collected *collected)
{
	unsigned at = 0;
	for (unsigned i = 0; i < layout->extents; ++i) {
		const unsigned d = (first + i) % layout->extents;
		const bool against = steps->along[d] < 0;
		for (int left = abs(steps->along[d]); left > 0; --left) {
			const unsigned next = neighbour(layout, at, d, against);
			link_add(collected, d, against, against ? next : at, share);
			at = next;
		}
	}
}

static bool links_fill(struct layout *layout, struct paradl_arena *arena)
{
	struct vectors vectors;
	struct collected *const collected = arena_alloc(arena, 1, sizeof *collected);
	size_t room = 0;
	if (!collected || !vectors_find(layout, arena, &vectors))
		return false;
	for (unsigned i = 0; i < layout->devices; ++i)
		room += (size_t)(vectors.first[i + 1] - vectors.first[i]) * layout->extents *
			layout->length[i];
	layout->links = arena_alloc(arena, room, sizeof *layout->links);
	if (!layout->links)
		return false;
	for (unsigned i = 0; i < layout->devices; ++i) {
		const unsigned first = vectors.first[i], end = vectors.first[i + 1];
		collected->count = 0;
		for (unsigned v = first; v < end; ++v)
			for (unsigned d = 0; d < layout->extents; ++d)
				walk(layout, &vectors.steps[v], d, 1.0 / ((end - first) * layout->extents),
					collected);
		memcpy(&layout->links[layout->first[i]], collected->links,
			collected->count * sizeof *collected->links);
		layout->first[i + 1] = layout->first[i] + collected->count;
	}
	return true;
}

static void twisted_torus_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned offset = offset_of(layout, from, to);
	struct steps steps = {{0}};
	unsigned coordinate[GRID_MAX];
	for (unsigned i = layout->first[offset]; i < layout->first[offset + 1]; ++i) {
		const struct step *const link = &layout->links[i];
		coordinates(layout, link->router, coordinate);
		for (unsigned d = 0; d < GRID_MAX && d < layout->extents; ++d)
			steps.along[d] = (signed char)coordinate[d];
		const unsigned cable = link->along * layout->devices + moved(layout, from, &steps);
		path_add_share(graph, path, graph_link(graph, cable, link->against), link->share);
	}
	path->latency_s += layout->length[offset] * graph_hop(graph, graph_link(graph, 0, false))->latency_s;
}

static bool twisted_torus_build(
	const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	layout->extents = spec->extents;
	layout->least = layout->devices = 1;
	for (unsigned d = 0; d < spec->extents; ++d) {
		layout->extent[d] = spec->extent[d];
		layout->devices *= spec->extent[d];
		layout->least = d == 0 || spec->extent[d] < layout->least ? spec->extent[d] : layout->least;
	}
	layout->first = arena_alloc(graph->arena, layout->devices + 1, sizeof *layout->first);
	layout->length = arena_alloc(graph->arena, layout->devices, sizeof *layout->length);
	if (!layout->first || !layout->length || !links_fill(layout, graph->arena))
		return out_of_memory(error);
	graph->devices = layout->devices;
	graph_vertices(graph, layout->devices);
	for (unsigned d = 0; d < spec->extents; ++d)
		for (unsigned at = 0; at < layout->devices; ++at)
			graph_cable(graph, at, neighbour(layout, at, d, false), LINK_SWITCH, 1);
	for (unsigned i = 0; i < layout->devices; ++i) {
		const unsigned links = layout->first[i + 1] - layout->first[i];
		graph->longest = links > graph->longest ? links : graph->longest;
	}
	graph->route = twisted_torus_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_twisted_torus = {
	.name = "twisted-torus",
	.summary = "a torus whose short extents wrap around half a long one further on; all shortest "
		   "vectors, equally",
	.shape = "N x 2N, N x N x 2N or N x 2N x 2N (innermost first)",
	.source = "Camara et al. (IEEE TPDS 2010); TPU v4, Jouppi et al. (ISCA 2023)",
	.least_extents = 2,
	.most_extents = 3,
	.devices = twisted_torus_devices,
	.build = twisted_torus_build,
};
