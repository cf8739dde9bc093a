/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes graphs of devices, switches and cables.
 *
 * The same network with the devices of each node counted in another order, as launchers and libraries take the GPUs of
 * a node along its NVLinks: device i of a node was its device order[i]. Cables and links stay as they are. So do
 * routes, which were found before by the topologies' own numbers.
 */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "network/graph/graph.h"

enum { CABLES_FIRST = 64 };

struct graph *graph_create(struct paradl_arena *arena, const struct link_class *classes, bool half_duplex)
{
	struct graph *graph = arena_alloc(arena, 1, sizeof *graph);
	if (!graph)
		return NULL;
	graph->arena = arena;
	graph->ways = half_duplex ? 1 : 2;
	memcpy(graph->classes, classes, LINK_KINDS * sizeof *classes);
	graph->class_count = LINK_KINDS;
	return graph;
}

unsigned graph_vertices(struct graph *graph, unsigned count)
{
	const unsigned first = graph->vertices;
	graph->vertices += count;
	return first;
}

static bool grow(struct graph *graph, unsigned room)
{
	struct cable *cables =
		list_moved(graph->arena, graph->cables, graph->cable_count, room, sizeof *cables);
	if (!cables)
		return false;
	graph->cables = cables;
	graph->cable_room = room;
	return true;
}

void graph_reserve(struct graph *graph, size_t cables)
{
	const size_t room = graph->cable_count + cables;
	if (graph->cable_count != UINT_MAX && room > graph->cable_room && room < UINT_MAX)
		(void)grow(graph, (unsigned)room);
}

unsigned graph_cable(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width)
{
	if (graph->cable_count == UINT_MAX ||
		(graph->cable_count == graph->cable_room &&
			!grow(graph, graph->cable_room ? 2 * graph->cable_room : CABLES_FIRST))) {
		graph->cable_count = UINT_MAX;
		return UINT_MAX;
	}
	graph->cables[graph->cable_count] =
		(struct cable){.from = from, .to = to, .width = (unsigned short)width};
	cable_kind(&graph->cables[graph->cable_count], kind);
	return graph->cable_count++;
}

unsigned graph_one_way(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width)
{
	const unsigned cable = graph_cable(graph, from, to, kind, width);
	if (cable != UINT_MAX)
		graph->cables[cable].one_way = true;
	return cable;
}

unsigned graph_class(struct graph *graph, const struct link_class *added)
{
	if (graph->class_count == CLASSES_MAX)
		return UINT_MAX;
	graph->classes[graph->class_count] = *added;
	return graph->class_count++;
}

void graph_turns_at(struct graph *graph, unsigned devices)
{
	unsigned at = graph->turn_count;
	while (at > 0 && graph->turns[at - 1] > devices)
		--at;
	if (devices == 0 || (at > 0 && graph->turns[at - 1] == devices) || graph->turn_count == TURNS_MAX)
		return;
	for (unsigned i = graph->turn_count++; i > at; --i)
		graph->turns[i] = graph->turns[i - 1];
	graph->turns[at] = devices;
}

static struct link link_of(const struct graph *graph, const struct cable *cable)
{
	const struct link_class *row = &graph->classes[cable->class_];
	struct link link = {.latency_s = row->latency_s};
	if (row->sustained_bytes_per_s > 0)
		link.s_per_byte = 1 / (cable->width * row->sustained_bytes_per_s);
	if (row->flow_bytes_per_s > 0)
		link.flow_s_per_byte = 1 / row->flow_bytes_per_s;
	return link;
}

static bool are_equal(double a, double b)
{
	return a <= b && a >= b;
}

static bool is_same(const struct link *a, const struct link *b)
{
	return are_equal(a->s_per_byte, b->s_per_byte) && are_equal(a->flow_s_per_byte, b->flow_s_per_byte) &&
	       are_equal(a->latency_s, b->latency_s);
}

/*
 * Replaces the links of a cable: finds equal ones among those of cables before, the last ones first, or adds them.
 */
bool graph_set(struct graph *graph, unsigned cable, const struct link *link)
{
	unsigned hop = graph->hop_count;
	while (hop > 0 && !is_same(&graph->hops[hop - 1], link))
		--hop;
	if (hop == 0) {
		if (graph->hop_count > USHRT_MAX ||
			!list_grow(graph->arena, &graph->hops, graph->hop_count, sizeof *graph->hops))
			return false;
		graph->hops[graph->hop_count++] = *link;
		hop = graph->hop_count;
	}
	graph->cables[cable].hop = (unsigned short)(hop - 1);
	return true;
}

bool graph_finish(struct graph *graph, struct paradl_error *error)
{
	if (graph->cable_count == UINT_MAX)
		return out_of_memory(error);
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		struct cable *cable = &graph->cables[i];
		if (i > 0 && cable[-1].class_ == cable->class_ && cable[-1].width == cable->width) {
			cable->hop = cable[-1].hop;
			continue;
		}
		const struct link link = link_of(graph, cable);
		if (!graph_set(graph, i, &link))
			return out_of_memory(error);
	}
	return true;
}

bool path_create(struct paradl_arena *arena, const struct graph *graph, struct path *path)
{
	*path = (struct path){0};
	path->links = arena_alloc(arena, graph->longest + 1, sizeof *path->links);
	path->shares = arena_alloc(arena, graph->longest + 1, sizeof *path->shares);
	return path->links && path->shares;
}

struct layout {
	const struct graph *graph;
	unsigned *was; /* former number of each device */
};

static void ordered_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	const struct layout *layout = graph->layout;
	layout->graph->route(layout->graph, layout->was[from], layout->was[to], path);
}

static void leaf_stem(const struct graph *graph, unsigned device, struct stem *stem)
{
	*stem = (struct stem){.leaf = device / graph->leaf, .links = 1, .node = device};
}

void graph_leaves(struct graph *graph, unsigned devices)
{
	graph->leaf = devices;
	graph->stem = devices ? leaf_stem : NULL;
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
	graph->stem = NULL;
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
