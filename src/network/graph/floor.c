/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>

#include "network/graph/inventory.h"

enum { DEVICES_PER_RACK = 32, SWITCHES_PER_RACK = 16 };

static const unsigned nowhere = UINT_MAX;

struct floor_plan floor_plan_of(const struct network *network)
{
	const unsigned node = network->devices_per_node > 1 ? network->devices_per_node : 1;
	const unsigned nodes = DEVICES_PER_RACK / node;
	return (struct floor_plan){
		.rack_width_m = 0.6,
		.row_pitch_m = 2.1,
		.inside_m = 2,
		.overhead_m = 2,
		.copper_m = 3,
		.devices_per_rack = network->rules->devices_per_rack ? network->rules->devices_per_rack
								     : node * (nodes ? nodes : 1),
		.switches_per_rack = SWITCHES_PER_RACK,
	};
}

/* The racks, from the first to the last, of those neighbours of a vertex that are nearer to devices by one link. */
struct span {
	unsigned first, last;
};

static void span_include(struct span *span, unsigned rack)
{
	span->first = span->first == nowhere || rack < span->first ? rack : span->first;
	span->last = span->last == nowhere || rack > span->last ? rack : span->last;
}

struct placing {
	const struct graph *graph;
	const unsigned char *roles;
	unsigned *rack, *height; /* height: links to the nearest node; `nowhere`: not known yet */
	struct span *span;
};

/*
 * Finds racks for the vertices inside nodes (of_node), or for the switches at one height, from their neighbours that
 * have one. False: there are none.
 */
static bool place_next(struct placing *placing, unsigned height, bool of_node)
{
	const struct graph *graph = placing->graph;
	bool found = false;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		const unsigned ends[] = {cable->from, cable->to};
		if (kind_is_of_node(cable->kind) != of_node || cable_is_spare(cable, placing->roles))
			continue;
		for (unsigned end = 0; end < 2; ++end) {
			const unsigned here = ends[end], there = ends[1 - end];
			if (placing->height[here] != nowhere || placing->height[there] == nowhere)
				continue;
			span_include(&placing->span[here], placing->rack[there]);
			found = true;
		}
	}
	for (unsigned v = 0; found && v < graph->vertices; ++v)
		if (placing->height[v] == nowhere && placing->span[v].first != nowhere) {
			placing->height[v] = height;
			placing->rack[v] =
				placing->span[v].first + (placing->span[v].last - placing->span[v].first) / 2;
		}
	return found;
}

/*
 * Moves switches at the greatest height to racks of their own, after those of devices; returns how many these are.
 */
static unsigned own_racks(struct placing *placing, unsigned top, unsigned racks, unsigned per_rack)
{
	unsigned count = 0;
	for (unsigned v = placing->graph->devices; v < placing->graph->vertices; ++v)
		if (placing->height[v] == top)
			placing->rack[v] = racks + count++ / per_rack;
	return (count + per_rack - 1) / per_rack;
}

static bool place(struct paradl_arena *arena, const struct network *network, const struct floor_plan *plan,
	struct placing *placing, struct floor *floor)
{
	const struct graph *graph = network->graph;
	const unsigned racks = (graph->devices + plan->devices_per_rack - 1) / plan->devices_per_rack;
	unsigned height = 0;
	placing->height = arena_alloc(arena, graph->vertices + 1, sizeof *placing->height);
	placing->span = arena_alloc(arena, graph->vertices + 1, sizeof *placing->span);
	if (!placing->height || !placing->span)
		return false;
	for (unsigned v = 0; v < graph->vertices; ++v) {
		placing->height[v] = v < graph->devices ? 0 : nowhere;
		placing->rack[v] = v < graph->devices ? v / plan->devices_per_rack : nowhere;
		placing->span[v] = (struct span){nowhere, nowhere};
	}
	while (place_next(placing, 0, true))
		;
	while (place_next(placing, height + 1, false))
		++height;
	floor->own_count =
		height > 1 && racks > 1 ? own_racks(placing, height, racks, plan->switches_per_rack) : 0;
	floor->racks = racks + floor->own_count;
	return true;
}

bool floor_lay(struct paradl_arena *arena, const struct network *network, const unsigned char *roles,
	const struct floor_plan *plan, struct floor *floor)
{
	const struct graph *graph = network->graph;
	*floor = (struct floor){.rack = arena_alloc(arena, graph->vertices + 1, sizeof *floor->rack)};
	struct placing placing = {.graph = graph, .roles = roles, .rack = floor->rack};
	if (!floor->rack)
		return false;
	if (!place(arena, network, plan, &placing, floor))
		return false;
	const unsigned rows = (unsigned)ceil(sqrt(floor->racks));
	floor->columns = rows ? (floor->racks + rows - 1) / rows : 1;
	const unsigned side = floor->own_count < floor->columns ? (floor->columns - floor->own_count) / 2 : 0;
	const unsigned middle = rows / 2 * floor->columns + side, last = floor->racks - floor->own_count;
	floor->own_first = middle < last ? middle : last;
	return true;
}

/*
 * Returns the place of a rack on the floor. Racks of devices fill the places before and after those of the switches'
 * racks.
 */
static unsigned place_of(const struct floor *floor, unsigned rack)
{
	const unsigned devices = floor->racks - floor->own_count;
	if (rack >= devices)
		return floor->own_first + (rack - devices);
	return rack < floor->own_first ? rack : rack + floor->own_count;
}

double floor_cable_m(
	const struct floor *floor, const struct floor_plan *plan, unsigned from_rack, unsigned to_rack)
{
	if (from_rack == to_rack)
		return plan->inside_m;
	const unsigned from = place_of(floor, from_rack), to = place_of(floor, to_rack);
	const double across = (double)(from % floor->columns) - to % floor->columns;
	const unsigned from_row = from / floor->columns, to_row = to / floor->columns;
	const double along = (double)from_row - to_row;
	return fabs(across) * plan->rack_width_m + fabs(along) * plan->row_pitch_m + 2 * plan->overhead_m;
}
