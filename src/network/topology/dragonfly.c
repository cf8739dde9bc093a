/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dragonfly: GROUPS of ROUTERS; the routers of a group are joined to each other, and each group to every other by one
 * global cable, `global` of them at a router. Palm-tree wiring: link l of group q leads to group q - l - 1 (mod GROUPS) and is
 * at router l / global; there it is link GROUPS - 2 - l. So at most ROUTERS * global + 1 groups.
 *
 * Routing is minimal: to the router with the cable, over it, to the destination's router. `split`: over all shortest routes
 * equally, those by way of the routers' own global cables included (of at most two global cables).
 * `valiant`: every flow between groups goes over all other groups in equal parts, each way minimal to the group and from where it
 * arrives there; that is Valiant's random choice, on average, and twice the global load of even traffic.
 * Kim et al. (ISCA 2008); palm tree: Camarero et al. (2014).
 */
#include "network/topology.h"

#include "base/error.h"
#include "network/topology/hosts.h"

enum { KEY_HOSTS, KEY_GLOBAL, KEY_WIDTH, KEY_SPLIT, KEY_VALIANT, GLOBAL_MAX = 64 };

struct layout {
	unsigned groups, routers, hosts, each; /* global cables of a router */
	unsigned group_pairs;                  /* cables inside a group */
	unsigned local, global;                /* the first cable of each kind */
	bool split, valiant;
};

