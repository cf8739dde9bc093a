/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dragonfly: GROUPS of ROUTERS. The routers of a group are joined to each other, and each two groups by `links` global
 * cables at different routers, at most `global` of them at a router. The wiring is a palm tree, repeated for each of
 * the links: cable number l of group q leads to group q - l - 1 (mod GROUPS), where it is number GROUPS - 2 - l. The
 * numbers, one repetition after the other, are spread evenly over the routers of a group; without spare ports number
 * n is at router n / global.
 *
 * Routing is minimal, with one global cable: to the nearest router with a cable to the group, over the cable, to the
 * destination's router; among equally near cables it takes number destination mod `links`, or the next. `split` takes
 * all shortest routes equally, also those over the routers' own global cables (two global cables at most). `valiant`
 * sends every flow between groups over all other groups in equal parts, each way minimal to the group and from where
 * it arrives there: Valiant's random choice, on average, and twice the global load of even traffic. Kim et al. (ISCA
 * 2008); palm tree: Camarero et al. (2014).
 */
#include "network/graph/topology.h"

#include <math.h>

#include "base/error.h"

enum { KEY_HOSTS, KEY_GLOBAL, KEY_LINKS, KEY_WIDTH, KEY_SPLIT, KEY_VALIANT };
enum { GLOBAL_MAX = 64, COPIES_MAX = 16 };

struct layout {
	unsigned groups, routers, hosts;
	unsigned copies;        /* global cables between two groups */
	unsigned numbers;       /* global cables of a group */
	unsigned group_pairs;   /* cables inside a group */
	unsigned local, global; /* first cable inside groups, first cable between groups */
	bool split, valiant;
};

static double dragonfly_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double groups = spec->extent[0], routers = spec->extent[1];
	const double copies = spec->key[KEY_LINKS],
		     most = floor(routers * spec->key[KEY_GLOBAL] / copies) + 1;
	const double cables = groups * routers * (routers - 1) / 2 + copies * groups * (groups - 1) / 2 +
			      hosts_cables(spec);
	if (groups > most) {
		error_set(error, PARADL_USAGE,
			"%.0f groups are too many: this dragonfly joins at most %.0f, by the global cables "
			"of a group",
			groups, most);
		error_hint(error, "raise global=%.0f, the global cables of a router", spec->key[KEY_GLOBAL]);
		return 0;
	}
	if (spec->key[KEY_SPLIT] > 0 && spec->key[KEY_VALIANT] > 0) {
		error_set(error, PARADL_USAGE, "split and valiant of dragonfly exclude each other");
		return 0;
	}
	return topology_cables_fit(spec, cables, error) ? hosts_devices(spec, error) : 0;
}

/* Returns the router of group q, counted in the group, that has the cable `copy` to group r. */
static unsigned gateway(const struct layout *layout, unsigned q, unsigned r, unsigned copy)
{
	const unsigned number = q > r ? q - r - 1 : q + layout->groups - r - 1;
	return (copy * (layout->groups - 1) + number) * layout->routers / layout->numbers;
}

/* Returns the first cable number at a router; its last is before the first of the next router. */
static unsigned number_first(const struct layout *layout, unsigned router)
{
	return (router * layout->numbers + layout->routers - 1) / layout->routers;
}

/* Returns the group that a cable number of group q leads to. */
static unsigned beyond(const struct layout *layout, unsigned q, unsigned number)
{
	const unsigned l = number % (layout->groups - 1);
	return q > l ? q - l - 1 : q + layout->groups - l - 1;
}

/* Returns the number of a pair: j (j - 1) / 2 + i for i < j; the cables of a pair are declared from i. */
static unsigned pair_of(unsigned from, unsigned to)
{
	return from < to ? to * (to - 1) / 2 + from : from * (from - 1) / 2 + to;
}

static unsigned local_link(const struct graph *graph, unsigned group, unsigned from, unsigned to)
{
	const struct layout *layout = graph->layout;
	return graph_link(graph, layout->local + group * layout->group_pairs + pair_of(from, to), from > to);
}

static unsigned global_link(const struct graph *graph, unsigned from, unsigned to, unsigned copy)
{
	const struct layout *layout = graph->layout;
	return graph_link(graph, layout->global + pair_of(from, to) * layout->copies + copy, from > to);
}

/* The ends of a route: router x of group q and router y of group r. */
struct ends {
	unsigned q, x, r, y;
};

