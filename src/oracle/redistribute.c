/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Neighbours that are cut differently: the tensor between them is dealt out again, its gradient the other way.
 *     s = min(all-to-all(v), all-gather(v) if all need the same), v = lacking bytes g / (g - 1)
 * in the smallest aligned blocks of g devices that hold what their devices need (layout.c), all blocks at once.
 * Equal layouts and slices cost nothing; each reader gets its own copy.
 */
#include "oracle/layered.h"

#include <math.h>

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

/* Of networks of images a call costs what their other collectives do. */
static double call_s(const struct way *way, const struct exchange *exchange, double bytes)
{
	if (way->net.model->tokens)
		return exchange_s(exchange, bytes);
	return curve_s(exchange->curve, bytes) + way->evaluation.oracle->framework->collective_s;
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
	*s = call_s(way, &block->all_to_all, vector);
	if (move->gathers)
		*s = fmin(*s, call_s(way, &block->gather, vector));
	return true;
}

/* Moves by what they are of, in a table with open addressing. */
enum { KNOWN_MAX = 1 << 14 };
struct known_move {
	struct layout_change change;
	struct layout_move move;
	bool used;
};

static unsigned move_hash(const struct layout_change *change)
{
	const struct layout *from = &change->from, *to = &change->to;
	unsigned hash = 2166136261u; /* FNV-1a, by words */
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		for (unsigned k = 0; k < 2; ++k) {
			hash = (hash ^ from->cuts[i].degree[k]) * 16777619u;
			hash = (hash ^ to->cuts[i].degree[k]) * 16777619u;
			hash = (hash ^ from->cuts[i].stride[k]) * 16777619u;
			hash = (hash ^ to->cuts[i].stride[k]) * 16777619u;
		}
	return hash ^ hash >> 15;
}

static bool is_known(const struct known_move *known, const struct layout_change *change)
{
	bool same = layout_equal(&known->change.from, &change->from) &&
		    layout_equal(&known->change.to, &change->to);
	for (unsigned i = 0; i < LAYOUT_DIMENSIONS; ++i)
		same = same && !(known->change.extent[i] < change->extent[i]) &&
		       !(known->change.extent[i] > change->extent[i]);
	return same;
}

static struct layout_move move_find(struct redistributor *movers, const struct layout *from,
	const struct layout *to, const double extent[LAYOUT_DIMENSIONS])
{
	const struct layout_change change = layout_change_of(from, to, extent);
	if (movers->arena && !movers->known)
		movers->known = arena_alloc(movers->arena, KNOWN_MAX, sizeof *movers->known);
	struct known_move *known = NULL;
	for (unsigned i = 0, at = move_hash(&change); movers->known && i < 64; ++i) {
		known = &movers->known[(at + i) % KNOWN_MAX];
		if (!known->used || is_known(known, &change))
			break;
	}
	if (!known)
		return layout_move_whole(&change, layout_change_move(&change));
	if (!known->used || !is_known(known, &change))
		*known = (struct known_move){change, layout_change_move(&change), true};
	return layout_move_whole(&change, known->move);
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
