/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kautz graph K(d, k): the devices are the (d + 1) d^(k - 1) words s1 .. sk over d + 1 letters in which neighbouring
 * letters differ. One-way cables lead s1 .. sk -> s2 .. sk x for each x != sk; there are no switches. The only
 * shortest route finds the longest end of the source that begins the destination and appends the letters that follow
 * it there: at most k links.
 *
 * A word is kept as its first letter and differences, t(i) = (s(i) - s(i - 1) - 1) mod (d + 1) < d:
 *     index = s1 d^(k - 1) + t2 d^(k - 2) + .. + tk        cable of s1 .. sk -> s2 .. sk x = index * d + t(x)
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { WORD_MAX = 17 };

struct layout {
	unsigned letters, d, k;
	unsigned top, second; /* d^(k - 1), d^(k - 2) (0 for words of one letter) */
};

static double kautz_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double d = spec->extent[0];
	double devices = d + 1;
	if (spec->extent[1] > WORD_MAX) {
		error_set(error, PARADL_USAGE, "words of a Kautz graph have at most %d letters", WORD_MAX);
		return 0;
	}
	for (unsigned i = 1; i < spec->extent[1]; ++i)
		devices *= d;
	return topology_cables_fit(spec, devices * d, error) ? devices : 0;
}

/* Returns the word without its first letter and with another (as a difference) at its end. */
static unsigned shift(const struct layout *layout, unsigned at, unsigned letter)
{
	const unsigned first = at / layout->top, rest = at % layout->top;
	if (layout->k == 1)
		return (first + letter + 1) % layout->letters;
	return (first + rest / layout->second + 1) % layout->letters * layout->top +
	       rest % layout->second * layout->d + letter;
}

/*
 * Appends the only shortest route: compares the last letters of the source, fewer each time, with the first
 * letters of the destination, both as indices of shorter words, then appends the rest.
 */
static void kautz_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned k = layout->k, d = layout->d;
	unsigned first = from / layout->top, rest = from % layout->top, power = layout->top;
	unsigned common = k - 1, cut = d; /* d^(k - common) */
	for (; common > 0; --common, cut *= d) {
		power /= d;
		first = (first + rest / power + 1) % layout->letters;
		rest %= power;
		if (first * power + rest == to / cut)
			break;
	}
	for (unsigned at = from;; ++common) {
		cut /= d;
		/* the destination's next difference; for its first letter, the difference to the source's last */
		const unsigned letter =
			common ? to / cut % d
			       : (to / layout->top + layout->letters - first - 1) % layout->letters;
		path_add(graph, path, graph_link(graph, at * d + letter, false));
		if (common + 1 == k)
			return;
		at = shift(layout, at, letter);
	}
}

static void arcs_cable(struct graph *graph, const struct layout *layout)
{
	for (unsigned at = 0; at < graph->devices; ++at)
		for (unsigned letter = 0; letter < layout->d; ++letter)
			graph_one_way(graph, at, shift(layout, at, letter), LINK_SWITCH, 1);
}

static bool kautz_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
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