/* Returns the global cable with the fewest hops before and after it; `to` decides among equals. */
static unsigned nearest(const struct layout *layout, const struct ends *ends, unsigned to)
{
	unsigned found = 0, fewest = 3;
	if (layout->copies == 1)
		return 0;
	for (unsigned i = 0; i < layout->copies; ++i) {
		const unsigned copy = (to + i) % layout->copies;
		const unsigned hops = (unsigned)(gateway(layout, ends->q, ends->r, copy) != ends->x) +
				      (gateway(layout, ends->r, ends->q, copy) != ends->y);
		if (hops < fewest) {
			fewest = hops;
			found = copy;
		}
	}
	return found;
}

static void minimal(const struct graph *graph, struct ends ends, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	if (ends.q != ends.r) {
		const unsigned copy = nearest(layout, &ends, to);
		const unsigned out = gateway(layout, ends.q, ends.r, copy);
		if (ends.x != out)
			path_add(graph, path, local_link(graph, ends.q, ends.x, out));
		path_add(graph, path, global_link(graph, ends.q, ends.r, copy));
		ends.x = gateway(layout, ends.r, ends.q, copy);
	}
	if (ends.x != ends.y)
		path_add(graph, path, local_link(graph, ends.r, ends.x, ends.y));
}

/* ---- split: all shortest routes --------------------------------------------------------------------------- */

struct ways {
	unsigned count, hops; /* number of ways; hops of each */
	unsigned links[COPIES_MAX * (2 * GLOBAL_MAX + 1)][3];
};

static void way_offer(struct ways *ways, const unsigned *links, unsigned hops)
{
	if (hops > 3 || hops > ways->hops)
		return;
	if (hops < ways->hops)
		ways->count = 0;
	ways->hops = hops;
	for (unsigned i = 0; i < hops; ++i)
		ways->links[ways->count][i] = links[i];
	++ways->count;
}

static void way_direct(const struct graph *graph, const struct ends *ends, unsigned copy, struct ways *ways)
{
	const struct layout *layout = graph->layout;
	const unsigned out = gateway(layout, ends->q, ends->r, copy),
		       in = gateway(layout, ends->r, ends->q, copy);
	unsigned links[3], hops = 0;
	if (ends->x != out)
		links[hops++] = local_link(graph, ends->q, ends->x, out);
	links[hops++] = global_link(graph, ends->q, ends->r, copy);
	if (in != ends->y)
		links[hops++] = local_link(graph, ends->r, in, ends->y);
	way_offer(ways, links, hops);
}

/* Offers the ways by group m over a global cable of the source itself, then [local hop], global cable, [local hop]. */
static void way_from(
	const struct graph *graph, const struct ends *ends, unsigned m, unsigned copy, struct ways *ways)
{
	const struct layout *layout = graph->layout;
	const unsigned in = gateway(layout, m, ends->q, copy);
	for (unsigned next = 0; next < layout->copies; ++next) {
		const unsigned out = gateway(layout, m, ends->r, next);
		const unsigned end = gateway(layout, ends->r, m, next);
		unsigned links[4], hops = 0;
		links[hops++] = global_link(graph, ends->q, m, copy);
		if (in != out)
			links[hops++] = local_link(graph, m, in, out);
		links[hops++] = global_link(graph, m, ends->r, next);
		if (end != ends->y)
			links[hops++] = local_link(graph, ends->r, end, ends->y);
		way_offer(ways, links, hops);
	}
}

/* Offers the ways by group m to a global cable of the destination itself, after one hop in the source's group. */
static void way_to(
	const struct graph *graph, const struct ends *ends, unsigned m, unsigned copy, struct ways *ways)
{
	const struct layout *layout = graph->layout;
	const unsigned out = gateway(layout, m, ends->r, copy);
	for (unsigned before = 0; before < layout->copies; ++before) {
		const unsigned start = gateway(layout, ends->q, m, before);
		if (start == ends->x || gateway(layout, m, ends->q, before) != out)
			continue;
		const unsigned links[] = {local_link(graph, ends->q, ends->x, start),
			global_link(graph, ends->q, m, before), global_link(graph, m, ends->r, copy)};
		way_offer(ways, links, 3);
	}
}

