/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of many flows on networks of many like parts, graph->tile devices each: groups of a dragonfly, pods. What a part's links
 * carry depends on the flows that begin or end there, as seen from the part. Parts that see the same are alike, and the flows of one
 * of them stand for all:
 *     T_step = max over kinds of parts of (max over links of one such part)
 * which is exact: each link belongs to one part, and all flows over it begin or end there.
 */
#include <limits.h>

#include "network/compiler.h"

enum { DEVICES_LEAST = 1 << 10, FLOWS_LEAST = 1 << 8, TILES_LEAST = 4 };

static const unsigned short nobody = USHRT_MAX;

/* Gives a vertex the part of a neighbour that is one cable nearer to devices; where such neighbours differ it has none. */
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

/* Finds the part of each vertex. False: out of memory, or some cable belongs to no part. */
static bool owners_find(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	const struct graph *graph = compiler->graph;
	tiles->height = arena_alloc(compiler->arena, graph->vertices + 1, sizeof *tiles->height);
	tiles->owner = arena_alloc(compiler->arena, graph->vertices + 1, sizeof *tiles->owner);
	tiles->sums = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->sums);
	tiles->kinds = arena_alloc(compiler->arena, tiles->count, sizeof *tiles->kinds);
	if (!tiles->height || !tiles->owner || !tiles->sums || !tiles->kinds)
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

/* A link between two parts is of the one that sends over it. */
static unsigned owner_of(const struct compiler *compiler, unsigned link)
{
	const struct graph *graph = compiler->graph;
	const struct cable *cable = &graph->cables[link / graph->ways];
	const bool against = graph->ways == 2 && link % 2;
	const unsigned short owner = compiler->tiles.owner[against ? cable->to : cable->from];
	return owner != nobody ? owner : compiler->tiles.owner[against ? cable->from : cable->to];
}

bool tiles_wanted(const struct compiler *compiler)
{
	return compiler->memos && compiler->turn > 0 && compiler->graph->tile > 0 &&
	       compiler->graph->devices / compiler->graph->tile >= TILES_LEAST &&
	       (double)compiler->size * compiler->siblings >= DEVICES_LEAST;
}

static bool tiles_apply(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	double flows = 0;
	for (unsigned i = 0; i < compiler->told_count; ++i)
		flows += compiler->told[i].count;
	if (!tiles_wanted(compiler) || flows * compiler->siblings < FLOWS_LEAST)
		return false;
	if (!tiles->looked) {
		tiles->looked = true;
		tiles->devices = compiler->graph->tile;
		tiles->count = (compiler->graph->devices - 1) / tiles->devices + 1;
		tiles->found = tiles->count < nobody && owners_find(compiler);
	}
	return tiles->found;
}

/* ---- what parts see ----------------------------------------------------------------------------------------- */

/* Devices of a run in one copy of the group: first, first + step .. */
struct places {
	unsigned first, step, count;
};

/* Adds to each part where in it these devices are. */
static void places_see(struct tiles *tiles, const struct places *places, uint64_t seen)
{
	for (unsigned i = 0; i < places->count;) {
		const unsigned at = places->first + i * places->step;
		const unsigned tile = at / tiles->devices, local = at % tiles->devices;
		unsigned inside = 1;
		if (places->step < tiles->devices && places->count > 1)
			inside = (tiles->devices - 1 - local) / places->step + 1;
		inside = inside < places->count - i ? inside : places->count - i;
		tiles->sums[tile] +=
			mixed(mixed(seen, local), inside > 1 ? (uint64_t)inside << 32 | places->step : 1);
		i += inside;
	}
}

