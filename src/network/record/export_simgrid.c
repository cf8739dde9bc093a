/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as a platform of SimGrid. Every link of the graph is a link there, shared by its flows. A zone with
 * "Full" routing lists each pair's links, so routes are ours whatever they are. A flow's time is then what the
 * compiler says of a step of one flow:
 *     latency factor * (latencies of the links + latency that the route adds) + bytes / rate
 * The file has the settings that make SimGrid's network follow our rules (no TCP windows, factors as the protocols
 * have them).
 */
#include <stdio.h>

#include "base/error.h"
#include "base/quantity.h"
#include "network/record/record.h"

enum { EXTRAS_MAX = 256 };

/* Latency and time per byte that a route has in addition to those of its links. */
struct extra {
	double latency_s, s_per_byte;
};

struct platform {
	const struct network *network;
	const struct graph *graph;
	struct sink *sink;
	struct paradl_error *error;
	struct path path;
	struct extra extras[EXTRAS_MAX];
	unsigned extra_count;
	unsigned char *pairs; /* bit set of the pairs that need a route; NULL: all do */
	double pair_count;
};

static const char *const kind_names[LINK_KINDS] = {
	[LINK_DEVICE] = "device",
	[LINK_PCIE] = "pcie",
	[LINK_PORT] = "port",
	[LINK_SWITCH] = "switch",
	[LINK_GLOBAL] = "global",
	[LINK_BACKPLANE] = "backplane",
};

static const char *number(char text[DECIMAL_LENGTH], double value)
{
	return decimal_shortest(text, DECIMAL_LENGTH, value);
}

/* ---- links ---------------------------------------------------------------------------------------------------- */

/* Writes the name of a link, the same for its definition and in routes: kind, cable, direction. */
static void link_name(const struct platform *platform, unsigned link, char *text, size_t size)
{
	const unsigned ways = platform->graph->ways == 2 ? 2 : 1, cable = link / ways;
	const char *const way = ways == 1 ? "" : link % ways ? ".in" : ".out";
	snprintf(text, size, "%s%u%s", kind_names[platform->graph->cables[cable].kind], cable, way);
}

static void link_write(
	struct platform *platform, const char *name, double s_per_byte, double latency_s, bool shared)
{
	char rate[DECIMAL_LENGTH], latency[DECIMAL_LENGTH];
	sink_format(platform->sink, "    <link id=\"%s\" bandwidth=\"%sBps\" latency=\"%ss\"%s/>\n", name,
		number(rate, s_per_byte > 0 ? 1 / s_per_byte : 1e18), number(latency, latency_s),
		shared && s_per_byte > 0 ? "" : " sharing_policy=\"FATPIPE\"");
}

static void links_write(struct platform *platform)
{
	const struct graph *graph = platform->graph;
	char name[48];
	for (unsigned i = 0; i < graph->cable_count; ++i)
		for (unsigned way = 0; way < (graph->cables[i].one_way ? 1 : graph->ways); ++way) {
			const struct link *link = graph_hop(graph, i * graph->ways + way);
			link_name(platform, i * graph->ways + way, name, sizeof name);
			link_write(platform, name, link->s_per_byte, link->latency_s, true);
		}
	for (unsigned i = 0; i < platform->extra_count; ++i) {
		snprintf(name, sizeof name, "route%u", i);
		link_write(
			platform, name, platform->extras[i].s_per_byte, platform->extras[i].latency_s, false);
	}
}

/* ---- routes ---------------------------------------------------------------------------------------------------- */

static bool wanted(const struct platform *platform, unsigned from, unsigned to)
{
	const size_t bit = (size_t)from * platform->graph->devices + to;
	return from != to && (!platform->pairs || platform->pairs[bit / 8] >> bit % 8 & 1);
}

static void want(struct platform *platform, unsigned from, unsigned to)
{
	const size_t bit = (size_t)from * platform->graph->devices + to;
	const unsigned char mask = (unsigned char)(1u << bit % 8);
	platform->pair_count += from != to && !(platform->pairs[bit / 8] & mask);
	platform->pairs[bit / 8] |= mask;
}

