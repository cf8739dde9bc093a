/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dragonfly+: GROUPS of LEAVES, to which hosts connect, and of `spines`, to which global cables connect. Inside a
 * group `up` cables, as one pipe, join each leaf to each spine. `links` global cables of `width` join each two groups,
 * at different spines; which spine has which cable is the palm tree of dragonfly.c, spread evenly.
 *
 * Routing is minimal: inside a group over the spine of number destination mod `spines`; between groups up to the spine
 * of global cable destination mod `links`, over the cable, and down. `split` takes all spines equally, or all cables
 * between the two groups (adaptive routing). Shpiner et al., Dragonfly+: low cost topology for scaling datacenters
 * (HiPINEB 2017).
 */
#include "network/graph/topology.h"

#include "base/error.h"

enum { KEY_HOSTS, KEY_SPINES, KEY_UP, KEY_LINKS, KEY_WIDTH, KEY_SPLIT };
enum { WIDTH_MAX = 1024, SPINES_MAX = 1024 };

struct layout {
	unsigned groups, leaves, hosts, spines;
	unsigned copies;     /* global cables between two groups */
	unsigned up, global; /* first cable from leaves, first cable between groups */
	bool split;
};

static unsigned spines_of(const struct topology_spec *spec)
{
	return spec->key[KEY_SPINES] > 0 ? (unsigned)spec->key[KEY_SPINES] : spec->extent[1];
}

static double dragonfly_plus_devices(const struct topology_spec *spec, struct paradl_error *error)
{
	const double groups = spec->extent[0], leaves = spec->extent[1];
	if (spec->key[KEY_LINKS] > spines_of(spec)) {
		error_set(error, PARADL_USAGE, "%.0f links between two groups are too many for %u spines",
			spec->key[KEY_LINKS], spines_of(spec));
		error_hint(error, "each is at a spine of its own: lower links=, raise spines= or width=");
		return 0;
	}
	const double cables = groups * leaves * spines_of(spec) +
			      spec->key[KEY_LINKS] * groups * (groups - 1) / 2 + hosts_cables(spec);
	return topology_cables_fit(spec, cables, error) ? hosts_devices(spec, error) : 0;
}

/* Returns the spine of group q, counted in the group, that has the cable `copy` to group r. */
static unsigned gateway(const struct layout *layout, unsigned q, unsigned r, unsigned copy)
{
	const unsigned others = layout->groups - 1;
	const unsigned number = copy * others + (q > r ? q - r - 1 : q + layout->groups - r - 1);
	return (unsigned)((unsigned long)number * layout->spines / ((unsigned long)others * layout->copies));
}

static unsigned up_link(const struct graph *graph, unsigned leaf, unsigned spine, bool down)
{
	const struct layout *layout = graph->layout;
	return graph_link(graph, layout->up + leaf * layout->spines + spine, down);
}

/*
 * Returns a link between groups. Pairs of groups i < j are numbered j (j - 1) / 2 + i; their cables are declared from
 * i.
 */
static unsigned global_link(const struct graph *graph, unsigned from, unsigned to, unsigned copy)
{
	const struct layout *layout = graph->layout;
	const unsigned low = from < to ? from : to, high = from < to ? to : from;
	return graph_link(
		graph, layout->global + (high * (high - 1) / 2 + low) * layout->copies + copy, from > to);
}

/* A route from `leaf` to `far`: one (`way`) of `ways` ways. */
struct hop {
	unsigned leaf, far, ways, way;
};

/*
 * Adds a link of one way; with several ways each has an equal share of the flow, and the first one counts for latency.
 */
static void hop_add(const struct graph *graph, struct path *path, unsigned link, const struct hop *hop)
{
	if (hop->ways == 1) {
		path_add(graph, path, link);
		return;
	}
	path_add_share(graph, path, link, 1.0 / hop->ways);
	path->latency_s += hop->way ? 0 : graph_hop(graph, link)->latency_s;
}

/* Adds the links from one leaf to another of its group over a spine, with the whole flow or the way's share. */
static void inside(const struct graph *graph, const struct hop *hop, unsigned spine, struct path *path)
{
	hop_add(graph, path, up_link(graph, hop->leaf, spine, false), hop);
	hop_add(graph, path, up_link(graph, hop->far, spine, true), hop);
}

