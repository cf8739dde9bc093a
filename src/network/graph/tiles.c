/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of many flows on networks of many like parts, called tiles, of graph->tile devices each: groups of a
 * dragonfly, pods. The load of a tile's links depends on the flows that begin or end there, as seen from the tile.
 * Tiles that see the same are alike, and the flows of one of them stand for all:
 *     T_step = max over kinds of tiles of (max over links of one such tile)
 * This is exact: each link belongs to one tile, and all flows over it begin or end there.
 */
#include <limits.h>

#include "network/cost/compiler.h"

enum { DEVICES_LEAST = 1 << 10, FLOWS_LEAST = 1 << 8, TILES_LEAST = 4 };

bool tiles_wanted(const struct compiler *compiler)
{
	return compiler->memos && compiler->turn > 0 && compiler->graph->tile > 0 &&
	       compiler->graph->devices / compiler->graph->tile >= TILES_LEAST &&
	       (double)compiler->size * compiler->siblings >= DEVICES_LEAST;
}

static bool tiles_apply(struct compiler *compiler)
{
	double flows = 0;
	for (unsigned i = 0; i < compiler->emitted_count; ++i)
		flows += compiler->emitted[i].count;
	return tiles_wanted(compiler) && flows * compiler->siblings >= FLOWS_LEAST &&
	       flows * compiler->siblings >= 8.0 * compiler->emitted_count && tile_links_find(compiler);
}

/* ---- what parts see ----------------------------------------------------------------------------------------- */

/* Devices of a run in one copy of the group: first, first + step, ... */
struct places {
	unsigned first, step, count;
};

/* Returns how many of the devices from the one at `at` on are in its tile. */
static unsigned places_together(const struct tiles *tiles, const struct places *places, unsigned at)
{
	const unsigned local = (places->first + at * places->step) % tiles->devices;
	unsigned inside = 1;
	if (places->step < tiles->devices && places->count > 1)
		inside = (tiles->devices - 1 - local) / places->step + 1;
	return inside < places->count - at ? inside : places->count - at;
}

static inline void part_add(struct tiles *tiles, unsigned tile, uint64_t seen)
{
	if (tiles->parts[tile] == 0 && tiles->touched_count < tiles->count)
		tiles->touched[tiles->touched_count++] = tile;
	tiles->parts[tile] += seen;
}

/* Adds to the hash of each tile where in it these devices are: the same in all, where tiles apart. */
static void places_see(struct tiles *tiles, const struct places *places, uint64_t seen)
{
	if (places->count == 1 || (places->step > 0 && places->step % tiles->devices == 0)) {
		const unsigned tile = places->first / tiles->devices, apart = places->step / tiles->devices;
		const uint64_t alike = mixed(mixed(seen, places->first % tiles->devices), 1);
		for (unsigned i = 0; i < places->count; ++i)
			part_add(tiles, tile + i * apart, alike);
		return;
	}
	for (unsigned i = 0, inside; i < places->count; i += inside) {
		const unsigned at = places->first + i * places->step;
		inside = places_together(tiles, places, i);
		part_add(tiles, at / tiles->devices,
			mixed(mixed(seen, at % tiles->devices),
				inside > 1 ? (uint64_t)inside << 32 | places->step : 1));
	}
}

/* Returns whether messages that all go equally far end in the tile in which they begin. */
static bool places_stay(const struct tiles *tiles, const struct places *from, const struct places *to)
{
	for (unsigned i = 0, inside; i < from->count; i += inside) {
		const unsigned tile = (from->first + i * from->step) / tiles->devices;
		inside = places_together(tiles, from, i);
		if ((to->first + i * to->step) / tiles->devices != tile ||
			(to->first + (i + inside - 1) * to->step) / tiles->devices != tile)
			return false;
	}
	return true;
}

/*
 * Finds after how many messages of a run both senders and receivers are further on by a multiple of compiler->turn.
 */
static void run_turn(const struct compiler *compiler, struct emitted *emitted)
{
	const unsigned all = compiler->turn > 0 ? compiler->turn : 1;
	const unsigned from = all / common_divisor(all, emitted->from_stride % all);
	const unsigned to = all / common_divisor(all, emitted->to_stride % all);
	const unsigned turn = from / common_divisor(from, to) * to,
		       least = turn < emitted->count ? turn : emitted->count;
	emitted->turn = least > 0 ? least : 1;
	emitted->places = (emitted->count - 1) / emitted->turn + 1;
	emitted->from_apart = turn * emitted->from_stride / all * compiler->apart;
	emitted->to_apart = turn * emitted->to_stride / all * compiler->apart;
}