static double dragonfly_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double groups = spec->extent[0], routers = spec->extent[1];
	const double most = routers * spec->key[KEY_GLOBAL] + 1;
	const double cables =
		groups * routers * (routers - 1) / 2 + groups * (groups - 1) / 2 + hosts_cables(spec);
	if (groups > most) {
		error_set(error, PARADL_USAGE,
			"%.0f groups are too many: dragonfly joins at most %.0f, one more than the global "
			"cables of a group",
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

/* Router of group q, counted in it, that has the cable to group r. */
static unsigned gateway(const struct layout *layout, unsigned q, unsigned r)
{
	return (q > r ? q - r - 1 : q + layout->groups - r - 1) / layout->each;
}

/* The group that link l of group q leads to. */
static unsigned beyond(const struct layout *layout, unsigned q, unsigned l)
{
	return q > l ? q - l - 1 : q + layout->groups - l - 1;
}

/* Cables of i < j are numbered j (j - 1) / 2 + i and declared from i. */
static unsigned pair_link(const struct graph *graph, unsigned first, unsigned from, unsigned to)
{
	const unsigned cable = from < to ? to * (to - 1) / 2 + from : from * (from - 1) / 2 + to;
	return graph_link(graph, first + cable, from > to);
}

static unsigned local_link(const struct graph *graph, unsigned group, unsigned from, unsigned to)
{
	const struct layout *layout = graph->layout;
	return pair_link(graph, layout->local + group * layout->group_pairs, from, to);
}

static unsigned global_link(const struct graph *graph, unsigned from, unsigned to)
{
	const struct layout *layout = graph->layout;
	return pair_link(graph, layout->global, from, to);
}

/* Router x of group q to router y of group r. */
struct ends {
	unsigned q, x, r, y;
};

static void minimal(const struct graph *graph, struct ends ends, struct path *path)
{
	const struct layout *layout = graph->layout;
	if (ends.q != ends.r) {
		const unsigned out = gateway(layout, ends.q, ends.r), in = gateway(layout, ends.r, ends.q);
		if (ends.x != out)
			path_add(graph, path, local_link(graph, ends.q, ends.x, out));
		path_add(graph, path, global_link(graph, ends.q, ends.r));
		ends.x = in;
	}
	if (ends.x != ends.y)
		path_add(graph, path, local_link(graph, ends.r, ends.x, ends.y));
}

/* ---- split: all shortest routes --------------------------------------------------------------------------- */

struct ways {
	unsigned count, hops; /* all of as many hops */
	unsigned links[2 * GLOBAL_MAX + 1][3];
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

/* By group m, from a global cable of the source itself: cable, [over to the next], cable, [over to the end]. */
static void way_from(const struct graph *graph, const struct ends *ends, unsigned m, struct ways *ways)
{
	const struct layout *layout = graph->layout;
	const unsigned in = gateway(layout, m, ends->q), out = gateway(layout, m, ends->r);
	const unsigned end = gateway(layout, ends->r, m);
	unsigned links[4], hops = 0;
	links[hops++] = global_link(graph, ends->q, m);
	if (in != out)
		links[hops++] = local_link(graph, m, in, out);
	links[hops++] = global_link(graph, m, ends->r);
	if (end != ends->y)
		links[hops++] = local_link(graph, ends->r, end, ends->y);
	way_offer(ways, links, hops);
}

/* By group m to a global cable of the destination itself, after one hop in the source's group. */
static void way_to(const struct graph *graph, const struct ends *ends, unsigned m, struct ways *ways)
{
	const struct layout *layout = graph->layout;
	const unsigned start = gateway(layout, ends->q, m);
	if (start == ends->x || gateway(layout, m, ends->q) != gateway(layout, m, ends->r))
		return;
	const unsigned links[] = {local_link(graph, ends->q, ends->x, start), global_link(graph, ends->q, m),
		global_link(graph, m, ends->r)};
	way_offer(ways, links, 3);
}

/* Ways may begin or end alike: one entry for each link. */
static void share_merge(
	const struct graph *graph, struct path *path, unsigned begin, unsigned link, double share)
{
	for (unsigned i = begin; i < path->count; ++i)
		if (path->links[i] == path->base + link) {
			const double flow_s_per_byte = graph->links[link].flow_s_per_byte;
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
			latency_s += graph->links[ways->links[w][i]].latency_s;
		}
		longest_s = latency_s > longest_s ? latency_s : longest_s;
	}
	path->latency_s += longest_s;
}

static void shortest(const struct graph *graph, struct ends ends, struct path *path)
{
	const struct layout *layout = graph->layout;
	struct ways ways = {.hops = 3};
	const unsigned out = gateway(layout, ends.q, ends.r), in = gateway(layout, ends.r, ends.q);
	unsigned links[3], hops = 0;
	if (ends.x != out)
		links[hops++] = local_link(graph, ends.q, ends.x, out);
	links[hops++] = global_link(graph, ends.q, ends.r);
	if (in != ends.y)
		links[hops++] = local_link(graph, ends.r, in, ends.y);
	way_offer(&ways, links, hops);
	for (unsigned i = 0; i < layout->each; ++i) {
		const unsigned l = ends.x * layout->each + i, far = ends.y * layout->each + i;
		const unsigned from = l + 1 < layout->groups ? beyond(layout, ends.q, l) : ends.r;
		const unsigned to = far + 1 < layout->groups ? beyond(layout, ends.r, far) : ends.q;
		if (from != ends.r)
			way_from(graph, &ends, from, &ways);
		if (to != ends.q)
			way_to(graph, &ends, to, &ways);
	}
	ways_take(graph, &ways, path);
}

/* ---- Valiant: over all other groups ------------------------------------------------------------------------ */

/* Shares on the local cables between router x of group q and those whose cables lead to groups other than `except`. */
static void fan(
	const struct graph *graph, unsigned q, unsigned x, unsigned except, bool outwards, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned ways = layout->groups - 2;
	for (unsigned router = 0; router * layout->each + 1 < layout->groups; ++router) {
		const unsigned first = router * layout->each;
		const unsigned room = layout->groups - 1 - first;
		unsigned cables = layout->each < room ? layout->each : room;
		cables -= gateway(layout, q, except) == router;
		if (router != x && cables > 0)
			path_add_share(graph, path,
				outwards ? local_link(graph, q, x, router) : local_link(graph, q, router, x),
				(double)cables / ways);
	}
}

static void valiant(const struct graph *graph, struct ends ends, struct path *path)
{
	const struct layout *layout = graph->layout;
	const double share = 1.0 / (layout->groups - 2);
	unsigned most = 0;
	fan(graph, ends.q, ends.x, ends.r, true, path);
	for (unsigned m = 0; m < layout->groups; ++m) {
		if (m == ends.q || m == ends.r)
			continue;
		const unsigned in = gateway(layout, m, ends.q), out = gateway(layout, m, ends.r);
		const bool before = gateway(layout, ends.q, m) != ends.x;
		const bool behind = gateway(layout, ends.r, m) != ends.y;
		const unsigned hops = (unsigned)(in != out) + before + behind;
		path_add_share(graph, path, global_link(graph, ends.q, m), share);
		if (in != out)
			path_add_share(graph, path, local_link(graph, m, in, out), share);
		path_add_share(graph, path, global_link(graph, m, ends.r), share);
		most = hops > most ? hops : most;
	}
	fan(graph, ends.r, ends.y, ends.q, false, path);
	/* the longest of the ways: the last part arrives by it */
	path->latency_s += most * graph->links[graph_link(graph, layout->local, false)].latency_s +
			   2 * graph->links[graph_link(graph, layout->global, false)].latency_s;
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
		minimal(graph, ends, path);
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
			graph_cable(graph, first + q * a + gateway(layout, q, r),
				first + r * a + gateway(layout, r, q), LINK_GLOBAL, width);
}

static unsigned longest_route(const struct layout *layout)
{
	unsigned longest = 3;
	if (layout->split)
		longest = 3 * (2 * layout->each + 1);
	if (layout->valiant && layout->groups > 2)
		longest = 2 * layout->routers + 3 * layout->groups;
	return longest + (layout->hosts ? 2 : 0);
}

static bool dragonfly_build(const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	layout->groups = spec->extent[0];
	layout->routers = spec->extent[1];
	layout->hosts = (unsigned)spec->key[KEY_HOSTS];
	layout->each = (unsigned)spec->key[KEY_GLOBAL];
	layout->split = spec->key[KEY_SPLIT] > 0;
	layout->valiant = spec->key[KEY_VALIANT] > 0;
	layout->group_pairs = layout->routers * (layout->routers - 1) / 2;
	const unsigned first = hosts_add(graph, layout->groups * layout->routers, layout->hosts);
	groups_cable(graph, layout, first, (unsigned)spec->key[KEY_WIDTH]);
	graph->domain[graph->domain_count++] = graph->devices / layout->groups;
	graph->domain[graph->domain_count++] = graph->devices;
	graph->longest = longest_route(layout);
	graph->route = dragonfly_route;
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_dragonfly = {
	.name = "dragonfly",
	.summary = "groups of routers, one cable between each two groups; minimal or Valiant routing",
	.shape = "GROUPS x ROUTERS",
	.source = "Kim et al. (ISCA 2008); palm tree: Camarero et al. (2014)",
	.least_extents = 2,
	.most_extents = 2,
	.keys = {HOSTS_KEY, {"global", "global cables of a router", 1, 1, GLOBAL_MAX},
		{"width", "cables of each global link, as one pipe", 1, 1, 1024},
		{"split", "1: equally over all shortest routes; 0: by the cable between the two groups", 0, 0,
			1},
		{"valiant", "1: equally over all other groups; 0: minimal", 0, 0, 1}},
	.devices = dragonfly_devices,
	.build = dragonfly_build,
};