/* Adds a share to a link's entry in the path, or a new entry: ways that share links have one entry for each link. */
static void share_merge(
	const struct graph *graph, struct path *path, unsigned begin, unsigned link, double share)
{
	for (unsigned i = begin; i < path->count; ++i)
		if (path->links[i] == path->base + link) {
			const double flow_s_per_byte = graph_hop(graph, link)->flow_s_per_byte;
			path->shares[i] += share;
			if (flow_s_per_byte * path->shares[i] > path->flow_s_per_byte)
				path->flow_s_per_byte = flow_s_per_byte * path->shares[i];
			return;
		}
	path_add_share(graph, path, link, share);
}

static void ways_take(const struct graph *graph, const struct ways *ways, struct path *path)
{
	const unsigned begin = path->count;
	double longest_s = 0;
	for (unsigned w = 0; w < ways->count; ++w) {
		double latency_s = 0;
		for (unsigned i = 0; i < ways->hops; ++i) {
			share_merge(graph, path, begin, ways->links[w][i], 1.0 / ways->count);
			latency_s += graph_hop(graph, ways->links[w][i])->latency_s;
		}
		longest_s = latency_s > longest_s ? latency_s : longest_s;
	}
	path->latency_s += longest_s;
}

static void shortest(const struct graph *graph, struct ends ends, struct path *path)
{
	const struct layout *layout = graph->layout;
	struct ways ways;
	ways.count = 0;
	ways.hops = 3;
	for (unsigned copy = 0; copy < layout->copies; ++copy)
		way_direct(graph, &ends, copy, &ways);
	for (unsigned i = number_first(layout, ends.x); i < number_first(layout, ends.x + 1); ++i) {
		const unsigned m = beyond(layout, ends.q, i);
		if (m != ends.r)
			way_from(graph, &ends, m, i / (layout->groups - 1), &ways);
	}
	/* a cable has the same copy number at both ends */
	for (unsigned i = number_first(layout, ends.y); i < number_first(layout, ends.y + 1); ++i) {
		const unsigned m = beyond(layout, ends.r, i);
		if (m != ends.q)
			way_to(graph, &ends, m, i / (layout->groups - 1), &ways);
	}
	ways_take(graph, &ways, path);
}

/* ---- Valiant: over all other groups ------------------------------------------------------------------------ */

/*
 * Adds shares on local cables between router x of group q and the routers with cables to other groups than `except`.
 */
static void fan(
	const struct graph *graph, unsigned q, unsigned x, unsigned except, bool outwards, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned ways = layout->numbers - layout->copies;
	for (unsigned router = 0; router < layout->routers; ++router) {
		unsigned cables = number_first(layout, router + 1) - number_first(layout, router);
		for (unsigned copy = 0; copy < layout->copies; ++copy)
			cables -= gateway(layout, q, except, copy) == router;
		if (router != x && cables > 0)
			path_add_share(graph, path,
				outwards ? local_link(graph, q, x, router) : local_link(graph, q, router, x),
				(double)cables / ways);
	}
}

/* Adds the way by one cable to group m, without its ends; returns its number of local hops, with those at the ends. */
static unsigned by_group(
	const struct graph *graph, const struct ends *ends, unsigned m, unsigned copy, struct path *path)
{
	const struct layout *layout = graph->layout;
	const double share = 1.0 / (layout->numbers - layout->copies);
	const unsigned in = gateway(layout, m, ends->q, copy), out = gateway(layout, m, ends->r, copy);
	path_add_share(graph, path, global_link(graph, ends->q, m, copy), share);
	if (in != out)
		path_add_share(graph, path, local_link(graph, m, in, out), share);
	path_add_share(graph, path, global_link(graph, m, ends->r, copy), share);
	return (unsigned)(in != out) + (gateway(layout, ends->q, m, copy) != ends->x) +
	       (gateway(layout, ends->r, m, copy) != ends->y);
}

static void valiant(const struct graph *graph, struct ends ends, struct path *path)
{
	const struct layout *layout = graph->layout;
	unsigned most = 0;
	fan(graph, ends.q, ends.x, ends.r, true, path);
	for (unsigned m = 0; m < layout->groups; ++m)
		for (unsigned copy = 0; m != ends.q && m != ends.r && copy < layout->copies; ++copy) {
			const unsigned hops = by_group(graph, &ends, m, copy, path);
			most = hops > most ? hops : most;
		}
	fan(graph, ends.r, ends.y, ends.q, false, path);
	/* the longest of the ways: the last part arrives by it */
	path->latency_s += most * graph_hop(graph, graph_link(graph, layout->local, false))->latency_s +
			   2 * graph_hop(graph, graph_link(graph, layout->global, false))->latency_s;
}

