/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strategy/strategy.h"

/* The row of each axis: list.def is in the order of enum paradl_axis, which the tests check. */
const struct strategy *const strategies[PARADL_AXIS_COUNT] = {
#define X(id) &strategy_##id,
#include "strategy/list.def"
#undef X
};

struct shard shard_whole(const struct layer *layer, double samples)
{
	struct shard shard = {
		.samples = samples,
		.filters = layer->filters,
		.channels = layer->channels,
		.x_items = layer->x_items,
		.y_items = layer->y_items,
		.positions = layer->positions,
		.weight_items = layer->weight_items,
		.frozen_items = layer->frozen_items,
		.x_share = 1,
		.y_share = 1,
		.filter_pieces = 1,
		.channel_pieces = 1,
		.tensor_pieces = 1,
		.context_pieces = 1,
		.expert_pieces = 1,
	};
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i) {
		shard.x_extent[i] = layer->x.extent[i] ? layer->x.extent[i] : 1;
		shard.y_extent[i] = layer->y.extent[i] ? layer->y.extent[i] : 1;
	}
	return shard;
}

struct paradl_entry paradl_strategy(size_t index)
{
	if (index >= PARADL_AXIS_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){strategies[index]->name, strategies[index]->summary};
}