/*
 * Finds the senders and the receivers of every message of a run that is a turn after the one before, from the one at
 * `at` on.
 */
static void run_places(const struct compiler *compiler, const struct emitted *emitted, unsigned at,
	unsigned sibling, struct places *from, struct places *to)
{
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	const unsigned count = at ? (emitted->count - 1 - at) / emitted->turn + 1 : emitted->places;
	*from = (struct places){
		devices[emitted->from + at * emitted->from_stride], emitted->from_apart, count};
	*to = (struct places){devices[emitted->to + at * emitted->to_stride], emitted->to_apart, count};
}

/*
 * Returns whether a copy of a pipelined ring reaches over several tiles: it then has a trip of its own, of which
 * each tile knows some.
 */
static bool trip_is_shared(const struct compiler *compiler, unsigned sibling)
{
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	const unsigned tile = compiler->tiles.devices;
	return compiler->step.ring && compiler->pipelines &&
	       devices[0] / tile != devices[compiler->size - 1] / tile;
}

/* Adds to the hashes both ends of all messages of a run that go equally far, or of one message. */
static void places_both_see(
	struct tiles *tiles, const struct places *from, const struct places *to, uint64_t seen)
{
	seen = mixed(seen, (uint64_t)to->first - from->first);
	places_see(tiles, from, mixed(seen, 1));
	places_see(tiles, to, mixed(seen, 2));
}

/* Adds to the hashes both ends of all messages; returns whether they are known to stay in their tiles. */
static bool places_pairs_see(
	struct tiles *tiles, const struct places *from, const struct places *to, uint64_t seen)
{
	if (from->step == to->step) {
		places_both_see(tiles, from, to, seen);
		return places_stay(tiles, from, to);
	}
	for (unsigned i = 0; i < from->count; ++i) {
		const struct places one = {from->first + i * from->step, 0, 1},
				    other = {to->first + i * to->step, 0, 1};
		places_both_see(tiles, &one, &other, seen);
	}
	return false;
}

static bool run_see(struct compiler *compiler, const struct emitted *emitted, unsigned sibling, uint64_t seen)
{
	bool stays = true;
	for (unsigned at = 0; at < emitted->turn; ++at) {
		struct places from, to;
		run_places(compiler, emitted, at, sibling, &from, &to);
		stays = places_pairs_see(&compiler->tiles, &from, &to, seen) && stays;
	}
	return stays;
}

/*
 * Adds what tiles see of one run to what they see of the step; returns how many tiles see the same, 0 if they
 * differ.
 */
static unsigned parts_add(struct tiles *tiles)
{
	const unsigned count = tiles->touched_count;
	const uint64_t first = count ? tiles->parts[tiles->touched[0]] : 0;
	bool alike = true;
	for (unsigned i = 0; i < count; ++i) {
		const unsigned tile = tiles->touched[i];
		alike = alike && tiles->parts[tile] == first;
		tiles->seen[tile] = true;
		tiles->sums[tile] += tiles->parts[tile];
		tiles->parts[tile] = 0;
	}
	tiles->touched_count = 0;
	return alike ? count : 0;
}

/* Finds what each tile sees of the step; returns how many tiles see anything. */
static unsigned tiles_see(struct compiler *compiler)
{
	struct tiles *tiles = &compiler->tiles;
	unsigned used = 0;
	for (unsigned q = 0; q < tiles->count; ++q) {
		tiles->sums[q] = tiles->parts[q] = 0;
		tiles->seen[q] = false;
	}
	for (unsigned i = 0; i < compiler->emitted_count; ++i) {
		struct emitted *emitted = &compiler->emitted[i];
		const uint64_t share = ratio_bits(emitted->share, compiler->emitted[0].share);
		bool stays = tiles->match;
		run_turn(compiler, emitted);
		for (unsigned s = 0; s < compiler->siblings; ++s) {
			const uint64_t seen = mixed(share, trip_is_shared(compiler, s) ? s + 1 : 0);
			stays = run_see(compiler, emitted, s, seen) && stays;
		}
		const unsigned alike = parts_add(tiles);
		emitted->alike = stays ? alike : 0;
	}
	for (unsigned q = 0; q < tiles->count; ++q)
		used += tiles->seen[q];
	return used;
}

static void kinds_find(struct tiles *tiles)
{
	tiles->kind_count = 0;
	for (unsigned q = 0; q < tiles->count; ++q) {
		unsigned k = 0;
		if (!tiles->seen[q])
			continue;
		while (k < tiles->kind_count && tiles->sums[tiles->kinds[k].tile] != tiles->sums[q])
			++k;
		if (k == tiles->kind_count)
			tiles->kinds[tiles->kind_count++] = (struct tile_kind){.tile = q};
		++tiles->kinds[k].count;
	}
}

