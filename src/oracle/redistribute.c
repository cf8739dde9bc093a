/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Neighbours may be cut differently: the tensor between them is dealt out again, its gradient the other way.
 *     s = min(all-to-all(v), all-gather(v) if all need the same), v = lacking bytes g / (g - 1)
 * in the smallest aligned blocks of g devices that hold what their devices need (layout.c), all blocks at once. Equal
 * layouts and slices cost nothing; each reader gets its own copy.
 */
#include "oracle/layered.h"

#include <math.h>
#include <string.h>

/* Size of the table of known moves, which has open addressing, and places that are probed. */
enum { KNOWN_MAX = 1 << 14, PROBES = 64 };
struct known_move {
	unsigned words[sizeof(struct layout_change) / sizeof(unsigned)]; /* words of the key */
	struct layout_move move;                                         /* 0 devices: none yet */
	struct exchange gather, all_to_all;
	unsigned nodes; /* nodes of a block */
};

static unsigned words_hash(const struct known_move *move)
{
	unsigned hash = 2166136261u; /* FNV-1a, by words */
	for (unsigned i = 0; i < sizeof move->words / sizeof *move->words; ++i)
		hash = (hash ^ move->words[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static bool move_compile(const struct layer_plan *layer_plan, const struct layout_change *key,
	struct known_move *result, struct paradl_error *error)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct exchange_choices *choices = evaluation->oracle->choices;
	result->move = layout_move(*key);
	if (!(result->move.items > 0))
		return true;
	/* The group is of a plan whose innermost axis is the block. */
	struct paradl_plan plan = {.spatial = {1, 1, 1}};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		plan.order[i] = (unsigned char)i;
		plan.degree[i] = 1;
	}
	plan.degree[PARADL_FILTER] = result->move.devices;
	plan.degree[PARADL_DATA] = (unsigned)paradl_plan_devices(&evaluation->plan) / result->move.devices;
	const struct group group = group_of(evaluation->oracle->machine, &plan, 1u << PARADL_FILTER);
	result->nodes = group.nodes;
	return exchange_compile(evaluation, &group, &choices->gather.choice, &result->gather, error) &&
	       exchange_compile(evaluation, &group, &choices->all_to_all.choice, &result->all_to_all, error);
}

/* Returns the move with this key as it is known, else as it is now compiled in `fresh`; NULL with an error. */
static const struct known_move *move_find(struct redistributor *movers, const struct layer_plan *layer_plan,
	const struct layout_change *key, struct known_move *fresh, struct paradl_error *error)
{
	struct known_move *place = NULL;
	*fresh = (struct known_move){.nodes = 1};
	memcpy(fresh->words, key, sizeof fresh->words);
	if (movers->arena && !movers->known)
		movers->known = arena_alloc(movers->arena, KNOWN_MAX, sizeof *movers->known);
	unsigned at = movers->known ? words_hash(fresh) : 0;
	for (unsigned i = 0; movers->known && !place && i < PROBES; ++i, ++at) {
		struct known_move *known = &movers->known[at % KNOWN_MAX];
		if (!known->move.devices)
			place = known;
		else if (memcmp(known->words, fresh->words, sizeof fresh->words) == 0)
			return known;
	}
	if (!move_compile(layer_plan, key, fresh, error))
		return NULL;
	if (place)
		*place = *fresh;
	return fresh;
}

/* Fills what one pass moves of a tensor, and how long that takes. */
static bool pass_fill(struct redistributor *movers, const struct layer_plan *layer_plan,
	const struct layout_change *key, double channel_bytes, enum pass pass, struct redistribution *result,
	struct paradl_error *error)
{
	const struct rules *rules = &layer_plan->evaluation.oracle->rules;
	struct known_move fresh;
	const struct known_move *known = move_find(movers, layer_plan, key, &fresh, error);
	if (!known)
		return false;
	result->move[pass] = known->move;
	result->nodes[pass] = known->nodes;
	if (!(known->move.items > 0))
		return true;
	const double devices = known->move.devices, bytes = known->move.items * channel_bytes;
	const double vector = bytes * devices / (devices - 1);
	double s = exchange_s(&known->all_to_all, vector);
	if (known->move.gathers)
		s = fmin(s, exchange_s(&known->gather, vector));
	result->bytes[pass] = bytes;
	result->s[pass] =
		rules->library_starts ? s : s + rules->collective_call_s; /* library_starts: s includes it */
	return true;
}

static struct layout layout_at(const struct layer_plan *layer_plan, unsigned position)
{
	const unsigned cut = layer_plan->net.cut[layer_plan->net.model->order[position]];
	return layout_of(
		&layer_plan->evaluation.plan, cut & layer_plan->evaluation.axes & 1u << PARADL_SPATIAL);
}

bool redistribute(const struct layer_plan *from, unsigned position, const struct layer_plan *to,
	unsigned reader, struct redistributor *movers, struct redistribution *result,
	struct paradl_error *error)
{
	const struct layer *made = &from->net.model->layers[from->net.model->order[position]];
	const struct layer *read = &to->net.model->layers[to->net.model->order[reader]];
	const struct evaluation *evaluation = &from->evaluation;
	const double samples = evaluation->plan.batch / evaluation->micro_batches;
	struct layout_change there = {layout_at(from, position), layout_at(to, reader), {samples, 1, 1, 1}};
	double positions = 1;
	for (unsigned i = 0; i < made->y.dimensions; ++i)
		positions *= there.extent[1 + i] = made->y.extent[i];
	const double channel_bytes = made->y_items / positions * evaluation->item_bytes;
	*result = (struct redistribution){.from = position, .to = reader};
	if (from == to || memcmp(&there.from, &there.to, sizeof there.to) == 0)
		return true;
	result->copy_items = layout_items(&there.to, there.extent) * made->y_items / positions;
	struct layout_change back = there;
	back.from = there.to;
	back.to = there.from;
	return pass_fill(movers, from, &there, channel_bytes, PASS_FORWARD, result, error) &&
	       (!read->backward_data ||
		       pass_fill(movers, from, &back, channel_bytes, PASS_BACKWARD, result, error));
}

double layer_plan_gather_s(const struct layer_plan *layer_plan, unsigned reader)
{
	return reader == layer_plan->net.spatial_end ? gather_s(&layer_plan->evaluation) : 0;
}