static void dragonfly_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned hosts = layout->hosts, a = layout->routers;
	const unsigned out = hosts ? from / hosts : from, in = hosts ? to / hosts : to;
	const struct ends ends = {out / a, out % a, in / a, in % a};
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	if (ends.q != ends.r && layout->valiant && layout->groups > 2)
		valiant(graph, ends, path);
	else if (ends.q != ends.r && layout->split)
		shortest(graph, ends, path);
	else
		minimal(graph, ends, to, path);
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

/* ---- build ---------------------------------------------------------------------------------------------------- */

static void groups_cable(struct graph *graph, struct layout *layout, unsigned first, unsigned width)
{
	const unsigned a = layout->routers;
	layout->local = graph->cable_count;
	for (unsigned q = 0; q < layout->groups; ++q)
		for (unsigned j = 1; j < a; ++j)
			for (unsigned i = 0; i < j; ++i)
				graph_cable(graph, first + q * a + i, first + q * a + j, LINK_SWITCH, 1);
	layout->global = graph->cable_count;
	for (unsigned r = 1; r < layout->groups; ++r)
		for (unsigned q = 0; q < r; ++q)
			for (unsigned copy = 0; copy < layout->copies; ++copy)
				graph_cable(graph, first + q * a + gateway(layout, q, r, copy),
					first + r * a + gateway(layout, r, q, copy), LINK_GLOBAL, width);
}

static unsigned longest_route(const struct layout *layout)
{
	const unsigned each = layout->numbers / layout->routers + 1;
	unsigned longest = 3;
	if (layout->split)
		longest = 3 * layout->copies * (2 * each + 1);
	if (layout->valiant && layout->groups > 2)
		longest = 2 * layout->routers + 3 * layout->numbers;
	return longest + (layout->hosts ? 2 : 0);
}

static bool dragonfly_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	layout->groups = spec->extent[0];
	layout->routers = spec->extent[1];
	layout->hosts = (unsigned)spec->key[KEY_HOSTS];
	layout->copies = (unsigned)spec->key[KEY_LINKS];
	layout->numbers = (layout->groups - 1) * layout->copies;
	layout->split = spec->key[KEY_SPLIT] > 0;
	layout->valiant = spec->key[KEY_VALIANT] > 0;
	layout->group_pairs = layout->routers * (layout->routers - 1) / 2;
	graph_reserve(graph, (size_t)layout->groups * layout->routers * layout->hosts +
				     (size_t)layout->groups * layout->group_pairs +
				     (size_t)layout->groups * (layout->groups - 1) / 2 * layout->copies);
	const unsigned first = hosts_add(graph, layout->groups * layout->routers, layout->hosts);
	groups_cable(graph, layout, first, (unsigned)spec->key[KEY_WIDTH]);
	const unsigned group = graph->devices / layout->groups;
	graph->domain[graph->domain_count++] = group;
	graph->domain[graph->domain_count++] = graph->devices;
	if (!layout->split && !layout->valiant && group % layout->copies == 0)
		graph->tile = group;
	if (!layout->valiant && (layout->split || group % layout->copies == 0)) {
		graph_turns_at(graph, group);
		graph_turns_at(graph, graph->devices);
	}
	graph->longest = longest_route(layout);
	graph->route = dragonfly_route;
	graph_leaves(graph, layout->split || layout->valiant || layout->copies == 1 ? layout->hosts : 0);
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_dragonfly = {
	.name = "dragonfly",
	.summary = "groups of routers, a few cables between each two groups; minimal or Valiant routing",
	.shape = "GROUPS x ROUTERS",
	.source = "Kim et al. (ISCA 2008); palm tree: Camarero et al. (2014)",
	.least_extents = 2,
	.most_extents = 2,
	.keys = {HOSTS_KEY, {"global", "global links of a router, at most", 1, 1, GLOBAL_MAX},
		{"links", "global links between two groups, at different routers", 1, 1, COPIES_MAX},
		{"width", "cables of each global link, as one pipe", 1, 1, 1024},
		{"split", "1: equally over all shortest routes; 0: one of them", 0, 0, 1},
		{"valiant", "1: equally over all other groups; 0: minimal", 0, 0, 1}},
	.devices = dragonfly_devices,
	.build = dragonfly_build,
};
