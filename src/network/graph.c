/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/graph.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"

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

static bool grow(struct graph *graph)
{
	const unsigned room = graph->cable_room ? 2 * graph->cable_room : CABLES_FIRST;
	struct cable *cables =
		list_moved(graph->arena, graph->cables, graph->cable_count, room, sizeof *cables);
	if (!cables)
		return false;
	graph->cables = cables;
	graph->cable_room = room;
	return true;
}

unsigned graph_cable(struct graph *graph, unsigned from, unsigned to, enum link_kind kind, unsigned width)
{
	if (graph->cable_count == UINT_MAX || (graph->cable_count == graph->cable_room && !grow(graph))) {
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

bool graph_finish(struct graph *graph, struct paradl_error *error)
{
	if (graph->cable_count != UINT_MAX)
		graph->links = arena_alloc(
			graph->arena, (size_t)graph->cable_count * graph->ways + 1, sizeof *graph->links);
	if (graph->cable_count == UINT_MAX || !graph->links)
		return out_of_memory(error);
	for (unsigned i = 0; i < graph->cable_count; ++i)
		for (unsigned way = 0; way < graph->ways; ++way)
			graph->links[i * graph->ways + way] = link_of(graph, &graph->cables[i]);
	return true;
}

bool path_create(struct paradl_arena *arena, const struct graph *graph, struct path *path)
{
	*path = (struct path){0};
	path->links = arena_alloc(arena, graph->longest + 1, sizeof *path->links);
	path->shares = arena_alloc(arena, graph->longest + 1, sizeof *path->shares);
	return path->links && path->shares;
}
