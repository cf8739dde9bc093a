/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tile that each link is in, on a network of like parts (tiles), and which link of one tile corresponds to which
 * of another: vertices of a tile are numbered in their order, and so are the cables inside it.
 */
#include <limits.h>

#include "network/cost/compiler.h"

static const unsigned short nobody = USHRT_MAX;

/*
 * Gives a vertex the tile of a neighbour that is one cable nearer to devices; where such neighbours differ it has
 * none. Returns whether there is such a neighbour.
 */
static bool vertex_reach(struct tiles *tiles, unsigned vertex, unsigned from, unsigned char height)
{
	if (tiles->height[from] != height - 1 || tiles->height[vertex] < height)
		return false;
	if (tiles->height[vertex] > height)
		tiles->owner[vertex] = tiles->owner[from];
	else if (tiles->owner[vertex] != tiles->owner[from])
		tiles->owner[vertex] = nobody;
	tiles->height[vertex] = height;
	return true;
}

static bool owners_spread(struct tiles *tiles, const struct graph *graph, unsigned char height)
{
	bool found = false;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		found |= vertex_reach(tiles, cable->from, cable->to, height);
		found |= vertex_reach(tiles, cable->to, cable->from, height);
	}
	return found;
}

/* Finds the tile of each vertex. False: out of memory, or some cable belongs to no tile. */
static bool owners_find(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	const struct graph *graph = compiler->graph;
	tiles->height = arena_alloc(compiler->arena, graph->vertices + 1, sizeof *tiles->height);
	tiles->owner = arena_alloc(compiler->arena, graph->vertices + 1, sizeof *tiles->owner);
	tiles->sums = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->sums);
	tiles->parts = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->parts);
	tiles->touched = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->touched);
	tiles->seen = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->seen);
	tiles->kinds = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->kinds);
	if (!tiles->height || !tiles->owner || !tiles->sums || !tiles->parts || !tiles->touched ||
		!tiles->seen || !tiles->kinds)
		return false;
	for (unsigned v = 0; v < graph->vertices; ++v) {
		tiles->height[v] = v < graph->devices ? 0 : UCHAR_MAX;
		tiles->owner[v] = v < graph->devices ? (unsigned short)(v / tiles->devices) : nobody;
	}
	for (unsigned char height = 1; height < UCHAR_MAX && owners_spread(tiles, graph, height); ++height)
		;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (tiles->owner[graph->cables[i].from] == nobody &&
			tiles->owner[graph->cables[i].to] == nobody)
			return false;
	return true;
}

unsigned tile_of_link(const struct compiler *compiler, unsigned link)
{
	const struct graph *graph = compiler->graph;
	const struct cable *cable = &graph->cables[link / graph->ways];
	const bool against = graph->ways == 2 && link % 2;
	const unsigned short owner = compiler->tiles.owner[against ? cable->to : cable->from];
	return owner != nobody ? owner : compiler->tiles.owner[against ? cable->from : cable->to];
}

static bool is_inside(const struct tiles *tiles, const struct cable *cable)
{
	return tiles->owner[cable->from] != nobody && tiles->owner[cable->from] == tiles->owner[cable->to];
}

/* Collects the cables inside each tile. False: out of memory, or their numbers differ between tiles. */
static bool inside_list(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	const struct graph *graph = compiler->graph;
	unsigned *counts = arena_alloc(compiler->arena, tiles->count, sizeof *counts);
	tiles->inside = arena_alloc(compiler->arena, graph->cable_count + 1, sizeof *tiles->inside);
	tiles->place = arena_alloc(compiler->arena, graph->cable_count + 1, sizeof *tiles->place);
	if (!counts || !tiles->inside || !tiles->place)
		return false;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (is_inside(tiles, &graph->cables[i]))
			tiles->place[i] = counts[tiles->owner[graph->cables[i].from]]++;
		else
			tiles->place[i] = UINT_MAX;
	tiles->inside_count = counts[0];
	for (unsigned q = 1; q < tiles->count; ++q)
		if (counts[q] != counts[0])
			return false;
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (tiles->place[i] != UINT_MAX)
			tiles->inside[tiles->owner[graph->cables[i].from] * tiles->inside_count +
				      tiles->place[i]] = i;
	tiles->base = arena_alloc(
		compiler->arena, (size_t)tiles->inside_count * graph->ways + 1, sizeof *tiles->base);
	return tiles->base;
}

/* Gives numbers to the vertices of each tile, which start at 0 in each; NULL when out of memory. */
static unsigned *locals_number(struct compiler *compiler)
{
	const struct tiles *tiles = &compiler->tiles;
	unsigned *counts = arena_alloc(compiler->arena, tiles->count, sizeof *counts);
	unsigned *locals = arena_alloc(compiler->arena, compiler->graph->vertices + 1, sizeof *locals);
	if (!counts || !locals)
		return NULL;
	for (unsigned v = 0; v < compiler->graph->vertices; ++v)
		if (tiles->owner[v] != nobody)
			locals[v] = counts[tiles->owner[v]]++;
	return locals;
}

/* Returns whether the cables inside all tiles join the same vertices and are of the same kind, in the same order. */
static bool insides_match(struct compiler *compiler)
{
	const struct tiles *tiles = &compiler->tiles;
	const struct cable *cables = compiler->graph->cables;
	const unsigned *locals = locals_number(compiler);
	for (size_t i = 0; locals && i < (size_t)tiles->count * tiles->inside_count; ++i) {
		const struct cable *here = &cables[tiles->inside[i]],
				   *first = &cables[tiles->inside[i % tiles->inside_count]];
		if (locals[here->from] != locals[first->from] || locals[here->to] != locals[first->to] ||
			here->hop != first->hop || here->one_way != first->one_way)
			return false;
	}
	return locals;
}

bool tile_links_find(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	if (!tiles->looked) {
		tiles->looked = true;
		tiles->devices = compiler->graph->tile;
		tiles->count = (compiler->graph->devices - 1) / tiles->devices + 1;
		tiles->found = tiles->count < nobody && owners_find(compiler);
		tiles->match = tiles->found && inside_list(compiler) && insides_match(compiler);
	}
	return tiles->found;
}

unsigned tile_link_moved(const struct compiler *compiler, unsigned link, unsigned tile)
{
	const struct tiles *tiles = &compiler->tiles;
	const unsigned ways = compiler->graph->ways, place = tiles->place[link / ways];
	if (place == UINT_MAX)
		return UINT_MAX;
	return tiles->inside[tile * tiles->inside_count + place] * ways + link % ways;
}
