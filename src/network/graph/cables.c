/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network of cables that a machine's profile lists one by one. Routes are the shortest by links. Rates and latency
 * of a cable are those of "links" (port: cables to devices; switch: cables between switches), unless the cable has
 * its own.
 */
#include <limits.h>

#include "base/error.h"
#include "network/graph/topology.h"

static bool is_same(const struct link_class *a, const struct link_class *b)
{
	const double off[] = {a->bytes_per_s - b->bytes_per_s,
		a->sustained_bytes_per_s - b->sustained_bytes_per_s, a->latency_s - b->latency_s};
	for (unsigned i = 0; i < sizeof off / sizeof *off; ++i)
		if (off[i] > 0 || off[i] < 0)
			return false;
	return true;
}

/*
 * Returns the class of a cable: that of its kind, or one with the cable's own rates; UINT_MAX: there are too many
 * classes.
 */
static unsigned class_of(
	struct graph *graph, const struct network_cable *cable, enum link_kind kind, double usable)
{
	struct link_class own = graph->classes[kind];
	if (cable->bytes_per_s > 0) {
		own.bytes_per_s = cable->bytes_per_s;
		own.sustained_bytes_per_s = cable->sustained_bytes_per_s > 0 ? cable->sustained_bytes_per_s
									     : cable->bytes_per_s * usable;
	}
	if (!(cable->latency_s < 0))
		own.latency_s = cable->latency_s;
	if (is_same(&own, &graph->classes[kind]))
		return kind;
	for (unsigned i = LINK_KINDS; i < graph->class_count; ++i)
		if (is_same(&own, &graph->classes[i]))
			return i;
	return graph_class(graph, &own);
}

struct graph *cables_build(
	struct paradl_arena *arena, const struct machine_network *rules, struct paradl_error *error)
{
	struct graph *graph = graph_create(arena, rules->links, rules->half_duplex);
	if (!graph)
		return out_of_memory_null(error);
	graph->devices = rules->cable_devices;
	graph_vertices(graph, rules->cable_devices + rules->cable_switches);
	for (unsigned i = 0; i < rules->cable_count; ++i) {
		const struct network_cable *cable = &rules->cables[i];
		const bool is_port = cable->from < graph->devices || cable->to < graph->devices;
		const enum link_kind kind = is_port ? LINK_PORT : LINK_SWITCH;
		const unsigned number = class_of(graph, cable, kind, rules->usable);
		if (number == UINT_MAX) {
			error_set(error, PARADL_SCHEMA,
				"cables have more than %d different rates and latencies",
				CLASSES_MAX - LINK_KINDS);
			return NULL;
		}
		const unsigned added = graph_cable(graph, cable->from, cable->to, kind, cable->count);
		if (added != UINT_MAX)
			graph->cables[added].class_ = (unsigned char)number;
	}
	return graph_finish(graph, error) && graph_route_shortest(graph, NULL, error) ? graph : NULL;
}
