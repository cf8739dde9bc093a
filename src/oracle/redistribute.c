/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Neighbours that are cut differently: the tensor between them is dealt out again, its gradient the other way.
 *     s = min(all-to-all(v), all-gather(v) if all need the same), v = lacking bytes g / (g - 1)
 * in the smallest aligned blocks of g devices that hold what their devices need (layout.c), all blocks at once.
 * Equal layouts and slices cost nothing; each reader gets its own copy.
 */
#include "oracle/layered.h"

#include <math.h>
#include <string.h>

/* A plan whose innermost axis is the block. */
static struct group block_group(const struct way *way, unsigned devices)
{
	struct paradl_plan plan = {.spatial = {1, 1, 1}};
	const unsigned all = (unsigned)paradl_plan_devices(&way->evaluation.plan);
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		plan.order[i] = (unsigned char)i;
		plan.degree[i] = 1;
	}
	plan.degree[PARADL_DATA] = all / devices;
	plan.degree[PARADL_FILTER] = devices;
	return group_of(way->evaluation.oracle->machine, &plan, 1u << PARADL_FILTER);
}

const struct block *block_of(const struct redistributor *movers, unsigned devices)
{
	for (unsigned i = 0; i < movers->count; ++i)
		if (movers->items[i].devices == devices)
			return &movers->items[i];
	return NULL;
}

static const struct block *block_compile(
	struct redistributor *movers, const struct way *way, unsigned devices, struct paradl_error *error)
{
	const struct exchange_choices *choices = way->evaluation.oracle->choices;
	const struct block *known = block_of(movers, devices);
	if (known)
		return known;
	const unsigned place = movers->count < BLOCKS_MAX ? movers->count : BLOCKS_MAX - 1;
	struct block *block = &movers->items[place];
	const struct group group = block_group(way, devices);
	block->devices = devices;
	block->nodes = group.nodes;
	if (!exchange_compile(&way->evaluation, &group, &choices->gather.choice, &block->gather, error) ||
		!exchange_compile(
			&way->evaluation, &group, &choices->all_to_all.choice, &block->all_to_all, error))
		return NULL;
	movers->count = place + 1;
	return block;
}

static bool move_time(struct redistributor *movers, const struct way *way, double channel_bytes,
	const struct layout_move *move, double *bytes, double *s, struct paradl_error *error)
{
	*bytes = *s = 0;
	if (!(move->items > 0))
		return true;
	const struct block *block = block_compile(movers, way, move->devices, error);
	if (!block)
		return false;
	const double devices = move->devices;
	*bytes = move->items * channel_bytes;
	const double vector = *bytes * devices / (devices - 1);
	*s = exchange_s(&block->all_to_all, vector);
	if (move->gathers)
		*s = fmin(*s, exchange_s(&block->gather, vector));
	if (!way->evaluation.oracle->rules.library_starts) /* else it is in the exchange */
		*s += way->evaluation.oracle->rules.collective_call_s;
	return true;
}

/* Moves by what they are of, in a table with open addressing. */
enum { KNOWN_MAX = 1 << 14, PROBES = 64 };
struct move_key {
	struct layout from, to;
	double extent[LAYOUT_DIMENSIONS];
};
struct known_move {
	struct move_key key;
	struct layout_move move; /* of 0 devices: none yet */
};

static unsigned key_hash(const struct move_key *key)
{
	unsigned words[sizeof *key / sizeof(unsigned)], hash = 2166136261u; /* FNV-1a, by words */
	memcpy(words, key, sizeof words);
	for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
		hash = (hash ^ words[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static struct layout_move move_find(struct redistributor *movers, const struct layout *from,
	const struct layout *to, const double extent[LAYOUT_DIMENSIONS])
{
	struct move_key key = {.from = *from, .to = *to};
	memcpy(key.extent, extent, sizeof key.extent);
	if (movers->arena && !movers->known)
		movers->known = arena_alloc(movers->arena, KNOWN_MAX, sizeof *movers->known);
	unsigned at = movers->known ? key_hash(&key) : 0;
	for (unsigned i = 0; movers->known && i < PROBES; ++i, ++at) {
		struct known_move *known = &movers->known[at % KNOWN_MAX];
		if (!known->move.devices)
			*known = (struct known_move){key, layout_move(&key.from, &key.to, key.extent)};
		bool same = layout_equal(&known->key.from, from) && layout_equal(&known->key.to, to);
		for (unsigned k = 0; k < LAYOUT_DIMENSIONS && same; ++k)
			same = extent[k] <= known->key.extent[k] && extent[k] >= known->key.extent[k];
		if (same)
			return known->move;
	}
	return layout_move(&key.from, &key.to, key.extent);
}

static struct layout layout_at(const struct way *way, unsigned position)
{
	const unsigned cut = way->net.cut[way->net.model->order[position]];
	return layout_of(&way->evaluation.plan, cut & way->evaluation.axes & 1u << PARADL_SPATIAL);
}

bool redistribute(const struct way *from, unsigned position, const struct way *to, unsigned reader,
	struct redistributor *movers, struct redistribution *result, struct paradl_error *error)
{
	const struct layer *made = &from->net.model->layers[from->net.model->order[position]];
	const struct layer *read = &to->net.model->layers[to->net.model->order[reader]];
	const struct evaluation *evaluation = &from->evaluation;
	const struct layout a = layout_at(from, position), b = layout_at(to, reader);
	double extent[LAYOUT_DIMENSIONS] = {evaluation->plan.batch / evaluation->micro_batches, 1, 1, 1};
	double positions = 1;
	for (unsigned i = 0; i < made->y.dimensions; ++i)
		positions *= extent[1 + i] = made->y.extent[i];
	const double channel_bytes = made->y_items / positions * evaluation->item_bytes;
	*result = (struct redistribution){.move = {{0, 1, false}, {0, 1, false}}};
	if (from == to || layout_equal(&a, &b))
		return true;
	result->move[PASS_FORWARD] = move_find(movers, &a, &b, extent);
	if (read->backward_data)
		result->move[PASS_BACKWARD] = move_find(movers, &b, &a, extent);
	result->copy_items = layout_items(&b, extent) * made->y_items / positions;
	for (unsigned pass = 0; pass < 2; ++pass)
		if (!move_time(movers, from, channel_bytes, &result->move[pass], &result->bytes[pass],
			    &result->s[pass], error))
			return false;
	return true;
}

double way_gather_s(const struct way *way, unsigned position, unsigned reader)
{
	const bool here = way->net.gathers && way->net.gather_position == position && reader == position + 1;
	return here ? gather_s(&way->evaluation) : 0;
}
