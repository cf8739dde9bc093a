/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spatial parallelism cuts the extents of each sample into s0 x s1 x s2 pieces; every device has all weights, so
 * gradients are exchanged over this axis too. A window of kernel K and dilation d needs d * floor((K-1)/2) rows of
 * the neighbour on each side, whatever the stride: of x forward, of dL/dy backward (none for the network's input,
 * whose gradient no layer needs; the paper's ideal counts it all the same). One face = those rows * channels * the
 * other *local* extents. K = 1 and K = 2 have no face and send no message.
 */
#include <limits.h>

#include "plan/strategy.h"

double halo_rows(const struct layer *layer, unsigned dimension)
{
	const unsigned kernel = layer->kernel[dimension], dilation = layer->dilation[dimension];
	const unsigned reach = kernel > 1 ? (kernel - 1) / 2 : 0;
	return (double)(dilation ? dilation : 1) * reach;
}

static unsigned spatial_limit(const struct layer *layer, unsigned dimension)
{
	if (dimension >= layer->x.dimensions)
		return 1;
	const unsigned x = layer->x.extent[dimension], y = layer->y.extent[dimension];
	const unsigned rows = (unsigned)halo_rows(layer, dimension);
	const unsigned least = y && y < x ? y : x;
	const unsigned halo =
		rows ? x / rows : UINT_MAX; /* a piece holds at least the rows that its neighbour needs */
	const unsigned limit = least < halo ? least : halo;
	return limit ? limit : 1;
}

/* Computes share() with the division already done: the comparison settles what rounding of `per_piece` left open. */
static inline double share_by(double whole, double pieces, double per_piece, bool ideal)
{
	if (ideal)
		return whole / pieces;
	double here = (double)(long long)(whole * per_piece);
	if (here * pieces < whole)
		here += 1;
	return here;
}

static void spatial_split(struct shard *shard, const struct layer *layer, const struct paradl_plan *plan,
	const struct cut_rules *rules)
{
	double x_whole = 1, x_piece = 1, y_whole = 1, y_piece = 1;
	bool same = true; /* most layers keep their extents */
	for (unsigned i = 0; i < layer->x.dimensions && i < DIMENSIONS_MAX; ++i) {
		if (plan->spatial[i] < 2)
			continue;
		const double pieces = plan->spatial[i], per_piece = 1 / pieces;
		x_whole *= shard->x_extent[i];
		y_whole *= shard->y_extent[i];
		same = same && layer->x.extent[i] == layer->y.extent[i];
		shard->x_extent[i] = share_by(shard->x_extent[i], pieces, per_piece, rules->even);
		shard->y_extent[i] = share_by(shard->y_extent[i], pieces, per_piece, rules->even);
		x_piece *= shard->x_extent[i];
		y_piece *= shard->y_extent[i];
	}
	/* The paper's Table III divides every layer, flattened ones too. */
	shard->x_share = rules->even ? 1.0 / plan->degree[PARADL_SPATIAL] : x_piece / x_whole;
	shard->y_share = rules->even || same ? shard->x_share : y_piece / y_whole;
	shard->x_items *= shard->x_share;
	shard->y_items *= shard->y_share;
	shard->positions *= shard->y_share;
}

static double face(
	const struct tensor *tensor, const double extent[DIMENSIONS_MAX], unsigned dimension, double rows)
{
	double items = rows * tensor->channels;
	for (unsigned i = 0; i < tensor->dimensions; ++i)
		if (i != dimension)
			items *= extent[i];
	return items;
}

/* Returns how many rows a piece takes from each of its neighbours. */
static double rows_from_neighbour(
	const struct layer *layer, unsigned dimension, const struct cut_rules *rules)
{
	if (layer->global) /* its window is the whole extent: pieces are reduced, and no row is exchanged */
		return 0;
	if (layer->class_ != LAYER_POOL)
		return halo_rows(layer, dimension);
	if (pool_is_padded(layer, rules->padded_pools))
		return 1;
	return rules->pool_messages ? halo_rows(layer, dimension) : 0;
}

static void spatial_communicate(struct traffic_list *list, const struct layer *layer,
	const struct shard *shard, const struct paradl_plan *plan, const struct cut_rules *rules)
{
	for (unsigned i = 0; i < layer->x.dimensions && i < DIMENSIONS_MAX; ++i) {
		const double rows = rows_from_neighbour(layer, i, rules);
		const double pieces = plan->spatial[i];
		if (pieces < 2 || rows <= 0)
			continue;
		const double x = shard->samples * face(&layer->x, shard->x_extent, i, rows);
		const double y = shard->samples * face(&layer->y, shard->y_extent, i, rows);
		list->items[list->count++] =
			(struct traffic){PARADL_SPATIAL, TRAFFIC_HALO, PASS_FORWARD, x, pieces, 0};
		if (rules->even || layer->backward_data)
			list->items[list->count++] =
				(struct traffic){PARADL_SPATIAL, TRAFFIC_HALO, PASS_BACKWARD, y, pieces, 0};
	}
}

const struct strategy strategy_spatial = {
	.name = "spatial",
	.summary = "rows (columns, slices) of each sample are divided; neighbours exchange halos",
	.axis = PARADL_SPATIAL,
	.replicates_weights = true,
	.limit = spatial_limit,
	.scarce = "rows",
	.split = spatial_split,
	.communicate = spatial_communicate,
};