/* ---- one of each kind ------------------------------------------------------------------------------------------ */

/* Finds the range of the devices that are in a tile: the index of the first, and the one after the last. */
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

/* Adds the start-ups of as many trips like it as `times`. */
static void trip_merge(struct trip *sum, const struct trip *trip, double times)
{
	if (!(trip->flows > 0))
		return;
	sum->most_s = trip->most_s > sum->most_s ? trip->most_s : sum->most_s;
	sum->least_s = trip->least_s < sum->least_s || !(sum->flows > 0) ? trip->least_s : sum->least_s;
	sum->sum_s += times * trip->sum_s;
	sum->flows += times * trip->flows;
}

/* Sends the messages that begin in the tile along their routes, then those that only end there. */
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

static void kind_route(struct compiler *compiler, const struct emitted *emitted, unsigned sibling,
	const struct tile_kind *kind)
{
	struct trip *const trip =
		compiler->step.ring && compiler->pipelines ? &compiler->trips[sibling] : NULL;
	struct trip here = {0}, beyond = {0};
	for (unsigned at = 0; at < emitted->turn; ++at) {
		struct places from, to;
		run_places(compiler, emitted, at, sibling, &from, &to);
		places_route(compiler, &from, &to, emitted->share, kind->tile, trip ? &here : NULL,
			trip ? &beyond : NULL);
	}
	if (trip)
		trip_merge(trip, &here, kind->count);
}

/* Returns whether the tile is among those from a copy's first device to its last. */
static bool copy_reaches(const struct compiler *compiler, unsigned sibling, unsigned tile)
{
	const unsigned *devices = compiler->devices + (size_t)sibling * compiler->size;
	return devices[0] / compiler->tiles.devices <= tile &&
	       devices[compiler->size - 1] / compiler->tiles.devices >= tile;
}

/*
 * Adds the messages that one tile of a kind sees: if `common`, of the runs that all tiles see alike, else of the
 * others.
 */
static void runs_route(struct compiler *compiler, const struct tile_kind *kind, unsigned used, bool common)
{
	for (unsigned s = 0; s < compiler->siblings; ++s) {
		if (!copy_reaches(compiler, s, kind->tile))
			continue;
		for (unsigned i = 0; i < compiler->emitted_count; ++i)
			if ((compiler->emitted[i].alike == used) == common)
				kind_route(compiler, &compiler->emitted[i], s, kind);
	}
}

/*
 * Adds in the first tile what all tiles see alike, and keeps what that puts on links. Returns whether these links
 * are all inside the tile, so that the load of another tile's links is known.
 */
static bool base_route(struct compiler *compiler, unsigned used)
{
	struct tiles *tiles = &compiler->tiles;
	const struct tile_kind all = {tiles->kinds[0].tile, used};
	flows_begin(compiler);
	runs_route(compiler, &all, used, true);
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		if (tile_link_moved(compiler, compiler->loads[i].link, 0) == UINT_MAX)
			return false;
		tiles->base[tiles->base_count++] = compiler->loads[i];
	}
	return true;
}

static void kind_times(
	struct compiler *compiler, const struct tile_kind *kind, unsigned used, struct times *times)
{
	const struct tiles *tiles = &compiler->tiles;
	struct times here = {0};
	struct peaks peaks = peaks_none;
	flows_begin(compiler);
	for (unsigned i = 0; i < tiles->base_count; ++i)
		(void)load_add(compiler, tile_link_moved(compiler, tiles->base[i].link, kind->tile),
			&tiles->base[i]);
	runs_route(compiler, kind, used, false);
	loads_mirror(compiler);
	for (unsigned i = 0; i < compiler->load_count; ++i)
		if (tile_of_link(compiler, compiler->loads[i].link) == kind->tile)
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
	const unsigned used = tiles_see(compiler);
	kinds_find(tiles);
	tiles->base_count = 0;
	if (tiles->match && !base_route(compiler, used)) {
		tiles->match = false; /* nor in any other step */
		for (unsigned s = 0; s < compiler->siblings; ++s)
			compiler->trips[s] = (struct trip){0};
		flows_begin(compiler);
		return false;
	}
	if (tiles->base_count == 0 && 2 * tiles->kind_count > used)
		return false;
	for (unsigned k = 0; k < tiles->kind_count; ++k)
		kind_times(compiler, &tiles->kinds[k], used, times);
	hull_max(&times->upper, &compiler->step.flows.upper);
	hull_max(&times->lower, &compiler->step.flows.lower);
	compiler->emitted_count = 0;
	flows_begin(compiler);
	return true;
}