/* Returns the extra of the route in `path`; the remainder that rounding leaves of a sum of latencies counts as 0. */
static struct extra extra_of(const struct platform *platform)
{
	const struct path *path = &platform->path;
	struct extra extra = {.latency_s = path->latency_s + platform->network->rules->message_s};
	double slowest = 0;
	for (unsigned i = 0; i < path->count; ++i) {
		const struct link *link = graph_hop(platform->graph, path->links[i]);
		extra.latency_s -= link->latency_s;
		slowest = link->s_per_byte > slowest ? link->s_per_byte : slowest;
	}
	if (extra.latency_s < 1e-12 * path->latency_s)
		extra.latency_s = 0;
	if (path->flow_s_per_byte > slowest)
		extra.s_per_byte = path->flow_s_per_byte;
	return extra;
}

static bool has_extra(const struct extra *extra)
{
	return extra->latency_s > 0 || extra->s_per_byte > 0;
}

static bool near(double a, double b)
{
	const double apart = a > b ? a - b : b - a;
	return apart <= 1e-9 * (a > b ? a : b);
}

/* Returns the index of an extra; EXTRAS_MAX: it was not seen before. */
static unsigned extra_find(const struct platform *platform, const struct extra *extra)
{
	for (unsigned i = 0; i < platform->extra_count; ++i)
		if (near(platform->extras[i].latency_s, extra->latency_s) &&
			near(platform->extras[i].s_per_byte, extra->s_per_byte))
			return i;
	return EXTRAS_MAX;
}

static bool extra_collect(struct platform *platform, unsigned from, unsigned to)
{
	graph_route(platform->graph, from, to, &platform->path);
	if (platform->path.split) {
		error_set(platform->error, PARADL_USAGE,
			"SimGrid sends all of a flow one way; here its links share it");
		error_hint(platform->error, "a topology without split=1 or valiant=1");
		return false;
	}
	const struct extra extra = extra_of(platform);
	if (!has_extra(&extra) || extra_find(platform, &extra) < EXTRAS_MAX)
		return true;
	if (platform->extra_count == EXTRAS_MAX)
		return error_set(platform->error, PARADL_USAGE,
			"routes have more than %d start-ups besides those of their links", EXTRAS_MAX);
	platform->extras[platform->extra_count++] = extra;
	return true;
}

static void route_write(struct platform *platform, unsigned from, unsigned to)
{
	char name[48];
	graph_route(platform->graph, from, to, &platform->path);
	sink_format(platform->sink, "    <route src=\"d%06u\" dst=\"d%06u\" symmetrical=\"NO\">", from, to);
	for (unsigned i = 0; i < platform->path.count; ++i) {
		link_name(platform, platform->path.links[i], name, sizeof name);
		sink_format(platform->sink, "<link_ctn id=\"%s\"/>", name);
	}
	const struct extra extra = extra_of(platform);
	if (has_extra(&extra))
		sink_format(platform->sink, "<link_ctn id=\"route%u\"/>", extra_find(platform, &extra));
	sink_format(platform->sink, "</route>\n");
}

static bool routes_each(struct platform *platform, bool write)
{
	const unsigned devices = platform->graph->devices;
	for (unsigned from = 0; from < devices && !platform->sink->failed; ++from)
		for (unsigned to = 0; to < devices; ++to) {
			if (!wanted(platform, from, to))
				continue;
			if (write)
				route_write(platform, from, to);
			else if (!extra_collect(platform, from, to))
				return false;
		}
	return true;
}

/* Refuses a platform with too many routes before any of them is sought. */
static bool routes_fit(const struct platform *platform)
{
	if (platform->pair_count <= EXPORT_ROUTES_MAX)
		return true;
	error_set(platform->error, PARADL_USAGE,
		"a platform with %.0f routes is too large; at most %d are written", platform->pair_count,
		EXPORT_ROUTES_MAX);
	error_hint(platform->error, "name the algorithm: then only pairs between which it sends get a route");
	return false;
}

/* Marks the pairs between which a step sends. Acknowledgements go back on the route from `to` to `from`. */
static bool pairs_of_step(void *context, const struct step_messages *step)
{
	struct platform *platform = context;
	for (size_t i = 0; i < step->count; ++i) {
		want(platform, step->messages[i].from, step->messages[i].to);
		if (platform->network->rules->return_share > 0)
			want(platform, step->messages[i].to, step->messages[i].from);
	}
	return true;
}

/* ---- settings -------------------------------------------------------------------------------------------------- */