/* Adds the links from a leaf to one of another group over one of the cables between the two groups. */
static void across(const struct graph *graph, const struct hop *hop, unsigned copy, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned q = hop->leaf / layout->leaves, r = hop->far / layout->leaves;
	hop_add(graph, path, up_link(graph, hop->leaf, gateway(layout, q, r, copy), false), hop);
	hop_add(graph, path, global_link(graph, q, r, copy), hop);
	hop_add(graph, path, up_link(graph, hop->far, gateway(layout, r, q, copy), true), hop);
}

static void dragonfly_plus_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	const unsigned hosts = layout->hosts;
	const unsigned leaf = hosts ? from / hosts : from, far = hosts ? to / hosts : to;
	if (hosts)
		path_add(graph, path, graph_link(graph, from, false));
	const bool is_near = leaf / layout->leaves == far / layout->leaves;
	const unsigned all = is_near ? layout->spines : layout->copies;
	struct hop hop = {.leaf = leaf, .far = far, .ways = leaf == far ? 0 : layout->split ? all : 1};
	for (; hop.way < hop.ways; ++hop.way)
		(is_near ? inside : across)(graph, &hop, layout->split ? hop.way : to % all, path);
	if (hosts)
		path_add(graph, path, graph_link(graph, to, true));
}

static void groups_cable(
	struct graph *graph, struct layout *layout, unsigned leaves, unsigned up, unsigned width)
{
	const unsigned spines = graph_vertices(graph, layout->groups * layout->spines);
	layout->up = graph->cable_count;
	for (unsigned leaf = 0; leaf < layout->groups * layout->leaves; ++leaf)
		for (unsigned spine = 0; spine < layout->spines; ++spine)
			graph_cable(graph, leaves + leaf,
				spines + leaf / layout->leaves * layout->spines + spine, LINK_SWITCH, up);
	layout->global = graph->cable_count;
	for (unsigned r = 1; r < layout->groups; ++r)
		for (unsigned q = 0; q < r; ++q)
			for (unsigned copy = 0; copy < layout->copies; ++copy)
				graph_cable(graph, spines + q * layout->spines + gateway(layout, q, r, copy),
					spines + r * layout->spines + gateway(layout, r, q, copy),
					LINK_GLOBAL, width);
}

static bool dragonfly_plus_build(
	const struct topology_spec *spec, struct graph *graph, struct paradl_error *error)
{
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	if (!layout)
		return out_of_memory(error);
	*layout = (struct layout){.groups = spec->extent[0],
		.leaves = spec->extent[1],
		.hosts = (unsigned)spec->key[KEY_HOSTS],
		.spines = spines_of(spec),
		.copies = (unsigned)spec->key[KEY_LINKS],
		.split = spec->key[KEY_SPLIT] > 0};
	const unsigned leaves = hosts_add(graph, layout->groups * layout->leaves, layout->hosts);
	groups_cable(graph, layout, leaves, (unsigned)spec->key[KEY_UP], (unsigned)spec->key[KEY_WIDTH]);
	const unsigned group = layout->leaves * (layout->hosts ? layout->hosts : 1);
	graph->domain[graph->domain_count++] = group;
	graph->domain[graph->domain_count++] = graph->devices;
	const unsigned ways = layout->copies > layout->spines ? layout->copies : layout->spines;
	if (layout->split || (group % layout->spines == 0 && group % layout->copies == 0)) {
		graph->tile = group;
		graph_turns_at(graph, group);
		graph_turns_at(graph, graph->devices);
	}
	graph->longest = 3 * (layout->split ? ways : 1) + (layout->hosts ? 2 : 0);
	graph->route = dragonfly_plus_route;
	graph_leaves(graph, layout->split ? layout->hosts : 0);
	graph->layout = layout;
	return graph_finish(graph, error);
}

const struct topology topology_dragonfly_plus = {
	.name = "dragonfly+",
	.summary = "groups of leaves and spines, some cables between each two groups; minimal routing",
	.shape = "GROUPS x LEAVES",
	.source = "Shpiner et al., Dragonfly+ (HiPINEB 2017)",
	.least_extents = 2,
	.most_extents = 2,
	.keys = {HOSTS_KEY, {"spines", "spines of a group; 0: as many as leaves", 0, 0, SPINES_MAX},
		{"up", "cables from each leaf to each spine, as one pipe", 1, 1, WIDTH_MAX},
		{"links", "global links between two groups, at different spines", 1, 1, SPINES_MAX},
		{"width", "cables of each global link, as one pipe", 1, 1, WIDTH_MAX},
		{"split", "1: equally over all shortest routes; 0: one of them", 0, 0, 1}},
	.devices = dragonfly_plus_devices,
	.build = dragonfly_plus_build,
};