static unsigned common_divisor(unsigned a, unsigned b)
{
	while (b > 0) {
		const unsigned rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Returns the messages of a run after which senders and receivers both are further on by a multiple of compiler->turn. */
static unsigned run_turn(const struct compiler *compiler, const struct told *told)
{
	const unsigned all = compiler->turn;
	const unsigned from = all / common_divisor(all, told->from_stride % all);
	const unsigned to = all / common_divisor(all, told->to_stride % all);
	return from / common_divisor(from, to) * to;
}

/* The senders and the receivers of every `turn`th message of a run, from the one at `at` on. */
static void run_places(const struct compiler *compiler, const struct told *told, unsigned at, unsigned turn,
	unsigned sibling, struct places *from, struct places *to)
{
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	const unsigned count = (told->count - 1 - at) / turn + 1;
	const unsigned from_turns = turn * told->from_stride / compiler->turn,
		       to_turns = turn * told->to_stride / compiler->turn;
	*from = (struct places){
		devices[told->from + at * told->from_stride], from_turns * compiler->apart, count};
	*to = (struct places){devices[told->to + at * told->to_stride], to_turns * compiler->apart, count};
}

/* A copy that reaches over several parts has a trip of its own, of which each part knows some. */
static bool trip_is_shared(const struct compiler *compiler, unsigned sibling)
{
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	const unsigned tile = compiler->tiles.devices;
	return compiler->step.ring && compiler->pipelines &&
	       devices[0] / tile != devices[compiler->size - 1] / tile;
}

/* All messages of a run that go as far, or one of them. */
static void places_both_see(
	struct tiles *tiles, const struct places *from, const struct places *to, uint64_t seen)
{
	seen = mixed(seen, (uint64_t)to->first - from->first);
	places_see(tiles, from, mixed(seen, 1));
	places_see(tiles, to, mixed(seen, 2));
}

static void places_pairs_see(
	struct tiles *tiles, const struct places *from, const struct places *to, uint64_t seen)
{
	if (from->step == to->step) {
		places_both_see(tiles, from, to, seen);
		return;
	}
	for (unsigned i = 0; i < from->count; ++i) {
		const struct places one = {from->first + i * from->step, 0, 1},
				    other = {to->first + i * to->step, 0, 1};
		places_both_see(tiles, &one, &other, seen);
	}
}

static void run_see(struct compiler *compiler, const struct told *told, unsigned sibling, uint64_t seen)
{
	const unsigned turn = run_turn(compiler, told);
	for (unsigned at = 0; at < turn && at < told->count; ++at) {
		struct places from, to;
		run_places(compiler, told, at, turn, sibling, &from, &to);
		places_pairs_see(&compiler->tiles, &from, &to, seen);
	}
}

static void tiles_see(struct compiler *compiler)
{
	for (unsigned q = 0; q < compiler->tiles.count; ++q)
		compiler->tiles.sums[q] = 0;
	for (unsigned i = 0; i < compiler->told_count; ++i) {
		const struct told *told = &compiler->told[i];
		const uint64_t share = ratio_bits(told->share, compiler->told[0].share);
		for (unsigned s = 0; s < compiler->siblings; ++s)
			run_see(compiler, told, s, mixed(share, trip_is_shared(compiler, s) ? s + 1 : 0));
	}
}

/* Finds the kinds of parts. False: most are of their own kind. */
static bool kinds_find(struct tiles *tiles)
{
	unsigned used = 0;
	tiles->kind_count = 0;
	for (unsigned q = 0; q < tiles->count; ++q) {
		unsigned k = 0;
		if (tiles->sums[q] == 0)
			continue;
		++used;
		while (k < tiles->kind_count && tiles->sums[tiles->kinds[k].tile] != tiles->sums[q])
			++k;
		if (k == tiles->kind_count)
			tiles->kinds[tiles->kind_count++] = (struct tile_kind){.tile = q};
		++tiles->kinds[k].count;
	}
	return 2 * tiles->kind_count <= used;
}

/* ---- one of each kind ------------------------------------------------------------------------------------------ */

/* Those of the devices that are in a part: the first, and the one after the last. */
static void places_inside(const struct places *places, unsigned tile, unsigned devices, unsigned range[2])
{
	const unsigned low = tile * devices, high = low + devices;
	range[0] = range[1] = 0;
	if (places->first >= high)
		return;
	if (places->first < low)
		range[0] = places->step ? (low - places->first - 1) / places->step + 1 : places->count;
	range[1] = places->step ? (high - 1 - places->first) / places->step + 1 : places->count;
	range[1] = range[1] < places->count ? range[1] : places->count;
	range[0] = range[0] < range[1] ? range[0] : range[1];
}

/* Adds the start-ups of so many like it. */
static void trip_merge(struct trip *sum, const struct trip *trip, double times)
{
	if (!(trip->flows > 0))
		return;
	sum->most_s = trip->most_s > sum->most_s ? trip->most_s : sum->most_s;
	sum->least_s = trip->least_s < sum->least_s || !(sum->flows > 0) ? trip->least_s : sum->least_s;
	sum->sum_s += times * trip->sum_s;
	sum->flows += times * trip->flows;
}

/* Routes messages that begin in the part, then those that only end there. */
static void places_route(struct compiler *compiler, const struct places *from, const struct places *to,
	double share, unsigned tile, struct trip *here, struct trip *beyond)
{
	unsigned out[2], in[2];
	places_inside(from, tile, compiler->tiles.devices, out);
	places_inside(to, tile, compiler->tiles.devices, in);
	for (unsigned i = out[0]; i < out[1]; ++i)
		flow_add(compiler, from->first + i * from->step, to->first + i * to->step, share, here);
	for (unsigned i = in[0]; i < in[1]; ++i)
		if (i < out[0] || i >= out[1])
			flow_add(compiler, from->first + i * from->step, to->first + i * to->step, share,
				beyond);
}

static void kind_route(
	struct compiler *compiler, const struct told *told, unsigned sibling, const struct tile_kind *kind)
{
	struct trip *const trip =
		compiler->step.ring && compiler->pipelines ? &compiler->trips[sibling] : NULL;
	const unsigned turn = run_turn(compiler, told);
	struct trip here = {0}, beyond = {0};
	for (unsigned at = 0; at < turn && at < told->count; ++at) {
		struct places from, to;
		run_places(compiler, told, at, turn, sibling, &from, &to);
		places_route(compiler, &from, &to, told->share, kind->tile, trip ? &here : NULL,
			trip ? &beyond : NULL);
	}
	if (trip)
		trip_merge(trip, &here, kind->count);
}

static void kind_times(struct compiler *compiler, const struct tile_kind *kind, struct times *times)
{
	struct times here = {0};
	struct peaks peaks = peaks_none;
	flows_begin(compiler);
	for (unsigned i = 0; i < compiler->told_count; ++i)
		for (unsigned s = 0; s < compiler->siblings; ++s)
			kind_route(compiler, &compiler->told[i], s, kind);
	for (unsigned i = 0; i < compiler->load_count; ++i)
		if (owner_of(compiler, compiler->loads[i].link) == kind->tile)
			load_include(&compiler->loads[i], &peaks, &here);
	hull_max(&times->upper, &here.upper);
	hull_max(&times->lower, &here.lower);
}

bool tiles_times(struct compiler *compiler, struct times *times)
{
	struct tiles *tiles = &compiler->tiles;
	*times = (struct times){0};
	if (!tiles_apply(compiler))
		return false;
	tiles_see(compiler);
	if (!kinds_find(tiles))
		return false;
	for (unsigned k = 0; k < tiles->kind_count; ++k)
		kind_times(compiler, &tiles->kinds[k], times);
	hull_max(&times->upper, &compiler->step.flows.upper);
	hull_max(&times->lower, &compiler->step.flows.lower);
	compiler->told_count = 0;
	flows_begin(compiler);
	return true;
}
