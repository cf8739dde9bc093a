/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the axes that cut the channels of layers: filters (those of the output), and channels of the input. */
#include "plan/strategy.h"

#include <limits.h>

/*
 * Filter parallelism: each of f devices computes F/f output channels from the whole input.
 *     forward   allgather of y, so that the next layer sees every channel
 *     backward  allreduce of dL/dx, whose f partial sums come from the f shares of filters (none at the first layer)
 * Together with channel parallelism each device holds C/c of x, so dL/dx is x/c. A program that sums the pieces
 * before the allreduce moves |y|/f instead (wrong gradients, but measured: filter_backward_partial). The source is
 * ParaDL (HPDC'21), filter row of Table III; the table writes |y| for the |x| that the backward moves.
 */

static unsigned filter_limit(const struct layer *layer, unsigned dimension)
{
	(void)dimension;
	return layer->kernel_volume > 0 ? layer->filters : layer->y.channels;
}

static void filter_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	const unsigned degree = plan->degree[PARADL_FILTER];
	const double before = shard->filters;
	(void)layer;
	shard->filters = share(shard->filters, degree, rules->even);
	const double part = before > 0 && !rules->even ? shard->filters / before : 1.0 / degree;
	shard->weight_items *= part;
	shard->frozen_items *= part;
	shard->filter_pieces = degree;
}

static void filter_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	const double y = shard->samples * shard->y_items;
	const double x = shard->samples * shard->x_items / shard->channel_pieces;
	(void)plan;
	if (!(rules->even && layer->is_last))
		list->items[list->count++] =
			(struct traffic){PARADL_FILTER, TRAFFIC_ALLGATHER, PASS_FORWARD, y, 0, 0};
	if (rules->filter_backward_partial)
		list->items[list->count++] = (struct traffic){
			PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, y / shard->filter_pieces, 0, 0};
	else if (rules->even ? !layer->reads_input : layer->backward_data)
		list->items[list->count++] =
			(struct traffic){PARADL_FILTER, TRAFFIC_ALLREDUCE, PASS_BACKWARD, x, 0, 0};
}

const struct strategy strategy_filter = {
	.name = "filter",
	.summary = "output channels of each layer are divided; activations are gathered",
	.axis = PARADL_FILTER,
	.limit = filter_limit,
	.scarce = "filters",
	.split = filter_split,
	.communicate = filter_communicate,
};

/*
 * Channel parallelism mirrors filter parallelism: each of c devices holds C/c input channels and makes a partial y.
 *     forward   allreduce of y (of its F/f filters when the filter axis cuts too)
 *     backward  allgather of dL/dx
 * The first layer is never cut: it has the few channels of the input (ParaDL, channel row of Table III: C of l > 1).
 */

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
