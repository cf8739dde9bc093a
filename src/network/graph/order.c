/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same network with the devices of each node counted in another order, as launchers and libraries take the GPUs
 * of a node along its NVLinks: device i of a node was its device order[i]. Cables and links stay as they are. So do
 * routes, which were found before by the topologies' own numbers.
 */
#include <string.h>

#include "base/error.h"
#include "network/graph/graph.h"

struct layout {
	const struct graph *graph;
	unsigned *was; /* former number of each device */
};

static void ordered_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	layout->graph->route(layout->graph, layout->was[from], layout->was[to], path);
}

/* Drops digits within a node, which turn no more. */
static void turns_drop(struct graph *graph, unsigned per_node)
{
	unsigned kept = 0;
	while (graph->turn_count > 0 && kept < graph->turn_count && graph->turns[kept] < per_node)
		++kept;
	graph->turn_count -= kept;
	memmove(graph->turns, graph->turns + kept, graph->turn_count * sizeof *graph->turns);
	if (kept > 0 && graph->turn_count > 0)
		graph_turns_at(graph, per_node);
}

/* Drops domains within a node, and extents: they are those of the former numbers. */
static void extents_drop(struct graph *graph, unsigned per_node)
{
	unsigned kept = 0;
	for (unsigned l = 0; l < graph->domain_count; ++l)
		if (graph->domain[l] % per_node == 0)
			graph->domain[kept++] = graph->domain[l];
	graph->domain_count = kept;
	graph->grid_count = graph->kautz = 0;
	graph->shortcuts = graph->lattice = false;
	graph->wraps = false;
	graph->cell = per_node;
	turns_drop(graph, per_node);
}

static void cables_move(struct graph *graph, const struct graph *from, const unsigned *now)
{
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		struct cable *cable = &graph->cables[i];
		*cable = from->cables[i];
		cable->from = cable->from < graph->devices ? now[cable->from] : cable->from;
		cable->to = cable->to < graph->devices ? now[cable->to] : cable->to;
	}
}

struct graph *graph_ordered(
	const struct graph *graph, const unsigned *order, unsigned per_node, struct paradl_error *error)
{
	struct graph *ordered = arena_alloc(graph->arena, 1, sizeof *ordered);
	struct layout *layout = arena_alloc(graph->arena, 1, sizeof *layout);
	unsigned *was = arena_alloc(graph->arena, graph->devices, sizeof *was);
	unsigned *now = arena_alloc(graph->arena, graph->devices, sizeof *now);
	struct cable *cables = arena_alloc(graph->arena, graph->cable_count + 1, sizeof *cables);
	if (!ordered || !layout || !was || !now || !cables)
		return out_of_memory_null(error);
	for (unsigned device = 0; device < graph->devices; ++device) {
		was[device] = device - device % per_node + order[device % per_node];
		now[was[device]] = device;
	}
	*ordered = *graph;
	ordered->cables = cables;
	ordered->cable_room = graph->cable_count;
	cables_move(ordered, graph, now);
	extents_drop(ordered, per_node);
	*layout = (struct layout){graph, was};
	ordered->layout = layout;
	ordered->route = ordered_route;
	return ordered;
}
