/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Channel parallelism mirrors filter parallelism: each of c devices holds C/c input channels and makes a partial y.
 *     forward   allreduce of y (of its F/f filters when the filter axis cuts too)
 *     backward  allgather of dL/dx
 * The first layer is never cut: it has the few channels of the input (ParaDL, channel row of Table III: C of l > 1).
 */
#include <limits.h>

#include "plan/strategy.h"

static unsigned channel_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	if (layer->reads_input)
		return UINT_MAX;
	return layer->kernel_volume > 0 ? layer->channels : layer->x.channels;
}

static void channel_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	const unsigned degree = plan->degree[PARADL_CHANNEL];
	const double before = shard->channels;
	(void)layer;
	shard->channels = share(shard->channels, degree, rules->even);
	const double part = before > 0 && !rules->even ? shard->channels / before : 1.0 / degree;
	shard->weight_items *= part;
	shard->frozen_items *= part;
	shard->channel_pieces = degree;
}

static void channel_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	const double y = shard->samples * shard->y_items / shard->filter_pieces;
	const double x = shard->samples * shard->x_items;
	(void)plan;
	if (!(rules->even && layer->is_last))
		list->items[list->count++] =
			(struct traffic){PARADL_CHANNEL, TRAFFIC_ALLREDUCE, PASS_FORWARD, y, 0, 0};
	if (rules->even ? !layer->reads_input : layer->backward_data)
		list->items[list->count++] =
			(struct traffic){PARADL_CHANNEL, TRAFFIC_ALLGATHER, PASS_BACKWARD, x, 0, 0};
}

const struct strategy strategy_channel = {
	.name = "channel",
	.summary = "input channels of each layer are divided; partial outputs are allreduced",
	.axis = PARADL_CHANNEL,
	.limit = channel_limit,
	.scarce = "channels",
	.split = channel_split,
	.communicate = channel_communicate,
};
