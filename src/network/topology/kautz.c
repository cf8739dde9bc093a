/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kautz graph K(d, k): the words s1 .. sk over d + 1 letters whose neighbours differ; one-way cables s1 .. sk -> s2 .. sk x
 * for each x != sk. The (d + 1) d^(k - 1) words are the devices, without switches. The only shortest route appends
 * what follows the longest end of the source that begins the destination: at most k links.
 *
 * A word is kept as its first letter and differences, t(i) = (s(i) - s(i - 1) - 1) mod (d + 1) < d:
 *     index = s1 d^(k - 1) + t2 d^(k - 2) + .. + tk        cable of s1 .. sk -> s2 .. sk x = index * d + t(x)
 */
#include "network/topology.h"

#include "base/error.h"

enum { WORD_MAX = 18 };

struct layout {
	unsigned letters, d, k;
	unsigned top, second; /* d^(k - 1), d^(k - 2) (or 0) */
};

static double kautz_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double d = spec->extent[0];
	double devices = d + 1;
	if (spec->extent[1] > WORD_MAX - 1) {
		error_set(
			error, PARADL_USAGE, "words of a Kautz graph have at most %d letters", WORD_MAX - 1);
		return 0;
	}
	for (unsigned i = 1; i < spec->extent[1]; ++i)
		devices *= d;
	return topology_cables_fit(spec, devices * d, error) ? devices : 0;
}

/* s[0] .. s[k - 1], and t likewise; t[0] means nothing. */
static void spell(const struct layout *layout, unsigned index, unsigned *s, unsigned *t)
{
	unsigned rest = index % layout->top;
	s[0] = index / layout->top;
	for (unsigned i = layout->k; i-- > 1; rest /= layout->d)
		t[i] = rest % layout->d;
	for (unsigned i = 1; i < layout->k; ++i) {
		s[i] = s[i - 1] + t[i] + 1;
		s[i] -= s[i] >= layout->letters ? layout->letters : 0;
	}
}

static bool overlaps(const unsigned *end, const unsigned *begin, unsigned letters)
{
	for (unsigned i = 0; i < letters; ++i)
		if (end[i] != begin[i])
			return false;
	return true;
}

static void kautz_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned k = layout->k, d = layout->d;
	unsigned s[WORD_MAX], t[WORD_MAX], far_s[WORD_MAX], far_t[WORD_MAX], common = k - 1;
	spell(layout, from, s, t);
	spell(layout, to, far_s, far_t);
	while (!overlaps(s + k - common, far_s, common))
		--common;
	unsigned at = from, last = s[k - 1];
	for (unsigned i = common; i < k; ++i) {
		const unsigned gap = far_s[i] + layout->letters - last - 1;
		const unsigned letter = gap >= layout->letters ? gap - layout->letters : gap;
		path_add(graph, path, graph_link(graph, at * d + letter, false));
		if (i + 1 == k)
			break;
		/* the first letter goes: the second, s1 + t2 + 1, is the new first */
		const unsigned rest = at % layout->top;
		const unsigned first = (at / layout->top + rest / layout->second + 1) % layout->letters;
		at = first * layout->top + rest % layout->second * d + letter;
		last = far_s[i];
	}
}

static void arcs_cable(struct graph *graph, const struct layout *layout)
{
	const unsigned d = layout->d;
	for (unsigned at = 0; at < graph->devices; ++at)
		for (unsigned letter = 0; letter < d; ++letter) {
			const unsigned rest = at % layout->top;
			unsigned to = (at + letter + 1) % layout->letters; /* k = 1: all to all */
			if (layout->second) {
				const unsigned first =
					(at / layout->top + rest / layout->second + 1) % layout->letters;
				to = first * layout->top + rest % layout->second * d + letter;
			}
			graph_one_way(graph, at, to, LINK_SWITCH, 1);
		}
}

static bool kautz_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	layout->d = spec->extent[0];
	layout->k = spec->extent[1];
	layout->letters = layout->d + 1;
	layout->top = 1;
	for (unsigned i = 1; i < layout->k; ++i) {
		layout->second = layout->top;
		layout->top *= layout->d;
	}
	graph->devices = layout->letters * layout->top;
	graph_vertices(graph, graph->devices);
	arcs_cable(graph, layout);
	graph->longest = layout->k;
	graph->kautz = layout->k == 2 ? layout->d : 0;
	graph->route = kautz_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_kautz = {
	.name = "kautz",
	.summary = "Kautz graph K(D, K): one-way cables, few hops; the only shortest route",
	.shape = "D x K (D cables out of each device, K letters: (D + 1) D^(K - 1) devices)",
	.source = "Kautz (1968); Bermond and Peyrat (1989)",
	.least_extents = 2,
	.most_extents = 2,
	.devices = kautz_devices,
	.build = kautz_build,
};
