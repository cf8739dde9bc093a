/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds that add up over layers. Of what does not:
 *     replicas  time / weights of an exchange is least at the end of a segment of its curve, at a full bucket, or with
 *               all weights: between, it is constant + constant / weights. The least of these times a layer's weights
 *     hidden    gradients behind backward, gathers behind forward, sharded weights behind all compute are
 *               max(0, exchange - room) each; their sum is at least max(0, sum of exchanges - sum of rooms). Rooms are
 *               not less than they are: device and host time together
 *     host      max(device, host), or the q-norm of both, is convex and homogeneous: it is at least its tangent at any
 *               point, which is a weighted sum; the point is where one plan for all layers is
 *     memory    what all layers hold at the end of forward, and the transient that some layer needs at least; the peak
 *               is not below
 *     input     of the way that reads fastest; a step with input only grows with the time of the rest
 */
#include <math.h>

#include "oracle/layered_rates.h"

void floor_point_add(struct floor_points *points, double weights)
{
	if (weights > 0 && weights < points->most && points->count < FLOOR_POINTS_MAX)
		points->items[points->count++] = weights;
}

void floor_curve_add(struct floor_points *points, const struct curve *curve, double bytes_per_weight)
{
	for (unsigned i = 0; curve && i + 1 < curve->count; ++i)
		floor_point_add(points, curve->segments[i].upto_bytes / bytes_per_weight);
}

double floor_rate(double (*time_s)(const struct evaluation *evaluation, double weights),
	const struct evaluation *evaluation, const struct floor_points *points)
{
	double least = points->most > 0 ? time_s(evaluation, points->most) / points->most : 0;
	for (unsigned i = 0; i < points->count; ++i)
		least = fmin(least, time_s(evaluation, points->items[i]) / points->items[i]);
	return least;
}

static double images_gradient_s(const struct evaluation *evaluation, double weights)
{
	return gradient_exchange_s(evaluation, weights, 0, NULL);
}

static void images_points(const struct evaluation *evaluation, struct floor_points *points)
{
	const double bucket = evaluation->oracle->framework->bucket_bytes;
	for (unsigned w = 0; w < evaluation->way_count; ++w)
		for (unsigned half = 1; half <= 2; ++half) { /* compressed to half the bytes */
			const double bytes = evaluation->item_bytes / half;
			floor_point_add(points, bucket / bytes);
			for (unsigned i = 0; i < evaluation->ways[w].stage_count; ++i)
				floor_curve_add(points, evaluation->ways[w].stages[i], bytes);
		}
}

static bool images_floor(const struct way *way, const struct way_floor *floor,
	const struct floor_point *point, unsigned position, struct layer_floor *result)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double call_s = oracle->framework->host_call_s;
	struct stage_sums sums = {.layers = 0};
	struct paradl_memory memory = {0};
	if (!layer_feasible(evaluation, way->net.model->order[position]))
		return false;
	stage_sum_add(evaluation, position, &sums);
	const double times = evaluation->micro_batches;
	const double device_s = sums.forward_s + sums.backward_s;
	const double kernels_s =
		evaluation->blocking ? device_s : point->device[0] * device_s + point->host[0] * call_s;
	const bool hides = !(evaluation->plan.apart & PARADL_OVERLAP_GRADIENTS);
	const double room_s = hides ? oracle->framework->overlap * times *
					      (sums.backward_s + (evaluation->blocking ? 0 : call_s))
				    : 0;
	result->cost_s += times * (kernels_s + sums.activation_s[0] + sums.activation_s[1] + sums.halo_s[0] +
					  sums.halo_s[1]) +
			  sums.update_s + gradient_host_s(evaluation, sums.weight_items, sums.tensors);
	result->exposed_s += floor->gradient_s * sums.weight_items - room_s;
	sums.peak_items = sums.kept_items;
	memory_fill(evaluation, &sums, 1, 0, &memory);
	result->memory_bytes += memory_sum(&memory) - memory.workspace_bytes;
	return true;
}

struct floor_point floor_point_at(const struct way *way)
{
	struct floor_point floor = {{1, 1}, {0, 0}, {true, false, false}};
	const struct evaluation *evaluation = &way->evaluation;
	if (evaluation->trains)
		return tokens_point_at(way);
	const struct stage_sums sums = stage_sum(evaluation, 0, way->net.model->order_count);
	double device_s = 0;
	for (unsigned i = 0; i < way->net.model->order_count; ++i) {
		const struct layer_cost *cost = &way->net.costs[way->net.model->order[i]];
		device_s += cost->forward_s + cost->backward_s;
	}
	if (sums.forward_s + sums.backward_s > device_s * (1 + 1e-9)) {
		floor.device[0] = floor.device[1] = 0;
		floor.host[0] = floor.host[1] = 1;
	}
	return floor;
}

struct way_floor way_floor_of(const struct way *way)
{
	struct floor_points points = {.most = 0};
	const struct paradl_model *model = way->net.model;
	struct way_floor floor = {0};
	if (way->evaluation.trains)
		return tokens_way_floor(way);
	for (unsigned i = 0; i < model->order_count; ++i)
		points.most += way->net.costs[model->order[i]].weight_items;
	images_points(&way->evaluation, &points);
	floor.gradient_s = floor_rate(images_gradient_s, &way->evaluation, &points);
	return floor;
}

static unsigned unit_at(const struct paradl_model *model, unsigned position)
{
	unsigned unit = 0;
	while (model->units[unit].end <= position)
		++unit;
	return unit;
}

bool layer_floor(const struct way *way, const struct way_floor *floor, const struct floor_point *point,
	unsigned first, unsigned end, struct layer_floor *result)
{
	*result = (struct layer_floor){0};
	if (way->evaluation.trains) {
		tokens_floor(way, floor, point, unit_at(way->net.model, first), result);
		return true;
	}
	for (unsigned i = first; i < end; ++i)
		if (!images_floor(way, floor, point, i, result))
			return false;
	return true;
}

double fixed_floor_s(const struct way *way, const struct floor_point *point)
{
	return way->evaluation.trains ? tokens_fixed_s(way, point) : 0;
}

double fixed_floor_bytes(const struct way *way)
{
	const struct paradl_framework *framework = way->evaluation.oracle->framework;
	return framework->workspace_bytes + (way->evaluation.trains ? framework->training.context_bytes : 0);
}

double ways_input_floor_s(const struct way *ways, unsigned count, double busy_s)
{
	double least_s = HUGE_VAL;
	for (unsigned w = 0; w < count; ++w) {
		const struct evaluation *evaluation = &ways[w].evaluation;
		least_s = fmin(least_s, oracle_input_least_s(evaluation->oracle, &evaluation->plan, busy_s));
	}
	return fmax(busy_s, least_s);
}
