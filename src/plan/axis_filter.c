/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filter parallelism: each of f devices computes F/f output channels from the whole input.
 *     forward   allgather of y, so that the next layer sees every channel
 *     backward  allreduce of dL/dx, whose f partial sums come from the f shares of filters (none at the first layer)
 * Together with channel parallelism each device holds C/c of x, so dL/dx is x/c. A program that sums the pieces
 * before the allreduce moves |y|/f instead (wrong gradients, but measured: filter_backward_partial). The source is
 * ParaDL (HPDC'21), filter row of Table III; the table writes |y| for the |x| that the backward moves.
 */
#include "plan/strategy.h"

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