static void factors_write(struct platform *platform, const char *name, bool latency, double scale)
{
	const struct machine_network *rules = platform->network->rules;
	char from[DECIMAL_LENGTH], factor[DECIMAL_LENGTH];
	sink_format(platform->sink, "    <prop id=\"%s\" value=\"", name);
	if (!rules->protocol_count || rules->protocols[0].from_bytes > 0)
		sink_format(platform->sink, "0:1%s", rules->protocol_count ? ";" : "");
	for (unsigned i = 0; i < rules->protocol_count; ++i) {
		const struct protocol *row = &rules->protocols[i];
		const double flow = row->flow_factor > 0 ? row->flow_factor * scale : 1;
		sink_format(platform->sink, "%s%s:%s", i ? ";" : "", number(from, row->from_bytes),
			number(factor, latency ? row->latency_factor : flow));
	}
	sink_format(platform->sink, "\"/>\n");
}

/*
 * Writes the settings of the platform. Flow factors are relative to nominal rates, but the file has the rates that
 * payload gets. False: SimGrid has no such settings; error is set.
 */
static bool settings_write(struct platform *platform)
{
	const struct graph *graph = platform->graph;
	const struct machine_network *rules = platform->network->rules;
	double scale = 0;
	if (rules->return_share > 0 && !near(rules->return_share, 0.05))
		return error_set(platform->error, PARADL_USAGE,
			"SimGrid's acknowledgements are 5 %% of the bytes of a flow, not %g %%",
			100 * rules->return_share);
	for (unsigned i = 0; rules->protocol_count && i < graph->cable_count; ++i) {
		const struct link_class *rates = &graph->classes[graph->cables[i].class_];
		if (!(rates->sustained_bytes_per_s > 0))
			continue;
		const double here = rates->bytes_per_s / rates->sustained_bytes_per_s;
		if (scale > 0 && !near(here, scale))
			return error_set(platform->error, PARADL_USAGE,
				"protocols need cables that all sustain the same share of their rate");
		scale = here;
	}
	sink_format(platform->sink, "  <config>\n");
	factors_write(platform, "smpi/lat-factor", true, 1);
	factors_write(platform, "smpi/bw-factor", false, scale);
	sink_format(platform->sink,
		"    <prop id=\"network/latency-factor\" value=\"1\"/>\n"
		"    <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n"
		"    <prop id=\"network/weight-S\" value=\"0\"/>\n"
		"    <prop id=\"network/optim\" value=\"Full\"/>\n"
		"    <prop id=\"network/TCP-gamma\" value=\"0\"/>\n"
		"    <prop id=\"network/crosstraffic\" value=\"%d\"/>\n"
		"    <prop id=\"smpi/host-speed\" value=\"1Gf\"/>\n"
		"    <prop id=\"smpi/send-is-detached-thresh\" value=\"0\"/>\n"
		"  </config>\n",
		rules->return_share > 0);
	return true;
}

/* Writes the title as an XML comment, which must not have two hyphens in a row. */
static void title_write(struct platform *platform, const char *title)
{
	sink_format(platform->sink, "<!-- ");
	for (const char *at = title; *at; ++at)
		sink_format(platform->sink, at > title && at[0] == '-' && at[-1] == '-' ? " %c" : "%c", *at);
	sink_format(platform->sink, " -->\n");
}

bool export_platform(struct paradl_arena *arena, const struct network *network, const char *title,
	const struct run_of *only, struct sink *sink, struct paradl_error *error)
{
	const size_t devices = network->devices;
	struct platform *platform = arena_alloc(arena, 1, sizeof *platform);
	if (!platform || !path_create(arena, network->graph, &platform->path))
		return out_of_memory(error);
	platform->network = network;
	platform->graph = network->graph;
	platform->sink = sink;
	platform->error = error;
	platform->pair_count = only ? 0 : (double)devices * ((double)devices - 1);
	if (only) {
		platform->pairs = arena_alloc(arena, devices * devices / 8 + 1, 1);
		if (!platform->pairs)
			return out_of_memory(error);
		if (!steps_emit(arena, network, only, EXPORT_MESSAGES_MAX, pairs_of_step, platform, error))
			return false;
	}
	if (!routes_fit(platform) || !routes_each(platform, false))
		return false;
	sink_format(sink, "<?xml version=\"1.0\"?>\n"
			  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n");
	title_write(platform, title);
	sink_format(sink, "<platform version=\"4.1\">\n");
	if (!settings_write(platform))
		return false;
	sink_format(sink, "  <zone id=\"network\" routing=\"Full\">\n");
	for (unsigned i = 0; i < devices; ++i)
		sink_format(sink, "    <host id=\"d%06u\" speed=\"1Gf\"/>\n", i);
	links_write(platform);
	if (!routes_each(platform, true))
		return false;
	sink_format(sink, "  </zone>\n</platform>\n");
	return sink_end(sink, error);
}
